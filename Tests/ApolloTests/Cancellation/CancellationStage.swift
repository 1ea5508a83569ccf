import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if CURL
  /// A server, or what takes its place, that keeps calls in one phase until they are cancelled.
  ///
  /// Several lanes make one call after the other, all with the same HTTP client.
  final class CancellationStage: Sendable {
    /// The signals of one call.
    final class Call: Sendable {
      /// Fires when the phase has begun.
      let hasBegun = Signal()
      /// Fires when the call is cancelled.
      let isCancelled = Signal()
    }

    /// The current call of a lane.
    typealias Lane = Lock<Call>

    let phase: CancellationPhase
    private let server: LoopbackServer
    private let silentPort: SilentPort?
    private let client: CurlClient
    private let lanes: [Lane]
    private let answeredCount: Lock<Int>

    init(_ phase: CancellationPhase, laneCount: Int) throws {
      let lanes = (0..<laneCount).map { _ in Lane(Call()) }
      let answeredCount = Lock(0)
      self.phase = phase
      self.lanes = lanes
      self.answeredCount = answeredCount
      silentPort = phase == .connecting ? try SilentPort() : nil
      server = try LoopbackServer(keepsRequests: false, readsBodies: phase != .sending) {
        request, reply in
        guard let lane = Int(request.path.dropFirst()) else {
          return request.path == "/occupied" ? reply.waitForClientToClose() : Self.answer(reply)
        }
        Self.serve(lanes[lane].get(), in: phase, reply)
        answeredCount.withLock { $0 += 1 }
      }
      client = Self.client(phase)
    }

    func stop() { server.stop() }

    // MARK: The server

    private static func serve(_ call: Call, in phase: CancellationPhase, _ reply: Reply) {
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
      switch phase {
      case .sending:
        // Nothing is read before the call is cancelled.
        call.hasBegun.fire()
        call.isCancelled.block()
      case .insideTheHead: reply.send(head + "Content-Le")
      case .insideTheBody: reply.send(head + "Content-Length: 1000\r\n\r\n{\"data\":")
      case .resolving: return answer(reply)
      case .atTheEnd:
        call.hasBegun.fire()
        return answer(reply)
      default: break
      }
      call.hasBegun.fire()
      reply.waitForClientToClose()
    }

    private static func answer(_ reply: Reply) {
      reply.json(
        #"{"data":{"hero":null,"rename":{"__typename":"Hero","id":"1","name":"Luke"}}}"#)
    }

    /// The number of calls that have reached the server.
    var callCount: Int { answeredCount.get() }

    var acceptedCount: Int { server.observation.acceptedCount }

    /// Closes the client and waits until the server has no connection any more.
    func close() async {
      client.invalidate()
      await server.wait { $0.openConnectionCount == 0 }
    }

    // MARK: The clients

    private static func client(_ phase: CancellationPhase) -> CurlClient {
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      if phase == .waitingForAConnection { configuration.maximumConnectionCountPerHost = 1 }
      // No test lasts that long, but every call has an alarm.
      return CurlClient(
        configuration: configuration, limits: TransferLimits(deadline: .seconds(3_600)))
    }

    /// Starts another call of a lane and returns its signals.
    func begin(_ lane: Int) -> Call {
      let call = Call()
      lanes[lane].withLock { $0 = call }
      return call
    }

    func apollo(_ lane: Int) -> ApolloClient {
      // A client that has connected before knows the addresses of its hosts.
      let client = phase == .resolving ? Self.client(phase) : client
      return apollo(
        "/\(lane)", client, Pausing(lane: phase == .inAnInterceptor ? lanes[lane] : nil))
    }

    /// A client for a call that takes the only connection, if there is only one.
    func occupier() -> ApolloClient? {
      phase == .waitingForAConnection ? apollo("/occupied", client, Pausing()) : nil
    }

    /// A client for a call that succeeds if the connections of the other calls are free.
    func successor() -> ApolloClient? {
      phase == .connecting || phase == .agreeingOnTLS || phase == .sending
        ? nil : apollo("/after", client, Pausing())
    }

    private func apollo(
      _ path: String, _ client: CurlClient, _ pausing: Pausing
    ) -> ApolloClient {
      var url = server.url(path)
      if let silentPort { url = replacing(url, "port", silentPort.number) }
      if phase == .agreeingOnTLS { url = replacing(url, "scheme", nil) }
      if phase == .resolving { url = replacing(url, "host", nil) }
      return ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          client: client, interceptorProvider: pausing, endpointURL: url))
    }

    private func replacing(_ url: URL, _ part: String, _ port: UInt16?) -> URL {
      guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
        return url
      }
      switch part {
      case "port": components.port = port.map { Int($0) }
      case "scheme": components.scheme = "https"
      default: components.host = "localhost"
      }
      return components.url ?? url
    }
  }

  /// Waits, in one or the other kind of interceptor, until the call is cancelled.
  private struct Pausing: InterceptorProvider, GraphQLInterceptor, HTTPInterceptor {
    var lane: CancellationStage.Lane?
    private let isInHTTP = Bool.random()

    init(lane: CancellationStage.Lane? = nil) { self.lane = lane }

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { lane == nil || isInHTTP ? [] : [self] }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      lane == nil || !isInHTTP ? [] : [self]
    }

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      await pause()
      return try await next.proceed(request)
    }

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      await pause()
      return try await next(request)
    }

    private func pause() async {
      lane?.get().hasBegun.fire()
      // Ends when the task is cancelled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }
  }
#endif
