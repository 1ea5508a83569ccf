#if CURL
  import Foundation

  /// A body in pieces, as the stream of a `URLRequest`.
  ///
  /// The client for Linux takes ``body`` and reads it itself. Other clients read it as any stream.
  final class UploadStream: InputStream {
    let body: UploadBody
    private var reader: UploadReader?
    private var status = Stream.Status.notOpen
    private var error: GraphQLHTTPRequestError?

    init(_ body: UploadBody) {
      self.body = body
      super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { error }
    override var hasBytesAvailable: Bool { status == .open }

    /// Begins to read the body, again from its beginning if it was read before: the request may be
    /// sent again.
    override func open() {
      guard status != .open else { return }
      reader = UploadReader(body)
      (status, error) = (.open, nil)
    }

    override func close() {
      reader = nil
      status = .closed
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
      guard let reader, status == .open else { return status == .atEnd ? 0 : -1 }
      do throws(GraphQLHTTPRequestError) {
        let count = try reader.read(
          into: UnsafeMutableRawBufferPointer(start: buffer, count: maxLength))
        if count == 0 { status = .atEnd }
        return count
      } catch {
        self.error = error
        status = .error
        return -1
      }
    }

    override func getBuffer(
      _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
      length: UnsafeMutablePointer<Int>
    ) -> Bool { false }
  }
#endif
