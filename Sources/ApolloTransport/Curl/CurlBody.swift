#if CURL
  import Foundation
  import FoundationNetworking

  /// The body of a request, as libcurl gets it.
  enum CurlBody {
    /// Bytes that are sent together with the head.
    case copied(Data)
    /// A larger body, which libcurl asks for while it is sent.
    case streamed(UploadBody)

    /// Bodies up to this size are copied.
    private static let copiedByteCount = 64 << 10

    /// The body of a request. A stream of the program's own is read to its end.
    ///
    /// - Throws: ``GraphQLHTTPRequestError`` if such a stream fails, or has been read before: a
    ///   redirect, for example, cannot send it again. Nothing is sent then.
    init(_ request: URLRequest) throws(GraphQLHTTPRequestError) {
      if let data = request.httpBody {
        self.init(data)
      } else if let upload = request.uploadBody {
        self = .streamed(upload)
      } else if let stream = request.httpBodyStream {
        self.init(try Self.read(stream))
      } else {
        self = .copied(Data())
      }
    }

    init(_ data: Data) {
      if data.count <= Self.copiedByteCount {
        self = .copied(data)
      } else {
        var body = UploadBody()
        body.append(data)
        self = .streamed(body)
      }
    }

    var byteCount: Int {
      switch self {
      case .copied(let data): data.count
      case .streamed(let body): body.byteCount
      }
    }

    var isStreamed: Bool {
      switch self {
      case .copied: false
      case .streamed: true
      }
    }

    private static func read(_ stream: InputStream) throws(GraphQLHTTPRequestError) -> Data {
      guard stream.streamStatus == .notOpen else {
        throw .unreadableFile(name: "the body", reason: "Its stream has been read before.")
      }
      stream.open()
      defer { stream.close() }
      var body = Data()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = stream.read(&buffer, maxLength: buffer.count)
        guard count >= 0 else {
          let reason = stream.streamError?.localizedDescription ?? "Its stream failed."
          throw .unreadableFile(name: "the body", reason: reason)
        }
        guard count > 0 else { return body }
        body.append(contentsOf: buffer[..<count])
      }
    }
  }
#endif
