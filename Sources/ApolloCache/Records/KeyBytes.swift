#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The bytes of a record's key and their hash, in one allocation.
package final class KeyBytes: ManagedBuffer<KeyBytes.Header, UInt8> {
  package struct Header {
    fileprivate let hash: UInt64
    fileprivate let count: Int
  }

  package static func make(_ bytes: UnsafeRawBufferPointer, hash: UInt64) -> KeyBytes {
    let buffer = create(minimumCapacity: bytes.count) { _ in
      Header(hash: hash, count: bytes.count)
    }
    buffer.withUnsafeMutablePointerToElements { elements in
      UnsafeMutableRawBufferPointer(start: elements, count: bytes.count).copyMemory(from: bytes)
    }
    return unsafeDowncast(buffer, to: KeyBytes.self)  // `create` makes objects of its own class
  }

  // Through pointers, because the runtime would note each access to `header`.
  package var hash: UInt64 { withUnsafeMutablePointerToHeader { $0.pointee.hash } }

  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeMutablePointers { header, elements throws(Failure) in
      try body(UnsafeRawBufferPointer(start: elements, count: header.pointee.count))
    }
  }

  /// Whether these are the bytes, given their hash.
  @inline(__always)
  package func equals(_ bytes: UnsafeRawBufferPointer, hash: UInt64) -> Bool {
    withUnsafeMutablePointers { header, elements in
      header.pointee.hash == hash && header.pointee.count == bytes.count
        && (bytes.isEmpty || memcmp(elements, bytes.baseAddress!, bytes.count) == 0)  // not empty
    }
  }
}
