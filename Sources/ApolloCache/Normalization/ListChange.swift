/// A change of lists and records that a response brings by a directive of its operation.
package struct ListChange: Sendable {
  enum Action {
    /// Inserts items at the end or at the beginning of the lists.
    case insert([ListItem], atEnd: Bool)
    /// Removes the items of records from the lists, and maybe the records.
    case remove([RecordKey], alsoRecords: Bool)
  }

  let action: Action
  let lists: [ListLocation]

  init(_ action: Action, _ lists: [String]) {
    self.action = action
    self.lists = lists.map(ListLocation.init)
  }
}

/// An item of a connection.
struct ListItem: Sendable {
  /// An element of `edges`.
  let edge: CacheValue
  /// An element of `nodes`.
  let node: CacheValue

  /// Creates an item of an edge, or returns `nil` if the edge has no node.
  init?(edge: CacheValue) {
    guard case .object(let fields) = edge, let node = fields["node"], node != .null else {
      return nil
    }
    self.edge = edge
    self.node = node
  }

  /// Creates an item of a node. The edge has an empty cursor: pages are requested with that of
  /// `pageInfo`.
  init?(node: CacheValue, edgeTypeName: String) {
    guard node != .null else { return nil }
    self.node = node
    edge = .object(
      FieldMap(
        [
          (.typename, .string(edgeTypeName)), (FieldKey("cursor"), .string("")),
          (FieldKey("node"), node),
        ] as [(FieldKey, CacheValue)]))
  }
}
