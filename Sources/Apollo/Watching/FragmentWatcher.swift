public import ApolloAPI
import ApolloCache
import ApolloTransport

/// Delivers what the cache knows of one object, as a fragment, now and whenever that changes.
///
/// It never asks the server. Keep it as long as you want to be told: it ends with its last reference, or
/// with ``cancel()``. Equal data is delivered once.
///
/// Isolation: everything that changes is in `state`, behind a lock; nothing of the user's is called under it.
public final class FragmentWatcher<Fragment: RootSelectionSet>: Cancellable {
  typealias Delivery = @Sendable (FragmentWatcher, Result<Fragment?, any Error>) -> Void

  private struct State {
    var isCancelled = false
    var follower: CacheObserver<Fragment>?
    /// Nothing at first and after an error, so that the delivery after that is always one.
    var delivered: Fragment??
  }

  private let deliver: Delivery
  private let state = Lock(State())

  /// `deliver` takes one result after the other. It is called under the lock, which keeps them in
  /// order, so it must only pass them on to elsewhere.
  init(
    _ store: ApolloStore, key: RecordKey, variables: Variables?, deliver: @escaping Delivery
  ) {
    self.deliver = deliver
    let follower = CacheObserver<Fragment>(
      store, ignoring: nil,
      read: {
        try await store.withinReadTransaction {
          try $0.reading(Fragment.self, from: key, variables: variables)
        }
      },
      receive: { [weak self] reading, _ in self?.accept(reading) })
    state.withLock { $0.follower = follower }
    follower.reread()
  }

  deinit { cancel() }

  /// Ends the watch. Nothing is delivered any more.
  public func cancel() {
    let follower = state.withLock { state in
      state.isCancelled = true
      defer { state.follower = nil }
      return state.follower
    }
    follower?.cancel()
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func isSame(_ old: Fragment?, _ new: Fragment?) -> Bool {
    switch (old, new) {
    case (nil, nil): true
    case (let old?, let new?): old == new
    default: false
    }
  }

  private func accept(_ reading: CacheObserver<Fragment>.Reading) {
    state.withLock { state in
      guard !state.isCancelled else { return }
      switch reading {
      case .success(let reading):
        state.follower?.follow(reading.trace)
        if let delivered = state.delivered, isSame(delivered, reading.data) { return }
        state.delivered = .some(reading.data)
        deliver(self, .success(reading.data))
      case .failure(let error):
        // Data that comes after an error is news, even if it was delivered before.
        state.delivered = nil
        deliver(self, .failure(error))
      }
    }
  }
}
