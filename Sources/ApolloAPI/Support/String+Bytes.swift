#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension String {
  /// Returns whether both texts are the same UTF-8. (`==` is slower, because different bytes can
  /// spell the same characters.)
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let result = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { others in
        // A buffer that is not empty has an address.
        own.count == 0 || memcmp(own.baseAddress!, others.baseAddress!, own.count) == 0
      }
    }
    if case .some(.some(let isEqual)) = result { return isEqual }
    return utf8.elementsEqual(other.utf8)
  }
}
