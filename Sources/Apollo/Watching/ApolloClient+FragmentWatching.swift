public import ApolloAPI
public import ApolloCache
public import Dispatch

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
    resultHandler: @escaping @Sendable (Result<Fragment?, any Error>) -> Void
  ) -> FragmentWatcher<Fragment> {
    FragmentWatcher(store, key: key, variables: variables) { watcher, result in
      callbackQueue.async { [weak watcher] in
        if watcher?.isCancelled == false { resultHandler(result) }
      }
    }
  }

  /// What the cache knows of one object, now and whenever that changes.
  ///
  /// ```swift
  /// for await result in apollo.watch(fragment: CharacterSummary.self, withKey: "Human:1000") {
  ///   print(try result.get()?.name ?? "not in the cache")
  /// }
  /// ```
  ///
  /// Each iteration is a watch of its own, which ends with the loop. A slow loop misses what was outdated before it
  /// came: only the newest result is kept.
  public func watch<Fragment: ApolloAPI.Fragment & RootSelectionSet>(
    fragment: Fragment.Type, withKey key: RecordKey, variables: Variables? = nil
  ) -> FragmentUpdates<Fragment> {
    FragmentUpdates(store: store, key: key, variables: variables)
  }
}

/// What the cache knows of one object as it changes, until the iteration ends.
public struct FragmentUpdates<Fragment: RootSelectionSet>: AsyncSequence, Sendable {
  /// The object; `nil` while something of the fragment is missing in the cache; or why the cache could not be read.
  public typealias Element = Result<Fragment?, any Error>

  let store: ApolloStore
  let key: RecordKey
  let variables: Variables?

  /// Begins a watch of its own.
  public func makeAsyncIterator() -> Iterator {
    let (stream, continuation) = AsyncStream<Element>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let watcher = FragmentWatcher<Fragment>(store, key: key, variables: variables) {
      continuation.yield($1)
    }
    return Iterator(
      watcher: watcher, store: store, results: stream.makeAsyncIterator())
  }

  /// Owns a watch.
  public struct Iterator: AsyncIteratorProtocol {
    let watcher: FragmentWatcher<Fragment>
    let store: ApolloStore
    var results: AsyncStream<Element>.Iterator

    /// The newest result that has not been seen; `nil` when the task was cancelled.
    ///
    /// Inside of a transaction that writes to the same store it is `StoreError.reentrantTransaction`: what it would wait for comes after that.
    public mutating func next() async -> Element? {
      guard !store.isKeptFromWriting else { return .failure(StoreError.reentrantTransaction) }
      let result = await results.next()
      if result == nil { watcher.cancel() }
      return result
    }
  }
}
