import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// Writers that wait for readers.
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

  /// The erasure after a clearing waits for readers. If others waited for it, they could block all
  /// threads, and those that hold it up would not go on.
  @Test(arguments: Kind.allCases)
  func readersDoNotWaitForAnErasure(kind: Kind) async throws {
    let folder = try TemporaryFolder()
    var configuration = SQLiteNormalizedCache.Configuration.patient
    configuration.shouldVacuumOnClear = true
    let file = try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration)
    let cache: any NormalizedCache = kind == .chain ? ChainedNormalizedCache(file) : file
    _ = try cache.merge(records: ["A": ["n": 1]])
    var reader = try cache.snapshot()
    let hasEnded = Lock(false)
    Thread.detachNewThread {
      #expect(throws: Never.self) { try cache.clear() }
      hasEnded.withLock { $0 = true }
    }
    while try !file.loadRecords(forKeys: ["A"]).isEmpty { await Task.yield() }
    #expect(try cache.loadRecords(forKeys: ["A"]).isEmpty)
    #expect(!hasEnded.get())
    #expect(try reader?.fields(of: "A") == ["n": 1])
    reader = nil
    while !hasEnded.get() { await Task.yield() }
  }
}
