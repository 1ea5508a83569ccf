internal import ApolloAPI

/// The objects of records that were read, where reading a record again would cost more than finding it
/// here: the author of a thousand posts is read once.
///
/// An open-addressed table, at most half full. It finds an object by the bytes of a key, so that no key
/// has to be made of a reference in a row, and it takes the hash that every key has: a dictionary would
/// compute one of its own for each question.
struct RecentObjects {
  private struct Entry {
    let key: RecordKey
    /// What a record reads as depends on the place in the selections.
    let position: Int
    let object: ResponseObject
  }
  private var entries: ContiguousArray<Entry?> = []
  private(set) var count = 0

  /// Makes room for so many objects at once. Does nothing where there are objects already.
  mutating func reserveCapacity(_ count: Int) {
    guard entries.isEmpty, count > 0 else { return }
    let bucketCount = 1 << (Int.bitWidth - (count * 2).leadingZeroBitCount)  // a power of two
    entries = ContiguousArray(repeating: nil, count: max(16, bucketCount))
  }

  /// The object that the record with these bytes as its key was read as, at a place.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func object(
    ofRecord key: UnsafeRawBufferPointer, hash: UInt64, atPlace position: Int
  ) -> ResponseObject? {
    guard count > 0 else { return nil }
    var index = bucket(hash, position)
    while let entry = entries[index] {
      if entry.position == position, entry.key.identity.equals(key, hash: hash) {
        return entry.object
      }
      index = (index &+ 1) & (entries.count &- 1)
    }
    return nil
  }

  /// Remembers an object, for a record and a place that have none yet.
  mutating func insert(_ object: ResponseObject, ofRecord key: RecordKey, atPlace position: Int) {
    if entries.count <= count * 2 { enlarge() }
    put(Entry(key: key, position: position, object: object))
    count += 1
  }

  private mutating func put(_ entry: Entry) {
    var index = bucket(entry.key.identity.hash, entry.position)
    while entries[index] != nil { index = (index + 1) & (entries.count - 1) }
    entries[index] = entry
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
