import ApolloCache
import ApolloTransport

/// Reads one thing from the cache again whenever something of it has changed.
///
/// Changes that come while it is being read lead to one more reading, however many they are. It ends
/// with its last reference: neither the store nor its task keeps it alive.
///
/// Isolation: what changes is in `state`, behind a lock; `receive` is called without it, one call at a time.
final class CacheFollower<Data: Sendable>: Sendable {
  typealias Reading = Result<CacheReading<Data>, any Error>

  private struct State {
    var isCancelled = false
    var isWanted = false
    var task: Task<Void, Never>?
    var watch: StoreWatch?
  }

  private let read: @Sendable () async throws -> CacheReading<Data>
  private let receive: @Sendable (Reading) -> Void
  private let state = Guarded(State())

  /// - Parameters:
  ///   - store: What to follow.
  ///   - origin: Whose writes to ignore.
  ///   - read: Reads from the store.
  ///   - receive: Takes each reading.
  init(
    _ store: ApolloStore, ignoring origin: ChangeOrigin?,
    read: @escaping @Sendable () async throws -> CacheReading<Data>,
    receive: @escaping @Sendable (Reading) -> Void
  ) {
    self.read = read
    self.receive = receive
    let watch = store.watch { [weak self] change in
      if origin == nil || change.origin != origin { self?.reread() }
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

  /// Follows what `trace` was read from, in place of anything before. Reads again if that has changed already.
  func follow(_ trace: ReadingTrace) {
    if state.withLock({ $0.watch })?.depend(on: trace) == false { reread() }
  }

  /// Reads now, or once more if it is being read.
  func reread() {
    state.withLock { state in
      guard !state.isCancelled else { return }
      state.isWanted = true
      guard state.task == nil else { return }
      state.task = Task { [weak self, read, receive] in
        while self?.begin() == true {
          let reading: Reading
          do {
            reading = .success(try await read())
          } catch {
            reading = .failure(error)
          }
          if self?.isCancelled == false { receive(reading) }
        }
      }
    }
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Whether there is another reading to do. If not, the task ends.
  private func begin() -> Bool {
    state.withLock { state in
      guard state.isWanted, !state.isCancelled else {
        state.task = nil
        return false
      }
      state.isWanted = false
      return true
    }
  }
}
