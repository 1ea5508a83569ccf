import Testing

@testable import apollo_cli

/// The events that `apollo-cli run` finds in a response, in whatever pieces its bytes arrive.
@Suite struct EventParserTests {
  /// A response, and the events that it has.
  struct Response: Sendable, CustomTestStringConvertible {
    var name: String
    var type: String
    var text: String
    var events = [#"{"data":{"n":1}}"#, #"{"data":{"n":2}}"#]

    var testDescription: String { name }
  }

  static let responses = [
    Response(
      name: "server-sent events", type: "text/event-stream",
      text: """
        : hello

        event: next
        data: {"data":{"n":1}}

        data: {"data":{"n":2}}

        event: complete
        data:


        """),
    Response(
      name: "lines that end with both characters", type: "text/event-stream; charset=utf-8",
      text: """
        data: {"data":{"n":1}}

        data:{"data":{"n":2}}

        event: complete


        """.withCarriageReturns),
    Response(
      name: "lines that end with a carriage return", type: "TEXT/event-stream",
      text: "data: {\"data\":{\"n\":1}}\r\rdata:{\"data\":{\"n\":2}}\r\revent: complete\r\r"),
    Response(
      name: "an event of two lines, behind a byte order mark", type: "text/event-stream",
      text: "\u{FEFF}data: {\"data\":\ndata: {\"n\":1}}\n\nevent: complete\n\n",
      events: ["{\"data\":\n{\"n\":1}}"]),
    Response(
      name: "Apollo's multipart", type: #"multipart/mixed;boundary="graphql";subscriptionSpec=1.0"#,
      text: """
        --graphql
        content-type: application/json

        {}
        --graphql
        content-type: application/json

        {"payload":{"data":{"n":1}}}
        --graphql

        {"payload":null}
        --graphql
        content-type: application/json

        {"payload":{"data":{"n":2}}}
        --graphql--

        """.withCarriageReturns),
    Response(
      name: "a boundary of a hyphen, behind line breaks", type: "multipart/mixed; boundary=-",
      text: """

        ---

        {"data":{"n":1}}
        ---

        {"data":{"n":2}}
        -----
        """.withCarriageReturns),
    Response(
      name: "a preamble and an epilogue", type: #"multipart/mixed; boundary="-""#,
      text: """
        A preamble.

        {"data":{"n":0}}
        ---

        {"data":{"n":1}}
        ---
        content-length: 16

         {"data":{"n":2}}
        -----

        {"data":{"n":3}}
        ---

        {"data":{"n":4}}
        """.withCarriageReturns),
    Response(
      name: "errors beside an event", type: "multipart/mixed; boundary=graphql",
      text: """
        --graphql

        {"payload":{"data":{"n":1}},"errors":[]}
        --graphql

        {"payload":{"data":{"n":2}},"errors":[{"message":"No."}]}
        --graphql--
        """.withCarriageReturns,
      events: [
        #"{"data":{"n":1}}"#, #"{"payload":{"data":{"n":2}},"errors":[{"message":"No."}]}"#,
      ]),
  ]

  /// Every response as one piece, as single bytes, in two pieces cut at each position, and in three
  /// whose middle one is any text up to the length of two boundaries.
  @Test(arguments: responses)
  func findsTheSameEventsInAllPieces(_ response: Response) {
    let bytes = Array(response.text.utf8)
    var failures: [[Int]] = []
    func check(_ cuts: [Int]) {
      var parser = EventParser(contentType: response.type)
      var events: [String] = []
      for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
        let piece = Array(bytes[start..<end])
        events += parser.append(piece).map { String(decoding: $0, as: UTF8.self) }
      }
      if events != response.events || !parser.isAtEnd { failures.append(cuts) }
    }
    check([])
    check(Array(bytes.indices.dropFirst()))
    for first in bytes.indices {
      for second in first..<min(first + 28, bytes.count) { check([first, second]) }
    }
    #expect(
      failures.isEmpty,
      "\(failures.count) ways to cut fail, such as \(failures.first ?? [])")
  }

  /// A server may wait for its next event at any place behind an event.
  @Test(arguments: ["", "\r", "\r\n", "\r\n--", "\r\n---", "\r\n---\r", "\r\n---\r\n"])
  func deliversAPartWhateverTheServerHoldsBack(_ end: String) {
    var parser = EventParser(contentType: "multipart/mixed; boundary=-")
    let event = #"{"data":{"n":1}}"#
    #expect(parser.append(Array("---\r\n\r\n\(event)\(end)".utf8)) == [Array(event.utf8)])
    #expect(parser.append([]) == [])
    let rest = "\r\n---\r\n\r\n\(event)".utf8.dropFirst(end.utf8.count)
    #expect(parser.append(Array(rest)) == [Array(event.utf8)])
    #expect(parser.append(Array("\r\n-----".utf8)) == [])
    #expect(parser.isAtEnd)
  }
}

extension String {
  fileprivate var withCarriageReturns: String { replacing("\n", with: "\r\n") }
}
