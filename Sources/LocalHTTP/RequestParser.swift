/// A parser of the requests on one connection, for any division of their bytes.
///
/// | state | waits for | next |
/// | :-- | :-- | :-- |
/// | `head` | the empty line | `body`, `chunkSize`, or a request without a body |
/// | `body` | the bytes that `Content-Length` counts | a request |
/// | `chunkSize` | the line with the size of a chunk | `chunk`, or `trailers` after the last one |
/// | `chunk` | the bytes of a chunk and the end of their line | `chunkSize` |
/// | `trailers` | the empty line | a request |
/// | `failed` | nothing | |
///
/// It is strict, because two programs that read one connection must agree on where requests end:
/// lines end with CRLF, `Content-Length` and `Transfer-Encoding` exclude each other, and a header
/// field has one line (RFC 9112, sections 2.2, 5 and 6).
package struct RequestParser {
  /// The sizes that a request may have.
  package struct Limits: Hashable, Sendable {
    /// The number of bytes of the request line and the header fields.
    package var headByteCount = 64 << 10
    package var bodyByteCount = 16 << 20

    package init() {}
  }

  private enum State {
    case head
    case body(LocalRequest, count: Int)
    case chunkSize(LocalRequest)
    case chunk(LocalRequest, count: Int)
    case trailers(LocalRequest, byteCount: Int)
    case failed(RequestProblem)
  }

  private let limits: Limits
  private var state = State.head
  private var bytes: [UInt8] = []
  /// The position of the first byte that was not consumed.
  private var start = 0
  /// The position up to which no end of a line, or of the head, was found.
  private var searched = 0
  /// Indicates whether the client waits for a word before it sends the body (`100-continue`). The
  /// owner sends it and resets this.
  package var expectsContinue = false

  /// The longest line with the size of a chunk.
  private static let longestSizeLine = 1_024

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Adds bytes that have arrived.
  package mutating func append(_ more: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// Returns the next request, or `nil` if more bytes are needed.
  ///
  /// - Throws: ``RequestProblem``, then and at each later call.
  /// - Complexity: O(*n*) in all bytes that were added.
  package mutating func next() throws(RequestProblem) -> LocalRequest? {
    do {
      while true {
        guard let step = try advance() else { return nil }
        if let request = step.request { return request }
      }
    } catch {
      state = .failed(error)
      throw error
    }
  }

  /// One step of the parser: the state has changed, and a request may be complete.
  private struct Step {
    var request: LocalRequest?
  }

  /// Takes one step, or returns `nil` if more bytes are needed.
  private mutating func advance() throws(RequestProblem) -> Step? {
    switch state {
    case .failed(let problem): throw problem
    case .head:
      skipEmptyLines()
      guard let head = try takeHead() else { return nil }
      return try begin(head)
    case .body(var request, let count):
      guard let body = take(count) else { return nil }
      request.body = Array(body)
      return end(request)
    case .chunkSize(let request):
      guard let line = try takeLine(atMost: Self.longestSizeLine) else { return nil }
      let count = try chunkSize(line)
      guard count <= limits.bodyByteCount - request.body.count else { throw .bodyTooLarge }
      state = count == 0 ? .trailers(request, byteCount: 0) : .chunk(request, count: count)
      return Step()
    case .chunk(var request, let count):
      guard let chunk = take(count + 2) else { return nil }
      guard chunk.suffix(2).elementsEqual("\r\n".utf8) else {
        throw .malformed("a chunk is longer than its size")
      }
      state = .head  // makes `request` the only owner of the body
      request.body += chunk.dropLast(2)
      state = .chunkSize(request)
      return Step()
    case .trailers(let request, let count):
      guard let line = try takeLine(atMost: limits.headByteCount - count) else { return nil }
      if line.isEmpty { return end(request) }
      _ = try Self.header(line)
      state = .trailers(request, byteCount: count + line.count + 2)
      return Step()
    }
  }

  private mutating func end(_ request: LocalRequest) -> Step {
    state = .head
    expectsContinue = false  // the client has not waited
    return Step(request: request)
  }

  // MARK: - Bytes

  private mutating func consume(_ count: Int) {
    start += count
    searched = start
  }

  /// Takes the bytes behind the last request, which are of another protocol.
  mutating func takeRest() -> [UInt8] {
    defer { consume(bytes.count - start) }
    return Array(bytes[start...])
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard bytes.count - start >= count else { return nil }
    defer { consume(count) }
    return bytes[start..<start + count]
  }

  /// Skips empty lines in front of a request, which some clients send after a body.
  private mutating func skipEmptyLines() {
    while bytes[start...].starts(with: "\r\n".utf8) { consume(2) }
  }

  /// Takes a line without its end.
  private mutating func takeLine(atMost limit: Int) throws(RequestProblem) -> ArraySlice<UInt8>? {
    var position = searched
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    searched = position
    guard position - start <= limit else { throw .headTooLarge }
    guard position < bytes.count else { return nil }
    guard position > start, bytes[position - 1] == UInt8(ascii: "\r") else {
      throw .malformed("a line ends without a carriage return")
    }
    defer { consume(position + 1 - start) }
    return bytes[start..<position - 1]
  }

  /// Takes all lines up to the empty one, with their ends.
  private mutating func takeHead() throws(RequestProblem) -> ArraySlice<UInt8>? {
    var position = searched
    while position < bytes.count {
      defer { position += 1 }
      guard bytes[position] == UInt8(ascii: "\n") else { continue }
      guard position > start, bytes[position - 1] == UInt8(ascii: "\r") else {
        throw .malformed("a line ends without a carriage return")
      }
      guard position - start >= 3, bytes[position - 2] == UInt8(ascii: "\n") else { continue }
      guard position - start <= limits.headByteCount else { throw .headTooLarge }
      let head = bytes[start..<position - 1]
      consume(position + 1 - start)
      return head
    }
    searched = position
    guard position - start <= limits.headByteCount else { throw .headTooLarge }
    return nil
  }

  // MARK: - The head

  /// Reads a head and decides how the body is delimited.
  private mutating func begin(_ head: ArraySlice<UInt8>) throws(RequestProblem) -> Step {
    var lines = head.split(separator: UInt8(ascii: "\n"))[...]
    var request = try Self.requestLine(lines.removeFirst().dropLast())
    for line in lines { request.headers.append(try Self.header(line.dropLast())) }
    let isCurrent = request.acceptsChunks
    let hosts = request.headers.filter { LocalRequest.isSame($0.name, "Host") }
    guard hosts.count == 1 || hosts.isEmpty && !isCurrent else {
      throw .malformed("it needs one 'Host'")
    }
    let connection = Self.list(request, "Connection")
    request.keepsConnection =
      isCurrent ? !connection.contains("close") : connection.contains("keep-alive")
    let codings = Self.list(request, "Transfer-Encoding")
    let length = try Self.contentLength(request)
    if !codings.isEmpty {
      guard isCurrent, length == nil else {
        throw .malformed("'Transfer-Encoding' is beside 'Content-Length', or in HTTP/1.0")
      }
      guard codings == ["chunked"] else { throw .unsupportedCoding }
    }
    let hasBody = !codings.isEmpty || (length ?? 0) > 0
    if hasBody, isCurrent, Self.list(request, "Expect").contains("100-continue") {
      expectsContinue = true
    }
    if !codings.isEmpty {
      state = .chunkSize(request)
      return Step()
    }
    guard let length, length > 0 else { return end(request) }
    guard length <= limits.bodyByteCount else { throw .bodyTooLarge }
    state = .body(request, count: length)
    return Step()
  }

  private static func requestLine(_ line: ArraySlice<UInt8>) throws(RequestProblem) -> LocalRequest
  {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(isTokenByte) else {
      throw .malformed("its first line is no request line")
    }
    guard !words[1].isEmpty, words[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .malformed("its target has a byte that belongs encoded")
    }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version.hasPrefix("HTTP/") else {
      throw .malformed("its first line is no request line")
    }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .unsupportedVersion }
    return LocalRequest(
      method: String(decoding: words[0], as: UTF8.self),
      target: String(decoding: words[1], as: UTF8.self), acceptsChunks: version == "HTTP/1.1")
  }

  private static func header(
    _ line: ArraySlice<UInt8>
  ) throws(RequestProblem) -> LocalRequest.Header {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenByte)
    else { throw .malformed("a header field has no name") }
    var value = line[(colon + 1)...]
    while let byte = value.first, isBlank(byte) { value.removeFirst() }
    while let byte = value.last, isBlank(byte) { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
      throw .malformed("a header field has a control character")
    }
    return LocalRequest.Header(
      String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  /// Returns the elements of all fields with a name, in lower case.
  private static func list(_ request: LocalRequest, _ name: String) -> [String] {
    request.headers.filter { LocalRequest.isSame($0.name, name) }.flatMap { header in
      header.value.lowercased().split(separator: ",").map { element in
        String(
          element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }
            .reversed())
      }
    }.filter { !$0.isEmpty }
  }

  private static func contentLength(_ request: LocalRequest) throws(RequestProblem) -> Int? {
    let lengths = request.headers.filter { LocalRequest.isSame($0.name, "Content-Length") }
    guard let first = lengths.first?.value else { return nil }
    guard lengths.allSatisfy({ $0.value == first }), !first.isEmpty,
      first.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw .malformed("'Content-Length' is no number") }
    guard let length = Int(first) else { throw .bodyTooLarge }
    return length
  }

  /// Reads the size of a chunk. Extensions behind it are ignored.
  private func chunkSize(_ line: ArraySlice<UInt8>) throws(RequestProblem) -> Int {
    let digits = line.prefix { $0.hexDigit != nil }
    let rest = line[digits.endIndex...].drop(while: Self.isBlank)
    guard !digits.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ";") else {
      throw .malformed("a chunk has no size")
    }
    var size = 0
    for digit in digits {
      guard size <= limits.bodyByteCount else { throw .bodyTooLarge }
      size = size << 4 | Int(digit.hexDigit ?? 0)
    }
    return size
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// Returns whether a byte may be part of a method or of a header field's name.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
