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
    /// The number of the notes that have overtaken a response which waits, and 0 for the others.
    let noteNumber: UInt64
    /// The effects of this layer alone. Empty if its closure has failed.
    var changes = LayerEffects()
    var reads = ReadRecords()
  }

  private(set) var layers: [Layer] = []
  /// All that the layers have read or hide, and perhaps what removed layers had read.
  fileprivate private(set) var reads = ReadRecords()
  /// The number of layers that were removed since `reads` was made.
  private var removedCount = 0
  /// The effects of all layers.
  private(set) var effects = LayerEffects()

  init() {}

  private mutating func add(readsOf layer: Layer) {
    reads.formUnion(layer.reads)
    for key in layer.changes.records.keys { reads.insert(key) }
  }

  /// The records that the layers have read or change, and perhaps some that removed layers had
  /// read. A record that a layer changes counts as read whole.
  var readRecords: [RecordKey] { reads.keys }

  /// Returns whether the record is one of ``readRecords``.
  func haveRead(_ key: RecordKey) -> Bool { reads.contains(key) }

  /// Returns whether the field is one that was read of ``readRecords``.
  func haveRead(_ field: FieldKey, of key: RecordKey) -> Bool { reads.contains(field, of: key) }

  /// Returns whether the effects are the same after a commit.
  func isCurrent(
    after changes: ChangeSet, for stack: LayerStack, _ order: RequestOrder
  ) -> Bool {
    !reads.includesEverything && !reads.intersects(changes) && effects.hidden == HiddenRecords()
      && haveContents(of: stack) && hasNoted(for: stack, order)
  }

  /// Returns whether the layers are those of a stack that show something, with equal contents. Each
  /// commit asks, so nothing is copied.
  private func haveContents(of stack: LayerStack) -> Bool {
    var count = 0
    for index in stack.layers.indices where !stack.layers[index].isReserved {
      guard count < layers.count, layers[count].revision == stack.layers[index].revision else {
        return false
      }
      count += 1
    }
    return count == layers.count
  }

  /// Returns whether nothing newer has been noted about the responses that wait.
  fileprivate func hasNoted(for stack: LayerStack, _ order: RequestOrder) -> Bool {
    stack.layers.allSatisfy { layer in
      layer.response == nil || self.layer(layer)?.noteNumber == layer.noteNumber(in: order)
    }
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

  /// The layers that are not in a stack any more, or not with the same content.
  fileprivate func layers(notIn stack: LayerStack) -> [Layer] {
    var removed: [Layer] = []
    // Both are in ascending order.
    var rest = stack.layers[...]
    for layer in layers {
      while let first = rest.first, first.id < layer.id { rest.removeFirst() }
      if let first = rest.first, first.id == layer.id, first.revision == layer.revision { continue }
      removed.append(layer)
    }
    return removed
  }
}

extension ComputedLayers {
  /// Returns whether all other layers of a stack are above these, which are in it.
  fileprivate func areAtTheBottom(of stack: LayerStack) -> Bool {
    guard let last = layers.last else { return true }
    let visible = stack.layers.lazy.filter { !$0.isReserved }
    return visible.prefix { $0.id <= last.id }.count == layers.count
  }
}

/// The layers of a stack while they are computed from those before a change.
///
/// Thousands of mutations may wait to be sent, so a change costs time for what it concerns. The
/// other layers are kept as they are, and so is what they show:
///
/// 1. A layer is computed if its content is new, or if it has read something that has changed.
/// 2. What was shown of a record can differ only if a layer has changed the record that was
///    computed, added or removed. These records are *touched*.
/// 3. The effects are those of before, with what the layers now show of the touched records.
///
/// A layer that hides records which it does not name, such as all of them, touches everything. Then
/// the effects are put together again.
struct LayerRecomputation {
  private let known: ComputedLayers
  private var layers: [ComputedLayers.Layer] = []
  private var new: [ComputedLayers.Layer] = []
  private let removedCount: Int
  /// The number of the first layers, all of which are as they were, because layers were only added
  /// above them.
  let keptCount: Int
  /// The records that are touched, or `nil` if all may be.
  private(set) var touched: Set<RecordKey>?
  /// The changes below the next layer that can concern it.
  private var changes: ChangeIndex
  /// The effects of some of the layers, from the first one on.
  private var below: (count: Int, effects: LayerEffects)?

