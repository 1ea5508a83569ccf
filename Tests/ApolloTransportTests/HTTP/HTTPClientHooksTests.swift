import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The hooks of both clients: the same overrides compile against each.
@Suite(.timeLimit(.minutes(10)))
struct HTTPClientHooksTests {
  /// The events of one client. `@unchecked Sendable` because they are behind a lock.
  private final class DefaultClient: DefaultHTTPClient, @unchecked Sendable {
    let events = Lock<[String]>([])

    override func authorize(
      _ request: URLRequest, after response: HTTPURLResponse
    ) async throws -> URLRequest? {
      var request = request
      request.setValue("new", forHTTPHeaderField: "Authorization")
      return request
    }
    override func redirect(
      _ request: URLRequest, after response: HTTPURLResponse
    ) async throws -> URLRequest? { redirected(request, events) }
    override func didReceive(_ response: HTTPURLResponse, to request: URLRequest) {
      events.withLock { $0.append("head \(response.statusCode)") }
    }
    override func didReceive(_ bytes: Data, of request: URLRequest) {
      events.withLock { $0.append("body \(String(decoding: bytes, as: UTF8.self))") }
    }
    override func didComplete(_ request: URLRequest, with error: (any Error)?) {
      completed(error, events)
    }
  }

  private final class SessionClient: URLSessionClient, @unchecked Sendable {
    let events = Lock<[String]>([])

    override func authorize(
      _ request: URLRequest, after response: HTTPURLResponse
    ) async throws -> URLRequest? {
      var request = request
      request.setValue("new", forHTTPHeaderField: "Authorization")
      return request
    }
    override func redirect(
      _ request: URLRequest, after response: HTTPURLResponse
    ) async throws -> URLRequest? { redirected(request, events) }
    override func didReceive(_ response: HTTPURLResponse, to request: URLRequest) {
      events.withLock { $0.append("head \(response.statusCode)") }
    }
    override func didReceive(_ bytes: Data, of request: URLRequest) {
      events.withLock { $0.append("body \(String(decoding: bytes, as: UTF8.self))") }
    }
    override func didComplete(_ request: URLRequest, with error: (any Error)?) {
      completed(error, events)
    }
  }

  /// A client that notes for each hook whether it runs inside of an upload. `@unchecked Sendable`
  /// because the notes are behind a lock.
  private final class UploadingClient: DefaultHTTPClient, @unchecked Sendable {
    let areInside = Lock<[Bool]>([])

    private func note() {
      let isInside = UploadProgressReporter.current != nil
      areInside.withLock { $0.append(isInside) }
    }

    override func authorize(
      _ request: URLRequest, after response: HTTPURLResponse
    ) async throws -> URLRequest? {
      note()
      var request = request
      request.setValue("new", forHTTPHeaderField: "Authorization")
      return request
    }
    override func redirect(
      _ request: URLRequest, after response: HTTPURLResponse
    ) async throws -> URLRequest? {
      note()
      return request
    }
    override func didReceive(_ response: HTTPURLResponse, to request: URLRequest) { note() }
    override func didReceive(_ bytes: Data, of request: URLRequest) { note() }
    override func didComplete(_ request: URLRequest, with error: (any Error)?) { note() }
  }

  private static func client(_ kind: ClientKind) -> (any HTTPClient, Lock<[String]>) {
    switch kind {
    case .platform:
      let client = DefaultClient()
      return (client, client.events)
    #if CURL
      case .session:
        let client = SessionClient()
        return (client, client.events)
    #endif
    }
  }

