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
/// 2. The completion puts results into ``results``, from which the executor takes them.
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
  }

  let executor: OperationExecutor
  let results: RequestChainResults<Operation>
  private let interceptors: [any ApolloInterceptor]
  private let errorInterceptor: (any ApolloErrorInterceptor)?
  /// Executes the call anew, for a call that has no steps of its own.
  private let restart: InterceptorChain<Operation>?
  private let state = Lock(State())

  init(
    _ interceptors: [any ApolloInterceptor], errorInterceptor: (any ApolloErrorInterceptor)?,
    executor: OperationExecutor, results: RequestChainResults<Operation>,
    restart: InterceptorChain<Operation>? = nil
  ) {
    self.interceptors = interceptors
    self.errorInterceptor = errorInterceptor
    self.executor = executor
    self.results = results
    self.restart = restart
  }

  /// The way to the server for single steps.
  var link: HTTPLink? { executor.transport.interceptors(for: Operation.operationType)?.link }

  /// `true` if the chain has no steps: its error interceptor belongs to a chain of another kind.
  var isWithoutSteps: Bool { restart != nil }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }
  var retryCount: Int { state.withLock { $0.retryCount } }

  /// Notes that a request is about to be sent.
  @discardableResult
  func beginExchange(_ request: GraphQLRequest<Operation>) -> ServerExchange {
    let new = executor.begin(request)
    let old = state.withLock { state in
      defer { state.exchange = new }
      return state.exchange
    }
    withExtendedLifetime(old) {}  // released outside of the lock
    return new
  }

  /// The latest request to the server, or the call itself if a step of the program sends requests.
  var exchange: ServerExchange? { state.withLock { $0.exchange } }

  /// Calls the first step.
  func start(_ request: GraphQLRequest<Operation>) {
    beginExchange(request)
    run(0, HTTPRequest(request, self), nil, completion())
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

  /// Calls the step at `index`, or completes behind the last one.
  func run(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: ChainResponse<Operation>?,
    _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    guard !hasEnded else { return }
    guard index < interceptors.count else {
      return completion(
        response?.parsedResponse.map { .success($0) }
          ?? .failure(
            RequestChainError(.noResult, operationName: Operation.operationName)))
    }
    interceptors[index].interceptAsync(
      chain: RequestChainStep(next: index + 1, of: self), request: request, response: response,
      completion: completion)
  }

  /// Calls the first step again, from a task, so that retries don't fill the stack.
  func retry(
    _ request: HTTPRequest<Operation>,
    _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    let error = state.withLock { state in
      state.retryCount += 1
      return state.retryError
    }
    if let error { return completion(.failure(error)) }
    beginExchange(request.graphQLRequest)
    perform {
      guard let restart = self.restart else { return self.run(0, request, nil, completion) }
      completion(await Result(catching: { try await restart.proceed(request.graphQLRequest) }))
    }
  }

  /// Fails every further retry with an error.
  func endRetries(_ error: any Error) { state.withLock { $0.retryError = error } }

  /// Passes an error to the error interceptor, if there is one and the call has not ended.
  func handle(
    _ error: any Error, _ chain: RequestChainStep, _ request: HTTPRequest<Operation>,
    _ response: ChainResponse<Operation>?,
    _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    guard !hasEnded else { return }
    guard let errorInterceptor, !(error is CancellationError) else {
      return completion(.failure(error))
    }
    errorInterceptor.handleErrorAsync(
      error: error, chain: chain, request: request, response: response, completion: completion)
  }

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

  /// Returns a chain that begins with the first step.
  var retryChain: InterceptorChain<Operation> {
    InterceptorChain(
      interceptors: [
        RequestChainInterceptor(interceptors: interceptors, errorInterceptor: nil)
      ][...], executor: executor)
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
    let ended: (tasks: Tasks, exchange: ServerExchange?)? = state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      defer {
        state.tasks = [:]
        state.exchange = nil
      }
      return (state.tasks.values, state.exchange)
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

extension Result where Failure == any Error {
  /// The result of a call of the client, as callbacks receive it.
  fileprivate init<Operation: GraphQLOperation>(
    catching body: () async throws -> GraphQLResponse<Operation>
  ) async where Success == GraphQLResult<Operation.Data> {
    do {
      self = .success(GraphQLResult(try await body()))
    } catch {
      self = .failure(error)
    }
  }
}

extension GraphQLResponse {
  /// The response with the content of a result.
  init(_ result: GraphQLResult<Operation.Data>) {
    self.init(
      data: result.data, errors: result.errors, extensions: result.extensions,
      source: result.source, http: result.http)
    dependencies = result.dependencies
    freshness = result.freshness
  }
}
