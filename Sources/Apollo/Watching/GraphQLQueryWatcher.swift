public import ApolloAPI
import ApolloCache
import ApolloTransport

/// A watch of a query: delivers its data now and whenever the cache has other data for it.
///
/// ```swift
/// let watcher = apollo.watch(query: HeroNameQuery()) { result in
///   print((try? result.get())?.data?.hero?.name ?? "no hero")
/// }
/// watcher.refetch()  // As when the user pulls a list down.
/// watcher.cancel()  // As when the user leaves the screen.
/// ```
///
/// Changes of the cache are delivered without a request to the server. Consecutive results with
/// equal content are delivered once: data and the meaning of the errors decide, which is their
/// messages, paths and codes. Extensions, such as a server's timings, do not. After a failure, data
/// is delivered even if it equals the data before the failure.
///
/// A field that failed on the server reads from the cache as `null` with its error, provided that
/// the latest response had errors, or with ``RequestConfiguration/servesCachedErrors``. So changes
/// beside it are delivered without a request.
///
/// If another operation removes some of the data from the cache, the query is fetched again. A
/// watch that does not use the server delivers a `CacheMissError` instead, and continues. So does
/// every watch after ten consecutive refetches, which occur if two watches evict each other's data.
///
/// The end of a session (``ApolloClient/endSession()``) pauses the watch until
/// ``fetch(cachePolicy:)`` or ``refetch(cachePolicy:)`` is called.
///
/// Keep a reference to the watcher: the watch and its request end when the last one is released, or
/// with ``cancel()``.
///
/// Isolation: everything that changes is in `state`, which is guarded by one lock. Under the lock,
/// results are put into a queue or a stream, which keeps them in order. The program's handler
/// receives them from there, outside of the lock.
public final class GraphQLQueryWatcher<Query: GraphQLQuery>: Cancellable {
  package typealias Response = GraphQLResponse<Query>
  /// Receives the news of a watch.
  package typealias Delivery = @Sendable (GraphQLQueryWatcher, News) -> Void

  /// A result, if there is a new one, and the state of the watch. The end of a session is news too.
  package struct News: Sendable {
    package let result: Result<Response, any Error>?
    /// Indicates whether a fetch is under way.
    package let isFetching: Bool
    /// Indicates whether the result is a response to the latest fetch, rather than data that was
    /// read because the cache has changed.
    package var isResponse = false
    /// The session to which the news belong. Those of an ended session are not shown any more.
    package let session: WatchSession
  }
  typealias Machine = QueryWatchStateMachine<Response>

  /// The watched query.
  public let query: Query

  struct State {
    var machine: Machine
    /// The options of all fetches, or `nil` for those of the client.
    var configuration: RequestConfiguration?
    /// Indicates whether a field that failed on the server is always read with its error.
    var servesCachedErrors: Bool
    /// The age that the watch wants its data to have. Older data is stale, and delivered.
    var demand: FreshnessDemand
    /// The errors of the latest response.
    var reportedErrors = ReportedErrors([])
    /// Indicates whether the latest data was partial. The data of the cache may be, too, until a
    /// response has all of it.
    var showsPartialData = false
    /// The epoch of the layers before the latest reading by the cache observer.
    var readingEpoch: UInt64 = 0
    /// The epoch of the layers before the latest data was read.
    var shownEpoch: UInt64 = 0
    var fetchTask: Task<Void, Never>?
    /// The generation of the cache at which the latest fetch began.
    var fetchStart: Generation?
    /// Called when the fetch with the number has ended, or was replaced or cancelled.
    var onFetchEnd: (number: Int, call: @Sendable () -> Void)?
    var observer: CacheObserver<Query.Data>?
    /// The alarm for the expiry of the latest data.
    var expiryAlarm: Alarm?
  }

  let client: any ApolloClientProtocol
  /// The store of the client, which is asked for it once: it may be the program's, and is not
  /// called under the lock.
  let store: ApolloStore
  /// Indicates whether the cache can have more pages of a list than a response.
  let mergesPages: Bool
  /// Indicates whether the pages of merged lists are read alone.
  let readsPagesAlone: Bool
  /// The pages of merged lists that were read last.
  package let pages: PageMemory?
  let origin = ChangeOrigin()
  let deliver: Delivery
  private let end: @Sendable () -> Void
  let state: Lock<State>

