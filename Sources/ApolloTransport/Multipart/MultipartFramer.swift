package import Foundation

/// Splits a body of the type `multipart/mixed` into its parts (RFC 2046, section 5.1).
///
/// ```swift
/// var framer = MultipartFramer(boundary: "graphql", maximumPartByteCount: 1 << 20)
/// framer.append(chunk)
/// while let part = try framer.next() { use(part) }
/// ```
///
/// | state | bytes | next state | result |
/// | :-- | :-- | :-- | :-- |
/// | `preamble` | a delimiter | `delimiter` | the part that a server left without one, if any |
/// | `part` | a delimiter | `delimiter` | the part, unless it is empty |
/// | `delimiter` | spaces and a line break | `part` | |
/// | `delimiter` | `--` | `ended` | |
/// | `delimiter` | anything else | `failed` | an error |
/// | `ended` | anything | `ended` | |
///
/// 1. A delimiter is a line break, two hyphens and the boundary. The first one needs no line break.
/// 2. A delimiter that follows `}` ends its part at once, whatever comes next: a line break cannot
///    occur in a JSON string, so it cannot belong to the object. Servers that flush after the
///    delimiter, and write its line break with the next part, would be one part late otherwise.
/// 3. Any other delimiter counts only with the rest of its line: spaces and a line break, or `--`.
///
/// The parts depend on the bytes alone, and not on the chunks in which they arrive.
///
/// - Complexity: O(*n*) in all bytes.
package struct MultipartFramer: Sendable {
  private enum State {
    case preamble
    case part
    case delimiter
    case ended
    case failed(ResponseStreamError)
  }

  /// The most bytes that the headers of a part may have.
  static let maximumHeaderByteCount = 16 << 10

  private let delimiter: [UInt8]
  private let maximumPartByteCount: Int
  private var state = State.preamble
  private var headers = PartHeaders()

  /// The bytes from the current part on. The first line break is ours, so that the first delimiter
  /// is found like all others.
  private var buffer: [UInt8] = [.carriageReturn, .lineFeed]
  /// The line break before the current part. The next delimiter may share it.
  private var start = 0
  /// The position before which the current part has no delimiter.
  private var searched = 0

  /// Creates a framer for the boundary that the `Content-Type` header gives.
  package init(boundary: String, maximumPartByteCount: Int) {
    delimiter = Array("\r\n--\(boundary)".utf8)
    self.maximumPartByteCount = maximumPartByteCount
  }

  /// `true` after the last delimiter. Further bytes are ignored.
  package var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Adds bytes that have arrived.
  package mutating func append(_ bytes: Data) {
    switch state {
    case .ended, .failed: return
    case .preamble, .part, .delimiter:
      if start > buffer.count / 2 { dropConsumed() }
      bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
    }
  }

  /// Returns the content of the next part that is complete, or `nil` if more bytes are needed or
  /// the body has ended.
  package mutating func next() throws(ResponseStreamError) -> Data? {
    guard let part = try nextPart() else { return nil }
    return buffer.withUnsafeBytes {
      Data(bytes: $0.baseAddress! + part.lowerBound, count: part.count)
    }
  }

  /// Appends the content of the next part that is complete to `bytes`. Returns `false` if more
  /// bytes are needed or the body has ended.
  package mutating func appendNext(to bytes: inout [UInt8]) throws(ResponseStreamError) -> Bool {
    guard let part = try nextPart() else { return false }
    buffer.withUnsafeBufferPointer {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[part]))
    }
    return true
  }

  /// Returns the range of the next part in the buffer.
  private mutating func nextPart() throws(ResponseStreamError) -> Range<Int>? {
    do {
      return try takeNext()
    } catch {
      state = .failed(error)
      buffer = []
      throw error
    }
  }

  /// Ends the body.
  ///
  /// - Throws: ``ResponseStreamError`` if the closing delimiter has not arrived.
  package func finish() throws(ResponseStreamError) {
    switch state {
    case .ended: return
    case .failed(let error): throw error
    case .preamble, .part, .delimiter:
      throw ResponseStreamError(.truncated, "the closing boundary is missing")
    }
  }

  private mutating func takeNext() throws(ResponseStreamError) -> Range<Int>? {
    while true {
      switch state {
      case .ended: return nil
      case .failed(let error): throw error
      case .preamble, .part:
        guard let end = try findDelimiter() else { return nil }
        let content = content(until: end)
        if content.flatMap(lastByte) != UInt8(ascii: "}") {
          switch lineEnd(ofDelimiterAt: end) {
          case .unknown: return nil
          case .noDelimiter:
            searched = end + 2
            continue
          case .lineBreak, .close: break
          }
        }
        state = .delimiter
        if let content, let part = try part(content) { return part }
      case .delimiter:
        switch lineEnd(ofDelimiterAt: searched) {
        case .unknown: return nil
        case .noDelimiter:
          throw ResponseStreamError(.malformedFraming, "a boundary is followed by other text")
        case .lineBreak(let position):
          start = position
          searched = position
          state = .part
        case .close:
          state = .ended
          buffer = []
        }
      }
    }
  }

  private func lastByte(of content: Range<Int>) -> UInt8? {
    buffer.withUnsafeBufferPointer { bytes in
      var position = content.upperBound
      while position > content.lowerBound {
        position -= 1
        if !bytes[position].isSpaceOrTab { return bytes[position] }
      }
      return nil
    }
  }

  private mutating func dropConsumed() {
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
  }

  // MARK: - Delimiters

  /// Returns the position of the next delimiter, or `nil` if more bytes are needed.
  private mutating func findDelimiter() throws(ResponseStreamError) -> Int? {
    let isFound = buffer.withUnsafeBufferPointer { bytes in
      delimiter.withUnsafeBufferPointer { bytes.find($0, from: &searched) }
    }
    if searched - start > maximumPartByteCount {
      throw ResponseStreamError(.partTooLarge, "\(maximumPartByteCount) bytes")
    }
    if isFound { return searched }
    try checkUnfinishedPart()
    return nil
  }

  /// Bounds the headers of a part, and drops a long preamble.
  private mutating func checkUnfinishedPart() throws(ResponseStreamError) {
    guard searched - start > Self.maximumHeaderByteCount else { return }
    guard let content = content(until: searched) else {
      start = searched  // a preamble
      return
    }
    _ = try bodyStart(in: content)
  }

  /// The rest of the line of a delimiter.
  private enum LineEnd {
    /// More bytes are needed.
    case unknown
    /// The text only begins like a delimiter.
    case noDelimiter
    case lineBreak(at: Int)
    case close
  }

  private func lineEnd(ofDelimiterAt start: Int) -> LineEnd {
    let start = start + delimiter.count
    // Arrays and slices would take longer than the search for the delimiter.
    return buffer.withUnsafeBufferPointer { bytes in
      let count = bytes.count
      var position = start
      if position < count, bytes[position] == UInt8(ascii: "-") {
        if position + 1 == count { return .unknown }
        if bytes[position + 1] == UInt8(ascii: "-") { return .close }
      }
      while position < count, bytes[position].isSpaceOrTab { position += 1 }
      guard position < count else { return .unknown }
      guard bytes[position] == .carriageReturn else { return .noDelimiter }
      guard position + 1 < count else { return .unknown }
      return bytes[position + 1] == .lineFeed ? .lineBreak(at: position) : .noDelimiter
    }
  }

  // MARK: - Parts

  /// Returns the headers and the content of the current part, or `nil` in a preamble.
  ///
  /// Text before the first delimiter is a part if it begins with a header: some servers do not send
  /// the first delimiter.
  private func content(until end: Int) -> Range<Int>? {
    let content = start + 2..<max(start + 2, end)
    guard case .preamble = state else { return content }
    let text = buffer[content].drop(while: \.isWhitespace)
    let name = String(decoding: text.prefix(13), as: UTF8.self)
    return name.lowercased() == "content-type:" ? text.startIndex..<text.endIndex : nil
  }

  /// Returns the range of a part's content, or `nil` if it is empty, with or without headers.
  private mutating func part(_ content: Range<Int>) throws(ResponseStreamError) -> Range<Int>? {
    let isEmpty = buffer.withUnsafeBufferPointer { bytes in
      bytes[content].allSatisfy(\.isWhitespace)
    }
    if isEmpty { return nil }
    guard let body = try bodyStart(in: content) else {
      throw ResponseStreamError(
        .malformedFraming, "a part has no empty line between its headers and its content")
    }
    return try buffer.withUnsafeBufferPointer {
      bytes throws(ResponseStreamError) -> Range<Int>? in
      try headers.check(UnsafeBufferPointer(rebasing: bytes[content.lowerBound..<body]))
      let body = body..<content.upperBound
      return bytes[body].allSatisfy(\.isWhitespace) ? nil : body
    }
  }

  /// Returns the position after the first empty line, or `nil` if there is none.
  private func bodyStart(in content: Range<Int>) throws(ResponseStreamError) -> Int? {
    let limit = min(content.upperBound, content.lowerBound + Self.maximumHeaderByteCount)
    let start: Int? = buffer.withUnsafeBufferPointer { bytes in
      var lineStart = content.lowerBound
      while let end = bytes.position(of: .lineFeed, in: lineStart..<limit) {
        let length = end - lineStart
        if length == 0 || length == 1 && bytes[lineStart] == .carriageReturn { return end + 1 }
        lineStart = end + 1
      }
      return nil
    }
    if let start { return start }
    if limit == content.upperBound { return nil }
    throw ResponseStreamError(.malformedFraming, "a part has more than 16 KB of headers")
  }
}