  /// Begins with the layers before a commit with some changes, or with none if they are not known.
  init(
    of stack: LayerStack, from known: ComputedLayers?, after commit: ChangeSet,
    _ order: RequestOrder
  ) {
    self.known = known ?? ComputedLayers()
    changes = ChangeIndex(commit)
    touched = known.map { $0.effects.hidden == HiddenRecords() } ?? false ? [] : nil
    let removed = self.known.layers(notIn: stack)
    removedCount = removed.count
    if changes.isEmpty, removed.isEmpty, !self.known.reads.includesEverything,
      self.known.areAtTheBottom(of: stack), self.known.hasNoted(for: stack, order)
    {
      layers = self.known.layers
    } else {
      layers.reserveCapacity(stack.layers.count)
    }
    keptCount = layers.count
    for layer in removed { touch(layer) }
  }

  private mutating func touch(_ layer: ComputedLayers.Layer) {
    changes.formUnion(layer.changes.changes)
    if layer.changes.hidden == HiddenRecords() {
      touched?.formUnion(layer.changes.records.keys)
    } else {
      touched = nil
    }
  }

  /// Keeps the next layer as it was computed. One whose reading has failed is computed again.
  ///
  /// - Returns: `false` if it must be computed.
  mutating func keep(_ layer: OptimisticLayer, _ order: RequestOrder) -> Bool {
    guard let before = known.layer(layer), !before.reads.includesEverything,
      !before.reads.intersects(changes), before.noteNumber == layer.noteNumber(in: order)
    else { return false }
    layers.append(before)
    return true
  }

  /// Adds the next layer, which was computed.
  mutating func append(_ layer: ComputedLayers.Layer, for content: OptimisticLayer) {
    if let before = known.layer(content) { touch(before) }
    touch(layer)
    layers.append(layer)
    new.append(layer)
  }

  /// Returns the effects below a layer that is the next one.
  mutating func effects(below layer: OptimisticLayer) -> LayerEffects {
    let isAboveAll = known.layers.last.map { $0.id < layer.id } ?? true
    if isAboveAll, below.map({ layers.count - $0.count > 1 }) ?? true { below = nil }
    var (count, effects) = below ?? (0, LayerEffects())
    below = nil  // so that the effects are not copied
    if count == 0, isAboveAll, let all = shortcut {
      (count, effects) = (layers.count, all)
    }
    for layer in layers[count...] { effects.add(layer.changes) }
    below = (layers.count, effects)
    return effects
  }

  /// The effects of all layers, if few records are touched.
  private var shortcut: LayerEffects? {
    guard let touched, touched.count <= Self.maximumTouchedCount else { return nil }
    var effects = known.effects
    for key in touched {
      effects.forget(key)
      for layer in layers { effects.add(layer.changes, of: key) }
    }
    return effects
  }

  /// Above this number, it is faster to put the effects together again than to look for each record
  /// in each layer.
  private static let maximumTouchedCount = 8

  /// Returns the layers with their effects.
  mutating func finish() -> ComputedLayers {
    let isNearlyReady = below.map { layers.count - $0.count <= 1 } ?? false
    let replaced = isNearlyReady ? nil : shortcut
    let all: LayerEffects
    if let replaced {
      all = replaced
    } else {
      var (count, effects) = below ?? (0, LayerEffects())
      below = nil  // so that the effects are not copied
      for layer in layers[count...] { effects.add(layer.changes) }
      all = effects
    }
    var computed = known
    computed.end(layers, all, new, removedCount)
    return computed
  }
}

extension ComputedLayers {
  fileprivate mutating func end(
    _ layers: [Layer], _ effects: LayerEffects, _ new: [Layer], _ removedCount: Int
  ) {
    (self.layers, self.effects) = (layers, effects)
    // The former readings of a layer that was computed are among the others as well.
    self.removedCount += removedCount + new.count
    // Without layers, nothing of them keeps records from being collected.
    if layers.isEmpty || self.removedCount > layers.count + 64 || reads.includesEverything {
      (reads, self.removedCount) = (ReadRecords(), 0)
      for layer in layers { add(readsOf: layer) }
    } else {
      for layer in new { add(readsOf: layer) }
    }
  }
}

extension OptimisticLayer {
  /// The number of the notes that have overtaken the response, if it waits.
  func noteNumber(in order: RequestOrder) -> UInt64 {
    response?.moment.map(order.noteNumber) ?? 0
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
