public import ApolloAPI
public import ApolloCache
public import Dispatch

extension ApolloClientProtocol {
  /// Watches one cached object: delivers its data to a handler now and whenever it changes.
  ///
  /// ```swift
  /// let watcher = apollo.watch(fragment: CharacterSummary.self, withKey: "Human:1000") { result in
  ///   print((try? result.get())?.name ?? "not in the cache")
  /// }
  /// ```
  ///
  /// A field that failed on the server is missing, unless the client's
  /// `defaultRequestConfiguration` serves cached errors: then it is `nil`, and has its error.
  ///
  /// - Parameters:
  ///   - fragment: The type of the fragment.
  ///   - key: The object's key in the cache, such as `Human:1000`.
  ///   - variables: The values of the variables that the fragment uses.
  ///   - callbackQueue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives each result: `nil` while some of the fragment's
  ///     fields are missing in the cache.
  /// - Returns: The watcher. The watch ends when the last reference to it is released.
  public func watch<Fragment: ApolloAPI.Fragment & RootSelectionSet>(
    fragment: Fragment.Type, withKey key: RecordKey, variables: Variables? = nil,
    callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping @Sendable (Result<Fragment?, any Error>) -> Void
  ) -> FragmentWatcher<Fragment> {
    FragmentWatcher(
      store, key: key, variables: variables,
      servesFailures: defaultRequestConfiguration.servesCachedErrors,
      deliver: { [queue = callbackQueue.serial] watcher, result, session in
        queue.async { [weak watcher] in
          if watcher?.isCurrent(session) == true { resultHandler(result) }
        }
      })
  }

  /// Returns the data of one cached object, now and whenever it changes, as a sequence.
  ///
  /// ```swift
  /// for await result in apollo.watch(fragment: CharacterSummary.self, withKey: "Human:1000") {
  ///   print(try result.get()?.name ?? "not in the cache")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fragment: The type of the fragment.
  ///   - key: The object's key in the cache, such as `Human:1000`.
  ///   - variables: The values of the variables that the fragment uses.
  /// - Returns: A sequence of results. Each iteration is a watch of its own.
  public func watch<Fragment: ApolloAPI.Fragment & RootSelectionSet>(
    fragment: Fragment.Type, withKey key: RecordKey, variables: Variables? = nil
  ) -> FragmentUpdates<Fragment> {
    FragmentUpdates(
      store: store, key: key, variables: variables,
      servesFailures: defaultRequestConfiguration.servesCachedErrors)
  }
}

/// The data of one watched object, as a sequence that ends with its watcher.
///
/// ```swift
/// for await result in apollo.watch(fragment: CharacterSummary.self, withKey: "Human:1000") {
///   print(try result.get()?.name ?? "not in the cache")
/// }
/// ```
///
/// Each iteration is a watch of its own. The loop and its task end the watch, and cancelling the
/// iterator's `watcher` ends the loop. An error is an element and does not end the sequence. A slow
/// loop skips results that are outdated already: the newest data is buffered, and an error that has
/// followed it.
public struct FragmentUpdates<Fragment: RootSelectionSet>: AsyncSequence, Sendable {
  /// The object, or `nil` while some of the fragment's fields are missing in the cache, or the
  /// reason why the cache could not be read.
  public typealias Element = Result<Fragment?, any Error>

  let store: ApolloStore
  let key: RecordKey
  let variables: Variables?
  let servesFailures: Bool

  /// Starts a watch.
  public func makeAsyncIterator() -> Iterator {
    let results = NewestResults<Fragment?>()
    let watcher = FragmentWatcher<Fragment>(
      store, key: key, variables: variables, servesFailures: servesFailures,
      deliver: { results.add($1, of: $2) }, end: { results.finish() })
    return Iterator(
      watcher: watcher, store: store, results: results,
      signals: results.signals.makeAsyncIterator())
  }

  /// The owner of one watch.
  public struct Iterator: AsyncIteratorProtocol {
    /// The watch. Cancelling it ends the sequence.
    public let watcher: FragmentWatcher<Fragment>
    let store: ApolloStore
    let results: NewestResults<Fragment?>
    var signals: AsyncStream<Void>.Iterator

    /// Returns the newest result that was not returned yet, or `nil` if the task or the
    /// watcher is cancelled.
    ///
    /// Inside a write transaction on the same store, returns `StoreError.reentrantTransaction`: the
    /// next result would wait for the end of the transaction.
    public mutating func next() async -> Element? {
      guard !store.isKeptFromWriting else { return .failure(StoreError.reentrantTransaction) }
      repeat {
        while !Task.isCancelled, let (result, session) = results.take() {
          // A result of a session that has ended meanwhile is not returned.
          if watcher.isCurrent(session) { return result }
        }
      } while await signals.next() != nil
      watcher.cancel()
      return nil
    }
  }
}
