import Apollo
import ApolloAPI
import ApolloTestSupport
import ApolloTransport
import Foundation
import LoopbackServer
import ScriptedSocket
import TestOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transports of the table.
enum TableTransport: String, CaseIterable, Sendable {
  /// An `HTTPNetworkTransport`.
  case http
  /// The same with a delegate of every kind, which asks for one retry.
  case delegate
  /// A `RequestChainNetworkTransport` with the built-in steps.
  case chain
  /// The same with interceptors around the call and around each HTTP request.
  case interceptors
  /// The same with an error interceptor that reads the cache.
  case rescue
  /// The same with the steps of Apollo iOS 1.x.
  case steps
  case split, deduplicating, fallback, socket
  /// A wrapper that a program has written, with every protocol that a program can adopt.
  case wrapper
  /// A transport of the program with `send` alone.
  case plain
  /// A `MockNetworkTransport`.
  case mock

  var sendsOverHTTP: Bool {
    switch self {
    case .socket, .plain, .mock: false
    default: true
    }
  }

  /// Makes the transport. `delegate` must outlive it.
  func make(
    _ stage: TableStage, url: URL, connector: ScriptedConnector, delegate: TableDelegate
  ) -> any NetworkTransport {
    let persists = stage.scenario == .unknownHash
    let http = HTTPNetworkTransport(
      url: url, client: Self.client(), enableAutoPersistedQueries: persists)
    func chain(_ provider: any InterceptorProvider) -> any NetworkTransport {
      RequestChainNetworkTransport(
        client: Self.client(), interceptorProvider: provider, endpointURL: url,
        autoPersistQueries: persists)
    }
    switch self {
    case .http: return http
    case .delegate:
      http.delegate = delegate
      return http
    case .chain: return chain(DefaultInterceptorProvider())
    case .interceptors: return chain(NotingProvider(stage: stage))
    case .rescue: return chain(RescuingProvider())
    case .steps: return chain(StepProvider { builtInSteps() })
    case .split:
      return SplitNetworkTransport(
        uploadingNetworkTransport: http,
        webSocketNetworkTransport: Self.socket(connector, stage))
    case .deduplicating: return DeduplicatingNetworkTransport(http)
    case .fallback:
      return FallbackNetworkTransport(
        queryTransport: http,
        subscriptionRoutes: [.webSocket(Self.socket(connector, stage)), .http(http)],
        openingTimeout: .seconds(600), recoveryTimeout: .seconds(600),
        memory: SubscriptionRouteMemory())
    case .socket: return Self.socket(connector, stage)
    case .wrapper: return ForwardingTransport(http)
    case .plain: return PlainTransport(stage)
    case .mock: return Self.mock(stage)
    }
  }

  /// A client that waits as long as a test may take, but names a limit for calls.
  private static func client() -> DefaultHTTPClient {
    #if CURL
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      return CurlClient(
        configuration: configuration, limits: TransferLimits(deadline: .seconds(3_600)))
    #else
      return URLSessionClient(
        sessionConfiguration: .graphQL.patient,
        limits: TransferLimits(deadline: .seconds(3_600)))
    #endif
  }

  private static func socket(
    _ connector: ScriptedConnector, _ stage: TableStage
  ) -> WebSocketTransport {
    var configuration = WebSocketTransport.Configuration()
    configuration.reconnection =
      stage.scenario == .failure ? .never : ReconnectionPolicy(initialDelay: .zero)
    guard let url = URL(string: "ws://example.com/graphql") else { preconditionFailure() }
    return WebSocketTransport(
      endpointURL: url, connector: connector, configuration: configuration)
  }

  private static func mock(_ stage: TableStage) -> MockNetworkTransport {
    let transport = MockNetworkTransport()
    transport.respond(to: HeroAPI.HeroQuery.self) { _ in response(stage) }
    transport.respond(to: HeroAPI.DeferredHeroQuery.self) { _ in response(stage) }
    transport.respond(to: HeroAPI.RenameMutation.self) { _ in response(stage) }
    transport.respond(to: HeroAPI.HeroChangedSubscription.self) { _ in response(stage) }
    return transport
  }

