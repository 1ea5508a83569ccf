internal import ApolloAPI
import ApolloCache
import ApolloTransport

/// Reads one thing from the cache again whenever something of it has changed.
///
/// Changes that come while it is being read lead to one more reading, however many they are. It ends
/// with its last reference: neither the store nor its task keeps it alive.
///
/// Isolation: what changes is in `state`, behind a lock; `receive` is called without it, one call at a time.
final class CacheObserver<Data: Sendable>: Sendable {
  typealias Reading = Result<CacheReading<Data>, any Error>

  private struct State {
    var isCancelled = false
    /// Set when another reading is wanted: the least `ChangeOrigin.refetchCount` of all that want it.
    var refetchCount: Int?
    var task: Task<Void, Never>?
    var watch: StoreWatch?
  }

  private let read: @Sendable () async throws -> CacheReading<Data>
  private let receive: @Sendable (Reading, _ refetchCount: Int) -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - store: What to follow.
  ///   - origin: Whose writes to ignore.
  ///   - read: Reads from the store.
  ///   - receive: Takes each reading, and how many fetches in a row led to what has changed (`ChangeOrigin.refetchCount`).
  init(
    _ store: ApolloStore, ignoring origin: ChangeOrigin?,
    read: @escaping @Sendable () async throws -> CacheReading<Data>,
    receive: @escaping @Sendable (Reading, _ refetchCount: Int) -> Void
  ) {
    self.read = read
    self.receive = receive
    let watch = store.watch { [weak self] change in
      guard origin == nil || change.origin != origin else { return }
      self?.reread(refetchCount: change.origin?.refetchCount ?? 0)
    }
    state.withLock { $0.watch = watch }
  }

  deinit { cancel() }

  func cancel() {
    let (task, watch) = state.withLock { state in
      state.isCancelled = true
      defer {
        state.task = nil
        state.watch = nil
      }
      return (state.task, state.watch)
    }
    task?.cancel()
    watch?.cancel()
  }

  /// Follows what `trace` was read from, in place of anything before. Reads again if that has changed already. Nobody knows who changed
  /// it, so that reading counts as many fetches in a row as the one before.
  func follow(_ trace: ReadingTrace, refetchCount: Int = 0) {
    if state.withLock({ $0.watch })?.depend(on: trace) == false {
      reread(refetchCount: refetchCount)
    }
  }

  /// Reads now, or once more if it is being read.
  func reread(refetchCount: Int = 0) {
    state.withLock { state in
      guard !state.isCancelled else { return }
      state.refetchCount = min(state.refetchCount ?? refetchCount, refetchCount)
      guard state.task == nil else { return }
      state.task = ApolloStore.task { [weak self, read, receive] in
        while let refetchCount = self?.begin() {
          let reading: Reading
          do {
            reading = .success(try await read())
          } catch {
            reading = .failure(error)
          }
          if self?.isCancelled == false { receive(reading, refetchCount) }
        }
      }
    }
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// What another reading is to be done for; if there is none, the task ends.
  private func begin() -> Int? {
    state.withLock { state in
      guard let refetchCount = state.refetchCount, !state.isCancelled else {
        state.task = nil
        return nil
      }
      state.refetchCount = nil
      return refetchCount
    }
  }
}
