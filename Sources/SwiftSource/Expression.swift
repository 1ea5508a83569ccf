/// A Swift expression. It has structure only where the printer must break lines or escape text.
package indirect enum Expression: Hashable, Sendable {
  /// Code that is printed as it is.
  case code(String)
  /// A string literal with escapes: `"a \"b\""`.
  case string(String)
  /// A raw string literal with as many `#` as necessary, or one with escapes if the text cannot be
  /// raw.
  case rawString(String)
  /// A multi-line string literal. Nothing in the lines may need an escape.
  case lines([String])
  case array([Expression])
  case dictionary([Entry])
  /// A call `callee(label: value, …)`. The callee is text, such as `.init`.
  case call(String, [Argument])

  package struct Entry: Hashable, Sendable {
    package var key: Expression
    package var value: Expression

    package init(_ key: Expression, _ value: Expression) {
      self.key = key
      self.value = value
    }
  }

  package struct Argument: Hashable, Sendable {
    package var label: String?
    package var value: Expression

    package init(_ label: String?, _ value: Expression) {
      self.label = label
      self.value = value
    }
  }
}
