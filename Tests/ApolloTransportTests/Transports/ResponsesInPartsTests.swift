import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResponsesInPartsTests {
  private static let parts = [
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke"}},"pending":[{"id":"0","path":["hero"],"label":"slow"}],"hasNext":true}"#,
    #"{"incremental":[{"id":"0","data":{"friends":[]}}],"completed":[{"id":"0"}],"hasNext":false}"#,
  ]
  private static let bodies = [
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke"}}}"#,
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":[]}}}"#,
  ]

  private static func framed(_ part: String) -> String {
    "\r\ncontent-type: application/json\r\n\r\n\(part)\r\n---"
  }

  private func bodies(of responses: NetworkResponses) async throws -> [String] {
    var bodies: [String] = []
    for try await response in responses {
      bodies.append(String(decoding: response.body, as: UTF8.self))
    }
    return bodies
  }

  private func transport(
    _ server: LoopbackServer, _ kind: ClientKind, apq: Bool = false
  ) -> HTTPNetworkTransport {
    HTTPNetworkTransport(
      url: server.url(), client: kind.patient(), enableAutoPersistedQueries: apq)
  }

  /// The second part is sent only when the first one has been received.
  @Test(arguments: ClientKind.allCases)
  func deliversEachPartAsItArrives(_ kind: ClientKind) async throws {
    let received = Signal()
    let server = try LoopbackServer { request, reply in
      #expect(
        request.headers["accept"]
          == "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json;q=0.9"
      )
      reply.beginChunks(type: #"multipart/mixed; boundary="-"; incrementalSpec=v0.2"#)
      reply.chunk("\r\n---" + Self.framed(Self.parts[0]))
      received.block()
      reply.chunk(Self.framed(Self.parts[1]) + "--\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let responses = transport(server, kind).responses(
      to: OperationRequest(HeroAPI.DeferredHeroQuery()))
    var bodies: [String] = []
    for try await response in responses {
      bodies.append(String(decoding: response.body, as: UTF8.self))
      #expect(response.http?.statusCode == 200)
      received.fire()
    }
    #expect(bodies == Self.bodies)
  }

  /// A server that sends all parts at once.
  private static func serverOfParts() throws -> LoopbackServer {
    try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      reply.chunk("\r\n---" + Self.parts.map(Self.framed).joined() + "--\r\n")
      reply.endChunks()
    }
  }

  /// A mutation with a file, whose response may come in parts.
  private struct StreamUpload: GraphQLMutation {
    typealias Data = HeroAPI.HeroQuery.Data
    static let operationName = "StreamUpload"
    static let __selections = HeroAPI.HeroQuery.__selections
    static let operationDocument = OperationDocument(
      definition: .init(
        "mutation StreamUpload($file: Upload!) { add(file: $file) { friends @stream { name } } }"))
    var __variables: Variables? { ["file": "a"] }
  }

  @Test func mergesAllPartsForAnUpload() async throws {
    let server = try Self.serverOfParts()
    defer { server.stop() }
    let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("a".utf8))
    let response = try await transport(server, .platform).upload(
      OperationRequest(StreamUpload()), files: [file])
    #expect(String(decoding: response.body, as: UTF8.self) == Self.bodies[1])
    let accept = server.requests.first?.headers["accept"]
    #expect(
      accept?.hasPrefix("multipart/mixed;incrementalSpec=v0.2, ") == true,
      "Servers refuse the directive otherwise.")
  }

  @Test func mergesAllPartsForOneResponse() async throws {
    let server = try Self.serverOfParts()
    defer { server.stop() }
    let response = try await transport(server, .platform).send(
      OperationRequest(HeroAPI.DeferredHeroQuery()))
    #expect(String(decoding: response.body, as: UTF8.self) == Self.bodies[1])
  }

  @Test func endsAtTheLastBoundaryAlthoughTheConnectionStaysOpen() async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      reply.chunk("\r\n---" + Self.parts.map(Self.framed).joined() + "--\r\n")
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let responses = transport(server, .platform).responses(
      to: OperationRequest(HeroAPI.DeferredHeroQuery()))
    #expect(try await bodies(of: responses) == Self.bodies)
  }

  @Test func acceptsAnOrdinaryResponseToAnOperationWithDefer() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.bodies[1]) }
    defer { server.stop() }
    let responses = transport(server, .platform).responses(
      to: OperationRequest(HeroAPI.DeferredHeroQuery()))
    #expect(try await bodies(of: responses) == [Self.bodies[1]])
  }

  @Test func reportsALostConnectionAfterWhatHadArrived() async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      reply.chunk("\r\n---" + Self.framed(Self.parts[0]) + "\r\ncontent-type")
      reply.close()
    }
    defer { server.stop() }
    var iterator = transport(server, .platform)
      .responses(to: OperationRequest(HeroAPI.DeferredHeroQuery())).makeAsyncIterator()
    #expect(
      try await iterator.next().map { String(decoding: $0.body, as: UTF8.self) } == Self.bodies[0])
    let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
    #expect(error?.code == .connectionLost)
    #expect(try await iterator.next() == nil)
  }

  @Test func reportsAnErrorResponseToAnOperationWithDefer() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"errors":[{"message":"no"}]}"#, status: 400)
    }
    defer { server.stop() }
    let responses = transport(server, .platform).responses(
      to: OperationRequest(HeroAPI.DeferredHeroQuery()))
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await bodies(of: responses)
    }
    #expect(error?.graphQLErrors.map(\.message) == ["no"])
  }

  @Test func sendsThePersistedQueryAgainBeforeTheParts() async throws {
    let server = try LoopbackServer { request, reply in
      guard String(decoding: request.body, as: UTF8.self).contains(#""query""#) else {
        return reply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
      }
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      reply.chunk("\r\n---" + Self.parts.map(Self.framed).joined() + "--\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let responses = transport(server, .platform, apq: true)
      .responses(to: OperationRequest(HeroAPI.DeferredHeroQuery()))
    #expect(try await bodies(of: responses) == Self.bodies)
  }

  // MARK: Subscriptions

  private static let events = [
    #"{"data":{"heroChanged":{"__typename":"Hero","id":"1","name":"Luke"}}}"#,
    #"{"data":{"heroChanged":null},"errors":[{"message":"gone"}]}"#,
  ]

  @Test(arguments: ClientKind.allCases)
  func receivesASubscriptionOverMultipartHTTP(_ kind: ClientKind) async throws {
    let server = try LoopbackServer { request, reply in
      #expect(
        request.headers["accept"]
          == "multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json, application/json;q=0.9"
      )
      reply.beginChunks(type: "multipart/mixed;boundary=-;subscriptionSpec=1.0,application/json")
      let parts = [
        "{}", #"{"payload":\#(Self.events[0])}"#, "{}", #"{"payload":\#(Self.events[1])}"#,
      ]
      for part in parts { reply.chunk(Self.framed(part)) }
      reply.chunk("--\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let request = OperationRequest(HeroAPI.HeroChangedSubscription())
    #expect(try await bodies(of: transport(server, kind).responses(to: request)) == Self.events)
  }

  @Test(arguments: ClientKind.allCases)
  func receivesASubscriptionOverServerSentEvents(_ kind: ClientKind) async throws {
    let server = try LoopbackServer { request, reply in
      #expect(request.headers["accept"]?.hasPrefix("text/event-stream, ") == true)
      reply.beginChunks(type: "text/event-stream; charset=utf-8")
      for event in Self.events {
        reply.chunk(": ping\r\n\r\nevent: next\r\ndata: \(event)\r\n\r\n")
      }
      reply.chunk("event: complete\r\ndata: \r\n\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let transport = transport(server, kind)
    transport.subscriptionFormat = .serverSentEvents
    let request = OperationRequest(HeroAPI.HeroChangedSubscription())
    #expect(try await bodies(of: transport.responses(to: request)) == Self.events)
  }

  @Test(arguments: ClientKind.allCases)
  func aSubscriptionHasNoLimitInTotal(_ kind: ClientKind) async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: "text/event-stream")
      for _ in 0..<100 { reply.chunk("data: \(Self.events[0])\n\n") }
      reply.chunk("event: complete\n\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let limits = TransferLimits(maximumResponseByteCount: 1_000)
    let transport = HTTPNetworkTransport(url: server.url(), client: kind.patient(limits: limits))
    let request = OperationRequest(HeroAPI.HeroChangedSubscription())
    #expect(try await bodies(of: transport.responses(to: request)).count == 100)
  }

  @Test func reportsASubscriptionThatEndsWithoutACompletion() async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: "text/event-stream")
      reply.chunk("data: \(Self.events[0])\n\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let request = OperationRequest(HeroAPI.HeroChangedSubscription())
    let error = await #expect(throws: ResponseStreamError.self) {
      try await bodies(of: transport(server, .platform).responses(to: request))
    }
    #expect(error?.kind == .truncated)
  }

  @Test(arguments: ClientKind.allCases)
  func releasingTheIteratorEndsTheRequest(_ kind: ClientKind) async throws {
    let hasClosed = Signal()
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: "text/event-stream")
      reply.chunk("data: \(Self.events[0])\n\n")
      reply.waitForClientToClose()
      hasClosed.fire()
    }
    defer { server.stop() }
    let request = OperationRequest(HeroAPI.HeroChangedSubscription())
    let transport = transport(server, kind)
    for try await _ in transport.responses(to: request) { break }
    await hasClosed.wait()
    #expect(server.requests.count == 1)
  }
}
