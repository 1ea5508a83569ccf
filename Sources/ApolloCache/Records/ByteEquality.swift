#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension String {
  /// Whether both are the same UTF-8. (`==` also holds for other spellings of the same characters,
  /// and looks for them.)
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let result = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { others in
        // Where they are not empty, they have addresses.
        own.count == 0 || memcmp(own.baseAddress!, others.baseAddress!, own.count) == 0
      }
    }
    if case .some(.some(let isEqual)) = result { return isEqual }
    return utf8.elementsEqual(other.utf8)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the same bytes lie in both places.
  @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    // Where they are not empty, they have addresses.
    count == other.count && (count == 0 || memcmp(baseAddress!, other.baseAddress!, count) == 0)
  }
}
