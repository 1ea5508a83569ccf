import GraphQLSchema
import GraphQLSyntax

/// The sentences about literals that scalars and enums do not accept, in documents and in schemas.
enum LeafValues {
  /// Returns whether a scalar accepts a literal of `document`. A custom scalar accepts any literal.
  ///
  /// Spec: 3.5.1 to 3.5.5, "Input Coercion".
  static func accepts(_ value: Value, as scalar: Symbol, in document: Document) -> Bool {
    switch (scalar, value.content) {
    case (.int, .int): Int32(document.text(of: value.span)) != nil
    case (.float, .int), (.float, .float), (.string, .string), (.boolean, .boolean),
      (.id, .int), (.id, .string):
      true
    case (.int, _), (.float, _), (.string, _), (.boolean, _), (.id, _): false
    default: true
    }
  }

  /// Returns the sentence about a literal that a built-in scalar does not accept.
  static func problem(of value: Value, as scalar: Symbol, spelled spelling: String) -> String {
    switch (scalar, value.content) {
    case (.int, .int): "Int cannot represent non 32-bit signed integer value: \(spelling)"
    case (.int, _): "Int cannot represent non-integer value: \(spelling)"
    case (.float, _): "Float cannot represent non numeric value: \(spelling)"
    case (.string, _): "String cannot represent a non string value: \(spelling)"
    case (.boolean, _): "Boolean cannot represent a non boolean value: \(spelling)"
    default: "ID cannot represent a non-string and non-integer value: \(spelling)"
    }
  }

  /// Returns the sentence about a literal that is no value of the enum `name`.
  ///
  /// Spec: 3.9, "Enums", "Input Coercion".
  /// - Parameters:
  ///   - value: The literal.
  ///   - spelling: The text of the literal.
  ///   - name: The name of the enum.
  ///   - candidates: The values that it may stand for, best first.
  /// - Returns: One sentence.
  static func problem(
    of value: Value, spelled spelling: String, asEnum name: String, _ candidates: [String]
  ) -> String {
    let hint = didYouMean(candidates, kind: "the enum value")
    if case .enum = value.content {
      return "Value \"\(spelling)\" does not exist in \"\(name)\" enum.\(hint)"
    }
    return "Enum \"\(name)\" cannot represent non-enum value: \(spelling).\(hint)"
  }

  /// Returns the sentence about `null` in a field of the `@oneOf` input object `name`.
  static func problem(ofNullIn field: String, of name: String) -> String {
    "Field \"\(name).\(field)\" must be non-null."
  }
}
