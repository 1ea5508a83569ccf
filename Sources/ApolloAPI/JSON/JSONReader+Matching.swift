extension JSONReader {
  /// Returns whether the next bytes are `bytes`, which are padded to whole words.
  @inline(__always)
  func isNext(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var offset = 0
    while offset &+ 8 <= count {
      guard loadWord(cursor + offset) == loadWord(bytes + offset) else { return false }
      offset &+= 8
    }
    let rest = UInt64(count &- offset) &* 8
    let mask = (1 &<< rest) &- 1
    return (loadWord(cursor + offset) ^ loadWord(bytes + offset)) & mask == 0
  }
}
