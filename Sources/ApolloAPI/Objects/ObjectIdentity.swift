#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The identity of a response object: the bytes of its cache key and their hash, in one allocation.
///
/// A cache gives it to the objects that are records. Objects with equal identities are the same
/// record; objects without one are embedded in another.
///
/// The bytes are written only while the identity is made, so threads may share it. The standard
/// library rules out that a `ManagedBuffer` says so itself; the types that hold one do.
package final class ObjectIdentity: ManagedBuffer<ObjectIdentity.Header, UInt8> {
  package struct Header {
    @usableFromInline let hash: UInt64
    @usableFromInline let count: Int

    @usableFromInline init(hash: UInt64, count: Int) {
      self.hash = hash
      self.count = count
    }
  }

  /// Makes an identity from the bytes of a key and their hash.
  package static func make(_ bytes: UnsafeRawBufferPointer, hash: UInt64) -> ObjectIdentity {
    let buffer = create(minimumCapacity: bytes.count) { _ in
      Header(hash: hash, count: bytes.count)
    }
    buffer.withUnsafeMutablePointerToElements { elements in
      UnsafeMutableRawBufferPointer(start: elements, count: bytes.count).copyMemory(from: bytes)
    }
    return unsafeDowncast(buffer, to: ObjectIdentity.self)  // `create` makes objects of its class
  }
}

extension ObjectIdentity {
  // Through pointers, because the runtime checks each access to `header` for exclusivity.

  /// The hash of the bytes.
  @inlinable
  package var hash: UInt64 { withUnsafeMutablePointerToHeader { $0.pointee.hash } }

  /// Calls `body` with the bytes of the key.
  @inlinable
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeMutablePointers { header, elements throws(Failure) in
      try body(UnsafeRawBufferPointer(start: elements, count: header.pointee.count))
    }
  }

  /// Returns whether the key consists of these bytes, whose hash the caller knows.
  @inlinable
  package func equals(_ bytes: UnsafeRawBufferPointer, hash: UInt64) -> Bool {
    withUnsafeMutablePointers { header, elements in
      header.pointee.hash == hash && header.pointee.count == bytes.count
        && haveEqualBytes(elements, bytes.baseAddress, bytes.count)
    }
  }

  /// Returns whether both identities are the same key.
  @inlinable
  package static func areEqual(_ lhs: ObjectIdentity, _ rhs: ObjectIdentity) -> Bool {
    lhs === rhs || lhs.withBytes { rhs.equals($0, hash: lhs.hash) }
  }
}

// Out of line, so that modules without the system's headers can inline its callers.
@usableFromInline
package func haveEqualBytes(
  _ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer?, _ count: Int
) -> Bool {
  guard count > 0, let rhs else { return true }
  return memcmp(lhs, rhs, count) == 0
}
