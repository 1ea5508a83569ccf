import ApolloAPI
import ApolloTransport
import Foundation
import ScriptedSocket
import TestOperations
import Testing

@testable import ApolloWebSocket

/// Responses in parts over a WebSocket.
@Suite(.timeLimit(.minutes(10)))
struct IncrementalDeliveryTests {
  private let server = ScriptedServer()
  private let request = OperationRequest(HeroAPI.DeferredHeroQuery())
  private static let hero = #""hero":{"__typename":"Hero","id":"1","name":"Luke""#

  /// The parts of each format, and the whole response. The last one is what graphql-core 3.3.2
  /// sends, with members of both formats.
  private static let formats = [
    (
      [
        #"{"data":{\#(hero)}},"pending":[{"id":"0","path":["hero"],"label":null}],"hasNext":true,"extensions":null}"#,
        #"{"hasNext":false,"incremental":[{"id":"0","path":["hero"],"label":null,"data":{"friends":null},"extensions":null}],"completed":[{"id":"0"}],"extensions":null}"#,
      ], #"{"data":{\#(hero),"friends":null}},"extensions":null}"#
    ),
    (
      [
        #"{"data":{\#(hero)}},"pending":[{"id":"0","path":["hero"],"label":"slow"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"friends":null}}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ], #"{"data":{\#(hero),"friends":null}}}"#
    ),
    (
      [
        #"{"data":{\#(hero)}},"hasNext":true}"#,
        #"{"incremental":[{"path":["hero"],"label":"slow","data":{"friends":null}}],"hasNext":false}"#,
      ], #"{"data":{\#(hero),"friends":null}}}"#
    ),
  ]

  @Test(arguments: formats)
  func mergesThePartsOfAResponse(_ parts: [String], _ whole: String) async throws {
    let transport = try server.transport()
    let results = try transport.results(of: request)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliverPart(parts[0])
    let first = try await results.nextResponse()?.text
    #expect(first?.hasPrefix(#"{"data":{\#(Self.hero)}}"#) == true)
    connection.deliverPart(parts[1])
    #expect(try await results.nextResponse()?.text == whole)
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    #expect(try await results.nextResponse() == nil)
  }

  @Test(arguments: formats)
  func returnsTheWholeResponseOfACall(_ parts: [String], _ whole: String) async throws {
    let transport = try server.transport()
    async let response = transport.send(request)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    for part in parts { connection.deliverPart(part) }
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    #expect(try await response.text == whole)
  }

  /// The time between two parts is that of the reader, who may take as long as they like.
  @Test func theTimeOfTheReaderDoesNotCount() async throws {
    let transport = try server.transport(.init(pingInterval: nil))
    let parts = Self.formats[1].0
    let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
    let (readings, resume) = AsyncStream.makeStream(of: Void.self)
    let reader = Task { [request] in
      var texts: [String] = []
      for try await response in transport.responses(to: request) {
        texts.append(response.text)
        pause.yield()
        for await _ in readings { break }
      }
      return texts
    }
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliverPart(parts[0])
    for await _ in pauses { break }
    connection.deliverPart(parts[1])
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    server.time.advance(to: .seconds(121))
    resume.finish()
    #expect(try await reader.value.last == Self.formats[1].1)
  }

  /// The last part ends a response: the connection may end before `complete`, and a server of the
  /// legacy protocol sends none.
  @Test(arguments: formats, WebSocketSubprotocol.allCases)
  func endsWithTheLastPart(
    _ format: ([String], String), _ subprotocol: WebSocketSubprotocol
  ) async throws {
    let (parts, whole) = format
    for isLost in [false, true] {
      let server = ScriptedServer()
      let transport = try server.transport()
      async let response = transport.send(request)
      let connection = try await server.accept(subprotocol)
      _ = try await connection.nextText()
      for part in parts { connection.deliverPart(part, in: subprotocol) }
      if isLost { connection.end(1006, origin: .network) }
      #expect(try await response.text == whole)
    }
  }

  /// `@stream`, which generated code does not announce.
  @Test(arguments: WebSocketSubprotocol.allCases, [false, true])
  func mergesTheItemsOfAStream(
    _ subprotocol: WebSocketSubprotocol, isOfNewFormat: Bool
  ) async throws {
    let parts =
      isOfNewFormat
      ? [
        #"{"data":{"list":[1]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","items":[2,3]}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ]
      : [
        #"{"data":{"list":[1]},"hasNext":true}"#,
        #"{"incremental":[{"path":["list",1],"items":[2,3]}],"hasNext":false}"#,
      ]
    let transport = try server.transport()
    let query = OperationRequest(HeroAPI.HeroQuery())
    async let response = transport.send(query)
    let connection = try await server.accept(subprotocol)
    _ = try await connection.nextText()
    for part in parts { connection.deliverPart(part, in: subprotocol) }
    #expect(try await response.text == #"{"data":{"list":[1,2,3]}}"#)
  }

  @Test func failsAStreamThatIsCutOff() async throws {
    let transport = try server.transport()
    let call = Task { try await transport.send(heroQuery) }
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliverPart(
      #"{"data":{"list":[1]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#)
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    let error = await #expect(throws: ResponseStreamError.self) { try await call.value }
    #expect(error?.kind == .truncated)
  }

  /// The options for slow consumers of subscriptions have no effect on a query.
  @Test func keepsAllPartsWhateverTheBufferOfSubscriptionsIs() async throws {
    var configuration = WebSocketTransport.Configuration()
    configuration.resultBuffer = ResultBufferPolicy(maximumCount: 1, overflow: .fail)
    for operation in [request, heroQuery] {
      let server = ScriptedServer()
      let transport = try server.transport(configuration)
      let results = try transport.results(of: operation)
      let connection = try await server.accept()
      _ = try await connection.nextText()
      connection.deliverPart(
        #"{"data":{"list":[]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#)
      for number in 1...300 {
        connection.deliverPart(#"{"incremental":[{"id":"0","items":[\#(number)]}],"hasNext":true}"#)
      }
      connection.deliverPart(#"{"completed":[{"id":"0"}],"hasNext":false}"#)
      var last = ""
      while let response = try await results.nextResponse() { last = response.text }
      let list = try JSONValue(jsonBytes: Data(last.utf8))["data"]?["list"]?.arrayValue
      #expect(list?.count == 300)
    }
  }

  @Test func acceptsAResponseThatIsNotInParts() async throws {
    for subprotocol in WebSocketSubprotocol.allCases {
      let server = ScriptedServer()
      let transport = try server.transport()
      async let response = transport.send(request)
      let connection = try await server.accept(subprotocol)
      _ = try await connection.nextText()
      let type = subprotocol == .graphqlWS ? "data" : "next"
      connection.deliver(#"{"id":"1","type":"\#(type)","payload":{"data":{"hero":null}}}"#)
      if subprotocol == .graphqlTransportWS {
        connection.deliver(#"{"id":"1","type":"complete"}"#)
      }
      #expect(try await response.text == #"{"data":{"hero":null}}"#)
    }
  }

  @Test func reportsPartsThatAreMissing() async throws {
    let (parts, _) = Self.formats[0]
    let transport = try server.transport()
    let call = Task { [request] in try await transport.send(request) }
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliverPart(parts[0])
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    let error = await #expect(throws: ResponseStreamError.self) { try await call.value }
    #expect(error?.kind == .truncated)
  }

  @Test func deliversWhatArrivedBeforeALoss() async throws {
    let (parts, _) = Self.formats[1]
    let transport = try server.transport()
    let results = try transport.results(of: request)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliverPart(parts[0])
    connection.end(1006, origin: .network)
    #expect(try await results.nextResponse()?.text == #"{"data":{\#(Self.hero)}}}"#)
    let error = await #expect(throws: WebSocketError.self) {
      try await results.nextResponse()
    }
    #expect(error?.code == .connectionLost)
    #expect(server.connector.attemptCount == 1, "a response is not asked for again")
  }

  /// No part is dropped, however slow the consumer is, and a thousand parts that have arrived
  /// together are not a thousand responses.
  @Test func keepsEveryPartForASlowConsumer() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: request)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliverPart(
      #"{"data":{"list":[]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#)
    #expect(try await results.nextResponse()?.text == #"{"data":{"list":[]}}"#)
    let padding = String(repeating: "x", count: 100)
    for number in 1...1_000 {
      connection.deliverPart(
        #"{"incremental":[{"id":"0","items":["\#(number)\#(padding)"]}],"hasNext":true}"#)
    }
    connection.deliverPart(#"{"completed":[{"id":"0"}],"hasNext":false}"#)
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    var last = ""
    var count = 0
    while let response = try await results.nextResponse() {
      last = response.text
      count += 1
    }
    let list = try JSONValue(jsonBytes: Data(last.utf8))["data"]?["list"]?.arrayValue
    #expect(list?.count == 1_000)
    #expect(list?.last?.stringValue == "1000\(padding)")
    #expect(count < 1_000)
  }
}

extension ScriptedConnection {
  fileprivate func deliverPart(
    _ part: String, in subprotocol: WebSocketSubprotocol = .graphqlTransportWS
  ) {
    let type = subprotocol == .graphqlWS ? "data" : "next"
    deliver(#"{"id":"1","type":"\#(type)","payload":\#(part)}"#)
  }
}

extension NetworkResponse {
  fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
