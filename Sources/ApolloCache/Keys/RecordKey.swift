package import ApolloAPI

/// The key of a record, such as `Character:1000` or `QUERY_ROOT`.
///
/// ```swift
/// try await store.removeObject(for: "Character:1000")
/// ```
///
/// Two objects with the same key are one record, whichever responses they are from. The key is
/// opaque to the cache, which never splits it.
///
/// `@unchecked Sendable` because nothing writes to an identity once it is made.
public struct RecordKey: Hashable, @unchecked Sendable {
  /// The bytes and their hash. Copies of a key share them, so copies are compared by address, and
  /// nothing is hashed twice.
  package let identity: ObjectIdentity

  package init(_ identity: ObjectIdentity) {
    self.identity = identity
  }

  /// Creates a key from any text.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ rawValue: String) {
    var text = rawValue
    identity = text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return ObjectIdentity.make(bytes, hash: KeyHash.hash(bytes))
    }
  }

  /// Creates a key from the bytes of an earlier one.
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
  /// Returns whether the bytes are equal. Unlike strings, keys that only look alike are different.
  public static func == (left: RecordKey, right: RecordKey) -> Bool {
    ObjectIdentity.areEqual(left.identity, right.identity)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity.hash)
  }
}

extension RecordKey: ExpressibleByStringLiteral {
  /// Creates a key from any text.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension RecordKey: Comparable {
  /// Compares the bytes of the texts.
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
  /// Returns whether the key contains `pattern`. ASCII letters match in either case, every other
  /// byte only itself.
  ///
  /// There are no wildcards. Every key contains the empty pattern.
  ///
  /// - Complexity: O(*n* · *m*) in the bytes of both.
  public func contains(ignoringCase pattern: String) -> Bool {
    identity.withBytes(KeyPattern(pattern).isContained)
  }
}
