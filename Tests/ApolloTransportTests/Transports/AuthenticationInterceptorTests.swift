import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct AuthenticationInterceptorTests {
  private struct LoggedOut: Error, Equatable {}

  /// A server that accepts one token, and the number of requests that it received.
  private func withServer(
    accepting token: String, _ body: (LoopbackServer) async throws -> Void
  ) async throws {
    let server = try LoopbackServer { request, reply in
      let isValid = request.headers["authorization"] == "Bearer \(token)"
      reply.json("{}", status: isValid ? 200 : 401)
    }
    defer { server.stop() }
    try await body(server)
  }

  private func status(
    _ server: LoopbackServer, _ interceptor: AuthenticationInterceptor, _ client: any HTTPClient
  ) async throws -> Int {
    try await HTTPSender(client: client, interceptors: [interceptor])
      .send(_OutgoingRequest(URLRequest(url: server.url()))).response.statusCode
  }

  private func expectStatus(
    _ expected: Int, _ server: LoopbackServer, _ interceptor: AuthenticationInterceptor,
    _ client: any HTTPClient
  ) async throws {
    let status = try await status(server, interceptor, client)
    #expect(status == expected)
  }

  /// Calls a closure when the head of a response has arrived.
  private struct HeadProbe: HTTPInterceptor {
    let hasHead: @Sendable () -> Void

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      let response = try await next(request)
      hasHead()
      return response
    }
  }

  /// The response belongs to the former user, also if its head arrived before the logout.
  @Test func forgettingTheTokenEndsABodyThatIsBeingRead() async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: "application/json")
      reply.chunk(#"{"data":"#)
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let (hasHead, continuation) = AsyncStream.makeStream(of: Void.self)
    let interceptor = AuthenticationInterceptor(token: "old") { "new" }
    let client: any HTTPClient = .patient()
    let sender = HTTPSender(
      client: client, interceptors: [interceptor, HeadProbe { continuation.yield() }])
    let url = server.url()
    let call = Task {
      defer { continuation.finish() }  // also if there is no head
      return try await sender.send(_OutgoingRequest(URLRequest(url: url)))
    }
    for await _ in hasHead { break }
    interceptor.setToken(nil)
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    await server.wait { $0.openConnectionCount == 0 }
  }

  /// A client of the program, whose bodies are streams.
  private final class StreamingClient: HTTPClient {
    let limits = TransferLimits()
    private let type: String
    private let chunk: @Sendable () async -> Data?

    init(type: String, chunk: @escaping @Sendable () async -> Data?) {
      self.type = type
      self.chunk = chunk
    }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let head = HTTPURLResponse(
        url: request.url!, statusCode: 200, httpVersion: nil,
        headerFields: ["Content-Type": type])!
      return HTTPResponse(response: head, chunks: AsyncThrowingStream { [chunk] in await chunk() })
    }

    func invalidate() {}
  }

  /// The interceptor reads a whole body by itself. Its caller reads events.
  @Test(arguments: ["application/json", "text/event-stream"])
  func forgettingTheTokenEndsABodyOfAClientOfTheProgram(type: String) async throws {
    let (isRead, mayArrive) = (Signal(), Signal())
    let chunks = Lock([Data(#"{"data":null}"#.utf8)])
    let client = StreamingClient(type: type) {
      isRead.fire()
      await mayArrive.wait()
      return chunks.withLock { $0.popLast() }
    }
    let interceptor = AuthenticationInterceptor(token: "old") { "new" }
    let sender = HTTPSender(client: client, interceptors: [interceptor])
    let url = try #require(URL(string: "http://localhost/"))
    let call = Task {
      try await sender.send(_OutgoingRequest(URLRequest(url: url)), reading: .parts(.events))
        .body()
    }
    await isRead.wait()
    interceptor.setToken(nil)
    mayArrive.fire()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
  }

  @Test func manyRejectedRequestsShareOneRefresh() async throws {
    try await withServer(accepting: "new") { server in
      let refreshes = Counter()
      let interceptor = AuthenticationInterceptor(token: "old") {
        refreshes.increment()
        return "new"
      }
      let client: any HTTPClient = .patient()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<50 { group.addTask { try await status(server, interceptor, client) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 200, count: 50))
      #expect(refreshes.value == 1)
    }
  }

  /// The responses of a server that knows GraphQL alone, and whether they reject a token.
  @Test(arguments: [
    (#"{"errors":[{"message":"No.","extensions":{"code":"UNAUTHENTICATED"}}]}"#, true),
    (#"{"data":null,"errors":[{"message":"A"},{"extensions":{"code":"EXPIRED"}}]}"#, true),
    (#"{"data":{"me":null},"errors":[{"extensions":{"code":"UNAUTHENTICATED"}}]}"#, true),
    (#"{"data":null,"errors":[{"message":"UNAUTHENTICATED"}]}"#, false),
    (#"{"data":{"code":"UNAUTHENTICATED"}}"#, false),
    ("UNAUTHENTICATED", false),
  ])
  func errorsRejectATokenWithTheStatus200(_ text: String, _ isRejected: Bool) async throws {
    let server = try LoopbackServer { request, reply in
      let isNew = request.headers["authorization"] == "Bearer new"
      reply.json(isNew ? #"{"data":{"me":1}}"# : text)
    }
    defer { server.stop() }
    let interceptor = AuthenticationInterceptor(
      token: "old", errorCodes: ["UNAUTHENTICATED", "EXPIRED"]
    ) { "new" }
    let response = try await HTTPSender(client: .patient(), interceptors: [interceptor])
      .send(_OutgoingRequest(URLRequest(url: server.url())))
    let body = String(decoding: try await response.body(), as: UTF8.self)
    #expect(body == (isRejected ? #"{"data":{"me":1}}"# : text))
    #expect(server.requests.count == (isRejected ? 2 : 1))
    #expect(try await interceptor.currentToken() == (isRejected ? "new" : "old"))
  }

  /// A query changes nothing, so it is sent again for the fields that it has not got. A part of a
  /// mutation may have been carried out.
  @Test(arguments: [
    ("POST", "query", true), ("POST", "mutation", false), ("POST", nil, false), ("GET", nil, true),
  ])
  func aResponseWithDataRejectsTheTokenOfAQuery(
    _ method: String, _ type: String?, _ isRejected: Bool
  ) async throws {
    let server = try LoopbackServer { request, reply in
      let isNew = request.headers["authorization"] == "Bearer new"
      reply.json(
        isNew
          ? #"{"data":{"a":1,"me":1}}"#
          : #"{"data":{"a":1,"me":null},"errors":[{"extensions":{"code":"UNAUTHENTICATED"}}]}"#)
    }
    defer { server.stop() }
    var request = URLRequest(url: server.url())
    request.httpMethod = method
    request.setValue(type, forHTTPHeaderField: "X-Apollo-Operation-Type")
    let interceptor = AuthenticationInterceptor(token: "old") { "new" }
    let response = try await HTTPSender(client: .patient(), interceptors: [interceptor])
      .send(_OutgoingRequest(request))
    let body = try JSONValue(jsonBytes: try await response.body())
    #expect(body["errors"] == nil || !isRejected)
    #expect(server.requests.count == (isRejected ? 2 : 1))
  }

  /// The server has carried out the field that the error is in. Later requests have a new token.
  @Test(arguments: [
    ("mutation", "null", ["a", "b"], false), ("mutation", #"{"a":null}"#, ["a", "b"], false),
    ("mutation", "null", ["a"], true), ("query", "null", ["a", "b"], true),
  ])
  func aMutationWithAnErrorInsideOfAResultIsNotSentAgain(
    _ type: String, _ data: String, _ path: [String], _ isSentAgain: Bool
  ) async throws {
    let error = #"{"path":\#(path),"extensions":{"code":"UNAUTHENTICATED"}}"#
    let text = #"{"data":\#(data),"errors":[\#(error)]}"#
    try await send(type, answeredBy: text, isSentAgain)
  }

  /// Apollo Server and GraphQL Yoga can take the status from the error of any field.
  @Test(arguments: [
    ("mutation", #"{"data":null,"errors":[{"path":["a","b"]}]}"#, false),
    ("mutation", #"{"data":{"a":1,"b":null},"errors":[{"path":["b"]}]}"#, false),
    ("mutation", #"{"data":{"b":null},"errors":[{"path":["b"]}]}"#, true),
    ("mutation", #"{"data":{"__typename":"Mutation","b":null},"errors":[{"path":["b"]}]}"#, true),
    ("mutation", #"{"errors":[{"message":"who?"}]}"#, true), ("mutation", "no JSON", true),
    ("query", #"{"data":{"a":1,"b":null},"errors":[{"path":["b"]}]}"#, true),
  ])
  func aMutationWithAResultIsNotSentAgainBecauseOfItsStatus(
    _ type: String, _ text: String, _ isSentAgain: Bool
  ) async throws {
    try await send(type, answeredBy: text, status: 401, isSentAgain)
  }

  /// Sends a request of an operation type, and checks the response and the number of requests,
  /// after which there is a new token.
  private func send(
    _ type: String, answeredBy text: String, status: Int = 200, _ isSentAgain: Bool
  ) async throws {
    let server = try LoopbackServer { _, reply in reply.json(text, status: status) }
    defer { server.stop() }
    var request = URLRequest(url: server.url())
    request.httpMethod = "POST"
    request.setValue(type, forHTTPHeaderField: "X-Apollo-Operation-Type")
    let interceptor = AuthenticationInterceptor(token: "old") { "new" }
    let response = try await HTTPSender(client: .patient(), interceptors: [interceptor])
      .send(_OutgoingRequest(request))
    #expect(String(decoding: try await response.body(), as: UTF8.self) == text)
    while try await interceptor.currentToken() == "old" { await Task.yield() }
    #expect(server.requests.count == (isSentAgain ? 2 : 1))
  }

  @Test func codesOfErrorsCanBeIgnored() async throws {
    let refusal = #"{"data":null,"errors":[{"extensions":{"code":"UNAUTHENTICATED"}}]}"#
    let server = try LoopbackServer { _, reply in reply.json(refusal) }
    defer { server.stop() }
    let interceptor = AuthenticationInterceptor(token: "old", errorCodes: []) { "new" }
    let response = try await HTTPSender(client: .patient(), interceptors: [interceptor])
      .send(_OutgoingRequest(URLRequest(url: server.url())))
    #expect(String(decoding: try await response.body(), as: UTF8.self) == refusal)
    #expect(server.requests.count == 1)
  }

  @Test func partsOfAResponseAreNotHeldBack() async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: "multipart/mixed; boundary=-")
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let interceptor = AuthenticationInterceptor(token: "old", errorCodes: ["UNAUTHENTICATED"]) {
      "new"
    }
    // The head is delivered, although the body never ends.
    let response = try await HTTPSender(client: .patient(), interceptors: [interceptor])
      .send(_OutgoingRequest(URLRequest(url: server.url())), reading: .parts(.response))
    #expect(response.response.statusCode == 200)
  }

  @Test func theCurrentTokenIsThatOfARefreshIfThereIsNone() async throws {
    let interceptor = AuthenticationInterceptor { "new" }
    #expect(try await interceptor.currentToken() == "new")
    interceptor.setToken("other")
    #expect(try await interceptor.currentToken() == "other")
  }

  /// A socket has the token that `currentToken` returned, and only that one can be rejected there.
  @Test func theCurrentTokenIsRefreshedOnceIfItIsRejected() async throws {
    let refreshes = Counter()
    let interceptor = AuthenticationInterceptor(token: "first") {
      refreshes.increment()
      return "refreshed \(refreshes.value)"
    }
    #expect(try await interceptor.currentToken() == "first")
    #expect(try await interceptor.currentToken(isRejected: true) == "refreshed 1")
    interceptor.setToken("of a login")
    #expect(try await interceptor.currentToken(isRejected: true) == "of a login")
    #expect(try await interceptor.currentToken(isRejected: true) == "refreshed 2")
  }

  /// The rejection of a former session is none of the next one, even if the token is the same.
  @Test func aLogoutForgetsTheTokenThatWasReturned() async throws {
    let interceptor = AuthenticationInterceptor(token: "first") { "refreshed" }
    #expect(try await interceptor.currentToken() == "first")
    interceptor.setToken(nil)
    interceptor.setToken("first")
    #expect(try await interceptor.currentToken(isRejected: true) == "first")
  }

  @Test func aSecondRejectionIsTheResponse() async throws {
    try await withServer(accepting: "never") { server in
      let refreshes = Counter()
      let interceptor = AuthenticationInterceptor(token: "old") {
        refreshes.increment()
        return "new"
      }
      try await expectStatus(401, server, interceptor, .patient())
      #expect(refreshes.value == 1)
    }
  }

  @Test func allWaitingRequestsFailWithTheErrorOfTheRefresh() async throws {
    try await withServer(accepting: "new") { server in
      let interceptor = AuthenticationInterceptor { throw LoggedOut() }
      let client: any HTTPClient = .patient()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask {
            await #expect(throws: LoggedOut.self) {
              try await status(server, interceptor, client)
            }
          }
        }
      }
      interceptor.setToken("new")
      try await expectStatus(200, server, interceptor, client)
    }
  }

  @Test func aCancelledRequestDoesNotWaitForTheRefresh() async throws {
    let (isRefreshing, mayRefresh) = (Signal(), Signal())
    let interceptor = AuthenticationInterceptor {
      isRefreshing.fire()
      await mayRefresh.wait()
      try Task.checkCancellation()
      return "new"
    }
    try await withServer(accepting: "new") { server in
      let client: any HTTPClient = .patient()
      let first = Task { try await status(server, interceptor, client) }
      await isRefreshing.wait()
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      // The refresh was cancelled with its only request; the next one starts another.
      mayRefresh.fire()
      try await expectStatus(200, server, interceptor, client)
    }
  }

  @Test func aLogoutAbandonsTheRefresh() async throws {
    let (isRefreshing, mayRefresh) = (Signal(), Signal())
    let refreshes = Counter()
    let interceptor = AuthenticationInterceptor(token: "old") {
      refreshes.increment()
      isRefreshing.fire()
      await mayRefresh.wait()
      return "new of the former user"
    }
    try await withServer(accepting: "next user") { server in
      let client: any HTTPClient = .patient()
      let first = Task { try await status(server, interceptor, client) }
      await isRefreshing.wait()
      interceptor.setToken(nil)
      await #expect(throws: CancellationError.self) { try await first.value }
      mayRefresh.fire()
      interceptor.setToken("next user")
      try await expectStatus(200, server, interceptor, client)
      #expect(!server.requests.contains { $0.headers["authorization"]?.contains("former") == true })
    }
  }

  /// The server may have invalidated the token before.
  @Test func aRefreshThatSucceedsForNoRequestIsKept() async throws {
    let (isRefreshing, mayRefresh) = (Signal(), Signal())
    let refreshes = Counter()
    let interceptor = AuthenticationInterceptor {
      refreshes.increment()
      isRefreshing.fire()
      await mayRefresh.wait()
      return "new"
    }
    try await withServer(accepting: "new") { server in
      let client: any HTTPClient = .patient()
      let first = Task { try await status(server, interceptor, client) }
      await isRefreshing.wait()
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      let second = Task { try await status(server, interceptor, client) }
      mayRefresh.fire()
      let result = try await second.value
      #expect(result == 200)
      #expect(refreshes.value == 1)
    }
  }

  @Test func aTokenThatIsNoHeaderIsRejected() async throws {
    try await withServer(accepting: "new") { server in
      let interceptor = AuthenticationInterceptor(token: "é") { "new" }
      await #expect(throws: GraphQLHTTPRequestError.invalidHeader(name: "Authorization")) {
        try await status(server, interceptor, .patient())
      }
    }
  }
}

/// A number that tasks increment.
private final class Counter: Sendable {
  private let count = Lock(0)

  var value: Int { count.withLock { $0 } }

  func increment() { count.withLock { $0 += 1 } }
}
