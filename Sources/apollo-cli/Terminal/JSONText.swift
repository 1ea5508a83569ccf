import GraphQLSyntax

/// JSON as commands print it: an array with one object for each row.
enum JSONText {
  enum Value {
    case string(String)
    case number(Int)
    case boolean(Bool)
    case strings([String])

    fileprivate var text: String {
      switch self {
      case .string(let text): JSONLiteral.string(text)
      case .number(let number): String(number)
      case .boolean(let value): String(value)
      case .strings(let texts): "[\(texts.map(JSONLiteral.string).joined(separator: ", "))]"
      }
    }
  }

  /// Returns an array of objects, whose members keep their order.
  static func array(_ objects: [[(String, Value)]]) -> String {
    guard !objects.isEmpty else { return "[]" }
    let texts = objects.map { members in
      "  {\n" + members.map { "    \(JSONLiteral.string($0)): \($1.text)" }.joined(separator: ",\n")
        + "\n  }"
    }
    return "[\n" + texts.joined(separator: ",\n") + "\n]"
  }
}
