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
  /// The query that is watched.
  public let query: Query

  typealias Delivery =
    @Sendable (GraphQLQueryWatcher, Result<GraphQLResponse<Query>, any Error>) -> Void

  private struct State {
    var isCancelled = false
    /// Counts fetches: only the newest may deliver.
    var fetchNumber = 0
    var fetch: Task<Void, Never>?
    var lastBehavior = FetchBehavior.cacheOnly
    var rereading: Task<Void, Never>?
    /// Whether something changed while it was being read.
    var isRereadWanted = false
    var watch: StoreWatch?
    var delivered: GraphQLResponse<Query>?
    /// When what was delivered was true: what was read before that is out of date.
    var latest: Generation?
  }

  private let executor: OperationExecutor
  private let refetchOnFailedUpdates: Bool
  private let origin = ChangeOrigin()
  private let deliver: Delivery
  private let state = Guarded(State())

  /// - Parameter deliver: Takes one result after the other. Called under the lock, which keeps them in
  ///   order, so it must only pass them on to elsewhere.
  init(
    executor: OperationExecutor, query: Query, refetchOnFailedUpdates: Bool,
    deliver: @escaping Delivery
  ) {
    self.executor = executor
    self.query = query
    self.refetchOnFailedUpdates = refetchOnFailedUpdates
    self.deliver = deliver
    let watch = executor.store.watch { [weak self, origin] change in
      if change.origin != origin { self?.reread() }
    }
    state.withLock { $0.watch = watch }
  }

  deinit { cancel() }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the watch and its request. Nothing is delivered any more.
  public func cancel() {
    let ended = state.withLock { state in
      state.isCancelled = true
      defer {
        state.fetch = nil
        state.rereading = nil
        state.watch = nil
      }
      return (state.fetch, state.rereading, state.watch)
    }
    ended.0?.cancel()
    ended.1?.cancel()
    ended.2?.cancel()
  }

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
            self?.accept(response, readFrom: traces.take(), fetch: number)
          }
        } catch {
          self?.accept(error, readFrom: traces.take(), fetch: number)
        }
      }
      return previous
    }
    previous?.cancel()
  }

  private func accept(
    _ response: GraphQLResponse<Query>, readFrom trace: ReadingTrace?, fetch number: Int
  ) {
    let holds = state.withLock { state in
      guard !state.isCancelled, state.fetchNumber == number else { return true }
      return accept(response, readFrom: trace, &state)
    }
    if !holds { reread() }
  }

  /// - Parameter trace: What a reading of the cache looked for in vain: when it comes, the query is read again.
  private func accept(_ error: any Error, readFrom trace: ReadingTrace?, fetch number: Int) {
    let holds = state.withLock { state in
      guard !state.isCancelled, state.fetchNumber == number else { return true }
      deliver(self, .failure(error))
      return trace.flatMap { state.watch?.depend(on: $0) } ?? true
    }
    if !holds { reread() }
  }

  /// Delivers a response, unless it equals the last one, and watches what it was read from.
  ///
  /// - Returns: Whether it is still true.
  private func accept(
    _ response: GraphQLResponse<Query>, readFrom trace: ReadingTrace?, _ state: inout State
  ) -> Bool {
    if let trace, let latest = state.latest, trace.generation < latest { return true }
    state.latest = trace?.generation ?? state.latest
    let holds = trace.flatMap { state.watch?.depend(on: $0) } ?? true
    if let delivered = state.delivered, delivered.hasSameContent(as: response) { return holds }
    state.delivered = response
    deliver(self, .success(response))
    return holds
  }

  // MARK: Following the cache

  /// Reads the query from the cache again: once now, and once more if something changes meanwhile.
  private func reread() {
    state.withLock { state in
      guard !state.isCancelled else { return }
      state.isRereadWanted = true
      guard state.rereading == nil else { return }
      state.rereading = Task { [weak self, executor, query] in
        while self?.beginsReread() == true {
          let reading: Result<CacheReading<Query.Data>, any Error>
          do {
            reading = .success(try await executor.store.load(query))
          } catch {
            reading = .failure(error)
          }
          self?.accept(reading)
        }
      }
    }
  }

  private func beginsReread() -> Bool {
    state.withLock { state in
      guard state.isRereadWanted, !state.isCancelled else {
        state.rereading = nil
        return false
      }
      state.isRereadWanted = false
      return true
    }
  }

  private func accept(_ reading: Result<CacheReading<Query.Data>, any Error>) {
    let isIncomplete = state.withLock { state in
      guard !state.isCancelled else { return false }
      switch reading {
      case .success(let reading):
        guard let response = GraphQLResponse<Query>(reading) else {
          if state.watch?.depend(on: reading.trace) == false { state.isRereadWanted = true }
          return !state.isRereadWanted
        }
        if !accept(response, readFrom: reading.trace, &state) { state.isRereadWanted = true }
        return false
      case .failure(let error):
        deliver(self, .failure(error))
        return false
      }
    }
    if isIncomplete { refetchIfAllowed() }
  }

  private func refetchIfAllowed() {
    let isAllowed = state.withLock { $0.lastBehavior.networkFetch != .never }
    if isAllowed && refetchOnFailedUpdates { fetch(.networkOnly, RequestConfiguration()) }
  }
}

extension GraphQLResponse {
  /// Whether data, errors and extensions are the same, wherever they come from.
  func hasSameContent(as other: GraphQLResponse) -> Bool {
    data == other.data && errors == other.errors && extensions == other.extensions
  }
}
