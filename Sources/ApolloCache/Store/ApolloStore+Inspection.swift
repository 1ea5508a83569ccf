internal import ApolloAPI

// A look into the store of a running program, for tools such as `ApolloInspector`.
extension ApolloStore {
  /// Calls `body` with each record of the cache, without optimistic layers, in the order of the
  /// keys.
  ///
  /// - Throws: The errors of the cache and of `body`; ``StoreError/Code/requiresEnumeration`` if
  ///   the cache cannot list its records; and ``StoreError`` inside of a transaction.
  package nonisolated(nonsending) func forEachRecord(
    _ body: (ListedRecord) throws -> Void
  ) async throws {
    noteForeignCommitsInLedger()
    try await withCacheSnapshot { snapshot throws in
      guard let keys = try snapshot.recordKeys() else { throw StoreError.requiresEnumeration }
      for key in keys.sorted() {
        guard let fields = try snapshot.fields(of: key) else { continue }
        try body(
          ListedRecord(
            key: key, fields: fields, writes: try writes(of: key, fields, in: snapshot)))
      }
    }
  }

  /// Returns a record of the cache, without optimistic layers, or `nil` if there is none.
  ///
  /// - Throws: The errors of the cache, and ``StoreError`` inside of a transaction.
  package nonisolated(nonsending) func record(
    of key: RecordKey
  ) async throws -> ListedRecord? {
    noteForeignCommitsInLedger()
    return try await withCacheSnapshot { snapshot throws in
      guard let fields = try snapshot.fields(of: key) else { return nil }
      return ListedRecord(
        key: key, fields: fields, writes: try writes(of: key, fields, in: snapshot))
    }
  }

  private func writes(
    of key: RecordKey, _ fields: FieldMap, in snapshot: any StoreSnapshot
  ) throws -> [FieldKey: WriteFacts] {
    var facts: [FieldKey: WriteFacts] = [:]
    if snapshot.keepsWrites {
      for (field, write) in try snapshot.writes(of: key, among: fields.keys) {
        facts[field] = try snapshot.facts(about: write)
      }
    }
    let ledger = siblings.freshness.ledger
    for (field, write) in ledger.writes(of: key)?.all ?? [] {
      if let known = ledger.facts(about: write) { facts[field] = known }
    }
    return facts
  }

  /// Returns the watches and layers as they are now.
  ///
  /// - Parameter count: The greatest number of watches.
  /// - Returns: The watches and the layers.
  package func activity(watchesAtMost count: Int) -> StoreActivity {
    let basis = layers.basis
    return StoreActivity(
      watchCount: registry.watchCount, watches: registry.activity(atMost: count),
      layers: basis.stack.layers.map { layer in
        let changes = basis.computed?.layer(layer)?.changes.records ?? [:]
        return StoreActivity.Layer(
          number: layer.id.isWaiting ? layer.id.number - LayerID.firstWaiting : layer.id.number,
          state: layer.activityState, isWaiting: layer.id.isWaiting,
          records: changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      })
  }

  /// A text that is another one after the records have changed. Other processes change it while
  /// the store has watches.
  package var recordsVersion: String {
    "\(registry.generation.number).\(records.version ?? 0)"
  }

  /// A text that is another one after the records, the watches or the layers have changed.
  package var activityVersion: String {
    let stack = layers.stack
    return "\(recordsVersion).\(registry.watchCount).\(layers.epoch).\(stack.layers.count)."
      + "\(stack.latest.number)"
  }
}

extension OptimisticLayer {
  fileprivate var activityState: StoreActivity.Layer.State {
    switch content {
    case .reserved: .reserved
    case .optimistic: .optimistic
    case .settled: .settled
    }
  }
}
