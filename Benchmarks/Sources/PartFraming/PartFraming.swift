public import Foundation

/// The framing of responses in parts, compiled from the sources of `ApolloTransport`, which does
/// not offer it to programs.
public enum PartFraming {
  /// A body of the type `multipart/mixed` that has a part `count` times.
  public static func multipart(_ part: String, count: Int) -> [Data] {
    let delimited = "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n\(part)"
    return pieces(of: String(repeating: delimited, count: count) + "\r\n--graphql--\r\n")
  }

  /// A body of the type `text/event-stream` that has a part `count` times.
  public static func events(_ part: String, count: Int) -> [Data] {
    pieces(
      of: String(repeating: "event: next\ndata: \(part)\n\n", count: count)
        + "event: complete\ndata:\n\n")
  }

  /// Returns the number of bytes in the parts of a body.
  public static func readMultipart(_ pieces: [Data]) throws -> Int {
    try read(pieces, MultipartFramer(boundary: "graphql", maximumPartByteCount: 1 << 27))
  }

  /// Returns the number of bytes in the parts of a body.
  public static func readEvents(_ pieces: [Data]) throws -> Int {
    try read(pieces, GraphQLEventFramer(maximumEventByteCount: 1 << 27))
  }

  private static func read(_ pieces: [Data], _ framer: some PartFramer) throws -> Int {
    var framer = framer
    var byteCount = 0
    for piece in pieces {
      framer.append(piece)
      while let part = try framer.next() { byteCount += part.count }
    }
    try framer.finish()
    return byteCount
  }

  /// The text in pieces of 64 KiB, as a connection delivers it.
  private static func pieces(of text: String) -> [Data] {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: 64 << 10).map { start in
      Data(bytes[start..<min(start + (64 << 10), bytes.count)])
    }
  }
}