  /// Prepares a watch. It starts with the first fetch.
  ///
  /// `deliver` puts each result into a queue or a stream. It is called in order and under the lock.
  /// Therefore it must neither wait nor call the program's code.
  ///
  /// `end` is called when the watch has been cancelled, outside of the lock.
  ///
  /// With `readsPagesAlone`, merged lists have one page: that of the query.
  package init(
    watching client: any ApolloClientProtocol, query: Query, configuration: RequestConfiguration?,
    refetchOnFailedUpdates: Bool, readsPagesAlone: Bool = false, deliver: @escaping Delivery,
    end: @escaping @Sendable () -> Void = {}
  ) {
    self.readsPagesAlone = readsPagesAlone
    mergesPages =
      !readsPagesAlone
      && (Query.Data.Schema.hasListPolicies || Query.Data.__layout.hasConnections)
    pages = mergesPages ? PageMemory() : nil
    self.client = client
    store = client.store
    self.query = query
    self.deliver = deliver
    self.end = end
    let initial = configuration ?? client.configuration(writesResultsToCache: true)
    state = Lock(
      State(
        machine: Machine(
          mayRefetch: refetchOnFailedUpdates, areEqual: { $0.hasSameContent(as: $1) }),
        configuration: configuration, servesCachedErrors: initial.servesCachedErrors,
        demand: initial.watchingDemand))
    // The observer is in the state, until the session ends or the watch is cancelled.
    let observer = makeObserver(WatchSession(number: 0))
    state.withLock { $0.observer = observer }
  }

  /// Makes the observer of the cache for a session.
  func makeObserver(_ session: WatchSession) -> CacheObserver<Query.Data> {
    CacheObserver(
      store,
      read: { [store, state, query, readsPagesAlone, pages] in
        let (servesFailures, keepsPartialData, demand) = state.withLock { state in
          state.readingEpoch = store.layers.epoch
          return (state.servesFailures, state.showsPartialData, state.demand)
        }
        return try await store.load(
          query, servesFailures: servesFailures, keepsPartialData: keepsPartialData,
          readsPagesAlone: readsPagesAlone, takingOver: pages, demanding: demand)
      },
      ignore: { [weak self, origin] change in
        guard change.origin == origin else { return false }
        self?.handle { $0.ownChangeOccurred() }
        return true
      },
      begin: { [state] in state.withLock { $0.machine.decisionCount } },
      receive: { [weak self] in self?.receive($0, refetchCount: $1, begunAt: $2, in: session) },
      endSession: { [weak self] end in if end == .begun { self?.pause() } })
  }

  deinit { cancel() }

  /// Fetches the query again, with the options of the watch. Replaces a fetch in progress.
  public func fetch(cachePolicy: CachePolicy = .default) {
    fetch(cachePolicy.fetchBehavior, writesToCache: cachePolicy.writesResultsToCache)
  }

  /// Fetches the query again. Replaces a fetch in progress.
  ///
  /// - Parameters:
  ///   - fetchBehavior: The order in which the cache and the server are used.
  ///   - requestConfiguration: The options of this fetch and of those that the watch starts by
  ///     itself from now on, or `nil` for those that it has.
  public func fetch(
    fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration? = nil
  ) {
    if let requestConfiguration {
      state.withLock { state in
        state.demand = requestConfiguration.watchingDemand
        state.servesCachedErrors = requestConfiguration.servesCachedErrors
        state.configuration = requestConfiguration
      }
    }
    fetch(fetchBehavior, writesToCache: true)
  }

  /// Fetches the query from the server. Replaces a fetch in progress.
  ///
  /// - Parameters:
  ///   - cachePolicy: The policy of the fetch.
  ///   - onEnd: Called when the fetch has ended, or was replaced or cancelled.
  /// - Returns: The number of the fetch, for ``cancelFetch(_:)``.
  package func refetch(
    cachePolicy: CachePolicy = .fetchIgnoringCacheData, onEnd: @escaping @Sendable () -> Void
  ) -> Int {
    refetch(cachePolicy: cachePolicy)
    let number: Int? = state.withLock { state in
      guard state.machine.isRunning else { return nil }
      let number = state.machine.latestRequest
      state.onFetchEnd = (number, onEnd)
      return number
    }
    if number == nil { onEnd() }
    return number ?? 0
  }

