import ApolloAPI
import Testing

@testable import ApolloTransport

struct ResponseHeadParserTests {
  /// Feeds `text` line by line and returns the events.
  private func events(
    _ text: String, limits: HeadLimits = HeadLimits()
  ) throws(HeadViolation) -> [ResponseHeadParser.Event] {
    try events([UInt8](text.utf8), limits: limits)
  }

  private func events(
    _ bytes: [UInt8], limits: HeadLimits = HeadLimits()
  ) throws(HeadViolation) -> [ResponseHeadParser.Event] {
    var parser = ResponseHeadParser(limits: limits)
    var events: [ResponseHeadParser.Event] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 10).map { $0 + 1 } ?? rest.endIndex
      let line = Array(rest[..<end])
      rest = rest[end...]
      let event: Result<ResponseHeadParser.Event, HeadViolation> = line.withUnsafeBytes { bytes in
        do throws(HeadViolation) {
          return .success(try parser.take(bytes))
        } catch {
          return .failure(error)
        }
      }
      events.append(try event.get())
    }
    return events
  }

  @Test func readsTheStatusAndTheFields() throws {
    let head = try #require(
      events("HTTP/1.1 200 OK\r\nA: 1\r\nset-cookie:x\r\nB:\t two \t\r\nC:\r\na: 2\r\n\r\n").last)
    let expected = ResponseHead(
      version: "HTTP/1.1", statusCode: 200,
      fields: [
        .init(name: "A", value: "1"), .init(name: "set-cookie", value: "x"),
        .init(name: "B", value: "two"), .init(name: "C", value: ""), .init(name: "a", value: "2"),
      ])
    #expect(head == .head(expected))
    #expect(expected.values(of: "a") == ["1", "2"])
    #expect(expected.fieldsByName == ["A": "1, 2", "set-cookie": "x", "B": "two", "C": ""])
  }

  /// lighttpd turns a trailer field into such a header.
  @Test func refusesAStrayCarriageReturn() {
    #expect(throws: HeadViolation.controlCharacter) {
      try events("HTTP/1.1 200 OK\r\nChecksum: 1\r\r\n\r\n")
    }
  }

  @Test func skipsInformationalResponses() throws {
    let events = try events(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 204\r\n\r\n")
    #expect(events.count { $0 == .informational } == 2)
    #expect(events.last == .head(ResponseHead(version: "HTTP/1.1", statusCode: 204)))
  }

  @Test func takesTrailersAfterTheHead() throws {
    #expect(
      try events("HTTP/1.1 200\r\n\r\nChecksum: 1\r\n\r\n").suffix(2) == [.trailer, .trailer])
    #expect(throws: HeadViolation.controlCharacter) { try events("HTTP/1.1 200\r\n\r\nA: \0\r\n") }
  }

  @Test(arguments: ["HTTP/2", "HTTP/3", "HTTP/1.0", "HTTP/1.1"])
  func knowsTheVersions(_ version: String) throws {
    #expect(
      try events("\(version) 200 \r\n\r\n").last
        == .head(ResponseHead(version: version, statusCode: 200)))
  }

  @Test(
    arguments: [
      ("", .statusLine), ("\r\n", .statusLine), ("HTTP/1.1\r\n", .statusLine),
      ("HTTP/1.1 20\r\n", .statusLine), ("HTTP/1.1 2000 OK\r\n", .statusLine),
      ("HTTP/1.1 099 No\r\n", .statusLine), ("HTTP/1.1 2x0 OK\r\n", .statusLine),
      ("HTTP/ 200 OK\r\n", .statusLine), ("HTTP/11 200 OK\r\n", .statusLine),
      ("HTTP/1:1 200 OK\r\n", .statusLine), ("HTTP/1.x 200 OK\r\n", .statusLine),
      ("ICY 200 OK\r\n", .statusLine), ("http/1.1 200 OK\r\n", .statusLine),
      ("HTTP/1.1 200 O\0K\r\n", .statusLine), ("HTTP/1.1  200 OK\r\n", .statusLine),
      ("HTTP/1.1 200\r\nA\r\n", .fieldName), ("HTTP/1.1 200\r\n: 1\r\n", .fieldName),
      ("HTTP/1.1 200\r\nA : 1\r\n", .fieldName), ("HTTP/1.1 200\r\nÄ: 1\r\n", .fieldName),
      ("HTTP/1.1 200\r\nA(: 1\r\n", .fieldName), ("HTTP/1.1 200\r\nA: 1\r\n b\r\n", .foldedLine),
      ("HTTP/1.1 200\r\n\tA: 1\r\n", .foldedLine),
      ("HTTP/1.1 200\r\nA: 1\0\r\n", .controlCharacter),
      ("HTTP/1.1 200\r\n\0A: 1\r\n", .controlCharacter),
      ("HTTP/1.1 200\r\nA: 1\r2\r\n", .controlCharacter),
      ("HTTP/1.1 101 Switching\r\n\r\n", .switchedProtocols),
    ] as [(String, HeadViolation)])
  func reportsViolations(_ text: String, _ violation: HeadViolation) {
    if text.isEmpty {
      var parser = ResponseHeadParser()
      #expect(throws: violation) { try parser.take(UnsafeRawBufferPointer(start: nil, count: 0)) }
    } else {
      #expect(throws: violation) { try events(text) }
    }
  }

  @Test func limitsBytesAndFieldsOfAllHeadsTogether() {
    let limits = HeadLimits(maximumByteCount: 100, maximumFieldCount: 3)
    #expect(throws: HeadViolation.tooManyBytes(limit: 100)) {
      try events("HTTP/1.1 200\r\nA: \(String(repeating: "a", count: 100))\r\n", limits: limits)
    }
    #expect(throws: HeadViolation.tooManyBytes(limit: 100)) {
      try events(
        String(repeating: "HTTP/1.1 103 Early\r\n\r\n", count: 5), limits: limits)
    }
    #expect(throws: HeadViolation.tooManyFields(limit: 3)) {
      try events("HTTP/1.1 200\r\na:\r\nb:\r\n\r\nc:\r\nd:\r\n", limits: limits)
    }
  }

  /// Exhaustive: every byte at every position of a head is accepted or is a violation.
  @Test func takesEveryByteAtEveryPosition() throws {
    let text = [UInt8]("HTTP/1.1 200 OK\r\nA: b\r\n\r\n".utf8)
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var mutated = text
        mutated[position] = byte
        let events = Result { () throws(HeadViolation) in try self.events(mutated) }
        guard case .success(let events) = events, case .head(let head)? = events.last else {
          continue
        }
        #expect((100...999).contains(head.statusCode))
        #expect(head.fields.allSatisfy { !$0.name.isEmpty && !$0.value.contains("\0") })
      }
    }
  }
}
