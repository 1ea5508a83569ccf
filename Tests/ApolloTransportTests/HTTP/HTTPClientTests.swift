import Foundation
import LoopbackServer
import Testing

import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct HTTPClientTests {
  // MARK: Bodies

  @Test(arguments: ClientKind.allCases) func deliversStatusHeadersAndBody(_ kind: ClientKind)
    async throws
  {
    let server = try LoopbackServer { request, reply in
      reply.json(#"{"data":{}}"#, status: 201, headers: [("X-Trace", "7")])
    }
    defer { server.stop() }
    let response = try await kind.patient().response(to: URLRequest(url: server.url()))
    #expect(response.response.statusCode == 201)
    #expect(response.response.value(forHTTPHeaderField: "X-Trace") == "7")
    #expect(try await String(decoding: response.body(), as: UTF8.self) == #"{"data":{}}"#)
  }

  @Test(arguments: ClientKind.allCases) func deliversChunksAsTheyArrive(_ kind: ClientKind)
    async throws
  {
    let first = Signal()
    let server = try LoopbackServer { _, reply in
      reply.beginChunks()
      reply.chunk("one")
      first.block()
      reply.chunk("two")
      reply.endChunks()
    }
    defer { server.stop() }
    let response = try await kind.patient().response(to: URLRequest(url: server.url()))
    var received = ""
    for try await chunk in response.chunks {
      received += String(decoding: chunk, as: UTF8.self)
      if received == "one" { first.fire() }
    }
    #expect(received == "onetwo")
  }

  @Test(arguments: ClientKind.allCases) func sendsTheBodyOfAPost(_ kind: ClientKind) async throws {
    let server = try LoopbackServer { request, reply in reply.respond(body: request.body) }
    defer { server.stop() }
    let body = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    var request = URLRequest(url: server.url())
    request.httpMethod = "POST"
    request.httpBody = Data(body)
    let response = try await kind.patient().response(to: request)
    #expect(try await [UInt8](response.body()) == body)
  }

  // MARK: Failures

  enum Fault: String, CaseIterable {
    case bodyShorterThanAnnounced, chunkCut, lastChunkMissing, resetInBody, closedBeforeHead,
      notHTTP
  }

  @Test(arguments: ClientKind.allCases, Fault.allCases)
  func reportsABrokenConnection(_ kind: ClientKind, _ fault: Fault) async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    let server = try LoopbackServer { _, reply in
      switch fault {
      case .bodyShorterThanAnnounced:
        reply.send(head + "Content-Length: 100\r\n\r\n{\"data\":{}}")
      case .chunkCut: reply.send(head + "Transfer-Encoding: chunked\r\n\r\n20\r\n{\"data\":")
      case .lastChunkMissing:
        reply.send(head + "Transfer-Encoding: chunked\r\n\r\nb\r\n{\"data\":{}}\r\n")
      case .resetInBody:
        reply.send(head + "Content-Length: 100\r\n\r\n{\"data\":")
        return reply.reset()
      case .closedBeforeHead: break
      case .notHTTP: reply.send("this is not HTTP\r\n")
      }
      reply.close()
    }
    defer { server.stop() }
    let error = await #expect(throws: NetworkError.self) {
      try await kind.patient().response(to: URLRequest(url: server.url())).body()
    }
    #expect(error?.code == (fault == .notHTTP ? .notHTTP : .connectionLost))
  }

  @Test(arguments: ClientKind.allCases) func reportsAPortWhereNobodyListens(_ kind: ClientKind)
    async throws
  {
    let port = try ClosedPort()
    let error = await #expect(throws: NetworkError.self) {
      try await kind.patient().response(to: URLRequest(url: port.url))
    }
    #expect(error?.code == .cannotConnect)
    #expect(
      error?.description
        == "No connection to \(port.url) could be made. Check that the server runs and that the URL's host and port are right."
    )
    withExtendedLifetime(port) {}
  }

  @Test(arguments: ClientKind.allCases) func reportsAHostThatDoesNotExist(_ kind: ClientKind)
    async throws
  {
    let url = try #require(URL(string: "http://user:secret@host.invalid/graphql?token=secret"))
    let error = await #expect(throws: NetworkError.self) {
      try await kind.patient().response(to: URLRequest(url: url))
    }
    #expect(error?.code == .hostNotFound)
    #expect(
      error?.description
        == "The host of http://host.invalid/graphql was not found. Correct the URL, or check the network's name service."
    )
  }

  @Test(arguments: ClientKind.allCases) func reportsAServerThatDoesNotSpeakTLS(_ kind: ClientKind)
    async throws
  {
    let server = try LoopbackServer { _, _ in }
    defer { server.stop() }
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/graphql"))
    let observer = Task {
      await server.wait { $0.acceptedCount > 0 }
      server.stop()
    }
    let error = await #expect(throws: NetworkError.self) {
      try await kind.patient().response(to: URLRequest(url: url))
    }
    await observer.value
    #expect(error?.code == .insecure)
  }

  @Test(arguments: ClientKind.allCases) func stopsAnAnswerThatIsTooLarge(_ kind: ClientKind)
    async throws
  {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks()
      while reply.chunk(String(repeating: "x", count: 1_000)) {}
      reply.close()
    }
    defer { server.stop() }
    let client = kind.patient(limits: TransferLimits(maximumResponseByteCount: 10_000))
    let error = await #expect(throws: NetworkError.self) {
      try await client.response(to: URLRequest(url: server.url())).body()
    }
    #expect(error?.code == .responseTooLarge)
    #expect(
      error?.description
        == "The response of \(server.url()) is larger than the limit of 10000 bytes. Ask for less, or raise `maximumResponseByteCount`."
    )
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test(arguments: ClientKind.allCases) func refusesAnAnswerThatAnnouncesTooMuch(_ kind: ClientKind)
    async throws
  {
    let server = try LoopbackServer { _, reply in
      reply.send("HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n")
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let client = kind.patient(limits: TransferLimits(maximumResponseByteCount: 10_000))
    let error = await #expect(throws: NetworkError.self) {
      try await client.response(to: URLRequest(url: server.url()))
    }
    #expect(error?.code == .responseTooLarge)
    await server.wait { $0.openConnectionCount == 0 }
  }

  // MARK: Cancellation and lifetime

  @Test(arguments: ClientKind.allCases) func cancellingBeforeTheHeadFreesTheConnection(
    _ kind: ClientKind
  ) async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = kind.patient()
    let task = Task { try await client.response(to: URLRequest(url: server.url())) }
    await server.wait { $0.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test(arguments: ClientKind.allCases) func cancellingInTheBodyFreesTheConnection(
    _ kind: ClientKind
  ) async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks()
      reply.chunk("one")
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let client = kind.patient()
    let hasHead = Signal()
    let task = Task {
      defer { hasHead.fire() }  // also if there is no response
      let response = try await client.response(to: URLRequest(url: server.url()))
      hasHead.fire()
      return try await response.body()
    }
    await hasHead.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test(arguments: ClientKind.allCases) func droppingAResponseFreesTheConnection(_ kind: ClientKind)
    async throws
  {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks()
      reply.chunk("one")
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let client = kind.patient()
    let status = try await client.response(to: URLRequest(url: server.url())).response.statusCode
    #expect(status == 200)
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test(arguments: ClientKind.allCases) func aCancelledTaskSendsNothing(_ kind: ClientKind)
    async throws
  {
    let server = try LoopbackServer { _, reply in reply.json("{}") }
    defer { server.stop() }
    let client = kind.patient()
    let cancelled = Signal()
    let task = Task {
      await cancelled.wait()
      return try await client.response(to: URLRequest(url: server.url()))
    }
    task.cancel()
    cancelled.fire()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: ClientKind.allCases) func invalidatingEndsWhatIsUnderWayAndWhatComesLater(
    _ kind: ClientKind
  ) async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = kind.patient()
    let task = Task { try await client.response(to: URLRequest(url: server.url())) }
    await server.wait { $0.requests.count == 1 }
    client.invalidate()
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.code == .invalidated)
    await #expect(throws: NetworkError.self) {
      try await client.response(to: URLRequest(url: server.url()))
    }
    await server.wait { $0.openConnectionCount == 0 }
  }

  /// A session that was invalidated ends the program when it is asked for a task.
  @Test(arguments: ClientKind.allCases) func invalidatingWhileRequestsBeginEndsEachOfThem(
    _ kind: ClientKind
  ) async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}") }
    defer { server.stop() }
    let request = URLRequest(url: server.url())
    for _ in 0..<200 {
      let client = kind.patient()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            do {
              _ = try await client.response(to: request).body()
            } catch {
              #expect((error as? NetworkError)?.code == .invalidated, "\(error)")
            }
          }
        }
        group.addTask { client.invalidate() }
      }
    }
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test(arguments: ClientKind.allCases) func aReleasedClientClosesItsConnections(_ kind: ClientKind)
    async throws
  {
    let server = try LoopbackServer { _, reply in reply.json("{}") }
    defer { server.stop() }
    weak var released: (any HTTPClient)?
    do {
      let client = kind.patient()
      released = client
      _ = try await client.response(to: URLRequest(url: server.url())).body()
    }
    await server.wait { $0.acceptedCount == 1 && $0.openConnectionCount == 0 }
    #expect(released == nil)
  }

  @Test(arguments: ClientKind.allCases) func aThousandRequestsAtOnceAllFinish(_ kind: ClientKind)
    async throws
  {
    let server = try LoopbackServer { request, reply in
      reply.respond(body: [UInt8](request.target.utf8))
    }
    defer { server.stop() }
    let client = kind.patient()
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<1_000 {
        group.addTask {
          let response = try await client.response(to: URLRequest(url: server.url("/\(index)")))
          return try await String(decoding: response.body(), as: UTF8.self)
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(answers == Set((0..<1_000).map { "/\($0)" }))
  }
}
