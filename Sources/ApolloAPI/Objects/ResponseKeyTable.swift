/// Finds the index of a response key from its bytes: an open-addressed table, at most half full.
///
/// Only keys of the program are in it, so what a server sends cannot make it slow.
struct ResponseKeyTable: Sendable {
  private let keys: [[UInt8]]
  private let buckets: [Int16]
  private let mask: Int

  init(_ names: [String]) {
    keys = names.map { Array($0.utf8) }
    var capacity = 4
    while capacity < names.count * 2 { capacity *= 2 }
    mask = capacity - 1
    var buckets = [Int16](repeating: -1, count: capacity)
    for (index, key) in keys.enumerated() {
      var bucket = key.withUnsafeBufferPointer(Self.hash) & mask
      while buckets[bucket] >= 0 { bucket = (bucket + 1) & mask }
      buckets[bucket] = Int16(index)
    }
    self.buckets = buckets
  }

  /// The index of the key with these bytes, or `nil`.
  func index(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    var bucket = Self.hash(key) & mask
    while buckets[bucket] >= 0 {
      let index = Int(buckets[bucket])
      if isKey(index, key) { return index }
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

  @inline(__always)
  private func isKey(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    keys[index].withUnsafeBufferPointer { key in
      guard key.count == bytes.count else { return false }
      // Keys are short: a loop is faster than a call.
      for offset in 0..<key.count where key[offset] != bytes[offset] { return false }
      return true
    }
  }

  /// FNV-1a.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
