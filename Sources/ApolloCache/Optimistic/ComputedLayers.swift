internal import ApolloAPI

/// The effects of each layer as they were computed last, and what they depend on.
///
/// A closure runs again if something that it has read has changed: in the cache, or by a layer
/// below it. The others keep their effects. So a commit costs time for the records that it has in
/// common with the layers.
struct ComputedLayers: Sendable {
  /// One layer.
  struct Layer: Sendable {
    let id: LayerID
    /// The number of times that the contents of layers had changed when this one's did.
    let revision: UInt64
    /// The effects of this layer alone. Empty if its closure has failed.
    var changes = LayerEffects()
    var reads = ReadRecords()
  }

  private(set) var layers: [Layer] = []
  /// All that the layers have read or hide.
  private var reads = ReadRecords()
  /// The effects of all layers.
  private(set) var effects = LayerEffects()

  /// Adds the next layer, which is above the others.
  mutating func append(_ layer: Layer) {
    layers.append(layer)
    reads.formUnion(layer.reads)
    for key in layer.changes.records.keys { reads.insert(key) }
    effects.add(layer.changes)
  }

  /// Returns whether the effects are the same after a commit.
  func isCurrent(after changes: ChangeSet, for stack: LayerStack) -> Bool {
    !reads.intersects(changes) && effects.hidden == HiddenRecords()
      && layers.map(\.revision) == stack.layers.filter { !$0.isReserved }.map(\.revision)
  }

  /// Returns the layer as it was computed, unless its content has changed since.
  func layer(_ layer: OptimisticLayer) -> Layer? {
    // By halves, because thousands of mutations may wait to be sent. The layers are in ascending
    // order.
    var (low, high) = (layers.startIndex, layers.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if layers[middle].id < layer.id { low = middle + 1 } else { high = middle }
    }
    guard low < layers.endIndex, layers[low].id == layer.id else { return nil }
    return layers[low].revision == layer.revision ? layers[low] : nil
  }

  /// The changes that layers have made which are not in a stack any more, or not with the same
  /// content.
  func changes(notIn stack: LayerStack) -> ChangeSet {
    var changes = ChangeSet()
    // Both are in ascending order.
    var rest = stack.layers[...]
    for layer in layers {
      while let first = rest.first, first.id < layer.id { rest.removeFirst() }
      if let first = rest.first, first.id == layer.id, first.revision == layer.revision { continue }
      changes.formUnion(layer.changes.changes)
    }
    return changes
  }
}

extension LayerEffects {
  /// The records that differ from those below.
  var changes: ChangeSet {
    guard hidden == HiddenRecords() else { return .everything }
    var changes = ChangeSet()
    for key in records.keys { changes.insert(key) }
    return changes
  }
}
