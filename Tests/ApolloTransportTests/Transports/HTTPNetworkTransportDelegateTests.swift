import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct HTTPNetworkTransportDelegateTests {
  private let request = OperationRequest(HeroAPI.HeroQuery())

  @Test func sendsNothingThatTheDelegateDoesNotWant() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}") }
    defer { server.stop() }
    let delegate = Recorder(shouldSend: false)
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    transport.delegate = delegate
    await #expect(throws: GraphQLHTTPRequestError.cancelledByDelegate) {
      try await transport.send(request)
    }
    #expect(server.requests.isEmpty)
    #expect(delegate.events == ["shouldSend"])
  }

  @Test func letsTheDelegateChangeRequestsAndSeeRawAnswers() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{}}"#, status: 200) }
    defer { server.stop() }
    let delegate = Recorder(headers: ["Authorization": "Bearer changed"])
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    transport.delegate = delegate
    _ = try await transport.send(request)
    #expect(server.requests.first?.headers["authorization"] == "Bearer changed")
    #expect(delegate.events == ["shouldSend", "willSend", #"completed 200 {"data":{}} nil"#])
  }

  @Test func refusesHeadersThatTheDelegateBreaks() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}") }
    defer { server.stop() }
    let delegate = Recorder(headers: ["X-A": "é"])
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    transport.delegate = delegate
    await #expect(throws: GraphQLHTTPRequestError.self) { try await transport.send(request) }
    #expect(server.requests.isEmpty)
  }

  @Test func retriesAsIfTheOperationWasNew() async throws {
    let server = try LoopbackServer { request, reply in
      let isAuthorized = request.headers["authorization"] == "Bearer 2"
      reply.json(#"{"data":{}}"#, status: isAuthorized ? 200 : 401)
    }
    defer { server.stop() }
    let delegate = Recorder(headers: ["Authorization": "Bearer 1"]) { delegate, _ in
      delegate.headers = ["Authorization": "Bearer 2"]
      return .retry
    }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    transport.delegate = delegate
    #expect(try await transport.send(request).http?.statusCode == 200)
    #expect(
      delegate.events == [
        "shouldSend", "willSend", #"completed 401 {"data":{}} nil"#, "retry? 401",
        "shouldSend", "willSend", #"completed 200 {"data":{}} nil"#,
      ])
  }

  @Test func failsWithTheErrorThatTheDelegateChose() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 500) }
    defer { server.stop() }
    struct Chosen: Error {}
    let delegate = Recorder { _, _ in .fail(Chosen()) }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    transport.delegate = delegate
    await #expect(throws: Chosen.self) { try await transport.send(request) }
  }

  @Test func tellsTheDelegateOfConnectionsThatFail() async throws {
    let port = try ClosedPort()
    let delegate = Recorder { _, error in .fail(error) }
    let transport = HTTPNetworkTransport(url: port.url, client: .patient())
    transport.delegate = delegate
    await #expect(throws: NetworkError.self) { try await transport.send(request) }
    #expect(
      delegate.events == [
        "shouldSend", "willSend", "completed nil nil cannotConnect", "retry? nil",
      ])
    withExtendedLifetime(port) {}
  }

  @Test func cancellingEndsAWaitForTheDelegate() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 401) }
    defer { server.stop() }
    let delegate = Silent()
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    transport.delegate = delegate
    let task = Task { try await transport.send(request) }
    await delegate.asked.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    delegate.answer(.retry)
    delegate.answer(.retry)
    #expect(server.requests.count == 1)
  }

  @Test func failsWhenTheDelegateReleasesItsHandler() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 500) }
    defer { server.stop() }
    let delegate = Forgetful()
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    transport.delegate = delegate
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(request)
    }
    #expect(error?.statusCode == 500)
    #expect(server.requests.count == 1)
  }

  @Test func doesNotRetainItsDelegate() throws {
    let transport = HTTPNetworkTransport(url: try #require(URL(string: "http://localhost")))
    do {
      let delegate = Recorder()
      transport.delegate = delegate
      #expect(transport.delegate != nil)
    }
    #expect(transport.delegate == nil)
  }
}

/// Writes down what it is told, and takes part as told to.
private final class Recorder: HTTPNetworkTransportPreflightDelegate,
  HTTPNetworkTransportTaskCompletedDelegate, HTTPNetworkTransportRetryDelegate
{
  typealias Decision =
    @Sendable (Recorder, any Error) -> HTTPNetworkTransport.ContinueAction

  private let shouldSend: Bool
  private let decide: Decision
  private let state: Lock<(headers: [String: String], events: [String])>

  init(
    shouldSend: Bool = true, headers: [String: String] = [:],
    decide: @escaping Decision = { .fail($1) }
  ) {
    self.shouldSend = shouldSend
    self.decide = decide
    state = Lock((headers, []))
  }

  var events: [String] { state.withLock { $0.events } }
  var headers: [String: String] {
    get { state.withLock { $0.headers } }
    set { state.withLock { $0.headers = newValue } }
  }

  private func note(_ event: String) { state.withLock { $0.events.append(event) } }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest
  ) -> Bool {
    note("shouldSend")
    return shouldSend
  }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest
  ) {
    note("willSend")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, didCompleteRawTaskForRequest request: URLRequest,
    withData data: Data?, response: URLResponse?, error: (any Error)?
  ) {
    let text = data.map { String(decoding: $0, as: UTF8.self) }
    let code = (error as? NetworkError)?.code.description
    note("completed \(status(response)) \(text ?? "nil") \(code ?? "nil")")
  }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    continueHandler: @escaping @Sendable (HTTPNetworkTransport.ContinueAction) -> Void
  ) {
    note("retry? \(status(response))")
    continueHandler(decide(self, error))
  }

  private func status(_ response: URLResponse?) -> String {
    (response as? HTTPURLResponse).map { String($0.statusCode) } ?? "nil"
  }
}

/// Is asked whether to retry, and says nothing for a while.
private final class Silent: HTTPNetworkTransportRetryDelegate {
  let asked = Signal()
  private let handler = Lock<(@Sendable (HTTPNetworkTransport.ContinueAction) -> Void)?>(nil)

  func answer(_ action: HTTPNetworkTransport.ContinueAction) { handler.get()?(action) }

  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    continueHandler: @escaping @Sendable (HTTPNetworkTransport.ContinueAction) -> Void
  ) {
    handler.withLock { $0 = continueHandler }
    asked.fire()
  }
}

/// Takes no decision, and keeps no handler.
private final class Forgetful: HTTPNetworkTransportRetryDelegate {
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    continueHandler: @escaping @Sendable (HTTPNetworkTransport.ContinueAction) -> Void
  ) {}
}
