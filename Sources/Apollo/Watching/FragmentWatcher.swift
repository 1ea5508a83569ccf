public import ApolloAPI
import ApolloCache
import ApolloTransport

/// A watch of one cached object: delivers its data now and whenever it changes.
///
/// ```swift
/// let watcher = apollo.watch(fragment: CharacterSummary.self, withKey: "Human:1000") { result in
///   print((try? result.get())?.name ?? "not in the cache")
/// }
/// watcher.cancel()
/// ```
///
/// The data is read as a fragment from the cache; no request is sent. The result is `nil` while
/// some of the fragment's fields are missing in the cache. Consecutive results with equal data are
/// delivered once.
///
/// Keep a reference to the watcher: the watch ends when the last one is released, or with
/// ``cancel()``.
///
/// Isolation: `state` is guarded by a lock. Under the lock, results are put into a queue or a
/// stream, which keeps them in order. The program's handler receives them from there, outside of
/// the lock.
public final class FragmentWatcher<Fragment: RootSelectionSet>: Cancellable {
  typealias Delivery = @Sendable (FragmentWatcher, Result<Fragment?, any Error>) -> Void

  private struct State {
    var isCancelled = false
    var observer: CacheObserver<Fragment>?
    var duplicates = DuplicateFilter<Fragment?>(areEqual: areEqual)
  }

  private let deliver: Delivery
  private let end: @Sendable () -> Void
  private let state = Lock(State())

  /// Starts a watch.
  ///
  /// `deliver` puts each result into a queue or a stream. It is called in order and under the lock.
  /// Therefore it must neither wait nor call the program's code.
  ///
  /// `end` is called when the watch has been cancelled, outside of the lock.
  init(
    _ store: ApolloStore, key: RecordKey, variables: Variables?, deliver: @escaping Delivery,
    end: @escaping @Sendable () -> Void = {}
  ) {
    self.deliver = deliver
    self.end = end
    let observer = CacheObserver<Fragment>(
      store,
      read: {
        try await store.withinReadTransaction {
          try $0.reading(Fragment.self, from: key, variables: variables)
        }
      },
      receive: { [weak self] reading, _, _ in self?.receive(reading) })
    state.withLock { $0.observer = observer }
    observer.scheduleReading()
  }

  deinit { cancel() }

  /// Ends the watch. The handler is not called again.
  public func cancel() {
    let observer = state.withLock { state in
      state.isCancelled = true
      defer { state.observer = nil }
      return state.observer
    }
    observer?.cancel()
    end()
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func receive(_ reading: CacheObserver<Fragment>.Reading) {
    state.withLock { state in
      guard !state.isCancelled else { return }
      switch reading {
      case .success(let reading):
        state.observer?.observe(reading.trace)
        if state.duplicates.accept(reading.data) { deliver(self, .success(reading.data)) }
      case .failure(let error):
        state.duplicates.reset()
        deliver(self, .failure(error))
      }
    }
  }

  private static func areEqual(_ lhs: Fragment?, _ rhs: Fragment?) -> Bool {
    switch (lhs, rhs) {
    case (nil, nil): true
    case (let lhs?, let rhs?): lhs == rhs
    default: false
    }
  }
}
