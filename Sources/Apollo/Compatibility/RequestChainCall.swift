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

  /// Notes that a request is about to be sent. It takes the place of the one before, whose parts go
  /// to no step any more.
  @discardableResult
  func beginExchange() -> ServerExchange {
    let new = context.beginExchange(Operation.operationType)
    let old = state.withLock { state in
      defer {
        state.exchange = new
        state.short = nil
        state.partEnd = nil
      }
      return (exchange: state.exchange, short: state.short, partEnd: state.partEnd)
    }
    old.partEnd?.finish()
    withExtendedLifetime(old) {}  // released outside of the lock
    return new
  }

  /// The latest request to the server, or the call itself if a step of the program sends requests.
  var exchange: ServerExchange? { state.withLock { $0.exchange } }

  /// Keeps what ends the wait for the steps that get a part of a request. Returns `false` if
  /// another request has taken its place, or if the call has ended: then no step gets the part.
  func beginPart(of exchange: ServerExchange, _ end: AsyncStream<Never>.Continuation) -> Bool {
    state.withLock { state in
      guard state.exchange === exchange else { return false }
      state.partEnd = end
      return true
    }
  }

  /// Keeps what writes a part until the server has ended without an error, or forgets it because
  /// another part has come.
  func keep(_ short: PostponedWrite<Operation>?) {
    let old = state.withLock { state in
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

  /// Does asynchronous work of a step in a task that ends with the call.
  func perform(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      let number = state.taskCount
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
    typealias Ended = (tasks: Tasks, exchange: ServerExchange?, PostponedWrite<Operation>?)
    let ended: Ended? = state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      defer {
        state.tasks = [:]
        state.exchange = nil
        state.short = nil
        state.partEnd = nil
      }
      return (state.tasks.values, state.exchange, state.short)
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
