import ApolloAPI
import ApolloTransport
import Apollo
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct RequestChainTests {
  private let query = HeroAPI.HeroQuery()

  private func client(_ server: LoopbackServer, _ provider: any InterceptorProvider) -> ApolloClient
  {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: provider, endpointURL: server.url()))
  }

  @Test func interceptorsSeeRequestsInOrderAndResponsesInReverse() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let log = Log()
    let client = client(
      server.server,
      Provider(graphQL: [Noting("a", log), Noting("b", log)], http: [Noting("c", log)]))
    _ = try await client.fetch(query: query)
    #expect(log.entries == ["a>", "b>", "c>", "<c", "<b", "<a"])
    _ = try await client.fetch(query: query)
    #expect(log.entries.dropFirst(6) == ["a>", "b>", "<b", "<a"])
  }

  @Test func anHTTPInterceptorCanChangeTheRequestAndSendItAgain() async throws {
    struct Authorizing: HTTPInterceptor {
      func intercept(
        request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
      ) async throws -> HTTPResponse {
        let response = try await next(request)
        guard response.response.statusCode == 401 else { return response }
        var request = request
        request.setValue("Bearer new", forHTTPHeaderField: "Authorization")
        return try await next(request)
      }
    }
    let server = try LoopbackServer { request, reply in
      let isAuthorized = request.headers["authorization"] == "Bearer new"
      reply.json(#"{"data":{"hero":null}}"#, status: isAuthorized ? 200 : 401)
    }
    defer { server.stop() }
    let client = client(server, Provider(http: [Authorizing()]))
    let response = try await client.fetch(query: query)
    #expect(response.http?.statusCode == 200)
    #expect(server.requests.count == 2)
  }

  @Test func anInterceptorCanEndACallWithoutARequest() async throws {
    struct Refusing: GraphQLInterceptor {
      struct Refusal: Error {}
      func intercept<Operation: GraphQLOperation>(
        _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
      ) async throws -> GraphQLResponse<Operation> { throw Refusal() }
    }
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.server, Provider(graphQL: [Refusing()]))
    await #expect(throws: Refusing.Refusal.self) { try await client.fetch(query: query) }
    #expect(server.requestCount == 0)
  }

  @Test func anErrorInterceptorCanReturnCachedData() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.server, Provider(error: OldData()))
    let first = try await client.fetch(query: query, cachePolicy: .networkOnly)
    server.breakDown()
    let second = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(second.source == .cache)
    #expect(second.data == first.data)
  }

  @Test func anErrorInterceptorDoesNotReceiveTheErrorOfItsRetry() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    server.breakDown()
    let client = client(server.server, Provider(error: OldData()))
    await #expect(throws: CacheMissError.self) {
      try await client.fetch(query: query, cachePolicy: .networkOnly)
    }
  }

  @Test func anInterceptorThatNeverProceedsCanBeCancelled() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let waiting = Waiting()
    let client = client(server.server, Provider(graphQL: [waiting]))
    let task = Task { try await client.fetch(query: query) }
    await waiting.started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func uploadsPassThroughTheInterceptors() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{"rename":null}}"#) }
    defer { server.stop() }
    let log = Log()
    let client = client(server, Provider(graphQL: [Noting("a", log)], http: [Noting("b", log)]))
    let file = GraphQLFile(fieldName: "name", originalName: "a.txt", data: Data("content".utf8))
    let response = try await client.upload(
      operation: HeroAPI.RenameMutation(id: "1", name: "placeholder"), files: [file])
    #expect(response.data != nil)
    #expect(log.entries == ["a>", "b>", "<b", "<a"])
    #expect(server.requests.first?.bodyText.contains("content") == true)
  }

  @Test func anUploadFailsIfTheTransportCannotUpload() async throws {
    final class Plain: NetworkTransport {
      func send(_ request: OperationRequest) async throws -> NetworkResponse {
        NetworkResponse(body: Data())
      }
    }
    let client = ApolloClient(networkTransport: Plain())
    let file = GraphQLFile(fieldName: "name", originalName: "a", data: Data())
    let error = await #expect(throws: ApolloClientError.self) {
      try await client.upload(operation: HeroAPI.RenameMutation(id: "1", name: ""), files: [file])
    }
    #expect(error?.code == .noUploadTransport)
    #expect(error?.operationName == "Rename")
    #expect(error?.transportName == "Plain")
  }
}

// MARK: - Interceptors

private struct Provider: InterceptorProvider {
  var graphQL: [any GraphQLInterceptor] = []
  var http: [any HTTPInterceptor] = []
  var error: (any ApolloErrorInterceptor)?

  func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor] { graphQL }

  func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { http }

  func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { error }
}

private final class Log: Sendable {
  private let state = Lock<[String]>([])
  var entries: [String] { state.get() }
  func note(_ entry: String) { state.withLock { $0.append(entry) } }
}

/// Records each request and each response that it passes on.
private struct Noting: GraphQLInterceptor, HTTPInterceptor {
  let name: String
  let log: Log

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }

  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    log.note("\(name)>")
    defer { log.note("<\(name)") }
    return try await next.proceed(request)
  }

  func intercept(
    request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    log.note("\(name)>")
    defer { log.note("<\(name)") }
    return try await next(request)
  }
}

/// Reads the data from the cache if the server cannot be reached.
private struct OldData: ApolloErrorInterceptor {
  func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard error is NetworkError else { throw error }
    var request = request
    request.fetchBehavior = .cacheOnly
    return try await retry.proceed(request)
  }
}

/// Waits until its task is cancelled.
private struct Waiting: GraphQLInterceptor {
  let started = Signal()

  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    started.fire()
    let (never, continuation) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    continuation.finish()
    throw CancellationError()
  }
}
