/// The records that can be reached from others through references, found in small steps.
///
/// The steps:
///
/// 1. ``insert(_:)`` adds the records to start from.
/// 2. ``visit(atMost:in:)`` reads some of the added records, and adds those that they refer to. It
///    is repeated until nothing is left to visit.
/// 3. ``insert(_:in:)`` adds what was written since, because it may refer to others now.
///
/// The set never shrinks: a record that was reachable at any time stays in it.
struct ReachableRecords {
  private(set) var keys: Set<RecordKey> = []
  /// The added records that were not read since.
  private var unvisited: [RecordKey] = []

  /// Indicates whether all reachable records have been found.
  var isComplete: Bool { unvisited.isEmpty }

  func contains(_ key: RecordKey) -> Bool { keys.contains(key) }

  /// Adds a record, unless it was added before.
  mutating func insert(_ key: RecordKey) {
    if keys.insert(key).inserted { unvisited.append(key) }
  }

  /// Adds the records that were written, and those that their changed fields refer to. The other
  /// fields of records that were read before need not be read again.
  mutating func insert(_ writes: WriteTracker.Writes, in snapshot: any StoreSnapshot) throws {
    for key in writes.records { insert(key) }
    for key in writes.changes.keys { insert(key) }
    for key in try writes.references(in: snapshot) { insert(key) }
  }

  /// The number of records to read within a write.
  static let mostVisitsWithinWrite = 256
  /// The number of records to read between two checks for cancellation.
  private static let stepCount = 1_024

  /// Reads all added records and those that they lead to, outside of a write.
  ///
  /// Each step has a snapshot of its own: with a rollback journal, one that stayed open while the
  /// task waits for its turn would block every writer.
  ///
  /// - Parameter records: The records of a store.
  /// - Throws: The errors of the cache, and `CancellationError`.
  nonisolated(nonsending) mutating func visitAll(in records: any RecordStore) async throws {
    while !isComplete {
      do {
        let snapshot = try await records.openSnapshotWaiting()
        snapshot.beginScan()
        try visit(atMost: Self.stepCount, in: snapshot)
      }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// Reads some of the records, and adds those that they refer to.
  ///
  /// - Parameters:
  ///   - count: The largest number of records to read.
  ///   - snapshot: The records.
  /// - Throws: The errors of the cache.
  mutating func visit(atMost count: Int, in snapshot: any StoreSnapshot) throws {
    for _ in 0..<count {
      guard let key = unvisited.popLast() else { return }
      try snapshot.fields(of: key)?.forEachReference { insert($0) }
    }
  }
}
