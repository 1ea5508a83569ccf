/// A literal or a variable.
///
/// Spec: 2.9, "Input Values".
public struct Value: Node {
  /// The kind of value and its data.
  public var content: Content
  /// The span of the whole value, including quotes, brackets, braces or `$`.
  public var span: SourceSpan

  /// Creates a value with `content`, written at `span`.
  @inlinable
  public init(content: Content, span: SourceSpan) {
    self.content = content
    self.span = span
  }

  /// The kind of a value and its data.
  ///
  /// Numbers and strings are kept as written: `document.text(of: value.span)` is the text of a
  /// number.
  public enum Content: Hashable, Sendable {
    /// A variable: `$name`. The span of the value includes the `$`.
    case variable(Symbol)
    case int
    case float
    case string(StringLiteral)
    case boolean(Bool)
    case null
    case `enum`(Symbol)
    case list(Value.List)
    case object(ObjectField.List)
  }
}

/// A field of an input object: `name: value`.
public struct ObjectField: Node {
  /// The name before the colon.
  public var name: Name
  /// The value after the colon.
  public var value: Value
  /// The span from the name to the end of the value.
  public var span: SourceSpan
}

/// A string as written, with its quotes. `document.string(literal)` returns its value.
public struct StringLiteral: Hashable, Sendable {
  /// The span from the first quote to the last.
  public var span: SourceSpan
  /// A Boolean value that indicates whether the string is written with triple quotes.
  public var isBlock: Bool

  /// Creates the literal at `span`, which includes the quotes.
  @inlinable
  public init(span: SourceSpan, isBlock: Bool) {
    self.span = span
    self.isBlock = isBlock
  }
}
