import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The body of a request, in pieces: bytes in memory, and files that are read while they are sent.
///
/// Its size is known before anything is read, so that a request can announce it. Sending it twice
/// takes two readers.
struct UploadBody: Sendable {
  /// One piece, whose size is fixed.
  enum Piece: Sendable {
    case bytes(Data)
    case file(File)
  }

  /// A file on disk, with the size that the request announces.
  struct File: Sendable {
    var url: URL
    /// The name in errors.
    var name: String
    var byteCount: Int
  }

  private(set) var pieces: [Piece] = []
  private(set) var byteCount = 0

  mutating func append(_ bytes: Data) {
    byteCount += bytes.count
    // Each piece has its turn while the body is sent, so neighbors become one.
    if case .bytes(var last)? = pieces.last, last.count + bytes.count <= 64 << 10 {
      pieces.removeLast()
      last.append(bytes)
      pieces.append(.bytes(last))
    } else if !bytes.isEmpty {
      pieces.append(.bytes(bytes))
    }
  }

  /// Appends the file at `url` with its current size.
  ///
  /// - Throws: ``GraphQLHTTPRequestError`` with the code `unreadableFile`.
  mutating func append(fileAt url: URL, name: String) throws(GraphQLHTTPRequestError) {
    let file = File(url: url, name: name, byteCount: try OpenFile.byteCount(at: url, name: name))
    byteCount += file.byteCount
    pieces.append(.file(file))
  }

  /// The whole body in memory.
  ///
  /// - Throws: ``GraphQLHTTPRequestError`` if a file cannot be read or has changed.
  func data() throws(GraphQLHTTPRequestError) -> Data {
    let reader = UploadReader(self)
    var data = Data(count: byteCount)
    var failure: GraphQLHTTPRequestError?
    data.withUnsafeMutableBytes { buffer in
      do throws(GraphQLHTTPRequestError) {
        _ = try reader.read(into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return data
  }
}

extension URLRequest {
  /// The pieces of the body, if the request was made with ``UploadStream``.
  var uploadBody: UploadBody? {
    #if CURL
      (httpBodyStream as? UploadStream)?.body
    #else
      nil
    #endif
  }

  /// Sets the body, as a stream if it is large. A small one is read at once.
  ///
  /// Only the client for Linux reads its stream piece by piece; elsewhere the body is put together
  /// in memory.
  ///
  /// - Throws: ``GraphQLHTTPRequestError`` if a file cannot be read.
  mutating func setBody(_ body: UploadBody) throws(GraphQLHTTPRequestError) {
    #if CURL
      if body.byteCount > 64 << 10 {
        httpBodyStream = UploadStream(body)
        return
      }
    #endif
    httpBody = try body.data()
  }

  /// The same request with its upload in memory, for a `URLSession` on Linux: that would not
  /// announce the size of a stream.
  func withUploadInMemory() throws(GraphQLHTTPRequestError) -> URLRequest {
    guard let uploadBody else { return self }
    var request = self
    request.httpBodyStream = nil
    request.httpBody = try uploadBody.data()
    return request
  }
}
