import ApolloAPI
import Apollo
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct RetryInterceptorTests {
  private struct Provider: InterceptorProvider {
    var interceptor: RetryInterceptor

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { [interceptor] }
  }

  /// A server that fails `failureCount` times.
  private func server(
    failureCount: Int, status: Int, headers: [(String, String)] = []
  ) throws -> LoopbackServer {
    let left = Lock(failureCount)
    return try LoopbackServer { _, reply in
      let fails = left.withLock { count in
        defer { count -= 1 }
        return count > 0
      }
      if !fails {
        reply.json(#"{"data":{"hero":null,"rename":null}}"#)
      } else if status == 0 {
        reply.close()
      } else {
        reply.json("{}", status: status, headers: headers)
      }
    }
  }

  /// A client that records its delays instead of waiting.
  private func client(
    _ server: LoopbackServer, _ delays: Lock<[Duration]>,
    _ configuration: RetryInterceptor.Configuration = .init()
  ) -> ApolloClient {
    let interceptor = RetryInterceptor(
      configuration, sleep: { delay in delays.withLock { $0.append(delay) } }, jitter: { 1 })
    return ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: Provider(interceptor: interceptor),
        endpointURL: server.url()))
  }

  @Test func waitsLongerAfterEachFailure() async throws {
    let server = try server(failureCount: 3, status: 503)
    defer { server.stop() }
    let delays = Lock<[Duration]>([])
    _ = try await client(server, delays).fetch(query: HeroAPI.HeroQuery())
    #expect(delays.get() == [.milliseconds(300), .milliseconds(600), .milliseconds(1_200)])
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero])
  func absurdDelaysAreClamped(_ delay: Duration) async throws {
    let server = try server(failureCount: 2, status: 503)
    defer { server.stop() }
    let delays = Lock<[Duration]>([])
    let configuration = RetryInterceptor.Configuration(baseDelay: delay, maximumDelay: delay)
    _ = try await client(server, delays, configuration).fetch(query: HeroAPI.HeroQuery())
    #expect(delays.get().count == 2)
    #expect(delays.get().allSatisfy { $0 >= .zero })
  }

  @Test func givesUpAfterTheLastRetry() async throws {
    let server = try server(failureCount: .max, status: 503)
    defer { server.stop() }
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await client(server, Lock([])).fetch(query: HeroAPI.HeroQuery())
    }
    #expect(error?.statusCode == 503)
    #expect(server.requests.count == 4)
  }

  @Test func retriesAMutationOnlyIfTheConfigurationSaysSo() async throws {
    for retries in [false, true] {
      let server = try server(failureCount: 1, status: 503)
      defer { server.stop() }
      let client = client(server, Lock([]), .init(retriesMutations: retries))
      let mutation = HeroAPI.RenameMutation(id: "1", name: "x")
      if retries {
        _ = try await client.perform(mutation: mutation)
      } else {
        await #expect(throws: GraphQLHTTPResponseError.self) {
          try await client.perform(mutation: mutation)
        }
      }
      #expect(server.requests.count == (retries ? 2 : 1))
    }
  }

  /// A proxy can end the body of a response as if it were complete.
  @Test func retriesAQueryWhosePartsAreCutOff() async throws {
    let requestCount = Lock(0)
    let server = try LoopbackServer { _, reply in
      let number = requestCount.withLock { count in
        defer { count += 1 }
        return count
      }
      let part = #"{"data":{"hero":null},"hasNext":true}"#
      if number == 0 {
        reply.json(
          "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n\(part)\r\n--graphql\r\n",
          type: "multipart/mixed; boundary=graphql")
      } else {
        reply.json(#"{"data":{"hero":null}}"#)
      }
    }
    defer { server.stop() }
    let delays = Lock<[Duration]>([])
    _ = try await client(server, delays).fetch(query: HeroAPI.HeroQuery())
    #expect(delays.get() == [.milliseconds(300)])
  }

  @Test func retriesAQueryWhoseWebSocketIsLost() async throws {
    final class Lost: InterceptingNetworkTransport {
      let failures: Lock<[WebSocketError.Code]>
      let provider: Provider
      init(_ failures: [WebSocketError.Code], _ provider: Provider) {
        self.failures = Lock(failures)
        self.provider = provider
      }
      func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
        provider
      }
      func send(_ request: OperationRequest) async throws -> NetworkResponse {
        if let code = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
          throw WebSocketError(code, url: nil)
        }
        return NetworkResponse(body: Data(#"{"data":{"hero":null}}"#.utf8))
      }
    }
    let delays = Lock<[Duration]>([])
    let interceptor = RetryInterceptor(
      .init(), sleep: { delay in delays.withLock { $0.append(delay) } }, jitter: { 1 })
    let provider = Provider(interceptor: interceptor)
    let lost = ApolloClient(networkTransport: Lost([.cannotConnect, .connectionLost], provider))
    _ = try await lost.fetch(query: HeroAPI.HeroQuery())
    #expect(delays.get().count == 2)
    let refused = ApolloClient(networkTransport: Lost([.refused], provider))
    await #expect(throws: WebSocketError.self) {
      try await refused.fetch(query: HeroAPI.HeroQuery())
    }
    #expect(delays.get().count == 2)
  }

  @Test(arguments: [400, 401, 404, 500])
  func doesNotRetryPermanentFailures(_ status: Int) async throws {
    let server = try server(failureCount: .max, status: status)
    defer { server.stop() }
    await #expect(throws: GraphQLHTTPResponseError.self) {
      try await client(server, Lock([])).fetch(query: HeroAPI.HeroQuery())
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("5", Duration.seconds(5)), ("0", .milliseconds(300)), ("-7", .milliseconds(300)),
    ("Wed, 21 Oct 1992 07:28:00 GMT", .milliseconds(300)), ("soon", .milliseconds(300)),
    ("Sun, 06 Nov 1994 08:49:42 GMT", .seconds(5)), ("Sun, 06 Nov 1994 09:49:42 GMT", nil),
    ("99999999999999999999", nil), ("4294967297", nil), ("1000000000", nil),
  ])
  func waitsAsLongAsTheServerRequestsUpToTheLimit(_ text: String, _ delay: Duration?) async throws {
    let server = try server(
      failureCount: 1, status: 429,
      headers: [("Retry-After", text), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
    defer { server.stop() }
    let delays = Lock<[Duration]>([])
    let client = client(server, delays)
    if delay == nil {
      await #expect(throws: GraphQLHTTPResponseError.self) {
        try await client.fetch(query: HeroAPI.HeroQuery())
      }
    } else {
      _ = try await client.fetch(query: HeroAPI.HeroQuery())
    }
    #expect(delays.get() == (delay.map { [$0] } ?? []))
  }

  /// With this type, the response is one to the operation whatever its status is.
  @Test(arguments: [(408, true), (429, true), (502, true), (503, true), (504, true), (500, false)])
  func retriesAQueryWhoseGraphQLErrorsHaveATemporaryStatus(
    _ status: Int, _ isRetried: Bool
  ) async throws {
    let isFirst = Lock(true)
    let server = try LoopbackServer { _, reply in
      guard isFirst.exchange(false) else { return reply.json(#"{"data":{"hero":null}}"#) }
      reply.json(
        #"{"errors":[{"message":"later"}]}"#, status: status,
        type: "application/graphql-response+json", headers: [("Retry-After", "5")])
    }
    defer { server.stop() }
    let delays = Lock<[Duration]>([])
    let response = try await client(server, delays).fetch(query: HeroAPI.HeroQuery())
    #expect((response.errors ?? []).isEmpty == isRetried)
    #expect(delays.get() == (isRetried ? [.seconds(5)] : []))
  }

  @Test func theGraphQLErrorsOfTheLastRetryAreTheResponse() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"errors":[{"message":"later"}]}"#, status: 503,
        type: "application/graphql-response+json")
    }
    defer { server.stop() }
    let response = try await client(server, Lock([])).fetch(query: HeroAPI.HeroQuery())
    #expect(response.errors?.count == 1)
    #expect(server.requests.count == 4)
  }

  @Test func retriesAFetchThatFoundNoDataInTheCacheEither() async throws {
    let server = try server(failureCount: 2, status: 503)
    defer { server.stop() }
    let delays = Lock<[Duration]>([])
    let response = try await client(server, delays)
      .fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkFirst)
    #expect(response.source == .server)
    #expect(delays.get() == [.milliseconds(300), .milliseconds(600)])
  }

  @Test func doesNotRetryAResponseThatBreaksTheRulesOfHTTP() async throws {
    let server = try LoopbackServer { _, reply in
      reply.send("HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}")
      reply.close()
    }
    defer { server.stop() }
    let error = await #expect(throws: NetworkError.self) {
      try await client(server, Lock([])).fetch(query: HeroAPI.HeroQuery())
    }
    #expect(error?.code == .malformedResponse)
    #expect(server.requests.count == 1)
  }

  @Test func retriesLostConnections() async throws {
    // The transport itself repeats no attempt on a new connection.
    let server = try server(failureCount: 3, status: 0)
    defer { server.stop() }
    let delays = Lock<[Duration]>([])
    _ = try await client(server, delays).fetch(query: HeroAPI.HeroQuery())
    #expect(delays.get().count == 3)
    #expect(server.requests.count == 4)
  }

  /// The same for the clients of all platforms.
  @Test(
    arguments: [
      (.offline, true), (.cannotConnect, true), (.connectionLost, true), (.timedOut, true),
      (.hostNotFound, false), (.insecure, false), (.proxyFailed, false),
    ] as [(NetworkError.Code, Bool)])
  func retriesFailuresOfTheNetworkThatMayPass(_ code: NetworkError.Code, mayPass: Bool)
    async throws
  {
    final class FailingClient: HTTPClient {
      let limits = TransferLimits(deadline: nil)
      let requestCount = Lock(0)
      private let code: NetworkError.Code

      init(code: NetworkError.Code) { self.code = code }

      func response(to request: URLRequest) async throws -> HTTPResponse {
        requestCount.withLock { $0 += 1 }
        throw NetworkError(code, url: request.url)
      }

      func invalidate() {}
    }
    let failing = FailingClient(code: code)
    let interceptor = RetryInterceptor(.init(), sleep: { _ in }, jitter: { 1 })
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: failing, interceptorProvider: Provider(interceptor: interceptor),
        endpointURL: try #require(URL(string: "http://localhost/"))))
    let error = await #expect(throws: NetworkError.self) {
      try await client.fetch(query: HeroAPI.HeroQuery())
    }
    #expect(error?.code == code)
    #expect(failing.requestCount.get() == (mayPass ? 4 : 1))
  }

  @Test func cancellingEndsTheWait() async throws {
    let server = try server(failureCount: .max, status: 503)
    defer { server.stop() }
    let isWaiting = Signal()
    let interceptor = RetryInterceptor(
      .init(),
      sleep: { _ in
        isWaiting.fire()
        try await ContinuousClock().sleep(for: .seconds(3_600))
      }, jitter: { 1 })
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: Provider(interceptor: interceptor),
        endpointURL: server.url()))
    let task = Task { try await client.fetch(query: HeroAPI.HeroQuery()) }
    await isWaiting.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
