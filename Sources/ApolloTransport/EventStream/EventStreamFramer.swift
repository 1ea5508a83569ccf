package import Foundation

/// An event of a body of the type `text/event-stream`.
package struct ServerSentEvent: Hashable, Sendable {
  /// The name, or `nil` if the event has none.
  package var name: String?
  /// The lines of the data, with line breaks between them. Empty if there are none.
  package var data: Data

  /// Creates an event.
  package init(name: String?, data: Data) {
    self.name = name
    self.data = data
  }
}

/// Splits a body of the type `text/event-stream` into its events (HTML, section 9.2.6).
///
/// ```swift
/// var framer = EventStreamFramer(maximumEventByteCount: 1 << 20)
/// framer.append(chunk)
/// while let event = try framer.next() { use(event) }
/// ```
///
/// 1. A byte order mark at the start is skipped.
/// 2. A line ends with CR, LF or CRLF. A CR ends it at once; an LF right after it is skipped, even
///    if it arrives later.
/// 3. `data` and `event` are collected. Comments, `id`, `retry` and unknown fields are skipped.
/// 4. An empty line ends an event with a name or with data. An event that no empty line ends is
///    dropped.
///
/// The events depend on the bytes alone, and not on the chunks in which they arrive.
///
/// - Complexity: O(*n*) in all bytes.
package struct EventStreamFramer: Sendable {
  private let maximumEventByteCount: Int
  /// The bytes from the current line on.
  private var buffer: [UInt8] = []
  /// The start of the current line.
  private var start = 0
  /// The positions before which the current line has no CR and no LF.
  private var searched = (carriageReturn: 0, lineFeed: 0)
  private var isAtBeginning = true
  /// `true` after a CR, whose line break may have an LF as well.
  private var skipsLineFeed = false
  private var event = PartialEvent()
  private var failure: ResponseStreamError?

  /// An event that no empty line has ended yet.
  private struct PartialEvent {
    var name: String?
    var data: Data?

    mutating func append(_ line: UnsafeBufferPointer<UInt8>) {
      guard data != nil else {
        return data = line.baseAddress.map { Data(bytes: $0, count: line.count) } ?? Data()
      }
      data?.append(.lineFeed)
      data?.append(line)
    }
  }

  /// Creates a framer.
  package init(maximumEventByteCount: Int) { self.maximumEventByteCount = maximumEventByteCount }

  /// Adds bytes that have arrived.
  package mutating func append(_ bytes: Data) {
    if failure != nil { return }
    if start > buffer.count / 2 { dropConsumed() }
    bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
  }

  /// Returns the next event that is complete, or `nil` if more bytes are needed.
  package mutating func next() throws(ResponseStreamError) -> ServerSentEvent? {
    if let failure { throw failure }
    guard skipByteOrderMark() else { return nil }
    while let line = nextLine() {
      if line.isEmpty {
        defer { event = PartialEvent() }
        if event.name != nil || event.data != nil {
          return ServerSentEvent(name: event.name, data: event.data ?? Data())
        }
      } else {
        read(line)
        try checkSize(0)
      }
    }
    try checkSize(buffer.count - start)
    return nil
  }

  private mutating func checkSize(_ lineByteCount: Int) throws(ResponseStreamError) {
    guard (event.data?.count ?? 0) + lineByteCount > maximumEventByteCount else { return }
    let error = ResponseStreamError(.partTooLarge, "\(maximumEventByteCount) bytes")
    failure = error
    buffer = []
    throw error
  }

  private mutating func dropConsumed() {
    buffer.removeSubrange(..<start)
    searched.carriageReturn -= start
    searched.lineFeed -= start
    start = 0
  }

  // MARK: - Lines

  /// Returns `false` if more bytes are needed to say whether there is a byte order mark.
  private mutating func skipByteOrderMark() -> Bool {
    guard isAtBeginning else { return true }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if buffer.count < mark.count, mark.starts(with: buffer) { return false }
    isAtBeginning = false
    if buffer.starts(with: mark) { start = mark.count }
    return true
  }

  /// Consumes a line. Returns its bytes without the line break, or `nil` if it is not complete.
  private mutating func nextLine() -> Range<Int>? {
    if skipsLineFeed, start < buffer.count {
      skipsLineFeed = false
      if buffer[start] == .lineFeed { start += 1 }
    }
    guard let end = findLineEnd() else { return nil }
    let line = start..<end
    skipsLineFeed = buffer[end] == .carriageReturn
    start = end + 1
    return line
  }

  /// Each byte is searched once for LF, and once for CR.
  private mutating func findLineEnd() -> Int? {
    searched.carriageReturn = max(searched.carriageReturn, start)
    searched.lineFeed = max(searched.lineFeed, start)
    return buffer.withUnsafeBufferPointer { bytes in
      let count = bytes.count
      if searched.lineFeed < count, bytes[searched.lineFeed] != .lineFeed {
        searched.lineFeed =
          bytes.position(of: .lineFeed, in: searched.lineFeed..<count) ?? count
      }
      let end = searched.lineFeed
      if searched.carriageReturn < end {
        searched.carriageReturn =
          bytes.position(of: .carriageReturn, in: searched.carriageReturn..<end) ?? end
      }
      let first = min(searched.carriageReturn, end)
      return first < count ? first : nil
    }
  }

  // MARK: - Fields

  /// Reads a field: `name:value`, with one space before the value that does not count.
  private mutating func read(_ line: Range<Int>) {
    buffer.withUnsafeBufferPointer { bytes in
      let colon = bytes.position(of: UInt8(ascii: ":"), in: line) ?? line.upperBound
      let name = UnsafeBufferPointer(rebasing: bytes[line.lowerBound..<colon])
      var start = min(colon + 1, line.upperBound)
      if start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
      let value = UnsafeBufferPointer(rebasing: bytes[start..<line.upperBound])
      if name.isEqual("data") {
        event.append(value)
      } else if name.isEqual("event") {
        event.name = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
      }
    }
  }
}
