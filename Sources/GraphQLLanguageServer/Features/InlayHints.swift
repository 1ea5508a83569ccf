import GraphQLSchema
import GraphQLSyntax

/// `textDocument/inlayHint`: the types of fields, behind their names.
enum InlayHints {
  static func hints(_ request: FeatureRequest, in range: TextRange) -> JSONOutput {
    let text = request.text
    guard !text.isSchema else { return .array([]) }
    let wanted = request.buffer.bytes(of: range, request.encoding)
    var positions = PositionCounter(request.buffer, request.encoding)
    let hints = text.occurrences.compactMap { occurrence -> JSONOutput? in
      let bytes = text.bytes(of: occurrence.span)
      guard case .field(let field) = occurrence.meaning, wanted.overlaps(bytes) else { return nil }
      let position = positions.position(of: bytes.upperBound)
      return .object([
        ("position", position.json),
        ("label", .string(": \(text.schema.spelling(text.schema[field].type))")),
        ("kind", .number(1)),
      ])
    }
    return .array(hints)
  }
}
