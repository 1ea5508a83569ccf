internal import ApolloAPI

/// A part that is being found.
final class PartNode {
  var fields: [String: PartNode] = [:]
  var keys: Set<String> = []
  var isWhole = false
  /// Indicates whether the field itself is stale.
  var isNeeded = false
  /// Indicates whether an object on the way has no object here.
  var mayBeUnknown = false

  /// Indicates whether the field is in the part for its own sake.
  var isFetched: Bool { isWhole || isNeeded }

  /// Adds the fields of a part that no object has been added to.
  func merge(_ other: PartNode) {
    isWhole = isWhole || other.isWhole
    isNeeded = isNeeded || other.isNeeded
    for (key, inside) in other.fields { field(key).merge(inside) }
  }

  func field(_ responseKey: String) -> PartNode {
    if let known = fields[responseKey] { return known }
    let node = PartNode()
    fields[responseKey] = node
    return node
  }

  var part: OperationPart {
    guard !isWhole else { return OperationPart(isWhole: true) }
    // No object says which fields identify those to come.
    guard !keys.isEmpty || !mayBeUnknown else { return OperationPart(isWhole: true) }
    return OperationPart(fields: fields.mapValues(\.part), keys: keys)
  }
}
