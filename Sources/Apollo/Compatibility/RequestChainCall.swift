import ApolloAPI
import ApolloTransport
import Foundation

/// A call that can end early, whatever its operation is: the methods of a ``RequestChain`` have the
/// type of the operation, and the chain itself has none. `RequestChainCall` alone conforms to it.
protocol CancellableChainCall: AnyObject, Sendable {
  var hasEnded: Bool { get }
  func cancel()
}

/// One call that passes through a chain of interceptors of Apollo iOS 1.x.
///
/// 1. ``start(_:)`` calls the first step with a completion. Each step continues with the next one.
/// 2. The completion puts results into ``results``, from which the client takes them.
/// 3. A result, an error, or the release of the last reference to the completion ends the call.
///    What steps do afterwards has no effect.
/// 4. The end cancels the tasks that steps have started.
///
/// Isolation: all state that changes is behind locks; steps are called outside of them.
final class RequestChainCall<Operation: GraphQLOperation>: CancellableChainCall {
  private struct State {
    var hasEnded = false
    var tasks: [Int: Task<Void, Never>] = [:]
    var taskCount = 0
    var retryCount = 0
    /// The reason why there are no more retries.
    var retryError: (any Error)?
    /// The latest request to the server.
    var exchange: ServerExchange?
    /// The requests of fetching steps in a call with one result, which may be the response to an
    /// earlier one. Empty in a call with several results: those of the latest request count.
    var fetches: [ServerExchange] = []
    /// The number of the task that sends the latest request and receives its responses.
    var fetchNumber: Int?
    /// Writes the latest part, whose lists may lack elements, if no other one comes.
    var short: PostponedWrite<Operation>?
    /// Ends the wait for the steps that have the latest part.
    var partEnd: AsyncStream<Never>.Continuation?
  }

  let context: CallContext
  let sending: StepSending
  let results: RequestChainResults<Operation>
  let interceptors: [any ApolloInterceptor]
  let errorInterceptor: (any ApolloErrorInterceptor)?
  /// Executes the call anew, for a call that has no steps of its own.
  let restart: InterceptorChain<Operation>?
  private let state = Lock(State())

  init(
    _ interceptors: [any ApolloInterceptor], errorInterceptor: (any ApolloErrorInterceptor)?,
    context: CallContext, sending: StepSending, results: RequestChainResults<Operation>,
    restart: InterceptorChain<Operation>? = nil
  ) {
    self.interceptors = interceptors
    self.errorInterceptor = errorInterceptor
    self.context = context
    self.sending = sending
    self.results = results
    self.restart = restart
  }

  /// `true` if the chain has no steps: its error interceptor belongs to a chain of another kind.
  var isWithoutSteps: Bool { restart != nil }

