internal import ApolloAPI

extension LayerRecomputation {
  /// Adds a layer, which is above the others. Loads the records that the layer's closure reads, and
  /// runs it again, if the cache is on another machine.
  ///
  /// - Parameters:
  ///   - layer: The layer. If its closure fails, it has no effects.
  ///   - stack: All layers.
  ///   - base: The records of the cache.
  ///   - order: The order of requests, which knows what is newer than a response that waits.
  ///   - generation: The generation of these records.
  ///   - plans: The plans for reading and writing models.
  /// - Returns: The error of the layer's closure, or `nil`.
  /// - Throws: The errors of the cache.
  nonisolated(nonsending) mutating func add(
    _ layer: OptimisticLayer, of stack: LayerStack, over base: any StoreSnapshot,
    _ order: RequestOrder, generation: Generation, plans: NormalizationPlanPool
  ) async throws -> (any Error)? {
    while true {
      let result: Result<(ComputedLayers.Layer, (any Error)?), any Error>
      do {
        result = .success(
          try Self.computed(
            layer, of: stack, over: base, effects(below: layer), order, generation, plans))
      } catch {
        result = .failure(error)
      }
      // The closure may ignore the error of a reading, or throw one of its own instead.
      if try await base.loadRequested() { continue }
      let (computed, failure) = try result.get()
      append(computed, for: layer)
      return failure
    }
  }

  /// Returns a layer with its effects above those of the others, and the error of its closure.
  private static func computed(
    _ layer: OptimisticLayer, of stack: LayerStack, over base: any StoreSnapshot,
    _ effects: LayerEffects, _ order: RequestOrder, _ generation: Generation,
    _ plans: NormalizationPlanPool
  ) throws -> (ComputedLayers.Layer, (any Error)?) {
    let below = RecordingSnapshot(effects.isEmpty ? base : LayeredSnapshot(base, effects))
    var computing = Computing(below: below, order: order, generation: generation, plans: plans)
    var failure: (any Error)?
    let noteNumber = layer.noteNumber(in: order)
    var content = layer.content
    if case .settled(let response) = content {
      content = .settled(
        try response.replacingOvertaken(by: order) {
          try records(base, belowSettled: layer, of: stack, order)
        })
    }
    do {
      try computing.add(content)
    } catch let error as StoreError where error.code == .requiresAsynchronousReading {
      throw error
    } catch {
      if below.hasFailed { throw error }
      computing.changes = LayerEffects()
      failure = error
    }
    return (
      ComputedLayers.Layer(
        id: layer.id, revision: layer.revision, noteNumber: noteNumber,
        changes: computing.changes, reads: below.reads),
      failure
    )
  }
}

extension LayerRecomputation {
  /// Returns the records of the cache with the changes of lists by the responses that wait below a
  /// layer.
  ///
  /// The other values of these responses are not among them: those of the cache are newer.
  private static func records(
    _ base: any StoreSnapshot, belowSettled layer: OptimisticLayer, of stack: LayerStack,
    _ order: RequestOrder
  ) throws -> any StoreSnapshot {
    let earlier = stack.layers.prefix { $0.id < layer.id }.compactMap(\.response)
      .filter { !$0.listChanges.isEmpty && !$0.isExcluded(by: order, for: .reading) }
    guard !earlier.isEmpty else { return base }
    let records = TransactionOverlay(base)
    for response in earlier { try Computing.changeLists(by: response, in: records, order) }
    return records
  }
}

/// The changes of one layer so far.
private struct Computing {
  let below: RecordingSnapshot
  let order: RequestOrder
  let generation: Generation
  let plans: NormalizationPlanPool
  var changes = LayerEffects()

  mutating func add(_ content: OptimisticLayer.Content) throws {
    switch content {
    case .reserved: return
    case .optimistic(let update): try add(update, .current)
    case .settled(let response):
      let age = response.facts.map(LayeredAge.written) ?? .current
      let order = order
      var edited: [WrittenFields] = []
      try add(
        {
          try $0.merge(response.records)
          try Self.changeLists(by: response, in: $0.overlay, order)
          edited = $0.overlay.edited.written + $0.overlay.confirmed.written
        }, age)
      // What replaces these pages is newer than the mutations before this one, too.
      if let moment = response.moment, !edited.isEmpty { order.note(edited, editedBy: moment) }
      guard let update = response.update else { return }
      do {
        try add(update, age)
      } catch let error as StoreError where error.code == .requiresAsynchronousReading {
        throw error
      } catch {
        if below.hasFailed { throw error }
        // The closure changes nothing until it succeeds. The response is visible without it.
      }
    }
  }

  /// Makes the changes of lists by a response that waits, in the records below it.
  static func changeLists(
    by response: SettledResponse, in records: TransactionOverlay, _ order: RequestOrder
  ) throws {
    var resolved = response
    resolved.listChanges = try records.resolved(response.listChanges)
    try records.apply(
      resolved.listChanges(after: order),
      unlessIn: response.newerWrites(in: order, for: .reading))
  }

  /// Adds the changes that a closure makes, whose fields have an age.
  private mutating func add(
    _ update: (ReadWriteTransaction) throws -> Void, _ age: LayeredAge
  ) throws {
    let below: any StoreSnapshot =
      changes.isEmpty ? below : LayeredSnapshot(below, changes)
    let transaction = ReadWriteTransaction(below, generation: generation, plans: plans)
    defer { transaction.end() }
    try update(transaction)
    var new = try transaction.overlay.effects()
    // What a response writes again is as new as the response.
    let known: (any StoreSnapshot)? = if case .current = age { below } else { nil }
    try new.note(
      age, of: transaction.overlay.mutations, except: transaction.overlay.edited.fields,
      unlessIn: known)
    changes.add(new)
  }
}
