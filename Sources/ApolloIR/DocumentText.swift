import GraphQLSchema
import GraphQLSyntax

/// Writes the text of a definition as it is sent to a server.
///
/// It is on one line, with `__typename` and key fields added, and without directives for the
/// client.
struct DocumentText {
  private let document: Document
  private let schema: SchemaView
  /// Omits each `__typename` of the source below one that the generator adds, if `true`. One under
  /// an alias stays, and so does one at the root of an operation, where none is added.
  private let omitsWrittenTypenames: Bool
  private var text = ""

  init(_ document: Document, _ schema: SchemaView, omittingWrittenTypenames omits: Bool) {
    self.document = document
    self.schema = schema
    omitsWrittenTypenames = omits
  }

  // MARK: - Definitions

  static func text(
    of operation: GraphQLSyntax.OperationDefinition, root: Schema.NamedType.ID,
    in document: Document, _ schema: SchemaView,
    omittingWrittenTypenames omits: Bool
  ) -> String {
    var writer = DocumentText(document, schema, omittingWrittenTypenames: omits)
    writer.text = document.spelling(operation.kind.symbol)
    if let name = operation.name { writer.text += " " + document.spelling(name) }
    writer.write(operation.variables)
    writer.write(operation.directives)
    writer.text += " "
    writer.write(operation.selectionSet, on: root, implicit: [])
    return writer.text
  }

  static func text(
    of fragment: GraphQLSyntax.FragmentDefinition, type: Schema.NamedType.ID,
    in document: Document, _ schema: SchemaView, omittingWrittenTypenames omits: Bool
  ) -> String {
    var writer = DocumentText(document, schema, omittingWrittenTypenames: omits)
    writer.text =
      "fragment \(document.spelling(fragment.name)) on \(document.spelling(fragment.typeCondition))"
    writer.write(fragment.directives)
    writer.text += " "
    writer.write(fragment.selectionSet, on: type, implicit: schema.implicitFields(of: type))
    return writer.text
  }

  private mutating func write(_ variables: GraphQLSyntax.VariableDefinition.List) {
    guard !variables.isEmpty else { return }
    text += "("
    for (index, variable) in document[variables].enumerated() {
      if index > 0 { text += ", " }
      text += "$\(document.spelling(variable.name)): \(document.description(of: variable.type))"
      if let value = variable.defaultValue {
        text += " = "
        text += document.graphQL(value, separator: ", ")
      }
      write(variable.directives)
    }
    text += ")"
  }

  // MARK: - Selections

  private mutating func write(
    _ set: GraphQLSyntax.SelectionSet, on type: Schema.NamedType.ID, implicit: [String],
    isTypenameKnown: Bool = false
  ) {
    let isTypenameKnown = isTypenameKnown || implicit.contains("__typename")
    let omitsTypename =
      omitsWrittenTypenames && isTypenameKnown
      && (!implicit.isEmpty || !document[set.selections].allSatisfy(isPlainTypename))
    text += "{"
    for name in implicit { text += " \(name)" }
    for selection in document[set.selections] where !(omitsTypename && isPlainTypename(selection)) {
      switch selection {
      case .field(let id): write(document[id], on: type, implicit)
      case .fragmentSpread(let id):
        text += " ...\(document.spelling(document[id].name))"
        write(document[id].directives)
      case .inlineFragment(let id):
        write(document[id], on: type, isTypenameKnown: isTypenameKnown)
      }
    }
    text += " }"
  }

  private func isPlainTypename(_ selection: GraphQLSyntax.Selection) -> Bool {
    guard case .field(let id) = selection else { return false }
    let field = document[id]
    return field.alias == nil && field.directives.isEmpty
      && document.spelling(field.name) == "__typename"
  }

  private mutating func write(
    _ field: GraphQLSyntax.Field, on type: Schema.NamedType.ID, _ implicit: [String]
  ) {
    let name = document.spelling(field.name)
    if field.alias == nil, field.arguments.isEmpty, field.directives.isEmpty,
      implicit.contains(name), field.selectionSet == nil
    {
      return
    }
    text += " "
    if let alias = field.alias { text += document.spelling(alias) + ": " }
    text += name
    write(field.arguments)
    write(field.directives)
    guard let set = field.selectionSet,
      let fieldType = schema.field(named: field.name.symbol, of: type)
    else { return }
    text += " "
    let inner = schema.type(of: fieldType)
    write(set, on: inner, implicit: schema.implicitFields(of: inner))
  }

  private mutating func write(
    _ fragment: GraphQLSyntax.InlineFragment, on type: Schema.NamedType.ID, isTypenameKnown: Bool
  ) {
    text += " ..."
    var inner = type
    if let condition = fragment.typeCondition {
      text += " on \(document.spelling(condition))"
      inner = schema.type(named: condition.symbol) ?? type
    }
    write(fragment.directives)
    text += " "
    // Narrower types may have key fields that the type around them lacks.
    let known = schema.implicitFields(of: type)
    write(
      fragment.selectionSet, on: inner,
      implicit: schema.keyFields(of: inner).filter { !known.contains($0) },
      isTypenameKnown: isTypenameKnown)
  }

  private mutating func write(_ arguments: GraphQLSyntax.Argument.List) {
    guard !arguments.isEmpty else { return }
    text += "("
    for (index, argument) in document[arguments].enumerated() {
      if index > 0 { text += ", " }
      text += "\(document.spelling(argument.name)): "
      text += document.graphQL(argument.value, separator: ", ")
    }
    text += ")"
  }

  private mutating func write(_ directives: GraphQLSyntax.Directive.List) {
    for directive in document[directives] {
      let name = document.spelling(directive.name)
      if ClientDirective.all.contains(name) { continue }
      text += " @\(name)"
      write(directive.arguments)
    }
  }
}

/// Directives for the generator, which are never sent.
package enum ClientDirective {
  package static let localCacheMutation = "apollo_client_ios_localCacheMutation"
  package static let importModule = "import"
  static let all: Set<String> = [localCacheMutation, importModule]
}

/// Directives for the server that the generator treats specially.
package enum ServerDirective {
  package static let deferred = "defer"
}

extension Document {
  /// Returns a value on one line.
  func graphQL(_ value: Value, separator: String) -> String {
    switch value.content {
    case .variable(let name): "$" + spelling(name)
    case .int, .float: text(of: value.span)
    case .string(let literal): QuotedString.text(of: string(literal))
    case .boolean(let flag): flag ? "true" : "false"
    case .null: "null"
    case .enum(let name): spelling(name)
    case .list(let items):
      "[" + self[items].map { graphQL($0, separator: separator) }.joined(separator: separator) + "]"
    case .object(let members):
      "{"
        + self[members].map {
          "\(spelling($0.name)): \(graphQL($0.value, separator: separator))"
        }.joined(separator: separator) + "}"
    }
  }

  /// Returns a value without variables.
  func literal(_ value: Value) -> InputLiteral? {
    switch value.content {
    case .variable: return nil
    case .int: return .int(text(of: value.span))
    case .float: return .float(text(of: value.span))
    case .string(let literal): return .string(string(literal))
    case .boolean(let flag): return .boolean(flag)
    case .null: return .null
    case .enum(let name): return .enumValue(spelling(name))
    case .list(let items): return .list(self[items].compactMap(literal))
    case .object(let members):
      return .object(
        self[members].compactMap { member in
          literal(member.value).map { .init(name: spelling(member.name), value: $0) }
        })
    }
  }
}
