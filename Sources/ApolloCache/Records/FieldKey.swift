/// One field of a record: the schema's field name with its arguments, such as
/// `title(language:"fr")`.
///
/// Aliases never appear here. The arguments are spelled canonically (sorted by name, strings quoted
/// and escaped), so that two keys are equal exactly if the field name and the argument values are.
public struct FieldKey: Hashable, Sendable {
  /// The canonical text: the field name, and the arguments in parentheses if there are any.
  public let rawValue: String

  /// Makes a key from its canonical text: a field name, or what `init(_:arguments:)` would spell.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The field that every object of a response has.
  public static let typename = FieldKey("__typename")
}

extension FieldKey {
  /// Byte for byte: unlike strings, keys that only look alike are different.
  public static func == (left: FieldKey, right: FieldKey) -> Bool {
    left.rawValue.hasSameBytes(as: right.rawValue)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(KeyHash.hash(rawValue))
  }
}

extension FieldKey: ExpressibleByStringLiteral {
  /// Makes a key from its canonical text.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension FieldKey: Comparable {
  /// By the bytes of the text.
  public static func < (left: FieldKey, right: FieldKey) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}

extension FieldKey: CustomStringConvertible {
  /// The canonical text.
  public var description: String { rawValue }
}
