internal import CZlib

/// Compresses the messages of one direction of a connection.
///
/// Spec: RFC 7692, section 7.2.1.
struct Deflater: ~Copyable {
  /// The size of the window, which is smaller than what most servers agree to: 32 KiB of memory in
  /// place of 256, for messages that are small.
  private static let windowBits = 12
  private static let memoryLevel: Int32 = 5

  private let stream: UnsafeMutablePointer<z_stream>
  private let takesOverContext: Bool

  /// Fails if zlib cannot compress with the parameters: it has no window of 8 bits.
  ///
  /// - Parameter direction: The agreed parameters of the messages to compress.
  init?(_ direction: CompressionAgreement.Direction) {
    takesOverContext = direction.takesOverContext
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard direction.windowBits > 8 else { return nil }
    let code = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -Int32(min(direction.windowBits, Self.windowBits)),
      Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code != Z_OK { return nil }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Returns a message as it is sent.
  mutating func deflate(_ message: [UInt8]) -> [UInt8] {
    // zlib flushes nothing a second time.
    if message.isEmpty { return [0] }
    if !takesOverContext { deflateReset(stream) }
    // The bound is for a whole stream; what a flush adds is at most six bytes for each block.
    let bound = Int(deflateBound(stream, UInt(message.count))) + 64
    var result: [UInt8] = []
    message.withUnsafeBufferPointer { input in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      result = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(bound)
        _ = CZlib.deflate(stream, Z_SYNC_FLUSH)
        count = bound - Int(stream.pointee.avail_out)
      }
    }
    precondition(stream.pointee.avail_in == 0 && result.count >= 4, "zlib broke its own bound.")
    // A flush ends with an empty block, whose last four bytes the receiver appends again.
    result.removeLast(4)
    return result
  }
}
