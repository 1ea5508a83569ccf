import GraphQLSchema
import GraphQLSyntax

/// `textDocument/hover`: the type, the description, the deprecation and the cache policies of the
/// element under the cursor.
enum Hover {
  static func hover(_ request: FeatureRequest, at position: TextPosition) -> JSONOutput {
    let text = request.text
    guard let occurrence = text.occurrence(at: request.offset(of: position)),
      let description = description(of: occurrence, in: text, request)
    else { return .null }
    return .object([
      ("contents", request.workspace.hoverMarkup.content(description)),
      ("range", request.range(text.bytes(of: occurrence.span)).json),
    ])
  }

  private static func description(
    of occurrence: Occurrence, in text: ParsedText, _ request: FeatureRequest
  ) -> String? {
    let markup = request.workspace.hoverMarkup
    switch occurrence.meaning {
    case .fragment(let name):
      let whole = request.operations
      guard
        let fragment = whole.document.fragments.first(where: {
          whole.document.spelling($0.name) == name
        })
      else { return nil }
      let type = whole.document.spelling(fragment.typeCondition)
      let description = whole.document.string(fragment.description).map { "\n\n\($0)" } ?? ""
      return markup.block("fragment \(name) on \(type)") + description
    case .operation(let name):
      guard
        let operation = text.document.operations.first(where: {
          $0.name.map(text.document.spelling) == name
        })
      else { return nil }
      let description = text.document.string(operation.description).map { "\n\n\($0)" } ?? ""
      return markup.block("\(text.document.spelling(operation.kind.symbol)) \(name)")
        + description
    case .variable(let name):
      return request.definition(ofVariable: name, at: occurrence.span, in: text)
        .map { description(of: $0.variable, $0.document, markup) }
    case .fragmentVariable(let name, let fragment):
      let whole = request.operations
      return whole.variable(name, of: fragment).map { description(of: $0, whole.document, markup) }
    case .type, .field, .inputValue, .enumValue, .directive, .alias:
      return ElementDescription(schema: text.schema, markup: markup).text(of: occurrence.meaning)
    }
  }

  private static func description(
    of variable: VariableDefinition, _ document: Document, _ markup: Markup
  ) -> String {
    let name = document.spelling(variable.name)
    let value = variable.defaultValue.map { " = \(document.text(of: $0.span))" } ?? ""
    let description = document.string(variable.description).map { "\n\n\($0)" } ?? ""
    return markup.block("$\(name): \(document.description(of: variable.type))\(value)")
      + description
  }
}
