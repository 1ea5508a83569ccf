import ApolloAPI
import ApolloRecording
import Foundation
import Testing

@Suite struct RecordedEventTests {
  private static let events: [(RecordedEvent, String)] = [
    (
      RecordedEvent(
        call: 1, time: .zero,
        .request(
          .init(
            type: "query", operation: "Hero", variables: ["b": 1, "a": ["x"]],
            headers: ["X-B": "1", "X-A": "2"], document: "query Hero {\n  hero\n}"))),
      #"{"call":1,"ms":0,"event":"request","type":"query","operation":"Hero","variables":{"a":["x"],"b":1},"headers":{"X-A":"2","X-B":"1"},"document":"query Hero {\n  hero\n}"}"#
    ),
    (
      RecordedEvent(
        call: 1, time: .microseconds(31_700),
        .response(
          .init(
            status: 200, url: "https://a.example/graphql", headers: ["a": "b"], isPartial: true,
            body: Array(#"{"data":{"z":1.0,"a":2}}"#.utf8)))),
      #"{"call":1,"ms":31.7,"event":"response","status":200,"url":"https://a.example/graphql","headers":{"a":"b"},"partial":true,"body":{"data":{"z":1.0,"a":2}}}"#
    ),
    (
      RecordedEvent(
        call: 1, time: .zero,
        .response(.init(lacksElements: true, body: Array(#"{"data":{}}"#.utf8)))),
      #"{"call":1,"ms":0,"event":"response","short":true,"body":{"data":{}}}"#
    ),
    (
      RecordedEvent(call: 2, time: .microseconds(1_050), .response(.init(body: Array("<p>".utf8)))),
      #"{"call":2,"ms":1.05,"event":"response","text":"<p>"}"#
    ),
    (
      RecordedEvent(call: 2, time: .seconds(1), .response(.init(body: [0xFF, 0]))),
      #"{"call":2,"ms":1000,"event":"response","base64":"/wA="}"#
    ),
    (
      RecordedEvent(
        call: 3, time: .seconds(2),
        .failure(.init(type: "NetworkError", message: "No.", facts: ["code": "offline"]))),
      #"{"call":3,"ms":2000,"event":"failure","error":"NetworkError","message":"No.","facts":{"code":"offline"}}"#
    ),
    (
      RecordedEvent(call: 3, time: .seconds(2), .part(.init(body: Array("{}".utf8)))),
      #"{"call":3,"ms":2000,"event":"part","body":{}}"#
    ),
    (RecordedEvent(call: 3, time: .seconds(3), .end), #"{"call":3,"ms":3000,"event":"end"}"#),
    (
      RecordedEvent(call: 4, time: .seconds(3), .cancelled),
      #"{"call":4,"ms":3000,"event":"cancelled"}"#
    ),
  ]

  @Test(arguments: events)
  func anEventIsOneLine(_ event: RecordedEvent, _ expected: String) {
    let line = String(decoding: event.line(RecordingRedaction()), as: UTF8.self)
    #expect(line == expected + "\n")
  }

  @Test func whatWasWrittenIsRead() throws {
    let events = Self.events.map(\.0)
    let bytes = RecordedEvent.header + events.flatMap { $0.line(RecordingRedaction()) }
    let read = try RecordedEvent.read(bytes, file: "a.jsonl")
    #expect(read.map(\.event) == events)
    #expect(read.map(\.line) == Array(2...(events.count + 1)))
  }

  @Test(arguments: [
    ("", 1, "the file is empty"),
    ("{}", 1, "the file is no recording: its first line is another than that of recordings"),
    (
      #"{"format":"apollo-recording","version":2}"#, 1,
      "the recording has a version that this library does not know"
    ),
    (header + "{\n", 2, "the line is no JSON"),
    (header + "\n" + #"{"ms":1}"#, 3, "'call' has no number"),
    (header + #"{"call":1,"ms":-1}"#, 2, "'ms' has no time in milliseconds"),
    (header + #"{"call":1,"ms":1e300}"#, 2, "'ms' has no time in milliseconds"),
    (
      header + #"{"call":1,"ms":1,"event":"x"}"#, 2,
      "'event' is none of request, response, part, failure, end and cancelled"
    ),
    (header + #"{"call":1,"ms":1,"event":"request"}"#, 2, "'operation' has no name"),
    (
      header
        + #"{"call":1,"ms":1,"event":"request","operation":"A","type":"query","variables":[]}"#,
      2, "'variables' has no object"
    ),
    (
      header + #"{"call":1,"ms":1,"event":"response","status":200}"#, 2,
      "there is no 'body' of the response"
    ),
  ])
  func aWrongLineIsNamed(_ text: String, _ line: Int, _ problem: String) {
    let error = #expect(throws: RecordingFormatError.self) {
      try RecordedEvent.read(Array(text.utf8), file: "a.jsonl")
    }
    #expect(
      error?.description
        == "a.jsonl:\(line): \(problem). Record the session again, or correct the line.")
    #expect(error?.localizedDescription == error?.description)
  }

  private static let header = String(decoding: RecordedEvent.header, as: UTF8.self)

  @Test func aFileThatIsCutAnywhereHasTheLinesBefore() throws {
    let lines = Self.events.map { $0.0.line(RecordingRedaction()) }
    let bytes = RecordedEvent.header + lines.joined()
    for count in (RecordedEvent.header.count - 1)...bytes.count {
      // A line needs no line break at its end.
      var (whole, end) = (0, RecordedEvent.header.count)
      while whole < lines.count, end + lines[whole].count - 1 <= count {
        end += lines[whole].count
        whole += 1
      }
      let read = try RecordedEvent.read(Array(bytes[..<count]), file: "a.jsonl")
      #expect(read.map(\.event) == Self.events[..<whole].map(\.0), "\(count)")
    }
    for count in 0..<(RecordedEvent.header.count - 1) {
      let error = #expect(throws: RecordingFormatError.self) {
        try RecordedEvent.read(Array(bytes[..<count]), file: "a.jsonl")
      }
      #expect(error?.line == 1)
    }
  }
}
