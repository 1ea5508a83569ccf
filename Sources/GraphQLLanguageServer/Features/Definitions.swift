import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax

/// `textDocument/definition` and `textDocument/implementation`.
///
/// | name | definition | implementation |
/// | :-- | :-- | :-- |
/// | element of the schema | its definition | — |
/// | fragment spread | the fragment | the generated model |
/// | variable | its definition in the operation or the fragment | — |
/// | argument of a fragment spread | the variable of the fragment | — |
/// | name of an operation or a fragment, where it is defined | the generated model | the same |
enum Definitions {
  static func definition(_ request: FeatureRequest, at position: TextPosition) -> JSONOutput {
    let text = request.text
    guard let occurrence = text.occurrence(at: request.offset(of: position)) else { return .null }
    var texts = FileTexts(request.workspace)
    func location(_ span: SourceSpan?, in document: Document) -> JSONOutput {
      guard let span else { return .null }
      return texts.location(of: FilePart(span, in: document.sources), in: request.project)?.json
        ?? .null
    }
    switch occurrence.meaning {
    case .fragment where occurrence.isDefinition, .operation:
      return model(of: occurrence.meaning, request)
    case .fragment(let name):
      let whole = request.operations.document
      return location(
        whole.fragments.first { whole.spelling($0.name) == name }?.name.span, in: whole)
    case .variable(let name):
      guard let found = request.definition(ofVariable: name, at: occurrence.span, in: text)
      else { return .null }
      return location(found.variable.variableSpan, in: found.document)
    case .fragmentVariable(let name, let fragment):
      let whole = request.operations
      return location(whole.variable(name, of: fragment)?.variableSpan, in: whole.document)
    case .alias(_, let field):
      return location(
        field.map { text.schema.nameSpan(of: .field($0)) } ?? nil, in: text.schema.document)
    default:
      return location(text.schema.nameSpan(of: occurrence.meaning), in: text.schema.document)
    }
  }

  static func implementation(_ request: FeatureRequest, at position: TextPosition) -> JSONOutput {
    guard let occurrence = request.text.occurrence(at: request.offset(of: position)) else {
      return .null
    }
    return model(of: occurrence.meaning, request)
  }

  /// Returns the location of the struct that is generated for an operation or a fragment.
  private static func model(of meaning: Meaning, _ request: FeatureRequest) -> JSONOutput {
    // The generator adds an ending that says the kind, unless the name has it. A name that is taken
    // has another one.
    let names: [String]
    let document = request.text.document
    switch meaning {
    case .operation(let name):
      let operation = document.operations.first { $0.name.map(document.spelling) == name }
      let isMutable =
        operation.map { operation in
          document[operation.directives].contains {
            document.spelling($0.name) == "apollo_client_ios_localCacheMutation"
          }
        } ?? false
      let kind =
        switch operation?.kind ?? .query {
        case _ where isMutable: "LocalCacheMutation"
        case .query: "Query"
        case .mutation: "Mutation"
        case .subscription: "Subscription"
        }
      let base = capitalized(name)
      names = base.hasSuffix(kind) ? [base, base + kind] : [base + kind, base + "_" + kind, base]
    case .fragment(let name): names = [capitalized(name), capitalized(name) + "_Fragment"]
    default: return .null
    }
    for name in names {
      guard let (path, offset, bytes) = request.workspace.generatedStruct(name, in: request.project)
      else { continue }
      let buffer = TextBuffer(bytes)
      let range = buffer.range(of: offset..<offset + name.utf8.count, request.encoding)
      return FileLocation(uri: request.workspace.uri(of: path), range: range).json
    }
    return .null
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension Schema {
  /// Returns the span of the name where an element is defined.
  func nameSpan(of meaning: Meaning) -> SourceSpan? {
    switch meaning {
    case .type(let id): document[self[id].definition].name.span
    case .field(let id): document[self[id].definition].name.span
    case .inputValue(let id): document[self[id].definition].name.span
    case .enumValue(let id): document[self[id].definition].name.span
    case .directive(let id): document[self[id].definition].name.span
    case .fragment, .operation, .variable, .fragmentVariable, .alias: nil
    }
  }
}