  @Test(
    arguments: ClientKind.allCases,
    [
      ("/", ["head 200", "body done", "end"], "done"),
      ("/locked", ["head 200", "body new", "end"], "new"),
      ("/moved", ["redirect /", "head 200", "body done", "end"], "done"),
      ("/stays", ["redirect /refused", "head 307", "end"], ""),
      ("/leaves", ["redirect /leaving", "failed redirectRefused"], nil),
      ("/cut", ["head 200", "failed connectionLost"], nil),
      ("/closed", ["failed connectionLost"], nil),
    ] as [(String, [String], String?)])
  func areCalledInTheOrderOfTheEvents(
    _ kind: ClientKind, _ expected: (path: String, events: [String], body: String?)
  ) async throws {
    let server = try LoopbackServer { request, reply in
      switch request.path {
      case "/locked":
        let token = request.headers["authorization"]
        reply.respond(token == nil ? 401 : 200, body: Array((token ?? "no").utf8))
      case "/moved": reply.respond(307, headers: [("Location", "/")])
      case "/stays": reply.respond(307, headers: [("Location", "/refused")])
      case "/leaves": reply.respond(307, headers: [("Location", "/leaving")])
      case "/cut":
        reply.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        reply.close()
      case "/closed": reply.close()
      default: reply.respond(body: Array("done".utf8))
      }
    }
    defer { server.stop() }
    let (client, events) = Self.client(kind)
    let body = try? await client.response(to: URLRequest(url: server.url(expected.path))).body()
    #expect(body.map { String(decoding: $0, as: UTF8.self) } == expected.body)
    #expect(events.get() == expected.events)
  }

  /// A hook may send requests of its own, such as for a token, whose bodies are no part of the
  /// upload.
  @Test func hooksRunOutsideOfTheUpload() async throws {
    let server = try LoopbackServer { request, reply in
      switch (request.path, request.headers["authorization"]) {
      case ("/moved", _): reply.respond(body: Array("done".utf8))
      case (_, nil): reply.respond(401)
      default: reply.respond(307, headers: [("Location", "/moved")])
      }
    }
    defer { server.stop() }
    let client = UploadingClient()
    let reporter = UploadProgressReporter { _ in }
    let body = try await UploadProgressReporter.$current.withValue(reporter) {
      try await client.response(to: URLRequest(url: server.url())).body()
    }
    #expect(String(decoding: body, as: UTF8.self) == "done")
    #expect(client.areInside.get() == [false, false, false, false, false])
  }

  #if CURL
    /// An unread body of a rejection holds no connection.
    @Test(arguments: [10, 1 << 20])
    func anAuthorizedRequestDoesNotWaitForTheConnectionOfTheRejection(
      byteCount: Int
    ) async throws {
      let page = Array(repeating: UInt8(ascii: "x"), count: byteCount)
      let server = try LoopbackServer { request, reply in
        let isNew = request.headers["authorization"] == "new"
        reply.respond(isNew ? 200 : 401, body: isNew ? [] : page)
      }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.maximumConnectionCountPerHost = 1
      let client = DefaultClient(
        configuration: configuration, limits: TransferLimits(deadline: nil))
      let response = try await client.response(to: URLRequest(url: server.url()))
      #expect(response.response.statusCode == 200)
    }
  #endif

  @Test(arguments: ClientKind.allCases)
  func aResponseThatIsReleasedEndsAsCancelled(_ kind: ClientKind) async throws {
    let server = try LoopbackServer { _, reply in reply.respond(body: Array("done".utf8)) }
    defer { server.stop() }
    let (client, events) = Self.client(kind)
    _ = try await client.response(to: URLRequest(url: server.url()))
    #expect(events.get() == ["head 200", "cancelled"])
  }
}

private func redirected(_ request: URLRequest, _ events: Lock<[String]>) -> URLRequest? {
  let path = request.url?.path ?? ""
  events.withLock { $0.append("redirect \(path)") }
  if path == "/refused" { return nil }
  var request = request
  if path == "/leaving" { request.url = URL(string: "http://127.0.0.2:9/") }
  return request
}

private func completed(_ error: (any Error)?, _ events: Lock<[String]>) {
  let event =
    switch error {
    case nil: "end"
    case is CancellationError: "cancelled"
    case let error as NetworkError: "failed \(error.code)"
    case .some(let error): "failed \(error)"
    }
  events.withLock { $0.append(event) }
}
