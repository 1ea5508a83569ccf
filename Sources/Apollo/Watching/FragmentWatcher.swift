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
/// some of the fragment's fields are missing in the cache. Consecutive results with equal data and
/// errors of fields are delivered once.
///
/// Keep a reference to the watcher: the watch ends when the last one is released, or with
/// ``cancel()``.
///
/// Isolation: `state` is guarded by a lock. Under the lock, results are put into a queue or a
/// stream, which keeps them in order. The program's handler receives them from there, outside of
/// the lock.
public final class FragmentWatcher<Fragment: RootSelectionSet>: Cancellable {
  typealias Delivery =
    @Sendable (
      FragmentWatcher, Result<Fragment?, any Error>, WatchSession
    ) -> Void

  /// A result as it is compared with the one before it.
  private struct Content {
    let data: Fragment?
    /// The errors of the fields, which properties of the data report.
    let errors: [GraphQLError]

    func isSame(as other: Content) -> Bool {
      switch (data, other.data) {
      case (nil, nil): true
      case (let data?, let otherData?): data == otherData && errors.mean(other.errors)
      default: false
      }
    }
  }

  private struct State {
    var isCancelled = false
    /// The session of the user whose data is read.
    var session = WatchSession(number: 0)
    /// `nil` while the data of a session that has ended may still be in the cache.
    var observer: CacheObserver<Fragment>?
    /// Follows the sessions of users.
    var sessions: StoreWatch?
    var duplicates = DuplicateFilter<Content>(areEqual: { $0.isSame(as: $1) })
  }

  private let store: ApolloStore
  private let read: @Sendable () async throws -> CacheReading<Fragment>
  private let deliver: Delivery
  private let end: @Sendable () -> Void
  private let state = Lock(State())

  /// Starts a watch.
  ///
  /// `deliver` puts each result into a queue or a stream, with the session that it belongs to. It
  /// is called in order and under the lock. Therefore it must neither wait nor call the program's
  /// code.
  ///
  /// `servesFailures`: Whether a field that failed on the server is null, with its error.
  ///
  /// `end` is called when the watch has been cancelled, outside of the lock.
  init(
    _ store: ApolloStore, key: RecordKey, variables: Variables?, servesFailures: Bool = false,
    deliver: @escaping Delivery, end: @escaping @Sendable () -> Void = {}
  ) {
    self.store = store
    self.deliver = deliver
    self.end = end
    read = {
      try await store.withinReadTransaction {
        try $0.reading(
          Fragment.self, from: key, variables: variables, servesFailures: servesFailures)
      }
    }
    let sessions = StoreWatch(
      store.registry, toEverything: false,
      onSessionEnd: { [weak self] in self?.sessionEnds($0) }, onChange: { _ in })
    state.withLock { $0.sessions = sessions }
    observe(in: WatchSession(number: 0))
  }

  /// Begins to observe the object for a session, unless that has ended or is observed.
  private func observe(in session: WatchSession) {
    let observer = CacheObserver<Fragment>(
      store, read: read,
      receive: { [weak self] reading, _, _ in self?.receive(reading, in: session) })
    let isFirst = state.withLock { state in
      guard !state.isCancelled, state.session == session, state.observer == nil else {
        return false
      }
      state.observer = observer
      return true
    }
    isFirst ? observer.scheduleReading() : observer.cancel()
  }

  deinit { cancel() }

  /// Ends the watch. The handler is not called again.
  public func cancel() {
    let (observer, sessions) = state.withLock { state in
      state.isCancelled = true
      defer { (state.observer, state.sessions) = (nil, nil) }
      return (state.observer, state.sessions)
    }
    observer?.cancel()
    sessions?.cancel()
    end()
  }

  /// Returns whether a result of a session may be shown: it has not ended, and the watch was not
  /// cancelled.
  func isCurrent(_ session: WatchSession) -> Bool {
    state.withLock { !$0.isCancelled && $0.session == session }
  }

  /// Handles the end of the session of a user: the object is not in the cache from its beginning
  /// on. The cache is read again when its data is gone.
  private func sessionEnds(_ end: SessionEnd) {
    let (observer, session) = state.withLock { state in
      defer { state.observer = nil }
      // A watch that has begun in between may have read what is gone now.
      if state.observer != nil, !state.isCancelled {
        state.session = WatchSession(number: state.session.number + 1)
        state.duplicates.reset()
        if state.duplicates.accept(Content(data: nil, errors: [])) {
          deliver(self, .success(nil), state.session)
        }
      }
      return (state.observer, state.session)
    }
    observer?.cancel()
    if end == .cleared { observe(in: session) }
  }

  private func receive(_ reading: CacheObserver<Fragment>.Reading, in session: WatchSession) {
    state.withLock { state in
      guard !state.isCancelled, state.session == session else { return }
      switch reading {
      case .success(let reading):
        state.observer?.observe(reading.trace)
        if state.duplicates.accept(Content(data: reading.data, errors: reading.errors)) {
          deliver(self, .success(reading.data), session)
        }
      case .failure(let error):
        state.duplicates.reset()
        deliver(self, .failure(error), session)
      }
    }
  }
}
