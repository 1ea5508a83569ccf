internal import ApolloAPI

/// The key of one field of a record: its name in the schema with its arguments, such as
/// `title(language:"fr")`.
///
/// Aliases never appear in it. The arguments are in canonical form (sorted by name, strings quoted
/// and escaped), so two keys are equal exactly if the field names and the argument values are
/// equal.
public struct FieldKey: Hashable, Sendable {
  /// The canonical text: the field name, then the arguments in parentheses if there are any.
  public let rawValue: String

  /// Creates a key from its canonical text.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The key of the field that every object of a response has.
  public static let typename = FieldKey("__typename")
}

extension FieldKey {
  /// Returns whether the bytes are equal. Unlike strings, keys that only look alike are different.
  public static func == (left: FieldKey, right: FieldKey) -> Bool {
    left.rawValue.hasSameBytes(as: right.rawValue)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(KeyHash.hash(rawValue))
  }
}

extension FieldKey: ExpressibleByStringLiteral {
  /// Creates a key from its canonical text.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension FieldKey: Comparable {
  /// Compares the bytes of the texts.
  public static func < (left: FieldKey, right: FieldKey) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}

extension FieldKey: CustomStringConvertible {
  /// The canonical text.
  public var description: String { rawValue }
}
