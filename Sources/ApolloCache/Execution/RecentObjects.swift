internal import ApolloAPI

/// The objects that one reading has made of records, so that the author of a thousand posts is read
/// once.
///
/// An open-addressed table, at most half full. Unlike a dictionary, it finds an object by the bytes
/// of a key in a row, without making a key, and it uses the hash that every key has already.
struct RecentObjects {
  private struct Entry {
    let key: RecordKey
    /// The position in the selections, on which the object depends.
    let position: Int
    let object: ResponseObject
    /// The number of the page that it was read for; see ``ObjectReader/pageNumber``.
    let page: Int
  }
  private var entries: ContiguousArray<Entry?> = []
  private(set) var count = 0

  /// Makes room for objects, if there are none yet.
  mutating func reserveCapacity(_ count: Int) {
    guard entries.isEmpty, count > 0 else { return }
    let bucketCount = 1 << (Int.bitWidth - (count * 2).leadingZeroBitCount)  // a power of two
    entries = ContiguousArray(repeating: nil, count: max(16, bucketCount))
  }

  /// Returns the object of the record with this key, as it was read at a position for a page.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func object(
    ofRecord key: UnsafeRawBufferPointer, hash: UInt64, atPosition position: Int, page: Int
  ) -> ResponseObject? {
    guard count > 0 else { return nil }
    var index = bucket(hash, position)
    while let entry = entries[index] {
      if entry.position == position, entry.key.identity.equals(key, hash: hash) {
        return entry.page == page ? entry.object : nil
      }
      index = (index &+ 1) & (entries.count &- 1)
    }
    return nil
  }

  /// Adds an object for a record and a position that have none yet, or one of another page, whose
  /// place it takes.
  mutating func insert(
    _ object: ResponseObject, ofRecord key: RecordKey, atPosition position: Int, page: Int
  ) {
    if entries.count <= count * 2 { enlarge() }
    if put(Entry(key: key, position: position, object: object, page: page)) { count += 1 }
  }

  /// Returns `false` if the entry has taken the place of another one.
  @discardableResult
  private mutating func put(_ entry: Entry) -> Bool {
    var index = bucket(entry.key.identity.hash, entry.position)
    while let other = entries[index] {
      if other.position == entry.position, other.key == entry.key { break }
      index = (index + 1) & (entries.count - 1)
    }
    defer { entries[index] = entry }
    return entries[index] == nil
  }

  private mutating func enlarge() {
    let old = entries
    entries = ContiguousArray(repeating: nil, count: max(16, old.count * 2))
    for case let entry? in old { put(entry) }
  }

  @inline(__always)
  private func bucket(_ hash: UInt64, _ position: Int) -> Int {
    Int(truncatingIfNeeded: hash ^ UInt64(truncatingIfNeeded: position)) & (entries.count &- 1)
  }
}
