/// The leaf fields of an object by response key, in the form that their Swift types write.
///
/// An `ID` is a string, also if the server sends a number, and so is a custom scalar that is an
/// alias of `String`; a `Date` is in UTC. Equal values therefore give one cache key.
///
/// ``SchemaConfiguration/cacheKeyInfo(for:object:)`` derives cache keys from them. Values are
/// looked up on demand; nothing is copied.
public struct ObjectData: Sendable {
  private let source: any LeafSource

  /// The fields of a decoded object.
  package init(_ object: some LeafSource) {
    source = object
  }

  /// The given fields, for tests of a configuration.
  public init(_ members: [String: JSONValue]) {
    source = Members(values: members)
  }

  /// The value of a leaf field, or `nil` when the object does not have it.
  ///
  /// Read it as `object["id"]?.stringValue`. A cast such as `object["id"] as? String`, which code
  /// for Apollo iOS has, compiles and is always `nil`.
  ///
  /// - Complexity: O(1) on average.
  public subscript(responseKey: String) -> JSONValue? {
    source.leafValue(forResponseKey: responseKey)
  }

  private struct Members: LeafSource {
    let values: [String: JSONValue]
    func leafValue(forResponseKey key: String) -> JSONValue? { values[key] }
  }
}

/// An object whose leaf fields can be looked up.
package protocol LeafSource: Sendable {
  /// Returns the value of a leaf field, or `nil` when the object does not have it.
  func leafValue(forResponseKey key: String) -> JSONValue?
}
