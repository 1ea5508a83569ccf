import ApolloTransport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EventStreamFramerTests {
  struct Stream: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    /// `name=data`.
    var events: [String]
    var testDescription: String { name }
  }

  static let streams: [Stream] = [
    Stream(
      name: "LF", text: "event: next\ndata: {\"a\":1}\n\nevent: complete\ndata: \n\n",
      events: ["next={\"a\":1}", "complete="]),
    Stream(
      name: "CRLF", text: "event: next\r\ndata: {}\r\n\r\nevent: complete\r\n\r\n",
      events: ["next={}", "complete="]),
    Stream(
      name: "CR", text: "event:next\rdata:{}\r\revent:complete\r\r",
      events: ["next={}", "complete="]),
    Stream(
      name: "mixed line breaks", text: "data:1\r\ndata:2\rdata:3\n\r\ndata:4\n\r",
      events: ["=1\n2\n3", "=4"]),
    Stream(name: "a byte order mark", text: "\u{FEFF}data:1\n\n", events: ["=1"]),
    Stream(
      name: "only the first byte order mark", text: "\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\n",
      events: ["=2"]),
    Stream(
      name: "comments", text: ": ping\n\n:\n\ndata:1\n: in between\ndata:2\n\n", events: ["=1\n2"]),
    Stream(name: "one space counts not", text: "data:  1 \ndata:\tx\n\n", events: ["= 1 \n\tx"]),
    Stream(
      name: "unknown fields", text: "id: 1\nretry: 5\nfoo\ndatax: 1\ndata: 2\n\n", events: ["=2"]),
    Stream(name: "a field without a colon", text: "data\ndata\n\n", events: ["=\n"]),
    Stream(
      name: "the last event without an empty line is dropped", text: "data:1\n\ndata:2\n",
      events: ["=1"]),
    Stream(
      name: "the last name counts", text: "event: a\nevent: next\ndata: 1\n\n", events: ["next=1"]),
    Stream(name: "characters of several bytes", text: "data: 🙂é\n\n", events: ["=🙂é"]),
    Stream(name: "nothing but empty lines", text: "\n\r\n\r\r\n\n", events: []),
  ]

  private func events(of chunks: [Data], limit: Int = 1 << 20) throws -> [String] {
    var framer = EventStreamFramer(maximumEventByteCount: limit)
    var events: [String] = []
    for chunk in chunks {
      framer.append(chunk)
      while let event = try framer.next() {
        events.append("\(event.name ?? "")=\(String(decoding: event.data, as: UTF8.self))")
      }
    }
    return events
  }

  @Test(arguments: streams)
  func findsTheSameEventsForEveryChunking(_ stream: Stream) throws {
    for chunks in allChunkings(of: stream.text) {
      let found = try events(of: chunks)
      guard found == stream.events else {
        Issue.record("\(found) for \(chunks.map { String(decoding: $0, as: UTF8.self) })")
        return
      }
    }
  }

  /// All texts of six pieces, of which the line breaks are the hard part.
  @Test func agreesWithASimpleReaderForAllShortTexts() throws {
    let pieces = ["\r", "\n", "data:1", "event:n", ":c"]
    for number in 0..<15_625 {
      var (rest, text) = (number, "")
      for _ in 0..<6 {
        text += pieces[rest % pieces.count]
        rest /= pieces.count
      }
      let bytes = Array(text.utf8)
      let expected = Self.simpleEvents(of: bytes)
      let cut = number % (bytes.count + 1)
      for chunks in [
        [Data(bytes)], bytes.map { Data([$0]) }, [Data(bytes[..<cut]), Data(bytes[cut...])],
      ] {
        guard try events(of: chunks) == expected else {
          Issue.record("\(text.debugDescription), cut at \(cut)")
          return
        }
      }
    }
  }

  /// The rules of the standard, read line by line from the whole text.
  private static func simpleEvents(of bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    var line: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if byte == 10, index > 0, bytes[index - 1] == 13 { continue }
      if byte == 10 || byte == 13 {
        lines.append(String(decoding: line, as: UTF8.self))
        line = []
      } else {
        line.append(byte)
      }
    }
    var events: [String] = []
    var (name, data): (String, [String]) = ("", [])
    for line in lines {
      if line.isEmpty {
        if !name.isEmpty || !data.isEmpty {
          events.append("\(name)=\(data.joined(separator: "\n"))")
        }
        (name, data) = ("", [])
      } else if line.hasPrefix("data:") {
        data.append(String(line.dropFirst(5)))
      } else if line.hasPrefix("event:") {
        name = String(line.dropFirst(6))
      }
    }
    return events
  }

  @Test(arguments: [
    "data: \(String(repeating: "x", count: 2_000))\n\n",
    "data: \(String(repeating: "x", count: 2_000))",
    ": \(String(repeating: "x", count: 2_000))",
    String(repeating: "data: xxxxxxxxx\n", count: 200),
  ])
  func limitsAnEvent(_ text: String) {
    for chunks in [[Data(text.utf8)], text.utf8.map { Data([$0]) }] {
      #expect { try events(of: chunks, limit: 1_000) } throws: {
        ($0 as? ResponseStreamError)?.kind == .partTooLarge
      }
    }
  }

  @Test func keepsNothingOfComments() throws {
    let chunk = Data(String(repeating: ": ping\n\n", count: 1_000).utf8)
    #expect(try events(of: Array(repeating: chunk, count: 100), limit: 10_000) == [])
  }
}

@Suite struct GraphQLEventFramerTests {
  struct Stream: Sendable {
    var text: String
    var parts: [String]
    var error: ResponseStreamError.Kind?
  }

  @Test(arguments: [
    Stream(text: "event: next\ndata: {}\n\nevent: complete\n\n", parts: ["{}"]),
    Stream(text: "data: {}\n\nevent: complete\ndata: \n\nevent: next\ndata: {}\n\n", parts: ["{}"]),
    Stream(text: ": ping\n\ndata:\n\nevent: complete\n\n", parts: []),
    Stream(text: "event: next\ndata: {}\n\n", parts: ["{}"], error: .truncated),
    Stream(text: "event: next\ndata: {}\n\nevent: complete\n", parts: ["{}"], error: .truncated),
    Stream(text: "event: next\n\n", parts: [], error: .malformedPart),
    Stream(text: "event: what\ndata: {}\n\n", parts: [], error: .malformedFraming),
  ])
  func readsTheEventsOfGraphQLOverSSE(_ stream: Stream) {
    for chunks in allChunkings(of: stream.text) {
      let outcome = FramingOutcome(chunks, GraphQLEventFramer(maximumEventByteCount: 1 << 20))
      #expect(outcome.parts == stream.parts && outcome.error?.kind == stream.error)
    }
  }
}
