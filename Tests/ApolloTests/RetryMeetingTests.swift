import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import ManualClock
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Retries that meet other policies, deadlines, new tokens and uploads.
@Suite(.timeLimit(.minutes(10)))
struct RetryMeetingTests {
  private struct Provider: InterceptorProvider {
    var graphQL: [any GraphQLInterceptor] = []
    var http: [any HTTPInterceptor] = []

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { graphQL }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { http }
  }

  private static let hero =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#

  private func client(_ server: LoopbackServer, _ provider: Provider) -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: provider, endpointURL: server.url()))
  }

  /// An interceptor that does not wait.
  private func retry(mutations: Bool = false) -> RetryInterceptor {
    RetryInterceptor(.init(retriesMutations: mutations), sleep: { _ in }, jitter: { 1 })
  }

  // MARK: Operations

  /// The option is about mutations, and says nothing about subscriptions.
  @Test(arguments: [false, true])
  func aSubscriptionIsNotRetriedLikeAMutation(retriesMutations: Bool) async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 503) }
    defer { server.stop() }
    let client = client(server, Provider(graphQL: [retry(mutations: retriesMutations)]))
    await #expect(throws: (any Error).self) {
      for try await _ in client.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {}
    }
    #expect(server.requests.count == 1)
  }

  @Test func aQueryThatShowsDataOfTheCacheFirstIsRetriedAtTheServer() async throws {
    let count = Lock(0)
    let server = try LoopbackServer { _, reply in
      let number = count.withLock { count in
        count += 1
        return count
      }
      // The second response is the one after the data of the cache.
      if number == 2 { reply.json("{}", status: 503) } else { reply.json(Self.hero) }
    }
    defer { server.stop() }
    let client = client(server, Provider(graphQL: [retry()]))
    _ = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
    var sources: [ResultSource] = []
    for try await response in client.fetch(
      query: HeroAPI.HeroQuery(), fetchBehavior: .cacheAndNetwork)
    {
      sources.append(response.source)
    }
    #expect(sources == [.cache, .server])
    #expect(server.requests.count == 3)
  }

  // MARK: Deadlines

  @Test func theDeadlineOfACallEndsTheWaitBeforeARetry() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 503) }
    defer { server.stop() }
    let isWaiting = Signal()
    let waiting = RetryInterceptor(
      .init(),
      sleep: { _ in
        isWaiting.fire()
        let (silence, end) = AsyncStream<Void>.makeStream()
        for await _ in silence {}
        withExtendedLifetime(end) {}
        try Task.checkCancellation()
      }, jitter: { 1 })
    let clock = ManualClock()
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: Provider(graphQL: [waiting]),
        endpointURL: server.url()),
      store: ApolloStore(cache: InMemoryNormalizedCache()), clock: clock)
    let task = Task {
      try await client.fetch(
        query: HeroAPI.HeroQuery(),
        requestConfiguration: RequestConfiguration(requestTimeout: .seconds(5)))
    }
    await isWaiting.wait()
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.code == .deadlineExceeded)
    #expect(server.requests.count == 1)
  }

  // MARK: Uploads

  /// A client of a program, which reads the stream of an upload. It rejects the first token.
  private final class StreamClient: HTTPClient {
    private let byteCounts = Lock<[Int]>([])
    let limits = TransferLimits()

    /// The number of bytes of each body.
    var received: [Int] { byteCounts.get() }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let byteCount =
        request.httpBodyStream.map(Self.byteCount) ?? request.httpBody?.count ?? 0
      let number = byteCounts.withLock { byteCounts in
        byteCounts.append(byteCount)
        return byteCounts.count
      }
      let head = HTTPURLResponse(
        url: request.url!, statusCode: number == 1 ? 401 : 200, httpVersion: nil,
        headerFields: ["Content-Type": "application/json"])!
      return HTTPResponse(
        response: head,
        chunks: AsyncThrowingStream { continuation in
          continuation.yield(Data(#"{"data":{"upload":null}}"#.utf8))
          continuation.finish()
        })
    }

    private static func byteCount(_ stream: InputStream) -> Int {
      stream.open()
      defer { stream.close() }
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      var byteCount = 0
      while true {
        let count = buffer.withUnsafeMutableBufferPointer { buffer in
          buffer.baseAddress.map { stream.read($0, maxLength: buffer.count) } ?? 0
        }
        guard count > 0 else { return byteCount }
        byteCount += count
      }
    }

    func invalidate() {}
  }

  /// Each attempt reads the files from their beginning. A large body is a stream on Linux.
  @Test(arguments: [100, 200_000])
  func anUploadThatIsSentAgainByAClientOfTheProgramIsWhole(byteCount: Int) async throws {
    let http = StreamClient()
    let authentication = AuthenticationInterceptor(token: "old") { "new" }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: http, interceptorProvider: Provider(http: [authentication]),
        endpointURL: try #require(URL(string: "http://localhost/graphql"))))
    let file = GraphQLFile(
      fieldName: "file", originalName: "a.txt", data: Data(repeating: 65, count: byteCount))
    _ = try await client.upload(operation: HeroAPI.UploadMutation(), files: [file])
    let received = http.received
    #expect(received.count == 2)
    #expect(received.allSatisfy { $0 > byteCount })
    #expect(Set(received).count == 1)
  }
}
