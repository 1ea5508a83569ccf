import ApolloAPI
import Foundation
import LoopbackServer
import TestOperations
import Testing

@testable import ApolloTransport

/// Responses of servers and proxies that are unusual, and that say what they mean all the same.
@Suite(.timeLimit(.minutes(10)))
struct OddServersMeetingTests {
  // MARK: Incremental delivery

  private func lacksElements(_ parts: [String]) throws -> Bool {
    var assembler = ResponseAssembler(
      framing: .messages, content: .response, maximumPartByteCount: 1 << 20)
    var last = Data()
    for part in parts {
      assembler.append(Data(part.utf8))
      while let body = try assembler.next() { last = body }
    }
    try assembler.finish()
    return assembler.response(last).lacksElements
  }

  /// An empty list of errors is read as an absent one wherever a response has it.
  @Test(arguments: [
    (#"{"completed":[{"id":"0"}],"hasNext":false}"#, false),
    (#"{"completed":[{"id":"0","errors":null}],"hasNext":false}"#, false),
    (#"{"completed":[{"id":"0","errors":[]}],"hasNext":false}"#, false),
    (#"{"completed":[{"id":"0","errors":[{"message":"no"}]}],"hasNext":false}"#, true),
  ])
  func aListThatIsCompletedWithoutErrorsIsWhole(_ last: String, _ isShort: Bool) throws {
    let lacksElements = try lacksElements([
      #"{"data":{"list":[1]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","items":[2]}],"hasNext":true}"#, last,
    ])
    #expect(lacksElements == isShort)
  }

  /// An object without members is a heartbeat. More parts are still announced.
  @Test func aHeartbeatDoesNotEndAResponse() throws {
    var merger = IncrementalMerger()
    try merger.merge(Data(#"{"data":{"list":[1]},"hasNext":true}"#.utf8))
    try merger.merge(Data("{}".utf8))
    let error = #expect(throws: ResponseStreamError.self) { try merger.finish() }
    #expect(error?.kind == .truncated)
    try merger.merge(
      Data(#"{"incremental":[{"path":["list",1],"items":[2]}],"hasNext":false}"#.utf8))
    try merger.finish()
    let body = merger.body()
    #expect(try JSONValue(jsonBytes: body)["data"]?["list"] == [1, 2])
  }

  /// Some servers write every member, and null for those that a part does not have.
  @Test(arguments: [
    #"{"data":null,"errors":null,"incremental":[{"path":["a"],"data":{"x":1}}],"hasNext":false}"#,
    #"{"incremental":[{"path":["a"],"data":{"x":1},"items":null,"errors":null}],"hasNext":false}"#,
    #"{"pending":null,"completed":null,"extensions":null,"incremental":[{"path":["a"],"data":{"x":1}}],"hasNext":false}"#,
  ])
  func aMemberThatIsNullIsAbsent(_ part: String) throws {
    var merger = IncrementalMerger()
    try merger.merge(Data(#"{"data":{"a":{}},"hasNext":true}"#.utf8))
    try merger.merge(Data(part.utf8))
    try merger.finish()
    let body = merger.body()
    #expect(try JSONValue(jsonBytes: body)["data"]?["a"]?["x"] == 1)
  }

  private static let deferred = [
    #"{"data":{"hero":{"id":"1"}},"hasNext":true}"#,
    #"{"incremental":[{"path":["hero"],"data":{"name":"Luke"}}],"hasNext":false}"#,
  ]

  /// `hasNext: false` is the end of a response, as over a WebSocket, whether or not the end of its
  /// format arrives.
  @Test(arguments: ["multipart/mixed; boundary=-", "text/event-stream"])
  func theLastPartEndsAResponseWhoseConnectionIsLost(_ type: String) async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: type)
      if type == "text/event-stream" {
        for part in Self.deferred { reply.chunk("event: next\ndata: \(part)\n\n") }
      } else {
        reply.chunk("\r\n---")
        for part in Self.deferred { reply.chunk("\r\n\(Self.header)\r\n\r\n\(part)\r\n---") }
      }
      reply.close()
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let responses = transport.responses(to: OperationRequest(HeroAPI.DeferredHeroQuery()))
    let body = try #require(try await responses.last()?.body)
    #expect(try JSONValue(jsonBytes: body)["data"]?["hero"]?["name"] == "Luke")
  }

  // MARK: Multipart

  /// The bodies of the events of a subscription, and the error at its end.
  private func events(_ text: String) -> (bodies: [String], error: ResponseStreamError?) {
    var assembler = ResponseAssembler(
      framing: .multipart(boundary: "graphql"), content: .events, maximumPartByteCount: 1 << 20)
    var bodies: [String] = []
    assembler.append(Data(text.utf8))
    do throws(ResponseStreamError) {
      while let body = try assembler.next() { bodies.append(String(decoding: body, as: UTF8.self)) }
      try assembler.finish()
      return (bodies, nil)
    } catch {
      return (bodies, error)
    }
  }

  private static let header = "Content-Type: application/json"

  /// No error is no end.
  @Test func anEmptyListOfErrorsDoesNotEndASubscription() {
    let parts = [
      #"{"payload":{"data":{"n":1}},"errors":[]}"#, #"{"payload":null,"errors":[]}"#,
      #"{"payload":{"data":{"n":2}}}"#,
    ]
    let text = parts.map { "\r\n--graphql\r\n\(Self.header)\r\n\r\n\($0)" }.joined()
    let (bodies, error) = events("\(text)\r\n--graphql--\r\n")
    #expect(bodies == [#"{"data":{"n":1}}"#, #"{"data":{"n":2}}"#])
    #expect(error == nil)
  }

  /// It is empty with and without headers.
  @Test func aPartWithHeadersAndNoContentIsSkipped() {
    let event = #"{"payload":{"data":{"n":1}}}"#
    let text =
      "--graphql\r\n\(Self.header)\r\n\r\n\r\n--graphql\r\n\(Self.header)\r\n\r\n\(event)\r\n--graphql\r\n\(Self.header)\r\n\r\n \r\n--graphql--"
    let (bodies, error) = events(text)
    #expect(bodies == [#"{"data":{"n":1}}"#])
    #expect(error == nil)
  }

  // MARK: Byte order marks

  /// The body of a success may begin with one, and so may any other.
  @Test func aByteOrderMarkHidesNoErrorsAndNoData() {
    let body = #"\#u{FEFF}{"data":{"hero":null},"errors":[{"message":"no"}]}"#
    let outline = ResponseOutline(Data(body.utf8))
    #expect(outline.errors.map(\.message) == ["no"])
    #expect(outline.hasData)
  }

  @Test func aByteOrderMarkHidesNoElementsOfABatch() {
    let body = Data(#"\#u{FEFF}[{"data":1},{"data":2}]"#.utf8)
    let results = BatchResponse.bodies(in: body, queryCount: 2, url: nil).map { try? $0.get() }
    #expect(results == [Data(#"{"data":1}"#.utf8), Data(#"{"data":2}"#.utf8)])
  }

  @Test func aByteOrderMarkHidesNoStepOfPersistedQueries() async throws {
    let server = try LoopbackServer { request, reply in
      let hasText = request.bodyText.contains(#""query""#)
      reply.json(
        hasText
          ? #"{"data":{}}"# : #"\#u{FEFF}{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    let response = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    #expect(response.body == Data(#"{"data":{}}"#.utf8))
    #expect(server.requests.count == 2)
  }

  // MARK: Types

  /// A proxy adds the header that the server has sent (RFC 9110, section 8.3), or a server names no
  /// charset.
  @Test(arguments: [
    "application/json, application/json", "application/json,application/json; charset=utf-8",
    "application/json; charset=",
  ])
  func jsonIsJSONWhateverIsAddedToItsType(_ type: String) async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{}}"#, type: type) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let response = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    #expect(response.body == Data(#"{"data":{}}"#.utf8))
  }

  // MARK: Errors

  /// Some languages have no integers, and write 1.0 for the index 1.
  @Test func anIndexMayBeWrittenAsAFraction() {
    let body = #"{"errors":[{"message":"no","path":["list",1.0,"name"]}]}"#
    #expect(ResponseOutline(Data(body.utf8)).errors.first?.path == ["list", 1, "name"])
  }

  /// One character can have any number of combining marks.
  @Test func aShortenedTextIsShortInBytes() {
    let text = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(text.shortened.utf8.count < 2_000)
    let error = ResponseStreamError(.malformedPart, text)
    #expect(error.description.utf8.count < 3_000)
  }

  // MARK: Compression

  #if CURL
    /// A server that flushes each message ends a member of gzip with it (RFC 1952, section 2.2).
    /// A chunk can end anywhere, also between two members.
    @Test func theNextMemberOfGzipMayArriveLater() throws {
      let member = CompressionTests.bodies[0].bytes
      let decoder = try ContentDecoder("gzip")
      var output = Data()
      for _ in 1...3 {
        try member.withUnsafeBytes {
          try decoder.decode($0, limit: 1_000) { output.append(contentsOf: $0) }
        }
        #expect(decoder.isComplete)
      }
      let text = String(decoding: output, as: UTF8.self)
      #expect(text == String(repeating: CompressionTests.text, count: 3))
    }
  #endif
}
