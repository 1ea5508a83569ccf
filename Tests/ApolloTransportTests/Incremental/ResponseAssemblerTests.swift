import ApolloAPI
import ApolloTransport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResponseAssemblerTests {
  private struct Outcome: Equatable {
    var bodies: [String] = []
    var error: ResponseStreamError?

    init(_ chunks: [Data], _ assembler: ResponseAssembler) {
      var assembler = assembler
      do throws(ResponseStreamError) {
        for chunk in chunks {
          assembler.append(chunk)
          while let body = try assembler.next() {
            bodies.append(String(decoding: body, as: UTF8.self))
          }
        }
        try assembler.finish()
      } catch {
        self.error = error
      }
    }
  }

  private func assembler(
    _ framing: ResponseAssembler.Framing = .multipart(boundary: "-"),
    _ content: PartsContent = .response
  ) -> ResponseAssembler {
    ResponseAssembler(framing: framing, content: content, maximumPartByteCount: 1 << 20)
  }

  private static func multipart(_ parts: [String], boundary: String = "-") -> String {
    parts.map { "\r\n--\(boundary)\r\ncontent-type: application/json\r\n\r\n\($0)" }.joined()
      + "\r\n--\(boundary)--\r\n"
  }

  private static let parts = [
    #"{"data":{"a":1,"l":[]},"pending":[{"id":"0","path":["l"]}],"hasNext":true}"#,
    #"{"incremental":[{"id":"0","items":[1]}],"hasNext":true}"#,
    #"{"incremental":[{"id":"0","items":[2]}],"completed":[{"id":"0"}],"hasNext":false}"#,
  ]
  private static let bodies = [
    #"{"data":{"a":1,"l":[]}}"#, #"{"data":{"a":1,"l":[1]}}"#, #"{"data":{"a":1,"l":[1,2]}}"#,
  ]

  @Test func givesACompleteResponseAfterEachPart() {
    for chunks in allChunkings(of: Self.multipart(Self.parts)) {
      let outcome = Outcome(chunks, assembler())
      #expect(outcome.bodies == Self.bodies && outcome.error == nil)
    }
  }

  /// The last part says nothing about itself, and bytes behind the closing delimiter wait.
  @Test func givesTheLastBodyAlthoughMoreBytesWait() throws {
    let long = String(repeating: "x", count: 20 << 10)
    let parts = [
      #"{"data":{"a":"\#(long)","l":[]},"pending":[{"id":"0","path":["l"]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","items":[1]}],"completed":[{"id":"0"}]}"#,
    ]
    var assembler = assembler()
    assembler.append(Data("\r\n---\r\n\r\n\(parts[0])\r\n---".utf8))
    #expect(try assembler.next(hasMoreBytes: true) != nil)
    assembler.append(Data("\r\n\r\n\(parts[1])\r\n-----\r\n".utf8))
    let body = try #require(try assembler.next(hasMoreBytes: true))
    #expect(String(decoding: body, as: UTF8.self).hasSuffix(#""l":[1]}}"#))
  }

  @Test func mergesThePartsOfServerSentEvents() {
    let text = Self.parts.map { "event: next\ndata: \($0)\n\n" }.joined() + "event: complete\n\n"
    for chunks in allChunkings(of: text) {
      let outcome = Outcome(chunks, assembler(.eventStream))
      #expect(outcome.bodies == Self.bodies && outcome.error == nil)
    }
  }

  /// All parts that arrived are delivered, and then there is one error.
  @Test func deliversWhatHadArrivedBeforeACut() {
    let text = Data(Self.multipart(Self.parts).utf8)
    for count in 0..<(text.count - 2) {
      let outcome = Outcome([text.prefix(count)], assembler())
      #expect(Self.bodies.starts(with: outcome.bodies), "\(count)")
      #expect(outcome.error?.kind == .truncated, "\(count)")
    }
  }

  @Test func deliversWhatHadArrivedBeforeAnInvalidPart() {
    let invalid = #"{"incremental":[{"id":"0","items":[1]},{"id":"7","items":[1]}],"hasNext":true}"#
    let text = Self.multipart([Self.parts[0], invalid, Self.parts[2]])
    for chunks in allChunkings(of: text) {
      let outcome = Outcome(chunks, assembler())
      #expect(outcome.bodies == Array(Self.bodies[..<2]))
      #expect(outcome.error?.kind == .unexpectedPart)
    }
  }

  /// Read part by part or as a whole, the failure has the errors that the server has sent.
  @Test(arguments: [
    #"{"errors":[{"message":"boom"}],"hasNext":false}"#,
    #"{"incremental":[{"id":"7","items":[1],"errors":["boom"]}],"hasNext":true}"#,
    #"{"incremental":[{"id":"0","items":[1],"errors":"boom"}],"hasNext":true}"#,
  ])
  func aFailureHasTheErrorsOfTheServer(_ part: String) throws {
    let text = Self.multipart([Self.parts[0], part])
    for chunks in allChunkings(of: text) {
      let error = try #require(Outcome(chunks, assembler()).error)
      #expect(error.graphQLErrors.map(\.message) == ["boom"])
      #expect(error.description.hasSuffix("The server reported “boom”."))
    }
    let error = #expect(throws: ResponseStreamError.self) {
      try ResponseAssembler.wholeResponse(
        in: Data(text.utf8), .multipart(boundary: "-"),
        http: HTTPDetails(statusCode: 200, headers: [:]))
    }
    #expect(error?.graphQLErrors.map(\.message) == ["boom"])
  }

  @Test func givesOneBodyForManyPartsThatArriveAtOnce() throws {
    var parts = [#"{"data":{"l":[]},"pending":[{"id":"0","path":["l"]}],"hasNext":true}"#]
    parts += (0..<1_000).map {
      #"{"incremental":[{"id":"0","items":["\#(String(repeating: "x", count: 100)) \#($0)"]}],"hasNext":true}"#
    }
    parts.append(#"{"completed":[{"id":"0"}],"hasNext":false}"#)
    let outcome = Outcome([Data(Self.multipart(parts).utf8)], assembler())
    let last = try #require(outcome.bodies.last)
    #expect(outcome.error == nil)
    #expect(outcome.bodies.reduce(0) { $0 + $1.utf8.count } < 2 * last.utf8.count)
    #expect(try JSONValue(jsonBytes: Data(last.utf8))["data"]?["l"]?.arrayValue?.count == 1_000)
  }

  // MARK: Subscriptions

  struct Subscription: Sendable, CustomTestStringConvertible {
    var parts: [String]
    var bodies: [String]
    var error: ResponseStreamError.Kind?
    var heartbeats = 0
    var testDescription: String { parts.joined(separator: " ") }
  }

  @Test(arguments: [
    Subscription(
      parts: ["{}", #"{"payload":{"data":{"n":1}}}"#, "{ }", #"{"payload":null}"#],
      bodies: [#"{"data":{"n":1}}"#],
      heartbeats: 3),
    Subscription(
      parts: [
        #"{"extra":[1],"payload": {"data":null,"errors":[{"message":"x"}]} , "done":false}"#,
        #"{"payload":{"data":{}},"errors":null}"#,
      ],
      bodies: [#"{"data":null,"errors":[{"message":"x"}]}"#, #"{"data":{}}"#]),
    Subscription(
      parts: [#"{"payload":null,"errors":[{"message":"x"}]}"#, #"{"payload":{"data":{}}}"#],
      bodies: [], error: .endedByServer),
    Subscription(
      parts: [#"{"payload":{"data":{}},"errors":[{"message":"x"}]}"#], bodies: [#"{"data":{}}"#],
      error: .endedByServer),
    Subscription(parts: [#"{"errors":[{"message":"x"}]}"#], bodies: [], error: .endedByServer),
    Subscription(
      parts: [
        #"{"errors":[]}"#, #"{"payload":{"data":{"n":1}},"errors":[ ]}"#,
        "\u{FEFF}{\"payload\":{\"data\":{\"n\":2}}}",
      ],
      bodies: [#"{"data":{"n":1}}"#, #"{"data":{"n":2}}"#], heartbeats: 1),
    Subscription(parts: [#"{"errors":{}}"#], bodies: [], error: .endedByServer),
    Subscription(parts: [#"{"data":{"n":1}}"#], bodies: [#"{"data":{"n":1}}"#]),
    Subscription(parts: [#"{"payload":"x"}"#], bodies: [], error: .malformedPart),
    Subscription(parts: [#"{"payload":{}} {}"#], bodies: [], error: .malformedPart),
    Subscription(parts: ["[]"], bodies: [], error: .malformedPart),
    Subscription(parts: [], bodies: []),
  ])
  func readsTheEventsOfASubscription(_ test: Subscription) {
    let text = Self.multipart(test.parts, boundary: "graphql")
    for chunks in allChunkings(of: text) {
      let outcome = Outcome(chunks, assembler(.multipart(boundary: "graphql"), .events))
      #expect(outcome.bodies == test.bodies && outcome.error?.kind == test.error)
    }
  }

  @Test func namesTheErrorsWithWhichAServerEndsASubscription() {
    let part =
      #"{"payload":null,"errors":[{"message":"reload","extensions":{"code":"SUBSCRIPTION_SCHEMA_RELOAD"}}]}"#
    let error = Outcome(
      [Data(Self.multipart([part]).utf8)], assembler(.multipart(boundary: "-"), .events)
    ).error
    #expect(error?.graphQLErrors.first?.extensions?["code"] == "SUBSCRIPTION_SCHEMA_RELOAD")
    #expect(
      error?.description
        == "The server ended the subscription: “reload”. Subscribe again, unless the errors rule that out."
    )
  }

  @Test func keepsNothingOfHeartbeats() {
    var assembler = assembler(.multipart(boundary: "-"), .events)
    assembler.append(Data("\r\n---".utf8))
    let heartbeats = Data(
      String(repeating: "\r\ncontent-type: application/json\r\n\r\n{}\r\n---", count: 1_000).utf8)
    for _ in 0..<20 {
      assembler.append(heartbeats)
      #expect(throws: Never.self) { try assembler.next() == nil }
    }
    #expect(assembler.heartbeatCount == 20_000)
  }
}
