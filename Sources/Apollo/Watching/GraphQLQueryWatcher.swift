public import ApolloAPI
import ApolloCache
import ApolloTransport

/// Delivers a query's data now and whenever the cache has other data for it.
///
/// Made by ``ApolloClient/watch(query:cachePolicy:refetchOnFailedUpdates:callbackQueue:resultHandler:)``. Keep it as long as you
/// want to be told: it ends with its last reference, or with ``cancel()``, and its request with it.
///
/// Equal data is delivered once. What other operations write is delivered without asking the server; when
/// something was removed from the cache, the query is fetched again.
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
    var lastBehavior = FetchBehavior.cacheOnly
    var follower: CacheFollower<Query.Data>?
    var delivered: GraphQLResponse<Query>?
    /// When what was delivered was true: what was read before that is out of date.
    var latest: Generation?
  }

  private let executor: OperationExecutor
  private let refetchOnFailedUpdates: Bool
  private let origin = ChangeOrigin()
  private let deliver: Delivery
  private let state = Guarded(State())

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
    let follower = CacheFollower(
      executor.store, ignoring: origin,
      read: { [store = executor.store] in try await store.load(query) },
      receive: { [weak self] in self?.accept($0) })
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

  private func fetch(_ behavior: FetchBehavior, _ configuration: RequestConfiguration) {
    let traces = TraceBox()
    let responses = QueryResponses(
      executor: executor,
      request: GraphQLRequest(
        query, behavior, configuration: configuration, origin: origin, traces: traces))
    let previous: Task<Void, Never>? = state.withLock { state in
      guard !state.isCancelled else { return nil }
      state.fetchNumber += 1
      state.lastBehavior = behavior
      let number = state.fetchNumber
      let previous = state.fetch
      state.fetch = Task { [weak self] in
        do {
          for try await response in responses {
            self?.accept(.success(response), readFrom: traces.take(), fetch: number)
          }
        } catch {
          self?.accept(.failure(error), readFrom: traces.take(), fetch: number)
        }
      }
      return previous
    }
    previous?.cancel()
  }

  /// `trace` is what the response was read from, or what was looked for in vain.
  private func accept(
    _ result: Result<GraphQLResponse<Query>, any Error>, readFrom trace: ReadingTrace?,
    fetch number: Int
  ) {
    state.withLock { state in
      guard !state.isCancelled, state.fetchNumber == number else { return }
      switch result {
      case .success(let response): accept(response, readFrom: trace, &state)
      case .failure(let error):
        if let trace { state.follower?.follow(trace) }
        deliver(self, .failure(error))
      }
    }
  }

  /// Delivers a response, unless it equals the last one or is out of date, and follows what it was read from.
  private func accept(
    _ response: GraphQLResponse<Query>, readFrom trace: ReadingTrace?, _ state: inout State
  ) {
    if let trace {
      if let latest = state.latest, trace.generation < latest { return }
      state.latest = trace.generation
      state.follower?.follow(trace)
    }
    if let delivered = state.delivered, delivered.hasSameContent(as: response) { return }
    state.delivered = response
    deliver(self, .success(response))
  }

  // MARK: Following the cache

  private func accept(_ reading: CacheFollower<Query.Data>.Reading) {
    let isIncomplete = state.withLock { state in
      guard !state.isCancelled else { return false }
      switch reading {
      case .success(let reading):
        guard let response = GraphQLResponse<Query>(reading) else {
          state.follower?.follow(reading.trace)
          return state.lastBehavior.networkFetch != .never
        }
        accept(response, readFrom: reading.trace, &state)
      case .failure(let error): deliver(self, .failure(error))
      }
      return false
    }
    if isIncomplete && refetchOnFailedUpdates { fetch(.networkOnly, RequestConfiguration()) }
  }
}

extension GraphQLResponse {
  /// Whether data, errors and extensions are the same, wherever they come from.
  func hasSameContent(as other: GraphQLResponse) -> Bool {
    data == other.data && errors == other.errors && extensions == other.extensions
  }
}
