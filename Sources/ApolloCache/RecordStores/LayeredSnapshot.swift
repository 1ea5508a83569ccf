internal import ApolloAPI

/// The records of a snapshot with the effects of optimistic layers in front of them.
package final class LayeredSnapshot: StoreSnapshot {
  private let base: any StoreSnapshot
  private let effects: LayerEffects

  package init(_ base: any StoreSnapshot, _ effects: LayerEffects) {
    self.base = base
    self.effects = effects
  }

  package func fields(of key: RecordKey) throws -> FieldMap? {
    try effects.fields(of: key) { try base.fields(of: key) }
  }

  package func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try effects.fields(of: key) { try base.fields(of: key, among: wanted) }
  }

  package func prepare(_ keys: [RecordKey]) throws {
    try base.prepare(keys.filter { !effects.affects($0) })
  }

  package var isStable: Bool { base.isStable }
  package var version: UInt64? { base.version }

  package var keepsWrites: Bool { base.keepsWrites }
  package func writes(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: WriteID] {
    try base.writes(of: key, among: fields)
  }
  package func facts(about write: WriteID) throws -> WriteFacts? { try base.facts(about: write) }

  // MARK: Loading in batches

  package var loadsInBatches: Bool { base.loadsInBatches }
  package var hasRecordsInMemory: Bool { base.hasRecordsInMemory }
  package func isLoaded(_ key: RecordKey) -> Bool { effects.affects(key) || base.isLoaded(key) }
  package func loadNow(_ keys: [RecordKey]) throws -> Bool { try base.loadNow(keys) }
  package nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws {
    try await base.load(keys)
  }
  package nonisolated(nonsending) func loadRequested() async throws -> Bool {
    try await base.loadRequested()
  }
}

extension StoreSnapshot {
  package func showing(_ effects: LayerEffects) -> any StoreSnapshot {
    LayeredSnapshot(self, effects)
  }

  /// `nil`: a snapshot holds resources, or serves one reading at a time.
  package var shareable: (any StoreSnapshot & Sendable)? { nil }
}
