import CZlib
import Foundation

/// A whole response to one numbered request, in its layers.
///
/// The number, with a checksum, is in a header and in the body, so that a response which reaches
/// another request is recognized.
package struct OriginalResponse: Sendable {
  /// A part of a response that mutations aim at.
  package enum Layer: CaseIterable, Sendable {
    case information, statusLine, headers, framing, body, trailers
  }

  /// The parts in their order.
  package private(set) var parts: [(layer: Layer, bytes: [UInt8])] = []
  /// The body after its decompression.
  package private(set) var body: [UInt8] = []
  /// The end of the response is marked, by a length or by chunks.
  package private(set) var isFramed = true
  /// The connection can be used again.
  package private(set) var isKept = true

  package var bytes: [UInt8] { parts.flatMap(\.bytes) }

  /// The number of different responses.
  package static let kindCount = 20

  /// - Parameters:
  ///   - kind: Below ``kindCount``.
  ///   - stamp: The text that identifies the request.
  package init(kind: Int, stamp: String) {
    switch kind {
    case 0: answer(stamp, .length)
    case 1: answer(stamp, .chunks([1_000]))
    case 2: answer(stamp, .chunks([5, 1, 7, 1_000]), trailers: ["X-Checksum: 1", "Y: 2"])
    case 3: answer(stamp, .length, coding: .gzip)
    case 4: answer(stamp, .chunks([10, 3, 1_000]), coding: .gzip)
    case 5: answer(stamp, .close)
    case 6: answer(stamp, .close, coding: .deflate)
    case 7: answer(stamp, .length, information: ["HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"])
    case 8:
      answer(
        stamp, .chunks([20, 1_000]),
        information: Array(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 5))
    case 9: answer(stamp, .none, status: "204 No Content")
    case 10: answer(stamp, .none, status: "304 Not Modified")
    case 11: answer(stamp, .length, status: "502 Bad Gateway", type: "text/html")
    case 12: answer(stamp, .length, status: "400 Bad Request")
    case 13: answer(stamp, .length, fields: (0..<60).map { "X-\($0): \($0)" })
    case 14: answer(stamp, .length, padding: 70_000)
    case 15: answer(stamp, .chunks([4_096, 30_000, 100_000]), padding: 70_000, coding: .gzip)
    case 16: answer(stamp, .length, version: "HTTP/1.0")
    case 17:
      answer(
        stamp, .length, fields: ["Connection: close", "Set-Cookie: a=b; Path=/", "Vary: Accept"])
    case 18:
      answer(
        stamp, .chunks([64]), type: "multipart/mixed; boundary=\"-\"",
        trailers: ["Expires: Wed, 21 Oct 2026 07:28:00 GMT"])
    default: answer(stamp, .length, fields: ["Content-Encoding: identity"], coding: .none)
    }
  }

  // MARK: Making a response

  private enum Framing {
    case length, close, none
    /// Pieces of these sizes, the last of which takes the rest.
    case chunks([Int])
  }

  private enum Coding: String {
    case none, gzip, deflate
  }

  private mutating func answer(
    _ stamp: String, _ framing: Framing, status: String = "200 OK",
    type: String = "application/json",
    version: String = "HTTP/1.1", information: [String] = [], fields: [String] = [],
    padding: Int = 0, coding: Coding = .none, trailers: [String] = []
  ) {
    for text in information { add(.information, text) }
    add(.statusLine, "\(version) \(status)\r\n")
    var fields = ["Content-Type: \(type)", "X-Stamp: \(stamp)"] + fields
    if coding != .none { fields.append("Content-Encoding: \(coding.rawValue)") }
    let text = "{\"data\":{\"id\":\"\(stamp)\",\"name\":\"R2-D2\"}}"
    body = Array(text.utf8) + [UInt8](repeating: 0x20, count: padding)
    let content = coding == .none ? body : Self.compressed(body, isGzip: coding == .gzip)
    switch framing {
    case .length: fields.append("Content-Length: \(content.count)")
    case .chunks: fields.append("Transfer-Encoding: chunked")
    case .close, .none: break
    }
    if !trailers.isEmpty { fields.append("Trailer: X-Checksum") }
    add(.headers, fields.map { "\($0)\r\n" }.joined() + "\r\n")
    switch framing {
    case .none: body = []
    case .length: add(.body, content)
    case .close:
      add(.body, content)
      (isFramed, isKept) = (false, false)
    case .chunks(let sizes): addChunks(content, sizes, trailers)
    }
    if version == "HTTP/1.0" || fields.contains("Connection: close") { isKept = false }
  }

  private mutating func addChunks(_ content: [UInt8], _ sizes: [Int], _ trailers: [String]) {
    var rest = content[...]
    for (index, size) in sizes.enumerated() where !rest.isEmpty {
      let chunk = index == sizes.count - 1 ? rest : rest.prefix(size)
      rest = rest.dropFirst(chunk.count)
      add(.framing, String(chunk.count, radix: 16) + (index == 1 ? ";name=\"value\"" : "") + "\r\n")
      add(.body, Array(chunk))
      add(.framing, "\r\n")
    }
    add(.framing, "0\r\n")
    add(.trailers, trailers.map { "\($0)\r\n" }.joined() + "\r\n")
  }

  private mutating func add(_ layer: Layer, _ text: String) { add(layer, Array(text.utf8)) }

  private mutating func add(_ layer: Layer, _ bytes: [UInt8]) { parts.append((layer, bytes)) }

  private static func compressed(_ bytes: [UInt8], isGzip: Bool) -> [UInt8] {
    var stream = z_stream()
    let windowBits = isGzip ? MAX_WBITS + 16 : MAX_WBITS
    let size = Int32(MemoryLayout<z_stream>.size)
    return withUnsafeMutablePointer(to: &stream) { stream in
      deflateInit2_(stream, 1, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
      defer { deflateEnd(stream) }
      let capacity = Int(deflateBound(stream, UInt(bytes.count))) + 32
      return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        bytes.withUnsafeBufferPointer { input in
          stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          stream.pointee.avail_in = UInt32(input.count)
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(buffer.count)
          deflate(stream, Z_FINISH)
        }
        count = buffer.count - Int(stream.pointee.avail_out)
      }
    }
  }
}
