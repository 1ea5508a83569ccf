/// A value that must not appear in logs.
///
/// Every text that Swift makes of it is `<redacted>`: by `print`, by string interpolation, by
/// `dump` and in a debugger. ``reveal()`` is the only way to the value, so that a search for that
/// word finds every use.
///
/// ```swift
/// let token = Secret("letmein")
/// print(token)  // <redacted>
/// print(token.reveal())  // letmein
/// ```
public struct Secret<Value: Sendable>: Sendable {
  private let value: Value

  /// Creates a secret.
  public init(_ value: Value) { self.value = value }

  /// Returns the value.
  public func reveal() -> Value { value }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<redacted>`.
  public var description: String { "<redacted>" }
  /// `<redacted>`.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
