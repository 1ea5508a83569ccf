/// A request as it came over the wire.
package struct ReceivedRequest: Sendable {
  /// The number of requests that the server had read before this one. (A script is called later
  /// than that, and two scripts in any order.)
  package var number = 0
  package var method: String
  /// The request target: path and query, as sent.
  package var target: String
  /// Names in lower case.
  package var headers: [String: String]
  package var body: [UInt8]

  package var path: String { String(target.prefix { $0 != "?" }) }
  package var bodyText: String { String(decoding: body, as: UTF8.self) }
}

/// Cuts the bytes of one connection into requests.
package struct RequestReader {
  private var buffer: [UInt8] = []
  private let readsBodies: Bool

  package init(readsBodies: Bool = true) { self.readsBodies = readsBodies }

  /// The next request of the connection, or `nil` when the peer is done.
  package mutating func next(from socket: Socket) -> ReceivedRequest? {
    var searched = 0
    while true {
      if let end = endOfHead(from: searched) { return request(headEnd: end, from: socket) }
      searched = max(0, buffer.count - 3)
      guard fill(from: socket) else { return nil }
    }
  }

  private mutating func fill(from socket: Socket) -> Bool {
    let bytes = socket.receive()
    buffer += bytes
    return !bytes.isEmpty
  }

  /// The end of the head: the index behind the first empty line.
  private func endOfHead(from start: Int) -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (start...(buffer.count - 4)).first {
      buffer[$0..<$0 + 4].elementsEqual([13, 10, 13, 10])
    }
    .map { $0 + 4 }
  }

  private mutating func request(headEnd: Int, from socket: Socket) -> ReceivedRequest? {
    let lines = String(decoding: buffer[..<headEnd], as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first else { return nil }
    let words = first.split(separator: " ")
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    buffer.removeFirst(headEnd)
    guard let body = readsBodies ? body(headers: headers, from: socket) : takeAll() else {
      return nil
    }
    return ReceivedRequest(
      method: String(words[0]), target: String(words[1]), headers: headers, body: body)
  }

  /// Everything that has arrived.
  private mutating func takeAll() -> [UInt8] {
    defer { buffer = [] }
    return buffer
  }

  private mutating func body(headers: [String: String], from socket: Socket) -> [UInt8]? {
    if headers["transfer-encoding"]?.lowercased() == "chunked" { return chunkedBody(from: socket) }
    return take(headers["content-length"].flatMap { Int($0) } ?? 0, from: socket)
  }

  private mutating func chunkedBody(from socket: Socket) -> [UInt8]? {
    var body: [UInt8] = []
    while true {
      guard let line = takeLine(from: socket), let size = Int(line, radix: 16),
        let chunk = take(size, from: socket), take(2, from: socket) != nil
      else { return nil }
      if size == 0 { return body }
      body += chunk
    }
  }

  private mutating func takeLine(from socket: Socket) -> String? {
    while true {
      if let end = buffer.firstIndex(of: 13), end + 1 < buffer.count {
        defer { buffer.removeFirst(end + 2) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard fill(from: socket) else { return nil }
    }
  }

  private mutating func take(_ count: Int, from socket: Socket) -> [UInt8]? {
    while buffer.count < count {
      guard fill(from: socket) else { return nil }
    }
    defer { buffer.removeFirst(count) }
    return [UInt8](buffer[..<count])
  }
}
