extension String {
  /// Returns whether both texts have the same bytes in UTF-8. `==` compares characters, of which
  /// some have several forms.
  ///
  /// - Complexity: O(*n*) in the bytes.
  @inlinable
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let areSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
    }
    return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
