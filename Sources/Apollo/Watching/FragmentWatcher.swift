public import ApolloAPI
public import ApolloCache
import ApolloTransport
public import Dispatch

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
    var follower: CacheFollower<Fragment>?
    /// Nothing at first, so that the first delivery is always one.
    var delivered: Fragment??
  }

  private let deliver: Delivery
  private let state = Guarded(State())

  /// `deliver` takes one result after the other. It is called under the lock, which keeps them in
  /// order, so it must only pass them on to elsewhere.
  init(
    _ store: ApolloStore, key: RecordKey, variables: Variables?, deliver: @escaping Delivery
  ) {
    self.deliver = deliver
    let follower = CacheFollower<Fragment>(
      store, ignoring: nil,
      read: {
        try await store.withinReadTransaction {
          try $0.reading(Fragment.self, from: key, variables: variables)
        }
      },
      receive: { [weak self] in self?.accept($0) })
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

  private func accept(_ reading: CacheFollower<Fragment>.Reading) {
    state.withLock { state in
      guard !state.isCancelled else { return }
      switch reading {
      case .success(let reading):
        state.follower?.follow(reading.trace)
        guard state.delivered != .some(reading.data) else { return }
        state.delivered = .some(reading.data)
        deliver(self, .success(reading.data))
      case .failure(let error): deliver(self, .failure(error))
      }
    }
  }
}

extension ApolloClient {
  /// Calls back with what the cache knows of one object, now and whenever that changes.
  ///
  /// - Parameters:
  ///   - fragment: The fragment's type.
  ///   - key: The object's key in the cache, such as `Hero:1`.
  ///   - variables: The values of variables that the fragment uses.
  ///   - callbackQueue: Where the handler is called, always asynchronously.
  ///   - resultHandler: Is given `nil` while something of the fragment is missing in the cache.
  /// - Returns: The watcher. The watch ends when it is released.
  public func watch<Fragment: ApolloAPI.Fragment & RootSelectionSet>(
    fragment: Fragment.Type, withKey key: RecordKey, variables: Variables? = nil,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping @Sendable (Result<Fragment?, any Swift.Error>) -> Void
  ) -> FragmentWatcher<Fragment> {
    FragmentWatcher(store, key: key, variables: variables) { watcher, result in
      callbackQueue.async { [weak watcher] in
        if watcher?.isCancelled == false { resultHandler(result) }
      }
    }
  }
}
