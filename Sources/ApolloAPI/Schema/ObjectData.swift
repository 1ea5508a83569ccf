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
    defer { withExtendedLifetime(storage) {} }
    return storage.head.pointee.layout._withUnsafeGuaranteedRef { layout in
      // Nearly every string lies in one piece, and need not be made its own copy to be looked at.
      let found = key.utf8.withContiguousStorageIfAvailable { layout.keys.index(of: $0) }
      guard let index = found ?? layout.keys.index(of: key) else { return nil }
      return leaf(ofField: index, layout.steps.baseAddress! + index)  // there is one for each field
    }
  }

  @inline(__always)
  private func leaf(ofField index: Int, _ step: UnsafePointer<ReadStep>) -> JSONValue? {
    guard step.pointee.reading == .id || step.pointee.reading == .string else {
      return contents(ofField: index).leaf
    }
    // What most keys are made of, without a detour.
    switch Self.load(String.self, from: slot(step.pointee.slot)) {
    case .none: return nil
    case .some(.none): return .null
    case .some(.some(let text)): return .string(text)
    }
  }
}