  /// Cancels a fetch, unless another one has replaced it. The watch goes on.
  package func cancelFetch(_ number: Int) {
    let start = state.withLock { $0.fetchStart }
    handle { $0.fetchCancelled(number, startedAt: start) }
  }

  /// Cancels the fetch in progress, if `condition` returns `true`. The watch goes on.
  ///
  /// `condition` is called under the lock, as `deliver` is.
  package func cancelFetch(if condition: () -> Bool) {
    let start = state.withLock { $0.fetchStart }
    handle { machine in
      guard condition() else { return [] }
      return machine.fetchCancelled(machine.latestRequest, startedAt: start)
    }
  }

  /// Fetches the query again, if `begin` returns `true`. Replaces a fetch in progress.
  ///
  /// `begin` is called under the lock, as `deliver` is: after all news of earlier fetches, and
  /// before those of this one.
  package func fetch(_ behavior: FetchBehavior, writesToCache: Bool, if begin: () -> Bool) {
    handle { machine in
      guard begin() else { return [] }
      return machine.fetchRequested(behavior, writesToCache: writesToCache)
    }
  }

  private func fetch(_ behavior: FetchBehavior, writesToCache: Bool) {
    fetch(behavior, writesToCache: writesToCache, if: { true })
  }

  /// Indicates whether the watch fetches the query from the server when the first field of its data
  /// exceeds its maximum age, or the ``RequestConfiguration/maxAge`` of the watch.
  ///
  /// Data that has expired already is fetched a second later. A fetch that fails is repeated after
  /// 2, 4, 8 … 64 s, until one succeeds. A field that is always stale (a maximum age of zero)
  /// starts no request by itself, and neither does one that has failed.
  ///
  /// Without this, the watch delivers old data until something changes it.
  public var automaticallyRefreshOnExpiry: Bool {
    get { state.withLock { $0.machine.refreshesOnExpiry } }
    set {
      changeAlarm { $0.refreshesOnExpiry = newValue }
      // The data that is shown may be optimistic.
      let (trace, epoch) = state.withLock { ($0.machine.active?.observed, $0.shownEpoch) }
      awaitEndOfLayers(trace, since: epoch)
    }
  }

  /// Fetches the query from the server. Replaces a fetch in progress.
  public func refetch(cachePolicy: CachePolicy = .fetchIgnoringCacheData) {
    fetch(cachePolicy: cachePolicy)
  }

  /// Ends the watch and its request. The handler is not called again.
  public func cancel() {
    let (fetchTask, observer, alarm, onFetchEnd) = state.withLock { state in
      state.machine.cancelRequested()
      defer {
        state.fetchTask = nil
        state.observer = nil
        state.expiryAlarm = nil
        state.onFetchEnd = nil
      }
      return (state.fetchTask, state.observer, state.expiryAlarm, state.onFetchEnd)
    }
    fetchTask?.cancel()
    observer?.cancel()
    alarm?.cancel()
    onFetchEnd?.call()
    pages?.removeAll()
    end()
  }

  /// Returns whether news of a session may be shown: it has not ended, and the watch was not
  /// cancelled.
  package func isCurrent(_ session: WatchSession) -> Bool {
    state.withLock { !$0.machine.isCancelled && $0.machine.sessionCount == session.number }
  }

  /// Handles the end of the session of a user.
  private func pause() {
    handle { $0.sessionEnded() }
    changeAlarm { _ in }  // removes it
    pages?.removeAll()
  }
}

extension GraphQLQueryWatcher.State {
  /// Indicates whether a field that failed on the server is read with its error now.
  var servesFailures: Bool { servesCachedErrors || !reportedErrors.isEmpty }
}

/// The session of a user in the life of a watch.
package struct WatchSession: Hashable, Sendable {
  let number: Int

  /// Indicates whether a session has ended since the watch was made.
  package var isLater: Bool { number > 0 }
}

extension RequestConfiguration {
  /// The age that a watch wants its data to have, which it delivers at any age.
  fileprivate var watchingDemand: FreshnessDemand {
    FreshnessDemand(.permissive, maxAge: maxAge, maxStale: maxStale)
  }
}
