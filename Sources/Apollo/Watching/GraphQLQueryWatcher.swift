public import ApolloAPI
import ApolloCache
import ApolloTransport

/// Delivers a query's data now and whenever the cache has other data for it.
///
/// Made by ``ApolloClient/watch(query:cachePolicy:refetchOnFailedUpdates:callbackQueue:resultHandler:)``. Keep it as long as you
/// want to be told: it ends with its last reference, or with ``cancel()``, and its request with it.
///
/// Equal data is delivered once. What other operations write is delivered without asking the server. When something of the data is no
/// longer in the cache, because it was removed or another operation wrote an object that lacks it, the query is fetched again. A watch
/// that is not to ask the server delivers a `CacheMissError` instead, and goes on. So does a watch after ten fetches in a row, each of
/// which was made only because another watch's fetch had taken something away. While a fetch is under way, it is waited for: it may
/// bring what is missing. After an error data is delivered even if it equals what was delivered before.
///
/// Isolation: everything that changes is in `state`, behind a lock; nothing of the user's is called under it.
public final class GraphQLQueryWatcher<Query: GraphQLQuery>: Cancellable {
  typealias Delivery =
    @Sendable (GraphQLQueryWatcher, Result<GraphQLResponse<Query>, any Error>) -> Void

  /// The query that is watched.
  public let query: Query

  private struct State {
    var isCancelled = false
    /// Counts fetches: only the newest may deliver.
    var fetchNumber = 0
    var fetch: Task<Void, Never>?
    /// Whether the newest fetch may still bring what is missing.
    var isFetching = false
    /// Set when something went missing during a fetch: the least number of fetches in a row that led to it.
    var missedMeanwhile: Int?
    var lastBehavior = FetchBehavior.cacheOnly
    /// How many fetches in a row, of this watch and others, led to the last one: 0 if somebody asked for it.
    var refetchCount = 0
    var follower: CacheObserver<Query.Data>?
    var delivered: GraphQLResponse<Query>?
    /// When what was delivered was true: what was read before that is out of date.
    var latest: Generation?
  }

  private let executor: OperationExecutor
  private let refetchOnFailedUpdates: Bool
  private let origin = ChangeOrigin()
  private let deliver: Delivery
  private let state = Lock(State())

  /// `deliver` takes one result after the other. It is called under the lock, which keeps them in
  /// order, so it must only pass them on to elsewhere.
  init(
    executor: OperationExecutor, query: Query, refetchOnFailedUpdates: Bool,
    deliver: @escaping Delivery
  ) {
    self.executor = executor
    self.query = query
    self.refetchOnFailedUpdates = refetchOnFailedUpdates
    self.deliver = deliver
    let follower = CacheObserver(
      executor.store, ignoring: origin,
      read: { [store = executor.store] in try await store.load(query) },
      receive: { [weak self] in self?.accept($0, refetchCount: $1) })
    state.withLock { $0.follower = follower }
  }

  deinit { cancel() }

