/// Separates messages in a stream of bytes: each is a header with its length, an empty line, and
/// the content.
///
/// ```text
/// Content-Length: 45\r\n
/// \r\n
/// {"jsonrpc":"2.0","method":"exit","params":{}}
/// ```
struct MessageFraming {
  /// A header from which the length of the content cannot be read. No later message can be found.
  enum Failure: Error, Hashable {
    case noLength
    case tooLong
  }

  /// The greatest length of a header, and of a message.
  static let maximumHeaderByteCount = 4096
  static let maximumByteCount = 256 << 20

  private var bytes: [UInt8] = []
  private var start = 0

  /// Adds bytes that were read.
  mutating func append(_ more: some Collection<UInt8>) {
    if start > 0, start * 2 > bytes.count {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes += more
  }

  /// Removes and returns the content of the first message, or returns `nil` until it is complete.
  mutating func next() throws(Failure) -> [UInt8]? {
    let rest = bytes[start...]
    guard let end = Self.endOfHeader(in: rest.prefix(Self.maximumHeaderByteCount)) else {
      guard rest.count < Self.maximumHeaderByteCount else { throw .noLength }
      return nil
    }
    guard let length = Self.length(in: bytes[start..<end]) else { throw .noLength }
    guard length <= Self.maximumByteCount else { throw .tooLong }
    guard bytes.count - end >= length else { return nil }
    start = end + length
    defer {
      // The room for one large message is not kept.
      if start == bytes.count, bytes.capacity > 1 << 20 { (bytes, start) = ([], 0) }
    }
    return Array(bytes[end..<start])
  }

  /// Returns the message as it is sent.
  static func framed(_ content: String) -> [UInt8] {
    Array("Content-Length: \(content.utf8.count)\r\n\r\n".utf8) + Array(content.utf8)
  }

  private static func endOfHeader(in bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while index + 3 < bytes.endIndex {
      if bytes[index] == 0xD, bytes[index + 1] == 0xA, bytes[index + 2] == 0xD,
        bytes[index + 3] == 0xA
      {
        return index + 4
      }
      index += 1
    }
    return nil
  }

  /// Returns the number of bytes that the field `Content-Length` gives.
  private static func length(in header: ArraySlice<UInt8>) -> Int? {
    var found: Int?
    for line in header.split(whereSeparator: { $0 == 0xA || $0 == 0xD }) {
      let text = String(decoding: line, as: UTF8.self)
      guard let colon = text.firstIndex(of: ":"),
        text[..<colon].lowercased() == "content-length"
      else { continue }
      let digits = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        .reversed().drop { $0 == " " || $0 == "\t" }.reversed()
      guard let length = Int(String(digits)), length >= 0, digits.first != "+",
        found == nil || found == length
      else { return nil }
      found = length
    }
    return found
  }
}
