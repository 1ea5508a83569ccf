internal import CZlib

/// Decompresses the messages of one direction of a connection.
///
/// Spec: RFC 7692, section 7.2.2.
struct Inflater: ~Copyable {
  /// The four bytes that a sender removes from the end of each message.
  private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
  private static let scratchByteCount = 16 << 10

  private let stream: UnsafeMutablePointer<z_stream>
  private let scratch: UnsafeMutableRawBufferPointer
  private let takesOverContext: Bool
  /// `true` if the message has had its last block. A sender may begin another one then.
  private var hasEnded = false

  /// Fails if there is no memory for it.
  ///
  /// - Parameter direction: The agreed parameters of the messages to decompress.
  init?(_ direction: CompressionAgreement.Direction) {
    takesOverContext = direction.takesOverContext
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    scratch = .allocate(byteCount: Self.scratchByteCount, alignment: 16)
    // The largest window decompresses the same as the agreed one. With a smaller one, zlib would
    // refuse references beyond the window or not, depending on the pieces of its input.
    let code = inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code != Z_OK { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    scratch.deallocate()
  }

  /// Decompresses the next piece of a message, and calls `body` with pieces of the result.
  mutating func inflate(
    _ piece: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(ProtocolViolation) -> Void
  ) throws(ProtocolViolation) {
    guard let base = piece.baseAddress, !piece.isEmpty else { return }
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: base.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(piece.count)
    repeat {
      if hasEnded {
        guard inflateReset(stream) == Z_OK else { throw .notDeflated }
        hasEnded = false
      }
      stream.pointee.next_out = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(Self.scratchByteCount)
      let code = CZlib.inflate(stream, Z_SYNC_FLUSH)
      let count = Self.scratchByteCount - Int(stream.pointee.avail_out)
      if count > 0 { try body(UnsafeRawBufferPointer(rebasing: scratch[..<count])) }
      switch code {
      case Z_OK: continue
      case Z_STREAM_END: hasEnded = true
      // There is no input left, and no output waits.
      case Z_BUF_ERROR where stream.pointee.avail_in == 0: return
      default: throw .notDeflated
      }
      // After the last block no output waits, even if the buffer is full. Another pass would begin
      // a block that the sender has not begun.
    } while stream.pointee.avail_in > 0 || (stream.pointee.avail_out == 0 && !hasEnded)
  }

  /// Ends a message.
  mutating func finish(
    _ body: (UnsafeRawBufferPointer) throws(ProtocolViolation) -> Void
  ) throws(ProtocolViolation) {
    // After the last block, the removed bytes would begin another one.
    if !hasEnded {
      let result = Self.tail.withUnsafeBytes { tail in
        Result { () throws(ProtocolViolation) in try inflate(tail, body) }
      }
      try result.get()
    }
    if !takesOverContext || hasEnded {
      guard inflateReset(stream) == Z_OK else { throw .notDeflated }
      hasEnded = false
    }
  }
}
