/// The leaf fields of an object, as a server sent them, by response key.
///
/// What `SchemaConfiguration.cacheKeyInfo(for:object:)` decides by. Values are looked up when they are asked for; nothing is copied.
public struct ObjectData: Sendable {
  private enum Source: Sendable {
    case object(ResponseObject)
    case members([String: JSONValue])
  }
  private let source: Source

  /// The fields of an object that was read.
  package init(_ object: ResponseObject) {
    source = .object(object)
  }

  /// Fields that are made up, for tests of a configuration.
  public init(_ members: [String: JSONValue]) {
    source = .members(members)
  }

  /// The value of a leaf field, or `nil` when the object does not have it.
  ///
  /// - Complexity: O(1) on average.
  public subscript(responseKey: String) -> JSONValue? {
    switch source {
    case .members(let members): members[responseKey]
    case .object(let object): object.leafValue(forResponseKey: responseKey)
    }
  }
}

extension ResponseObject {
  fileprivate func leafValue(forResponseKey key: String) -> JSONValue? {
    var key = key
    guard let index = key.withUTF8({ layout.keys.index(of: $0) }) else { return nil }
    return contents(ofField: index).leaf
  }
}
