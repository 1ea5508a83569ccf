/// A literal or a variable.
///
/// Spec: 2.9, "Input Values".
public struct Value: Node {
  /// Which kind of value it is, and what it holds.
  public var content: Content
  /// The whole value, with its quotes, brackets, braces or `$`.
  public var span: SourceSpan

  /// A value of `content`, written at `span`.
  @inlinable
  public init(content: Content, span: SourceSpan) {
    self.content = content
    self.span = span
  }

  /// What a value is. Numbers and strings are kept as written: `document.text(of: value.span)` is a
  /// number's text.
  public enum Content: Hashable, Sendable {
    /// `$name`; the span of the value includes the `$`.
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

/// `name: value` in an input object.
public struct ObjectField: Node {
  /// The name before the colon.
  public var name: Name
  /// The value after the colon.
  public var value: Value
  /// From the name to the end of the value.
  public var span: SourceSpan
}

/// A string as written, with its quotes. `document.string(literal)` is what it means.
public struct StringLiteral: Hashable, Sendable {
  /// The literal as written, from its first quote to its last.
  public var span: SourceSpan
  /// Whether it is written with three quotes.
  public var isBlock: Bool

  /// The literal at `span`, which includes its quotes.
  @inlinable
  public init(span: SourceSpan, isBlock: Bool) {
    self.span = span
    self.isBlock = isBlock
  }
}