  /// Ends the watch and its request. Nothing is delivered any more.
  public func cancel() {
    let (fetch, follower) = state.withLock { state in
      state.isCancelled = true
      defer {
        state.fetch = nil
        state.follower = nil
      }
      return (state.fetch, state.follower)
    }
    fetch?.cancel()
    follower?.cancel()
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: Fetching

  /// Fetches the query again, in place of a fetch that is under way.
  public func fetch(cachePolicy: CachePolicy = .default) {
    fetch(
      cachePolicy.fetchBehavior,
      RequestConfiguration(writeResultsToCache: cachePolicy.writesResultsToCache))
  }

  /// Fetches the query from the server, in place of a fetch that is under way.
  public func refetch(cachePolicy: CachePolicy = .fetchIgnoringCacheData) {
    fetch(cachePolicy: cachePolicy)
  }

  /// Of more fetches in a row, each of which takes away what another watch needs, there is no end.
  private static var mostRefetches: Int { 10 }

  private func fetch(
    _ behavior: FetchBehavior, _ configuration: RequestConfiguration, refetchCount: Int = 0
  ) {
    let traceRecorder = TraceRecorder()
    let responses = QueryResponses(
      executor: executor,
      request: GraphQLRequest(
        query, behavior, configuration: configuration,
        origin: origin.after(refetchCount: refetchCount), traceRecorder: traceRecorder))
    let previous: Task<Void, Never>? = state.withLock { state in
      guard !state.isCancelled else { return nil }
      state.fetchNumber += 1
      state.lastBehavior = behavior
      state.refetchCount = refetchCount
      state.isFetching = behavior.networkFetch != .never
      state.missedMeanwhile = nil
      let number = state.fetchNumber
      let previous = state.fetch
      state.fetch = ApolloStore.task { [weak self] in
        do {
          for try await response in responses {
            self?.accept(.success(response), readFrom: traceRecorder.take(), fetch: number)
          }
        } catch {
          self?.accept(.failure(error), readFrom: traceRecorder.take(), fetch: number)
        }
        self?.end(fetch: number)
      }
      return previous
    }
    previous?.cancel()
  }

  /// Looks again, if something went missing during the fetch: it may have come with it.
  private func end(fetch number: Int) {
    state.withLock { state in
      guard state.fetchNumber == number else { return }
      state.isFetching = false
      guard let refetchCount = state.missedMeanwhile else { return }
      state.missedMeanwhile = nil
      state.follower?.reread(refetchCount: refetchCount)
    }
  }

  /// `trace` is what the response was read from, or what was looked for in vain.
  private func accept(
    _ result: Result<GraphQLResponse<Query>, any Error>, readFrom trace: ReadingTrace?,
    fetch number: Int
  ) {
    state.withLock { state in
      guard !state.isCancelled, state.fetchNumber == number else { return }
      switch result {
      case .success(let response):
        accept(response, readFrom: trace, refetchCount: state.refetchCount, &state)
      case .failure(let error):
        if let trace { state.follower?.follow(trace, refetchCount: state.refetchCount) }
        fail(error, &state)
      }
    }
  }

  /// Delivers a response, unless it equals the last one or is out of date, and follows what it was read from.
  private func accept(
    _ response: GraphQLResponse<Query>, readFrom trace: ReadingTrace?, refetchCount: Int,
    _ state: inout State
  ) {
    if let trace {
      if let latest = state.latest, trace.generation < latest { return }
      state.latest = trace.generation
      state.follower?.follow(trace, refetchCount: refetchCount)
    }
    if let delivered = state.delivered, delivered.hasSameContent(as: response) { return }
    state.delivered = response
    deliver(self, .success(response))
  }

  /// Delivers an error. Data that comes after it is news, even if it was delivered before.
  private func fail(_ error: any Error, _ state: inout State) {
    state.delivered = nil
    deliver(self, .failure(error))
  }

  // MARK: Following the cache

  private func accept(_ reading: CacheObserver<Query.Data>.Reading, refetchCount: Int) {
    let isToBeFetched = state.withLock { state in
      guard !state.isCancelled else { return false }
      switch reading {
      case .success(let reading):
        if let response = GraphQLResponse<Query>(reading) {
          accept(response, readFrom: reading.trace, refetchCount: refetchCount, &state)
        } else {
          return accept(reading, refetchCount: refetchCount, &state)
        }
      case .failure(let error): fail(error, &state)
      }
      return false
    }
    if isToBeFetched {
      fetch(.networkOnly, RequestConfiguration(), refetchCount: refetchCount + 1)
    }
  }

  /// Takes note that something is missing, unless that is out of date, and says whether to fetch it. If not, who was told of data is
  /// told that it is gone.
  private func accept(
    _ reading: CacheReading<Query.Data>, refetchCount: Int, _ state: inout State
  ) -> Bool {
    if let latest = state.latest, reading.trace.generation < latest { return false }
    state.follower?.follow(reading.trace, refetchCount: refetchCount)
    if state.isFetching {
      state.missedMeanwhile = min(state.missedMeanwhile ?? refetchCount, refetchCount)
      return false
    }
    let asksServer = refetchOnFailedUpdates && state.lastBehavior.networkFetch != .never
    if asksServer && refetchCount < Self.mostRefetches { return true }
    guard state.delivered != nil else { return false }
    state.latest = max(state.latest ?? reading.trace.generation, reading.trace.generation)
    fail(CacheMissError(operationName: Query.operationName, misses: reading.misses), &state)
    return false
  }
}

extension GraphQLResponse {
  /// Whether data, errors and extensions are the same, wherever they come from.
  func hasSameContent(as other: GraphQLResponse) -> Bool {
    data == other.data && errors == other.errors && extensions == other.extensions
  }
}
