import ApolloAPI

/// Reads the heads of one response, line by line.
///
/// | state | line | next state |
/// | :-- | :-- | :-- |
/// | `statusLine` | a status line | `fields` |
/// | `fields` | a field | `fields` |
/// | `fields` | an empty line after a status of 1xx | `statusLine` |
/// | `fields` | an empty line after another status | `trailers` |
/// | `trailers` | a field or an empty line | `trailers` |
///
/// Stricter than RFC 9112, section 2.2, requires: folded lines and control characters are
/// violations, because they are how responses are smuggled. Limits count all heads and trailers
/// together, so that endless informational responses reach them too.
package struct ResponseHeadParser {
  /// The result of one line.
  package enum Event: Hashable, Sendable {
    case incomplete
    /// An informational response has ended, and the head of another one follows.
    case informational
    case head(ResponseHead)
    case trailer
  }

  private enum State {
    case statusLine
    case fields
    case trailers
  }

  private let limits: HeadLimits
  private let acceptsSwitch: Bool
  private var state = State.statusLine
  /// The head that is being read. Not a part of `state`, whose changes would copy its fields.
  private var head = ResponseHead(version: "", statusCode: 0)
  private var byteCount = 0
  private var fieldCount = 0

  /// - Parameters:
  ///   - limits: The size that the heads may have.
  ///   - acceptsSwitch: `true` if a status of 101 is a final one, because the request asked for
  ///     another protocol.
  package init(limits: HeadLimits = HeadLimits(), acceptsSwitch: Bool = false) {
    self.limits = limits
    self.acceptsSwitch = acceptsSwitch
  }

  /// True once a line has been read.
  var hasBegun: Bool { byteCount > 0 }

  /// Reads one line, with or without its line break.
  package mutating func take(_ line: UnsafeRawBufferPointer) throws(HeadViolation) -> Event {
    byteCount += line.count
    guard byteCount <= limits.maximumByteCount else {
      throw .tooManyBytes(limit: limits.maximumByteCount)
    }
    let line = Self.withoutLineBreak(line)
    switch state {
    case .statusLine:
      head = try Self.head(of: line)
      head.fields.reserveCapacity(Self.usualFieldCount)
      state = .fields
      return .incomplete
    case .fields:
      if line.isEmpty { return try end() }
      head.fields.append(try field(in: line))
      return .incomplete
    case .trailers:
      if !line.isEmpty { _ = try field(in: line) }
      return .trailer
    }
  }

  private static let usualFieldCount = 12

  private mutating func end() throws(HeadViolation) -> Event {
    let isSwitch = head.statusCode == 101
    if isSwitch && !acceptsSwitch { throw .switchedProtocols }
    if head.statusCode < 200 && !isSwitch {
      state = .statusLine
      return .informational
    }
    state = .trailers
    defer { head.fields = [] }
    return .head(head)
  }

  // MARK: Lines

  private static func withoutLineBreak(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var count = line.count
    if count > 0, line[count - 1] == UInt8(ascii: "\n") { count -= 1 }
    if count > 0, line[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    return UnsafeRawBufferPointer(rebasing: line[..<count])
  }

  /// status-line = HTTP-version SP status-code [ SP reason-phrase ]
  private static func head(of line: UnsafeRawBufferPointer) throws(HeadViolation) -> ResponseHead {
    guard line.starts(with: "HTTP/".utf8), !line.contains(where: isForbidden),
      let space = line.firstIndex(of: UInt8(ascii: " ")), space > 5, space <= 8
    else { throw .statusLine }
    let version = line[5..<space]
    guard version.count == 1 || version.count == 3 && version[6] == UInt8(ascii: "."),
      isDigit(version[5]), isDigit(version[space - 1])
    else { throw .statusLine }
    let status = line[(space + 1)...].prefix { $0 != UInt8(ascii: " ") }
    guard status.count == 3, status.allSatisfy(isDigit) else { throw .statusLine }
    let statusCode = status.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard statusCode >= 100 else { throw .statusLine }
    return ResponseHead(
      version: String(decoding: line[..<space], as: UTF8.self), statusCode: statusCode)
  }

  /// field-line = field-name ":" OWS field-value OWS
  private mutating func field(
    in line: UnsafeRawBufferPointer
  ) throws(HeadViolation) -> ResponseHead.Field {
    fieldCount += 1
    guard fieldCount <= limits.maximumFieldCount else {
      throw .tooManyFields(limit: limits.maximumFieldCount)
    }
    if Self.isBlank(line[0]) { throw .foldedLine }
    if line.contains(where: Self.isForbidden) { throw .controlCharacter }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy(HeaderField.isTokenByte)
    else { throw .fieldName }
    var value = line[(colon + 1)...].drop(while: Self.isBlank)
    while let last = value.last, Self.isBlank(last) { value.removeLast() }
    return ResponseHead.Field(
      name: String(decoding: line[..<colon], as: UTF8.self),
      lowercaseName: Self.lowercased(line[..<colon]),
      value: String(decoding: value, as: UTF8.self))
  }

  private static func lowercased(_ name: Slice<UnsafeRawBufferPointer>) -> String {
    String(unsafeUninitializedCapacity: name.count) { text in
      for (index, byte) in name.enumerated() {
        text[index] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      }
      return name.count
    }
  }

  // MARK: Bytes

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 || byte == 0x7F
  }
}

/// The size that the heads and trailers of one response may have together.
package struct HeadLimits: Hashable, Sendable {
  package var maximumByteCount: Int
  package var maximumFieldCount: Int

  package init(maximumByteCount: Int = 256 << 10, maximumFieldCount: Int = 1_000) {
    self.maximumByteCount = maximumByteCount
    self.maximumFieldCount = maximumFieldCount
  }
}
