public import ApolloAPI

/// What a field of a record can hold: what JSON can say, an embedded object, a reference to another
/// record, or a failure.
///
/// The set is closed, so that storage, equality and encoding are total.
public enum CacheValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case list([CacheValue])
  /// A custom scalar that is a JSON object, an array or a large number. It is replaced as a whole.
  case json(JSONValue)
  /// An object of a selection set without a key of its own. It is merged field by field.
  case object(FieldMap)
  /// An object with a key: another record.
  case reference(RecordKey)
  /// The server answered `null` because the field failed. It is never served as a plain null.
  case failure(FieldFailure)
}

/// Why the server could not answer a field.
///
/// - Note: a class, so that a failure does not make every ``CacheValue`` wider.
public final class FieldFailure: Hashable, Sendable {
  /// What the server said.
  public let message: String
  /// The error's `extensions`, or `null`.
  public let extensions: JSONValue

  /// Makes a failure from what the server said.
  public init(message: String, extensions: JSONValue = .null) {
    self.message = message
    self.extensions = extensions
  }

  /// Whether message and extensions are the same.
  public static func == (left: FieldFailure, right: FieldFailure) -> Bool {
    left.message == right.message && left.extensions == right.extensions
  }

  /// Hashes the message alone; extensions rarely tell failures apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(message)
  }
}

// MARK: - Literals (but for nil: where an optional value is meant, it would become a null)

extension CacheValue: ExpressibleByBooleanLiteral {
  /// Makes a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension CacheValue: ExpressibleByIntegerLiteral {
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension CacheValue: ExpressibleByFloatLiteral {
  /// Makes a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension CacheValue: ExpressibleByStringLiteral {
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension CacheValue: ExpressibleByArrayLiteral {
  /// Makes a list.
  public init(arrayLiteral elements: CacheValue...) { self = .list(elements) }
}

extension CacheValue: ExpressibleByDictionaryLiteral {
  /// An embedded object. Where a key is given twice, the last value counts.
  public init(dictionaryLiteral elements: (FieldKey, CacheValue)...) {
    self = .object(FieldMap(elements))
  }
}
