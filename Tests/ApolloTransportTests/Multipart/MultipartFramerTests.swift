import ApolloTransport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MultipartFramerTests {
  private func framer(_ boundary: String = "graphql", limit: Int = 1 << 20) -> MultipartFramer {
    MultipartFramer(boundary: boundary, maximumPartByteCount: limit)
  }

  static let json = "content-type: application/json\r\n\r\n"

  struct Body: Sendable, CustomTestStringConvertible {
    var name: String
    var boundary = "graphql"
    var text: String
    var parts: [String]
    var error: ResponseStreamError.Kind?
    var testDescription: String { name }
  }

  static let bodies: [Body] = [
    Body(
      name: "Router",
      text:
        "\r\n--graphql\r\n\(json){\"a\":1}\r\n--graphql\r\n\(json){\"b\":2}\r\n--graphql--\r\n",
      parts: [#"{"a":1}"#, #"{"b":2}"#]),
    Body(
      name: "Apollo Server", boundary: "-",
      text:
        "\r\n---\r\ncontent-type: application/json; charset=utf-8\r\n\r\n{\"a\":1}\r\n---\r\n\(json){}\r\n-----\r\n",
      parts: [#"{"a":1}"#, "{}"]),
    Body(
      name: "Strawberry, deferred", boundary: "-",
      text:
        "---\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}\r\n-----\r\n",
      parts: [#"{"a":1}"#]),
    Body(
      name: "Strawberry, subscription: no first delimiter, an empty last part",
      text:
        "\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n--graphql\r\nContent-Type: application/json\r\n\r\n{\"b\":2}\r\n--graphql\r\n--graphql--\r\n",
      parts: [#"{"a":1}"#, #"{"b":2}"#]),
    Body(
      name: "spaces after the boundary, a preamble and an epilogue",
      text: "ignored\r\n--graphql \t\r\n\r\n{\"a\":1}\r\n--graphql-- \r\n--graphql\r\n\r\n{}",
      parts: [#"{"a":1}"#]),
    Body(
      name: "line feeds within the headers",
      text: "--graphql\r\nX-A: 1\ncontent-type: application/json\n\n{\"a\":1}\r\n--graphql--",
      parts: [#"{"a":1}"#]),
    Body(
      name: "empty lines within the content",
      text: "--graphql\r\n\(json){\r\n\r\n\"a\": 1\r\n\r\n}\r\n--graphql--",
      parts: ["{\r\n\r\n\"a\": 1\r\n\r\n}"]),
    Body(
      name: "the boundary within strings",
      text:
        "--graphql\r\n\(json){\"a\":\"--graphql \\r\\n--graphql-- \\r\\n--graphqlX\"}\r\n--graphql--",
      parts: [#"{"a":"--graphql \r\n--graphql-- \r\n--graphqlX"}"#]),
    Body(
      name: "text that only begins like a delimiter",
      text: "--graphql\r\n\(json)[1\r\n--graphqlX\r\n--graphq,2]\r\n--graphql--",
      parts: ["[1\r\n--graphqlX\r\n--graphq,2]"]),
    Body(
      name: "characters of several bytes", boundary: "é",
      text: "--é\r\n\(json){\"ü\":\"🙂\"}\r\n--é--", parts: [#"{"ü":"🙂"}"#]),
    Body(
      name: "a boundary of 200 characters with those of regular expressions",
      boundary: String(repeating: "(.*)+", count: 40),
      text:
        "--\(String(repeating: "(.*)+", count: 40))\r\n\(json){}\r\n--\(String(repeating: "(.*)+", count: 40))--",
      parts: ["{}"]),
    Body(
      name: "a boundary in another case", text: "--GraphQL\r\n\(json){}\r\n--GraphQL--", parts: [],
      error: .truncated),
    Body(name: "nothing", text: "", parts: [], error: .truncated),
    Body(
      name: "a line feed before the boundary", text: "--graphql\r\n\(json){}\n--graphql--",
      parts: [], error: .truncated),
    Body(
      name: "parts with headers alone",
      text:
        "--graphql\r\n\(json)\r\n--graphql\r\n\(json){\"a\":1}\r\n--graphql\r\n\(json) \r\n\r\n--graphql--",
      parts: [#"{"a":1}"#]),
    Body(
      name: "another type without content",
      text: "--graphql\r\ncontent-type: text/html\r\n\r\n\r\n--graphql--", parts: [],
      error: .unexpectedPartType),
    Body(
      name: "another type",
      text: "--graphql\r\ncontent-type: text/html\r\n\r\n<p>\r\n--graphql--", parts: [],
      error: .unexpectedPartType),
    Body(
      name: "another encoding",
      text:
        "--graphql\r\ncontent-type: application/json; charset=latin1\r\n\r\n{}\r\n--graphql--",
      parts: [], error: .unexpectedPartType),
    Body(
      name: "no empty line after the headers",
      text: "--graphql\r\ncontent-type: application/json\r\n--graphql--", parts: [],
      error: .malformedFraming),
    Body(
      name: "a header without a colon", text: "--graphql\r\nhello\r\n\r\n{}\r\n--graphql--",
      parts: [], error: .malformedFraming),
    Body(
      name: "text after a boundary", text: "--graphql\r\n\(json){}\r\n--graphqlX--", parts: ["{}"],
      error: .malformedFraming),
  ]

  @Test(arguments: bodies)
  func findsTheSamePartsForEveryChunking(_ body: Body) {
    for chunks in allChunkings(of: body.text) {
      let outcome = FramingOutcome(chunks, framer(body.boundary))
      guard outcome.parts == body.parts, outcome.error?.kind == body.error else {
        Issue.record("\(outcome) for \(chunks.map { String(decoding: $0, as: UTF8.self) })")
        return
      }
    }
  }

  /// A cut before the closing delimiter is an error; what follows it does not matter.
  @Test func reportsABodyThatIsCutAtAnyByte() throws {
    let text = Self.bodies[0].text
    let end = try #require(text.range(of: "--graphql--")?.upperBound.utf16Offset(in: text))
    for count in 0..<text.utf8.count {
      let outcome = FramingOutcome([Data(text.utf8.prefix(count))], framer())
      #expect(outcome.error?.kind == (count < end ? .truncated : nil), "\(count)")
      #expect(Self.bodies[0].parts.starts(with: outcome.parts), "\(count)")
    }
  }

  /// Some servers flush after the boundary and send its line break with the next part.
  @Test func deliversAnObjectWhenItsBoundaryHasArrived() throws {
    var framer = framer()
    framer.append(Data("\r\n--graphql\r\n\(Self.json){}\r\n--graphq".utf8))
    #expect(try framer.next() == nil)
    framer.append(Data("l".utf8))
    #expect(try framer.next() == Data("{}".utf8))
    #expect(!framer.hasEnded)
    framer.append(Data("--".utf8))
    #expect(try framer.next() == nil)
    #expect(framer.hasEnded)
  }

  @Test func ignoresEverythingAfterTheEnd() throws {
    var framer = framer()
    framer.append(Data("--graphql--".utf8))
    for _ in 0..<3 {
      #expect(try framer.next() == nil)
      framer.append(Data("\r\n--graphql\r\n\r\n{}\r\n--graphql\r\n".utf8))
    }
    #expect(framer.hasEnded)
  }

  @Test(arguments: [
    "x: \(String(repeating: "x", count: 20_000))", String(repeating: "x", count: 20_000),
  ])
  func limitsTheHeadersOfAPart(_ headers: String) {
    let text = "--graphql\r\n\(headers)\r\n\r\n{}\r\n--graphql--"
    for chunks in [[Data(text.utf8)], text.utf8.map { Data([$0]) }] {
      #expect(FramingOutcome(chunks, framer()).error?.kind == .malformedFraming)
    }
  }

  @Test func limitsThePart() {
    let text =
      "--graphql\r\n\(Self.json){\"a\":\"\(String(repeating: "x", count: 2_000))\"}\r\n--graphql--"
    for chunks in [[Data(text.utf8)], text.utf8.map { Data([$0]) }] {
      #expect(FramingOutcome(chunks, framer(limit: 1_000)).error?.kind == .partTooLarge)
      #expect(FramingOutcome(chunks, framer(limit: 3_000)).error == nil)
    }
  }

  @Test func skipsALongPreamble() {
    let text =
      String(repeating: "\r\n--graphqX", count: 10_000)
      + "\r\n--graphql\r\n\r\n{}\r\n--graphql--"
    let chunks = stride(from: 0, to: text.utf8.count, by: 1000).map {
      Data(text.utf8.dropFirst($0).prefix(1000))
    }
    #expect(FramingOutcome(chunks, framer(limit: 20_000)).parts == ["{}"])
  }

  /// Text over a small alphabet in which delimiters are frequent.
  @Test func findsTheSamePartsForEveryChunkingOfAllShortTexts() {
    let pieces = ["\r\n", "--b", "-", "}", "\r", " ", "{", "a:"]
    for number in 0..<(pieces.count * pieces.count * pieces.count * pieces.count) {
      var (rest, text) = (number, "--b\r\n\r\n")
      for _ in 0..<4 {
        text += pieces[rest % pieces.count]
        rest /= pieces.count
      }
      let bytes = Array(text.utf8)
      let whole = FramingOutcome([Data(bytes)], framer("b"))
      for cut in 1..<bytes.count {
        let cutInTwo = FramingOutcome([Data(bytes[..<cut]), Data(bytes[cut...])], framer("b"))
        guard cutInTwo == whole else {
          Issue.record("\(text.debugDescription) at \(cut): \(cutInTwo) instead of \(whole)")
          return
        }
      }
    }
  }
}
