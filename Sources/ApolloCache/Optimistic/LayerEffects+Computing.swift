extension LayerEffects {
  /// Returns these effects with the changes of a layer, all or none. Loads the records that the
  /// layer's closure reads, and runs it again, if the cache is on another machine.
  ///
  /// - Parameters:
  ///   - layer: The layer, which is above the others.
  ///   - base: The records of the cache.
  ///   - generation: The generation of these records.
  ///   - plans: The plans for reading and writing models.
  /// - Returns: These effects with those of the layer.
  /// - Throws: The error of the layer's closure. The layer has no effects then.
  nonisolated(nonsending) func adding(
    _ layer: OptimisticLayer, over base: any StoreSnapshot, generation: Generation,
    plans: NormalizationPlanPool
  ) async throws -> LayerEffects {
    while true {
      do {
        var effects = self
        try effects.add(layer, over: base, generation: generation, plans: plans)
        if try await !base.loadRequested() { return effects }
      } catch let error as StoreError where error.code == .requiresAsynchronousReading {
        guard try await base.loadRequested() else { throw error }
      }
    }
  }

  private mutating func add(
    _ layer: OptimisticLayer, over base: any StoreSnapshot, generation: Generation,
    plans: NormalizationPlanPool
  ) throws {
    switch layer.content {
    case .reserved: return
    case .optimistic(let update):
      try add(update, .current, over: base, generation, plans)
    case .settled(let response):
      let age = response.facts.map(LayeredAge.written) ?? .current
      try add({ try $0.merge(response.records) }, age, over: base, generation, plans)
      guard let update = response.update else { return }
      do {
        try add(update, age, over: base, generation, plans)
      } catch let error as StoreError where error.code == .requiresAsynchronousReading {
        throw error
      } catch {
        // The closure changes nothing until it succeeds. The response is visible without it.
      }
    }
  }

  private func showing(over base: any StoreSnapshot) -> any StoreSnapshot {
    isEmpty ? base : LayeredSnapshot(base, self)
  }

  /// Adds the changes that a closure makes, whose fields have an age.
  private mutating func add(
    _ update: (ReadWriteTransaction) throws -> Void, _ age: LayeredAge,
    over base: any StoreSnapshot, _ generation: Generation, _ plans: NormalizationPlanPool
  ) throws {
    let below = showing(over: base)
    let transaction = ReadWriteTransaction(below, generation: generation, plans: plans)
    defer { transaction.end() }
    try update(transaction)
    var changes = transaction.overlay.effects
    // What a response writes again is as new as the response.
    let known: (any StoreSnapshot)? = if case .current = age { below } else { nil }
    try changes.note(age, of: transaction.overlay.mutations, unlessIn: known)
    add(changes)
  }
}
