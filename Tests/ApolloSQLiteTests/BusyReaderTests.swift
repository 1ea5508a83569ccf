import ApolloAPI
import ApolloCache
import ApolloSQLite
import Testing

/// A writer that needs a snapshot while as many are open as there can be.
@Suite(.timeLimit(.minutes(10)))
struct BusyReaderTests {
  enum Kind: CaseIterable { case file, chain }

  @MainActor @Test(arguments: Kind.allCases)
  func aCancelledWriterDoesNotBlockItsActor(kind: Kind) async throws {
    let folder = try TemporaryFolder()
    let file = try SQLiteNormalizedCache(fileURL: folder.file, configuration: .patient)
    let cache: any NormalizedCache = kind == .chain ? ChainedNormalizedCache(file) : file
    let store = ApolloStore(cache: cache)
    try await store.publish(["R": ["name": "written", "size": 1]])
    store.restoreWaitingLayers([(1, { try $0.merge(["R": ["name": "waiting"]]) })])
    var readers: [any StoreSnapshot] = []
    while let reader = try store.records.openSnapshotAtOnce() { readers.append(reader) }
    let isCancelled = Lock(false)
    let writer = Task { @MainActor in
      try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["R": ["size": 2]])
        withUnsafeCurrentTask { $0?.cancel() }
        isCancelled.withLock { $0 = true }
      }
    }
    // The layers are computed above the records after the commit, which waits for a snapshot. The
    // readers end on the actor for which the writer works.
    while !isCancelled.get() || !RetryPause.isUnderWay { await Task.yield() }
    readers = []
    try await writer.value
    let fields = try await store.withinReadTransaction { try $0.record(for: "R")?.fields }
    #expect(fields?["name"] == "waiting")
    #expect(fields?["size"] == 2)
  }
}
