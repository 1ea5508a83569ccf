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

/// Requests that an interceptor, a delegate or an observer makes for itself belong to no other one.
@Suite(.timeLimit(.minutes(10)))
struct RequestsOfInterceptorsTests {
  private struct Interceptors: InterceptorProvider {
    let http: [any HTTPInterceptor]

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { http }
  }

  @Test func theProgressOfAnUploadIsThatOfItsBodyAlone() async throws {
    let count = Lock(0)
    let server = try LoopbackServer { _, reply in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 1 { return reply.respond(401) }
      reply.json(#"{"data":{"upload":{"__typename":"Hero","id":"1","name":"x"},"hero":null}}"#)
    }
    defer { server.stop() }
    let login = ApolloClient.patient(url: server.url())
    let authentication = AuthenticationInterceptor(token: "old") {
      let name = String(repeating: "x", count: 70_000)
      _ = try await login.fetch(query: HeroAPI.HeroQuery(name: .some(name)))
      return "new"
    }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: Interceptors(http: [authentication]),
        endpointURL: server.url()),
      store: ApolloStore())
    let totals = Lock<Set<Int>>([])
    var configuration = RequestConfiguration()
    configuration.uploadProgressHandler = UploadProgressHandler { progress in
      totals.withLock { _ = $0.insert(progress.totalByteCount) }
    }
    let file = GraphQLFile(
      fieldName: "file", originalName: "a", mimeType: "text/plain",
      data: Data(repeating: 65, count: 200_000))
    let response = try await client.upload(
      operation: HeroAPI.UploadMutation(), files: [file], requestConfiguration: configuration)
    #expect(response.data?.upload?.name == "x")
    #expect(totals.get().count == 1, "\(totals.get())")
  }

  /// The code of a program that runs within a request and does not wait.
  enum Place: CaseIterable { case shouldSend, willSend, completion, observer }

  /// Begins a request with a large body at one of the places, in a task of its own.
  private final class Beginner: HTTPNetworkTransportPreflightDelegate,
    HTTPNetworkTransportTaskCompletedDelegate, CallEventObserver
  {
    let call = Lock<Task<Void, any Error>?>(nil)
    private let place: Place
    private let client: ApolloClient

    init(at place: Place, _ client: ApolloClient) {
      self.place = place
      self.client = client
    }

    private func pass(_ place: Place) {
      guard place == self.place else { return }
      let name = String(repeating: "x", count: 70_000)
      let new = Task { [client] in
        _ = try await client.fetch(query: HeroAPI.HeroQuery(name: .some(name)))
      }
      call.withLock { $0 = new }
    }

    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest
    ) -> Bool {
      pass(.shouldSend)
      return true
    }

    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest
    ) { pass(.willSend) }

    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, didCompleteRawTaskForRequest request: URLRequest,
      withData data: Data?, response: URLResponse?, error: (any Error)?
    ) { pass(.completion) }

    func observe(_ event: CallEvent) { if case .sent = event.kind { pass(.observer) } }
  }

  @Test(arguments: Place.allCases)
  func theProgressOfAnUploadIsNotThatOfATask(begunBy place: Place) async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"data":{"upload":{"__typename":"Hero","id":"1","name":"x"},"hero":null}}"#)
    }
    defer { server.stop() }
    let beginner = Beginner(at: place, .patient(url: server.url()))
    let client = ApolloClient(
      networkTransport: HTTPNetworkTransport(
        url: server.url(), client: .patient, delegate: beginner),
      store: ApolloStore(), observers: [beginner])
    let totals = Lock<Set<Int>>([])
    var configuration = RequestConfiguration()
    configuration.uploadProgressHandler = UploadProgressHandler { progress in
      totals.withLock { _ = $0.insert(progress.totalByteCount) }
    }
    let file = GraphQLFile(
      fieldName: "file", originalName: "a", mimeType: "text/plain",
      data: Data(repeating: 65, count: 200_000))
    _ = try await client.upload(
      operation: HeroAPI.UploadMutation(), files: [file], requestConfiguration: configuration)
    try await #require(beginner.call.get()).value
    #expect(totals.get().count == 1, "\(totals.get())")
  }

  /// Asks another client for a token before each request.
  private struct Asking: HTTPInterceptor {
    let client: ApolloClient

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      _ = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
      return try await next(request)
    }
  }

  /// Two queries whose interceptors ask at the same time, through a client that shares nothing.
  @Test func onlyTheQueriesOfATransportThatSharesAreShared() async throws {
    let mayRespond = Signal()
    let tokens = try LoopbackServer { _, reply in
      mayRespond.block()
      reply.json(#"{"data":{"hero":null}}"#)
    }
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{"hero":null}}"#) }
    defer {
      mayRespond.fire()
      tokens.stop()
      server.stop()
    }
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(
        RequestChainNetworkTransport(
          client: .patient,
          interceptorProvider: Interceptors(http: [Asking(client: .patient(url: tokens.url()))]),
          endpointURL: server.url())),
      store: ApolloStore())
    let calls = ["a", "b"].map { name in
      Task { try await client.fetch(query: HeroAPI.HeroQuery(name: .some(name))) }
    }
    await until { tokens.requests.count == 2 }
    mayRespond.fire()
    for call in calls {
      let response = try await call.value
      #expect(response.data != nil && response.data?.hero == nil)
    }
    #expect(tokens.requests.count == 2, "Each call has asked for a token of its own.")
    #expect(server.requests.count == 2)
  }
}
