import GraphQLSyntax

extension Document {
  /// A value as messages show it: on one line, with one space between parts.
  func literal(_ value: Value) -> String {
    switch value.content {
    case .list(let items): "[\(self[items].map(literal).joined(separator: ", "))]"
    case .object(let fields):
      fields.isEmpty
        ? "{}"
        : "{ \(self[fields].map { "\(spelling($0.name)): \(literal($0.value))" }.joined(separator: ", ")) }"
    default: text(of: value.span)
    }
  }
}