  /// The way to the server for each HTTP request of a step, or `nil` if steps send operations.
  var link: HTTPLink? { sending.link }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }
  var retryCount: Int { state.withLock { $0.retryCount } }

  /// Notes that a request is about to be sent, unless the call has ended.
  ///
  /// It takes the place of the one before. If the call takes several results, that one is closed,
  /// and its parts go to no step any more.
  ///
  /// - Parameter isFetch: `true` if a fetching step sends it.
  /// - Returns: The request.
  @discardableResult
  func beginExchange(ofFetch isFetch: Bool = false) -> ServerExchange {
    let new = context.beginExchange(Operation.operationType)
    typealias Old = (
      exchange: ServerExchange?, short: PostponedWrite<Operation>?,
      partEnd: AsyncStream<Never>.Continuation?, task: Task<Void, Never>?
    )
    let old: Old = state.withLock { state in
      guard !state.hasEnded else { return (nil, nil, nil, nil) }
      if isFetch, !results.takesSeveral { state.fetches.append(new) }
      defer {
        state.exchange = new
        state.short = nil
        state.partEnd = nil
        state.fetchNumber = nil
      }
      // Perhaps the current task, which has nothing more to do.
      let task = results.takesSeveral ? state.fetchNumber.flatMap { state.tasks[$0] } : nil
      return (state.exchange, state.short, state.partEnd, task)
    }
    old.partEnd?.finish()
    old.task?.cancel()
    withExtendedLifetime(old) {}  // released outside of the lock
    return new
  }

  /// The latest request to the server, or the call itself if a step of the program sends requests.
  var exchange: ServerExchange? { state.withLock { $0.exchange } }

  /// Returns the request that a response belongs to: the latest one if a step of the program has
  /// received it.
  func exchange(of response: ChainResponse<Operation>) -> ServerExchange? {
    guard let origin = response.origin else { return exchange }
    return origin.exchange
  }

  /// Returns `false` if a response goes to no step any more: the call has ended, or another request
  /// has taken the place of its own.
  func hasUse(of response: ChainResponse<Operation>?) -> Bool {
    guard !hasEnded else { return false }
    guard let origin = response?.origin else { return true }
    return takesResults(of: origin.exchange)
  }

  /// Returns `false` if another request has taken the place of this one, in a call with several
  /// results.
  func takesResults(of exchange: ServerExchange?) -> Bool {
    !results.takesSeveral || exchange != nil && exchange === self.exchange
  }

  /// Keeps what ends the wait for the steps that get a part of a request. Returns `false` if
  /// another request has taken its place, or if the call has ended: then no step gets the part.
  func beginPart(of exchange: ServerExchange, _ end: AsyncStream<Never>.Continuation) -> Bool {
    state.withLock { state in
      guard state.exchange === exchange else { return false }
      state.partEnd = end
      return true
    }
  }

  /// Keeps what writes a part of a request until the server has ended without an error, or forgets
  /// it because another part has come. Does nothing if another request has taken its place.
  func keep(_ short: PostponedWrite<Operation>?, of exchange: ServerExchange?) {
    let old: PostponedWrite<Operation>? = state.withLock { state in
      guard !state.hasEnded, state.exchange === exchange else { return nil }
      defer { state.short = short }
      return state.short
    }
    withExtendedLifetime(old) {}  // as above
  }

  /// Writes the latest part of a request if it was kept: the end of the parts may come without
  /// another one. The part of a request that has taken its place may still become longer.
  func writeShort(of exchange: ServerExchange) async throws -> GraphQLResponse<Operation>? {
    let short: PostponedWrite<Operation>? = state.withLock { state in
      guard state.exchange === exchange else { return nil }
      return state.short.take()
    }
    return try await short?()
  }

  /// Returns the completion of the chain.
  func completion() -> RequestChainCompletion<Operation.Data> {
    let end = ReleaseObserver { self.end(nil) }
    return { result in
      // Keeps the observer for as long as there are references to the completion.
      _ = end
      self.receive(result)
    }
  }

  // MARK: Steps

  /// Counts a retry. Returns an error if there must be no more.
  func countRetry() -> (any Error)? {
    state.withLock { state in
      state.retryCount += 1
      return state.retryError
    }
  }

  /// Fails every further retry with an error.
  func endRetries(_ error: any Error) { state.withLock { $0.retryError = error } }

  /// Does the work of a fetching step, with a request of its own, in a task that ends with the
  /// call. In a call with several results, it also ends when another request takes the place of
  /// this one.
  func performFetch(_ work: @escaping @Sendable (ServerExchange) async -> Void) {
    let exchange = beginExchange(ofFetch: true)
    perform(fetching: exchange) { await work(exchange) }
  }

  /// Does asynchronous work of a step in a task that ends with the call.
  func perform(_ work: @escaping @Sendable () async -> Void) { perform(fetching: nil, work) }

  private func perform(
    fetching exchange: ServerExchange?, _ work: @escaping @Sendable () async -> Void
  ) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      let number = state.taskCount
      if let exchange {
        guard !results.takesSeveral || state.exchange === exchange else { return }
        state.fetchNumber = number
      }
      state.taskCount += 1
      state.tasks[number] = Task {
        await work()
        _ = self.state.withLock { $0.tasks.removeValue(forKey: number) }
      }
    }
  }

  // MARK: The end

  func cancel() { end(CancellationError()) }

  private func receive(_ result: Result<GraphQLResult<Operation.Data>, any Error>) {
    guard !hasEnded else { return }
    switch result {
    case .failure(let error): end(error)
    case .success(let value): if results.put(GraphQLResponse(value)) { end(nil) }
    }
  }

  private func end(_ error: (any Error)?) {
    typealias Tasks = Dictionary<Int, Task<Void, Never>>.Values
    typealias Ended = (tasks: Tasks, exchanges: [ServerExchange], PostponedWrite<Operation>?)
    let ended: Ended? = state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      defer {
        state.tasks = [:]
        state.exchange = nil
        state.fetches = []
        state.short = nil
        state.partEnd = nil
      }
      let exchanges = state.fetches + (state.exchange.map { [$0] } ?? [])
      return (state.tasks.values, exchanges, state.short)
    }
    guard let tasks = ended?.tasks else { return }
    results.end(error)
    for task in tasks { task.cancel() }
  }
}

/// Calls a closure when its last reference is released.
private final class ReleaseObserver: Sendable {
  private let onRelease: @Sendable () -> Void

  init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

  deinit { onRelease() }
}
