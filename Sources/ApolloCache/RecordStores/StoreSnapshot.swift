/// A snapshot that reads whole selections.
///
/// Each kind of snapshot chooses how objects are made of its records: from a table in memory, from
/// the bytes of rows, or from any ``FieldMap``.
///
/// A snapshot over another one (the changes of a transaction, an optimistic layer, memory in front
/// of a disk) forwards everything to it that it does not know itself.
package protocol StoreSnapshot: RecordSnapshot {
  /// Indicates whether later writes leave the records of this snapshot unchanged.
  ///
  /// If not, no write may run while the snapshot is read.
  var isStable: Bool { get }

  /// The ``RecordStore/version`` of these records, or `nil` if the cache does not count its
  /// commits.
  var version: UInt64? { get }

  /// Reads a selection, as far as its records are loaded.
  func readLoaded(_ request: ReadRequest) throws -> ObjectReadResult

  /// Returns these records with the effects of optimistic layers in front of them.
  func showing(_ effects: LayerEffects) -> any StoreSnapshot

  /// Does the same, and takes over what an earlier snapshot with the same effects shows of all
  /// records but some, of which the cache or the layers may show something else.
  func showing(
    _ effects: LayerEffects, afterChangesOf changed: Set<RecordKey>,
    since earlier: (any StoreSnapshot)?
  ) -> any StoreSnapshot

  /// The snapshot itself, if it can be kept and be read by any number of tasks at a time.
  var shareable: (any StoreSnapshot & Sendable)? { get }

  /// Notes that the records of a cache are visited from now on, most of them only once. Memory in
  /// front of the cache does not keep what is loaded for that.
  func beginScan()

  // MARK: The writes of fields

  /// Indicates whether the cache keeps which write each field is from.
  var keepsWrites: Bool { get }

  /// Returns the latest writes of fields of a record. Fields whose write is not known are omitted.
  func writes(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: WriteID]

  /// Returns the facts about a write, or `nil` if they are not known.
  func facts(about write: WriteID) throws -> WriteFacts?

  /// Returns the times of the last uses of records, in seconds since 1970, as far as the cache
  /// keeps them.
  func lastUses() throws -> [RecordKey: Int64]

  // MARK: Loading in batches

  /// Indicates whether records are loaded in batches before they are read. If not, every record can
  /// be read at any time.
  var loadsInBatches: Bool { get }

  /// Indicates whether some records may be readable before any is loaded.
  var hasRecordsInMemory: Bool { get }

  /// Returns whether a record can be read now: it is loaded, or is known not to exist.
  func isLoaded(_ key: RecordKey) -> Bool

  /// Loads records in one batch, if that needs no suspension.
  ///
  /// - Returns: Whether the records are loaded. `false` if only ``load(_:)`` can load them.
  func loadNow(_ keys: [RecordKey]) throws -> Bool

  /// Loads records in one batch.
  nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws

  /// Loads the records that were asked for while they were not loaded.
  ///
  /// - Returns: `false` if there are none: nothing that was read since the last call is incomplete.
  nonisolated(nonsending) func loadRequested() async throws -> Bool
}

/// The parameters of one reading.
package struct ReadRequest {
  /// The record of the root object.
  let key: RecordKey
  /// The normalization plan of the selection. The reading is its only user.
  let plan: NormalizationPlan
  /// Indicates whether a field that failed on the server reads as `null` with its error. Otherwise
  /// it is a miss.
  let servesFailures: Bool
  /// Indicates whether fields that may be null can be missing, as in data that a program changes.
  /// They read as `nil`, and are not written back unless they are set.
  let allowsMissingFields: Bool
  /// Indicates whether an element of a list that failed reads as `nil`, if it may be null. It stays
  /// a failure when the list is written back.
  let leavesOutFailedElements: Bool
  /// Indicates whether values that may be null can be missing. They read as `nil`, and are misses
  /// nevertheless.
  let keepsPartialData: Bool
  /// Indicates whether partial data also lacks values that must not be null.
  let keepsGaps: Bool
  /// Indicates whether the pages of merged lists are read alone.
  let readsPagesAlone: Bool
  /// The pages of merged lists that the reading takes over, and leaves to the next one.
  var reuse: PageReuse?

  package init(
    key: RecordKey, plan: NormalizationPlan, servesFailures: Bool,
    allowsMissingFields: Bool = false, leavesOutFailedElements: Bool = false,
    keepsPartialData: Bool = false, keepsGaps: Bool = false, readsPagesAlone: Bool = false,
    reuse: PageReuse? = nil
  ) {
    self.reuse = reuse
    self.readsPagesAlone = readsPagesAlone
    self.keepsPartialData = keepsPartialData
    self.keepsGaps = keepsGaps
    self.key = key
    self.plan = plan
    self.servesFailures = servesFailures
    self.allowsMissingFields = allowsMissingFields
    self.leavesOutFailedElements = leavesOutFailedElements
  }
}

// MARK: - Defaults for snapshots that read on demand

extension StoreSnapshot {
  package func showing(
    _ effects: LayerEffects, afterChangesOf changed: Set<RecordKey>,
    since earlier: (any StoreSnapshot)?
  ) -> any StoreSnapshot {
    showing(effects)
  }
  package var keepsWrites: Bool { false }
  package func writes(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: WriteID] {
    [:]
  }
  package func facts(about write: WriteID) throws -> WriteFacts? { nil }
  package func lastUses() throws -> [RecordKey: Int64] { [:] }
  /// Does nothing: nothing is kept.
  package func beginScan() {}
  package var isStable: Bool { true }
  package var version: UInt64? { nil }
  package var loadsInBatches: Bool { false }
  package var hasRecordsInMemory: Bool { true }
  package func isLoaded(_ key: RecordKey) -> Bool { true }
  package func loadNow(_ keys: [RecordKey]) throws -> Bool { true }
  package nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws {}
  package nonisolated(nonsending) func loadRequested() async throws -> Bool { false }
}

// MARK: - Reading level by level

// A selection is read in rounds:
//
// 1. Read the selection. A reference to a record that is not loaded is skipped and noted.
// 2. If none was noted, the result is complete.
// 3. Otherwise load all noted records in one batch, and read again.
//
// So the number of batches is the depth of references in the selection, whatever the number of
// objects. A snapshot that reads on demand is done after one round.
extension StoreSnapshot {
  /// Reads a selection without suspending.
  ///
  /// - Throws: ``StoreError/Code/requiresAsynchronousReading`` if records must be loaded
  ///   asynchronously, and the errors of the cache.
  package func read(_ request: ReadRequest) throws -> ObjectReadResult {
    while true {
      let result = try readLoaded(request)
      if result.unloaded.isEmpty { return result }
      guard try loadNow(result.unloaded) else { throw StoreError(.requiresAsynchronousReading) }
    }
  }

  /// Reads a selection, or returns `nil` if records must be loaded for it.
  package func readIfLoaded(_ request: ReadRequest) throws -> ObjectReadResult? {
    do {
      let result = try readLoaded(request)
      return result.unloaded.isEmpty ? result : nil
    } catch let error as StoreError where error.code == .requiresAsynchronousReading {
      return nil
    }
  }

  /// Reads a selection. Suspends once for each level whose records must be loaded.
  package nonisolated(nonsending) func readAsynchronously(_ request: ReadRequest) async throws
    -> ObjectReadResult
  {
    while true {
      do {
        let result = try readLoaded(request)
        if result.unloaded.isEmpty { return result }
        try await load(result.unloaded)
      } catch let error as StoreError where error.code == .requiresAsynchronousReading {
        guard try await loadRequested() else { throw error }
      }
    }
  }
}
