extension ArraySlice<UInt8> {
  /// Returns the first place at or behind an index that has a text.
  ///
  /// The standard library's search for a collection is generic code that nothing specializes; it
  /// needs a second for a schema of a megabyte.
  ///
  /// - Parameters:
  ///   - text: The text. It is not empty.
  ///   - start: The index at which the search begins.
  /// - Returns: The place, or `nil` if there is none.
  /// - Complexity: O(*n*) for texts whose first byte is rare in the bytes, and O(*n* · *m*) at
  ///   worst.
  package func firstPlace(of text: String, from start: Int) -> Range<Int>? {
    let pattern = Array(text.utf8)
    guard let first = pattern.first else { return nil }
    return withUnsafeBufferPointer { bytes in
      var next = start - startIndex
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

  /// Returns the first place that has a text, or `nil` if there is none.
  package func firstPlace(of text: String) -> Range<Int>? { firstPlace(of: text, from: startIndex) }
}
