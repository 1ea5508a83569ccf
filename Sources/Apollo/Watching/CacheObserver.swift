internal import ApolloAPI
import ApolloCache
import ApolloTransport

/// Reads data from the cache again whenever one of its dependencies changes.
///
/// 1. ``observe(_:refetchCount:)`` registers the dependencies of a result with the store.
/// 2. A write changes one of them, and the store notifies the observer on the writing thread.
/// 3. ``CacheReadSchedule`` starts a task, unless one is running.
/// 4. The task reads the data and passes it to `receive`, again and again until it is up to date.
/// 5. The receiver observes the dependencies of the new result: step 1.
/// 6. A reading that fails has no dependencies: until one succeeds, every write starts step 2, and
///    so does the end of a suspension of the cache.
///
/// Releasing the last reference ends the observation: neither the store nor the task retains the
/// observer.
///
/// Isolation: `state` is guarded by a lock. `receive` is called outside of it, one call at a time.
final class CacheObserver<Data: Sendable>: Sendable {
  typealias Reading = Result<CacheReading<Data>, any Error>

  private struct State {
    var schedule = CacheReadSchedule()
    var task: Task<Void, Never>?
    /// Finds out what to observe.
    var look: Task<Void, Never>?
    var watch: StoreWatch?
  }

  private let store: ApolloStore
  private let read: @Sendable () async throws -> CacheReading<Data>
  private let begin: @Sendable () -> Int
  private let receive: @Sendable (Reading, _ refetchCount: Int, _ start: Int) -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - store: The store to observe.
  ///   - read: A closure that reads the data from the store.
  ///   - ignore: A closure that returns `true` for changes that need no reading.
  ///   - begin: A closure that is called before each reading, and returns a number for `receive`.
  ///   - receive: A closure that receives each reading, the number of consecutive refetches that
  ///   led
  ///     to it (`ChangeOrigin.refetchCount`), and the number of `begin`.
  ///   - endSession: A closure that is called at each step of the end of a user's session.
  init(
    _ store: ApolloStore,
    read: @escaping @Sendable () async throws -> CacheReading<Data>,
    ignore: @escaping @Sendable (StoreChange) -> Bool = { _ in false },
    begin: @escaping @Sendable () -> Int = { 0 },
    receive: @escaping @Sendable (Reading, _ refetchCount: Int, _ start: Int) -> Void,
    endSession: (@Sendable (SessionEnd) -> Void)? = nil
  ) {
    self.store = store
    self.read = read
    self.begin = begin
    self.receive = receive
    let watch = StoreWatch(
      store.registry, toEverything: false, subject: Data.self, onSessionEnd: endSession
    ) { [weak self] change in
      if ignore(change) { return }
      self?.scheduleReading(refetchCount: change.origin?.refetchCount ?? 0)
    }
    state.withLock { $0.watch = watch }
  }

  deinit { cancel() }

  func cancel() {
    let (tasks, watch) = state.withLock { state in
      state.schedule.cancel()
      defer {
        (state.task, state.look) = (nil, nil)
        state.watch = nil
      }
      return ([state.task, state.look], state.watch)
    }
    for task in tasks { task?.cancel() }
    watch?.cancel()
  }

  /// Observes the dependencies of `trace` in place of the earlier ones.
  ///
  /// If one of them has changed since the trace was made, the data is read again at once. The
  /// origin of that change is unknown, so the reading has the refetch count of the traced one.
  func observe(_ trace: ReadingTrace, refetchCount: Int = 0) {
    if state.withLock({ $0.watch })?.depend(on: trace) == false {
      scheduleReading(refetchCount: refetchCount)
    }
  }

  /// Observes what the data would be read from, and reads it if it has changed since a generation.
  func look(since generation: Generation) {
    let earlier: Task<Void, Never>? = state.withLock { state in
      guard !state.schedule.isCancelled else { return nil }
      defer {
        state.look = ApolloStore.task { [weak self, read] in
          do {
            var trace = try await read().trace
            trace.generation = min(trace.generation, generation)
            self?.observe(trace)
          } catch {
            if !Task.isCancelled { self?.observeEverything(since: generation) }
          }
        }
      }
      return state.look
    }
    // Without the lock: a cache of the program may call the watch as its reading is cancelled.
    earlier?.cancel()
  }

  /// Observes everything, because a reading that started at `generation` failed.
  func observeEverything(since generation: Generation, refetchCount: Int = 0) {
    if state.withLock({ $0.watch })?.dependOnEverything(since: generation) == false {
      scheduleReading(refetchCount: refetchCount)
    }
  }

  /// Reads the data now, or once more after the reading in progress.
  func scheduleReading(refetchCount: Int = 0) {
    state.withLock { state in
      guard state.schedule.schedule(refetchCount: refetchCount) else { return }
      state.task = ApolloStore.task { [weak self, store, read, begin, receive] in
        while let refetchCount = self?.beginReading() {
          let start = begin()
          let reading: Reading
          let generation = store.registry.generation
          do {
            reading = .success(try await read())
          } catch {
            reading = .failure(error)
            self?.observeEverything(since: generation, refetchCount: refetchCount)
          }
          if self?.isCancelled == false { receive(reading, refetchCount, start) }
        }
      }
    }
  }

  private var isCancelled: Bool { state.withLock { $0.schedule.isCancelled } }

  private func beginReading() -> Int? {
    state.withLock { state in
      let refetchCount = state.schedule.beginReading()
      if refetchCount == nil { state.task = nil }
      return refetchCount
    }
  }
}
