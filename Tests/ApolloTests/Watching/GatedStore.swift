import Apollo
import ApolloAPI
import ApolloCache

/// A record store whose readings stop at a gate, after their snapshot is opened, while a test holds
/// the gate closed.
final class GatedStore: RecordStore {
  let memory = InMemoryNormalizedCache()
  /// Yields once for each reading that stops at the gate.
  let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  private struct Gate {
    var isClosed = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let gate = Lock(Gate())

  init() { (arrivals, arrival) = AsyncStream.makeStream() }

  func close() { gate.withLock { $0.isClosed = true } }

  func open() {
    let waiting = gate.withLock { gate in
      gate.isClosed = false
      defer { gate.waiting = [] }
      return gate.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  fileprivate nonisolated(nonsending) func pass() async {
    await withCheckedContinuation { continuation in
      let isClosed = gate.withLock { gate in
        if gate.isClosed { gate.waiting.append(continuation) }
        return gate.isClosed
      }
      if isClosed { arrival.yield() } else { continuation.resume() }
    }
  }

  // MARK: - RecordStore

  func openSnapshot() -> any StoreSnapshot { GatedSnapshot(self) }

  nonisolated(nonsending) func beginWriting() async throws -> any WriteContext {
    try await memory.beginWriting()
  }
}

/// The records at one moment, to be loaded through the gate.
private final class GatedSnapshot: StoreSnapshot {
  private let store: GatedStore
  private let table: RecordTable
  private var loaded: Set<RecordKey> = []

  init(_ store: GatedStore) {
    self.store = store
    table = store.memory.currentSnapshot().table
  }

  func fields(of key: RecordKey) -> FieldMap? { table.fields(of: key) }
  var loadsInBatches: Bool { true }
  func isLoaded(_ key: RecordKey) -> Bool { loaded.contains(key) }
  func loadNow(_ keys: [RecordKey]) -> Bool {
    loaded.formUnion(keys)
    return true
  }
  nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws {
    await store.pass()
    loaded.formUnion(keys)
  }
}
