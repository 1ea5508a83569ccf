package import ApolloAPI

/// The identity of a record, such as `Character:1000` or `QUERY_ROOT`.
///
/// Two objects of any responses with the same key are one record. The key is opaque to the cache:
/// nothing ever splits it.
///
/// `@unchecked Sendable` because nothing writes to an identity once it is made.
public struct RecordKey: Hashable, @unchecked Sendable {
  /// What the key consists of. Copies of a key share it, so they are equal at a glance, and nothing
  /// is hashed twice.
  package let identity: ObjectIdentity

  package init(_ identity: ObjectIdentity) {
    self.identity = identity
  }

  /// Makes a key of any text.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ rawValue: String) {
    var text = rawValue
    identity = text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return ObjectIdentity.make(bytes, hash: KeyHash.hash(bytes))
    }
  }

  /// Makes a key of bytes that were one.
  package init(bytes: UnsafeRawBufferPointer) {
    self.identity = ObjectIdentity.make(bytes, hash: KeyHash.hash(bytes))
  }

  /// The text of the key.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public var rawValue: String { identity.withBytes { String(decoding: $0, as: UTF8.self) } }

  /// The record that holds the fields of queries.
  public static let queryRoot = RecordKey("QUERY_ROOT")
  /// The record that holds the fields of mutations.
  public static let mutationRoot = RecordKey("MUTATION_ROOT")
  /// The record that holds the fields of subscriptions.
  public static let subscriptionRoot = RecordKey("SUBSCRIPTION_ROOT")

  package var isRoot: Bool {
    self == .queryRoot || self == .mutationRoot || self == .subscriptionRoot
  }
}

extension RecordKey {
  /// Byte for byte: unlike strings, keys that only look alike are different.
  public static func == (left: RecordKey, right: RecordKey) -> Bool {
    ObjectIdentity.areEqual(left.identity, right.identity)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity.hash)
  }
}

extension RecordKey: ExpressibleByStringLiteral {
  /// Makes a key of any text.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension RecordKey: Comparable {
  /// By the bytes of the text.
  public static func < (left: RecordKey, right: RecordKey) -> Bool {
    left.identity.withBytes { left in
      right.identity.withBytes { left.lexicographicallyPrecedes($0) }
    }
  }
}

extension RecordKey: CustomStringConvertible {
  /// The text of the key.
  public var description: String { rawValue }
}

extension RecordKey {
  /// Whether the key contains `pattern`; ASCII letters match in either case, every other byte only
  /// itself.
  ///
  /// There are no wildcards. An empty pattern is contained in every key.
  /// - Complexity: O(*n* · *m*) in the bytes of both.
  public func contains(ignoringCase pattern: String) -> Bool {
    identity.withBytes(KeyPattern(pattern).isContained)
  }
}
