import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Attempts that begin behind the client, after its session has ended.
@Suite(.timeLimit(.minutes(10)))
struct SessionAttemptTests {
  /// A client of a program that knows nothing of cancellation. Each of its responses is the same,
  /// and the first one waits.
  private final class StubbornClient: HTTPClient {
    let isAsked = Signal()
    let mayRespond = Signal()
    let limits = TransferLimits()
    private let status: Int
    private let body: String
    private let count = Lock(0)

    init(_ status: Int, _ body: String) {
      self.status = status
      self.body = body
    }

    var requestCount: Int { count.get() }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      count.withLock { $0 += 1 }
      isAsked.fire()
      await mayRespond.wait()
      let head = HTTPURLResponse(
        url: request.url!, statusCode: status, httpVersion: nil,
        headerFields: ["Content-Type": "application/json"])!
      let body = Data(body.utf8)
      return HTTPResponse(
        response: head,
        chunks: AsyncThrowingStream {
          $0.yield(body)
          $0.finish()
        })
    }

    func invalidate() {}
  }

  /// The part of a call that asks for another attempt.
  enum Attempt: CaseIterable {
    case delegate, delegateOfErrors, httpInterceptor, graphQLInterceptor, errorInterceptor
    case secondForm, secondFormInUnknownWords
    case step, stepOfPersistedQueries, stepOfErrors, wrapper

    /// A response that leads to another attempt.
    var response: (status: Int, body: String) {
      switch self {
      case .secondForm, .stepOfPersistedQueries:
        (200, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
      case .delegateOfErrors: (200, #"{"errors":[{"message":"again"}]}"#)
      default: (500, #"{"errors":[{"message":"again"}]}"#)
      }
    }

    /// `true` for the steps of 1.x, which may go on after their call has ended.
    var isStep: Bool {
      switch self {
      case .step, .stepOfPersistedQueries, .stepOfErrors: true
      default: false
      }
    }
  }

  private final class Delegate: HTTPNetworkTransportRetryDelegate,
    HTTPNetworkTransportGraphQLErrorDelegate
  {
    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
      for request: URLRequest, response: URLResponse?,
      retryHandler: @escaping @Sendable (_ shouldRetry: Bool) -> Void
    ) { retryHandler(true) }

    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
      retryHandler: @escaping @Sendable (_ shouldRetry: Bool) -> Void
    ) { retryHandler(true) }
  }

  /// Sends each request twice, on every level.
  private struct Again: HTTPInterceptor, GraphQLInterceptor, ApolloErrorInterceptor {
    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      _ = try await next(request)
      return try await next(request)
    }

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      do { return try await next.proceed(request) } catch { return try await next.proceed(request) }
    }

    func handleError<Operation: GraphQLOperation>(
      _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> { try await retry.proceed(request) }
  }

  /// Retries a failed call of 1.x.
  private struct RetryingChain: ApolloErrorInterceptor {
    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) { chain.retry(request: request, completion: completion) }
  }

  /// The first step of a chain, which is released with its call: no step runs afterwards.
  private final class FirstStep: ApolloInterceptor {
    private let isReleased: Signal

    init(_ isReleased: Signal) { self.isReleased = isReleased }

    deinit { isReleased.fire() }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) {
      chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    }
  }

  private struct Provider: InterceptorProvider {
    var http: [any HTTPInterceptor] = []
    var graphQL: [any GraphQLInterceptor] = []
    var error: (any ApolloErrorInterceptor)?

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { http }

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { graphQL }

    func additionalErrorInterceptor<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> (any ApolloErrorInterceptor)? { error }
  }

  /// A wrapper of a program, whose tasks nothing cancels.
  private final class Wrapper: NetworkTransport {
    let base: any NetworkTransport

    init(_ base: any NetworkTransport) { self.base = base }

    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      let first = Task { [base] in try await base.send(request) }
      guard case .failure = await first.result else { return try await first.value }
      return try await Task { [base] in try await base.send(request) }.value
    }
  }

  private let url = URL(string: "http://localhost/graphql")!

  private func transport(
    _ attempt: Attempt, _ http: StubbornClient, _ delegate: Delegate, _ isOver: Signal
  ) -> any NetworkTransport {
    func chain(
      _ provider: any InterceptorProvider, persistsQueries: Bool = false
    ) -> any NetworkTransport {
      RequestChainNetworkTransport(
        client: http, interceptorProvider: provider, endpointURL: url,
        autoPersistQueries: persistsQueries)
    }
    @Sendable func steps() -> [any ApolloInterceptor] { [FirstStep(isOver)] + builtInSteps() }
    return switch attempt {
    case .delegate, .delegateOfErrors:
      HTTPNetworkTransport(url: url, client: http, delegate: delegate)
    case .secondForm, .secondFormInUnknownWords:
      HTTPNetworkTransport(url: url, client: http, enableAutoPersistedQueries: true)
    case .httpInterceptor: chain(Provider(http: [Again()]))
    case .graphQLInterceptor: chain(Provider(graphQL: [Again()]))
    case .errorInterceptor: chain(Provider(error: Again()))
    case .step:
      chain(
        StepProvider {
          var steps = steps()
          steps.insert(Step(action: .retry), at: 4)
          return steps
        })
    case .stepOfErrors: chain(StepProvider(error: RetryingChain()) { steps() })
    case .stepOfPersistedQueries: chain(StepProvider { steps() }, persistsQueries: true)
    case .wrapper: Wrapper(HTTPNetworkTransport(url: url, client: http))
    }
  }

  /// The way of a call to its transport.
  enum Way: CaseIterable { case whole, deduplicated, inParts }

  @Test(arguments: Attempt.allCases, Way.allCases)
  func noAttemptIsMadeAfterTheEndOfTheSession(_ attempt: Attempt, _ way: Way) async throws {
    let http = StubbornClient(attempt.response.status, attempt.response.body)
    let delegate = Delegate()
    let isOver = Signal()
    let transport = transport(attempt, http, delegate, isOver)
    let client = ApolloClient(
      networkTransport: way == .deduplicated
        ? DeduplicatingNetworkTransport(transport) : transport,
      store: ApolloStore())
    let call = Task {
      guard way == .inParts else {
        _ = try await client.fetch(query: HeroAPI.HeroQuery())
        return
      }
      let parts = client.fetch(query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
      for try await _ in parts {}
    }
    await http.isAsked.wait()
    try await client.endSession()
    http.mayRespond.fire()
    await #expect(throws: CancellationError.self) { try await call.value }
    if attempt.isStep { await isOver.wait() }
    #expect(http.requestCount == 1)
    withExtendedLifetime(delegate) {}
  }
}
