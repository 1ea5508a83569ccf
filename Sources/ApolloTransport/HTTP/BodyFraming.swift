/// The way in which a response says where its body ends.
///
/// RFC 9112, section 6.3. Contradictions are violations: two parties that resolve them differently
/// read different responses from one connection.
package enum BodyFraming: Hashable, Sendable {
  /// There is no body, whatever the fields say.
  case none
  case length(Int)
  case chunked
  /// The body ends with the connection, so a body that was cut off looks like a whole one.
  case untilClose
  /// HTTP/2 marks the end itself. The length is checked if it is announced.
  case stream(length: Int?)

  package init(_ head: ResponseHead, method: String) throws(HeadViolation) {
    let length = try Self.length(head.values(of: "content-length"))
    // Their length is that of the body of another response (RFC 9110, section 8.6).
    if method == "HEAD" || head.statusCode == 204 || head.statusCode == 304 {
      self = .none
      return
    }
    guard head.isHTTP1 else {
      self = .stream(length: length)
      return
    }
    let codings = Self.codings(head.values(of: "transfer-encoding"))
    if !codings.isEmpty {
      guard codings == ["chunked"] else { throw .transferEncoding }
      guard length == nil else { throw .contentLengthBesideTransferEncoding }
      self = .chunked
    } else if let length {
      self = .length(length)
    } else {
      self = .untilClose
    }
  }

  /// The number of bytes before decompression, if it is announced.
  var length: Int? {
    switch self {
    case .none: 0
    case .length(let length): length
    case .stream(let length): length
    case .chunked, .untilClose: nil
    }
  }

  private static func codings(_ values: [String]) -> [String] {
    guard !values.isEmpty else { return [] }
    return values.joined(separator: ",").lowercased()
      .split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
      .filter { $0 != "identity" }
  }

  /// The one value of all `Content-Length` fields. A number beyond `Int` becomes the largest one.
  private static func length(_ values: [String]) throws(HeadViolation) -> Int? {
    guard let first = values.first else { return nil }
    guard values.allSatisfy({ $0 == first }) else { throw .conflictingContentLengths }
    guard !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .contentLength
    }
    return Int(first) ?? .max
  }
}