  private static func response<Operation: GraphQLOperation>(
    _ stage: TableStage
  ) -> MockResponse<Operation> {
    let number = stage.countRequest()
    let isSubscription = Operation.operationType == .subscription
    switch stage.scenario {
    case .graphQLErrors: return .json(TableBody.errors)
    case .parts: return .parts(.json(TableBody.data("half")), .json(TableBody.data("Luke")))
    case .failure: return .failure(TableFailure())
    case .unavailable where number == 1: return .failure(TableFailure())
    case .cancelled, .deadline, .sessionEnded:
      stage.isWaiting.fire()
      return .never
    default:
      guard isSubscription else { return .json(TableBody.data("Luke")) }
      return .events(.json(TableBody.data("first")), .json(TableBody.data("second")))
    }
  }
}

/// The failure of a transport without a network.
struct TableFailure: Error {}

// MARK: - Code of a program

/// A transport with `send` alone.
private final class PlainTransport: NetworkTransport {
  private let stage: TableStage

  init(_ stage: TableStage) { self.stage = stage }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let number = stage.countRequest()
    switch stage.scenario {
    case .graphQLErrors: return NetworkResponse(body: Data(TableBody.errors.utf8))
    case .failure: throw TableFailure()
    case .unavailable where number == 1: throw TableFailure()
    case .cancelled, .deadline, .sessionEnded:
      stage.isWaiting.fire()
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    default: return NetworkResponse(body: Data(TableBody.data("Luke").utf8))
    }
  }
}

/// A wrapper that passes everything on that a program can pass on, but no limit.
final class ForwardingTransport: UploadingNetworkTransport, SubscriptionNetworkTransport,
  InterceptingNetworkTransport
{
  private let base: HTTPNetworkTransport

  init(_ base: HTTPNetworkTransport) { self.base = base }

  var endpointURL: URL? { base.endpointURL }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await base.send(request)
  }

  func responses(to request: OperationRequest) -> NetworkResponses { base.responses(to: request) }

  func upload(_ request: OperationRequest, files: [GraphQLFile]) async throws -> NetworkResponse {
    try await base.upload(request, files: files)
  }

  func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? { nil }
}

/// Interceptors that note what they see, one of which retries.
private struct NotingProvider: InterceptorProvider, GraphQLInterceptor, HTTPInterceptor {
  let stage: TableStage

  func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor] {
    [self, RetryInterceptor(.init(maximumRetryCount: 2), sleep: { _ in }, jitter: { 0 })]
  }

  func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { [self] }

  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    stage.note("call")
    return try await next.proceed(request)
  }

  func intercept(
    request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    stage.note("HTTP")
    return try await next(request)
  }
}

/// Reads the cache after an error.
private struct RescuingProvider: InterceptorProvider, ApolloErrorInterceptor {
  func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { self }

  func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    var request = request
    request.fetchBehavior = .cacheOnly
    return try await retry.proceed(request)
  }
}

/// A delegate of every kind. It retries once.
final class TableDelegate: HTTPNetworkTransportPreflightDelegate,
  HTTPNetworkTransportTaskCompletedDelegate, HTTPNetworkTransportRetryDelegate,
  HTTPNetworkTransportGraphQLErrorDelegate
{
  private let stage: TableStage
  private let hasRetried = Lock(false)

  init(_ stage: TableStage) { self.stage = stage }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest
  ) -> Bool {
    stage.note("shouldSend")
    return true
  }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest
  ) {
    stage.note("willSend")
  }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, didCompleteRawTaskForRequest request: URLRequest,
    withData data: Data?, response: URLResponse?, error: (any Error)?
  ) {
    stage.note("didComplete(\(error.map(TableOutcome.name) ?? "\(data?.count ?? 0)"))")
  }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    continueHandler: @escaping @Sendable (_ action: HTTPNetworkTransport.ContinueAction) -> Void
  ) {
    stage.note("receivedError")
    continueHandler(hasRetried.exchange(true) ? .fail(error) : .retry)
  }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
    retryHandler: @escaping @Sendable (_ shouldRetry: Bool) -> Void
  ) {
    stage.note("receivedGraphQLErrors")
    retryHandler(!hasRetried.exchange(true))
  }
}
