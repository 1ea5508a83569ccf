public import ApolloAPI

/// The value of a field of a record: JSON, an embedded object, a reference to another record, or a
/// failure.
///
/// ```swift
/// let friends: CacheValue = [.reference("Human:1000"), .reference("Droid:2001"), .null]
/// ```
///
/// The set of cases is closed, so that storage, equality and encoding are total.
public enum CacheValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case list([CacheValue])
  /// A custom scalar that is an object, an array or a large number. It is replaced as a whole.
  case json(JSONValue)
  /// An embedded object: one without a key of its own. It is merged field by field.
  case object(FieldMap)
  /// An object with a key: another record.
  case reference(RecordKey)
  /// A field that is `null` because it failed on the server. It never reads as a plain `null`.
  case failure(FieldFailure)
}

/// The error of a field that failed on the server.
///
/// - Note: It is a class so that a failure does not make every ``CacheValue`` larger.
public final class FieldFailure: Hashable, Sendable {
  /// The message of the error.
  public let message: String
  /// The error's `extensions`, or `null`.
  public let extensions: JSONValue

  /// Creates a failure from a server's error.
  public init(message: String, extensions: JSONValue = .null) {
    self.message = message
    self.extensions = extensions
  }

  /// Returns whether message and extensions are identical.
  public static func == (left: FieldFailure, right: FieldFailure) -> Bool {
    left.message.hasSameBytes(as: right.message)
      && left.extensions.isIdentical(to: right.extensions)
  }

  /// Hashes the message alone, because extensions rarely differ.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(message)
  }
}

// MARK: - Literals (except `nil`, which would turn a missing optional value into a null)

extension CacheValue: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension CacheValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension CacheValue: ExpressibleByFloatLiteral {
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension CacheValue: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension CacheValue: ExpressibleByArrayLiteral {
  /// Creates a list.
  public init(arrayLiteral elements: CacheValue...) { self = .list(elements) }
}

extension CacheValue: ExpressibleByDictionaryLiteral {
  /// Creates an embedded object. If a key occurs twice, its last value counts.
  public init(dictionaryLiteral elements: (FieldKey, CacheValue)...) {
    self = .object(FieldMap(elements))
  }
}
