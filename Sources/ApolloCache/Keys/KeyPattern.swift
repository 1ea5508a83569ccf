/// A text to search for in many keys.
package struct KeyPattern {
  /// The text in lower case.
  private let bytes: [UInt8]

  /// Creates a pattern. There are no wildcards.
  ///
  /// - Parameter text: The text. ASCII letters match in either case, every other byte only itself.
  package init(_ text: String) {
    bytes = text.utf8.map(\.asciiLowercased)
  }

  /// Returns whether a key contains the text. Every key contains the empty text.
  ///
  /// - Complexity: O(*n* · *m*) in the bytes of both; mostly O(*n*). Allocates nothing.
  package func isContained(in key: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first else { return true }
    guard bytes.count <= key.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for start in 0...(key.count - bytes.count) where key[start].asciiLowercased == first {
        if bytes.indices.allSatisfy({ key[start + $0].asciiLowercased == bytes[$0] }) {
          return true
        }
      }
      return false
    }
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var asciiLowercased: UInt8 {
    self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
  }
}
