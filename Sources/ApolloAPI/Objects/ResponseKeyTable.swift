/// Finds the index of a response key from its bytes: an open-addressed table, at most half full.
///
/// Only keys of the program are in it, so what a server sends cannot make it slow.
///
/// `@unchecked Sendable` because the pointers are to memory that is written before the initializer
/// returns and never freed.
struct ResponseKeyTable: @unchecked Sendable {
  private let keys: UnsafeBufferPointer<Key>
  /// The indices of the keys; negative where there is none.
  private let buckets: UnsafeBufferPointer<Int16>
  private let mask: Int

  private struct Key {
    let ends: KeyEnds
    let bytes: UnsafePointer<UInt8>
  }

  init(_ names: [String]) {
    keys = allocateForever(
      names.map { name in
        let bytes = Array(name.utf8)
        return Key(
          ends: bytes.withUnsafeBufferPointer { KeyEnds($0) }, bytes: allocateForever(bytes))
      })
    var capacity = 4
    while capacity < names.count * 2 { capacity *= 2 }
    mask = capacity - 1
    var buckets = [Int16](repeating: -1, count: capacity)
    for (index, key) in keys.prefix(names.count).enumerated() {
      var bucket = key.ends.hash & mask
      while buckets[bucket] >= 0 { bucket = (bucket + 1) & mask }
      buckets[bucket] = Int16(index)
    }
    self.buckets = allocateForever(buckets)
  }

  /// The index of the key with these bytes, or `nil`.
  @inline(__always)
  func index(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    let ends = KeyEnds(key)
    var bucket = ends.hash & mask
    while buckets[bucket] >= 0 {
      let index = Int(buckets[bucket])
      if keys[index].ends == ends, hasEqualMiddle(index, key) { return index }
      bucket = (bucket + 1) & mask
    }
    return nil
  }

  /// The index of a key, or `nil`.
  @inline(never)
  func index(of key: String) -> Int? {
    var key = key
    return key.withUTF8 { index(of: $0) }
  }

  /// Returns whether a key of equal length and ends has the same bytes.
  @inline(__always)
  private func hasEqualMiddle(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count > 16 else { return true }
    let known = keys[index].bytes
    var offset = 8
    while offset < bytes.count &- 8 {
      if loadWord(known + offset) != loadWord(bytes.baseAddress! + offset) { return false }
      offset = min(offset &+ 8, bytes.count &- 8)
    }
    return true
  }
}

/// The first and the last bytes of a key in two words, which are all of it up to 16 bytes, and the
/// number of its bytes.
private struct KeyEnds: Equatable {
  let first: UInt64
  let last: UInt64
  let count: Int

  /// Reads the bytes of the key and no others.
  @inline(__always)
  init(_ key: UnsafeBufferPointer<UInt8>) {
    count = key.count
    guard let start = key.baseAddress, count > 0 else {
      (first, last) = (0, 0)
      return
    }
    if count >= 8 {
      (first, last) = (loadWord(start), loadWord(start + (count &- 8)))
    } else if count >= 4 {
      first = UInt64(loadWord32(start))
      last = UInt64(loadWord32(start + (count &- 4)))
    } else {
      // One to three bytes: the first, the middle and the last one.
      first = UInt64(start[0]) | UInt64(start[count / 2]) << 8
      last = UInt64(start[count &- 1])
    }
  }

  var hash: Int {
    @inline(__always) get {
      let product = (first ^ 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: count))
        .multipliedFullWidth(by: last ^ 0xC2B2_AE3D_27D4_EB4F)
      return Int(truncatingIfNeeded: (product.high ^ product.low) >> 1)
    }
  }
}
