#if CURL
  import CZlib
  import CurlShim
  import Foundation

  /// Decompresses the body of one response.
  ///
  /// libcurl could do it too, but it takes a compressed body that is cut off for a complete one.
  final class ContentDecoder {
    enum Failure: Error {
      /// The bytes are not of the coding.
      case malformed
      /// There are more bytes than the limit allows.
      case tooLarge
      /// There is no decoder for the coding.
      case unknownCoding
    }

    private enum State {
      /// `deflate` is ambiguous: most servers mean zlib's format, some the bare one.
      case deflate
      case zlib(UnsafeMutablePointer<z_stream>)
      /// A file in gzip's format is a series of members (RFC 1952, section 2.2). `isBetweenMembers`
      /// is `true` after each: the file has ended, unless another one follows.
      case gzip(UnsafeMutablePointer<z_stream>, isBetweenMembers: Bool)
      case brotli(OpaquePointer)
      case ended
    }

    private var state: State
    private var hasBegun = false

    /// The value of `Accept-Encoding`.
    static let acceptedCodings = curlshim_has_brotli() ? "gzip, br" : "gzip"

    /// Returns the decoder for a response, or `nil` if its body is not compressed.
    static func decoder(for head: ResponseHead) throws(Failure) -> ContentDecoder? {
      let codings = head.values(of: "content-encoding")
      if codings.isEmpty { return nil }
      let names = codings.joined(separator: ",").lowercased().split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && $0 != "identity" }
      switch names.count {
      case 0: return nil
      case 1: return try ContentDecoder(names[0])
      default: throw .unknownCoding
      }
    }

    init(_ coding: String) throws(Failure) {
      switch coding {
      case "gzip", "x-gzip":
        state = .gzip(try Self.inflater(windowBits: MAX_WBITS + 16), isBetweenMembers: false)
      case "deflate": state = .deflate
      case "br":
        guard let brotli = curlshim_brotli_new() else { throw .unknownCoding }
        state = .brotli(brotli)
      default: throw .unknownCoding
      }
    }

    deinit { end() }

    /// `true` if the compressed data has ended, or never begun: some servers announce a coding for
    /// an empty body.
    var isComplete: Bool {
      switch state {
      case .ended, .gzip(_, isBetweenMembers: true): true
      case .deflate, .zlib, .gzip, .brotli: !hasBegun
      }
    }

    /// Passes what `bytes` become to `output`, at most `limit` bytes.
    func decode(
      _ bytes: UnsafeRawBufferPointer, limit: Int, output: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) {
      guard !bytes.isEmpty else { return }
      if case .deflate = state {
        // RFC 1950: the method is 8, and the two bytes are a multiple of 31. Of one byte alone,
        // only the method is known.
        let isZlib =
          bytes[0] & 0x0F == 8
          && (bytes.count == 1 || (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0)
        state = .zlib(try Self.inflater(windowBits: isZlib ? MAX_WBITS : -MAX_WBITS))
      }
      hasBegun = true
      switch state {
      case .zlib(let stream):
        let (rest, _) = try inflate(stream, bytes, limit: limit, output)
        guard let rest else { return }
        guard rest.isEmpty else { throw .malformed }
        end()
      case .gzip(let stream, let isBetweenMembers):
        try decodeMembers(
          stream, bytes, isBetweenMembers: isBetweenMembers, limit: limit, output)
      case .brotli(let brotli): try decode(brotli, bytes, limit: limit, output)
      case .ended, .deflate: throw .malformed
      }
    }

    private func end() {
      switch state {
      case .zlib(let stream), .gzip(let stream, _):
        inflateEnd(stream)
        stream.deallocate()
      case .brotli(let brotli): curlshim_brotli_free(brotli)
      case .deflate, .ended: break
      }
      state = .ended
    }

    private static let chunkByteCount = 64 << 10

    // MARK: zlib

    private static func inflater(
      windowBits: Int32
    ) throws(Failure) -> UnsafeMutablePointer<z_stream> {
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      stream.initialize(to: z_stream())
      guard
        inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else {
        stream.deallocate()
        throw .tooLarge
      }
      return stream
    }

    /// Decompresses members, which end anywhere in the pieces in which their bytes arrive.
    private func decodeMembers(
      _ stream: UnsafeMutablePointer<z_stream>, _ bytes: UnsafeRawBufferPointer,
      isBetweenMembers: Bool, limit: Int, _ output: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) {
      var (isBetweenMembers, bytes, room) = (isBetweenMembers, bytes, limit)
      while !bytes.isEmpty {
        if isBetweenMembers {
          guard bytes.first == 0x1F, inflateReset(stream) == Z_OK else { throw .malformed }
        }
        let (rest, newRoom) = try inflate(stream, bytes, limit: room, output)
        isBetweenMembers = rest != nil
        bytes = rest ?? UnsafeRawBufferPointer(start: nil, count: 0)
        room = newRoom
      }
      state = .gzip(stream, isBetweenMembers: isBetweenMembers)
    }

    /// Decompresses bytes. Returns those behind the end of the data, or `nil` before the end, and
    /// how many bytes may follow.
    private func inflate(
      _ stream: UnsafeMutablePointer<z_stream>, _ bytes: UnsafeRawBufferPointer, limit: Int,
      _ output: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) -> (rest: UnsafeRawBufferPointer?, room: Int) {
      // zlib does not write to its input.
      let input = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      stream.pointee.next_in = input?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_in = UInt32(bytes.count)
      var room = limit
      var status = Z_OK
      repeat {
        room = try Self.pass(to: output, room: room) { buffer in
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(buffer.count)
          status = CZlib.inflate(stream, Z_NO_FLUSH)
          return buffer.count - Int(stream.pointee.avail_out)
        }
      } while status == Z_OK && (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
      // Z_BUF_ERROR: everything has been read and written.
      guard status == Z_OK || status == Z_BUF_ERROR || status == Z_STREAM_END else {
        throw .malformed
      }
      guard status == Z_STREAM_END else { return (nil, room) }
      let rest = bytes.suffix(Int(stream.pointee.avail_in))
      return (UnsafeRawBufferPointer(rebasing: rest), room)
    }

    // MARK: Brotli

    private func decode(
      _ brotli: OpaquePointer, _ bytes: UnsafeRawBufferPointer, limit: Int,
      _ output: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) {
      var input = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      var inputCount = bytes.count
      var room = limit
      var result = CURLSHIM_BROTLI_FAILED
      repeat {
        room = try Self.pass(to: output, room: room) { buffer in
          var target = buffer.baseAddress
          var targetCount = buffer.count
          result = Int(
            curlshim_brotli_decode(brotli, &inputCount, &input, &targetCount, &target))
          return buffer.count - targetCount
        }
      } while result == CURLSHIM_BROTLI_HAS_MORE
      if result == CURLSHIM_BROTLI_ENDED {
        guard inputCount == 0 else { throw .malformed }
        end()
      } else if result != CURLSHIM_BROTLI_NEEDS_MORE {
        throw .malformed
      }
    }

    /// Lets `fill` write bytes and passes them on, unless they are more than `room`. Returns how
    /// many bytes may follow.
    private static func pass(
      to output: (UnsafeRawBufferPointer) -> Void, room: Int,
      _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) throws(Failure) -> Int {
      let rest = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: chunkByteCount) {
        buffer in
        let count = fill(buffer)
        if count <= room {
          output(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        }
        return room - count
      }
      if rest < 0 { throw .tooLarge }
      return rest
    }
  }
#endif
