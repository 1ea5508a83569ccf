extension ArraySlice<UInt8> {
  /// Returns the first occurrence of a text.
  ///
  /// The standard library's search for a collection is generic code that nothing specializes; it
  /// needs a second for a schema of a megabyte.
  ///
  /// - Parameter text: The text. It is not empty.
  /// - Returns: The place, or `nil` if there is none.
  /// - Complexity: O(*n*) for texts whose first byte is rare in the bytes, and O(*n* · *m*) at
  ///   worst.
  package func firstPlace(of text: String) -> Range<Int>? {
    let pattern = Array(text.utf8)
    guard let first = pattern.first else { return nil }
    return withUnsafeBufferPointer { bytes in
      var next = 0
      while next + pattern.count <= bytes.count {
        guard let found = bytes[next...].firstIndex(of: first),
          found + pattern.count <= bytes.count
        else { return nil }
        next = found + 1
        if bytes[found..<(found + pattern.count)].elementsEqual(pattern) {
          return (startIndex + found)..<(startIndex + found + pattern.count)
        }
      }
      return nil
    }
  }
}
