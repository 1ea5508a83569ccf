/// A table of elements that are found by a hash and a comparison.
///
/// `Dictionary` and `Set` require that keys conform to `Hashable`. The first time that a program
/// uses one with a type of key, the runtime looks for the conformance among all conformances of all
/// libraries, which takes half a million instructions. This table requires nothing, so linking the
/// first response of a program takes a quarter of the instructions.
///
/// - Complexity: O(1) on average for each operation, if hashes are mixed well.
package struct HashTable<Element> {
  @usableFromInline var elements: [(hash: Int, element: Element)] = []
  /// An open-addressed table, at most half full: the index of an element plus one, or 0.
  @usableFromInline var buckets: [Int32] = []

  /// Creates an empty table.
  @inlinable
  package init() {}

  /// The number of elements.
  @inlinable
  package var count: Int { elements.count }

  /// Returns the first element with a hash that is the one to be found, or `nil`.
  @inlinable
  package func find(hash: Int, where isMatch: (Element) -> Bool) -> Element? {
    guard !buckets.isEmpty else { return nil }
    var bucket = hash & (buckets.count - 1)
    while buckets[bucket] > 0 {
      let (known, element) = elements[Int(buckets[bucket]) - 1]
      if known == hash, isMatch(element) { return element }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return nil
  }

  /// Adds an element, which must not be in the table yet.
  @inlinable
  package mutating func insert(_ element: Element, hash: Int) {
    elements.append((hash, element))
    if elements.count * 2 > buckets.count {
      buckets = Array(repeating: 0, count: max(8, buckets.count * 2))
      for index in elements.indices { place(index) }
    } else {
      place(elements.count - 1)
    }
  }

  @inlinable
  mutating func place(_ index: Int) {
    var bucket = elements[index].hash & (buckets.count - 1)
    while buckets[bucket] > 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    buckets[bucket] = Int32(index + 1)
  }
}

/// A set of objects by their identity.
struct IdentitySet {
  private var table = HashTable<ObjectIdentifier>()

  init() {}

  /// Adds an object. Returns `false` if the set contained it.
  mutating func insert(_ object: AnyObject) -> Bool {
    let identity = ObjectIdentifier(object)
    guard table.find(hash: identity.mixedHash, where: { $0 == identity }) == nil else {
      return false
    }
    table.insert(identity, hash: identity.mixedHash)
    return true
  }
}

extension ObjectIdentifier {
  /// The bits of the address, mixed: objects lie at multiples of 16.
  var mixedHash: Int {
    Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: self)) &* 0x9E37_79B9_7F4A_7C15) >> 24)
  }
}
