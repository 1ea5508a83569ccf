internal import ApolloAPI

/// What can be a key of a ``HashTrie``.
package protocol HashedKey: Hashable {
  /// Well mixed in all bits; equal for equal keys.
  var trieHash: UInt { get }
}

extension RecordKey: HashedKey {
  package var trieHash: UInt { UInt(truncatingIfNeeded: identity.hash) }
}

extension FieldKey: HashedKey {
  package var trieHash: UInt { UInt(truncatingIfNeeded: KeyHash.hash(rawValue)) }
}

/// A persistent hash map: copying is O(1), and a copy shares all it did not change.
///
/// This is what lets readers hold a snapshot of a million records while a writer goes on: a write
/// copies the few small arrays on the path to what it changes, and only if somebody else still
/// holds them.
///
/// A compressed hash array mapped prefix trie (Steindorfer and Vinju, 2015): each node consumes
/// four bits of the hash.
package struct HashTrie<Key: HashedKey, Value> {
  private var root = Node()
  package private(set) var count = 0

  package init() {}

  fileprivate struct Entry {
    let hash: UInt
    let key: Key
    var value: Value
  }

  /// `entries` and `children` are dense; the maps tell which of the 16 branches they belong to.
  ///
  /// Below the last bits of the hash a node is a plain list of entries whose hashes are equal.
  fileprivate struct Node {
    var entryMap: UInt32 = 0
    var childMap: UInt32 = 0
    var entries: ContiguousArray<Entry> = []
    var children: ContiguousArray<Node> = []
  }
}

extension HashTrie: Sendable where Key: Sendable, Value: Sendable {}
extension HashTrie.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension HashTrie.Node: Sendable where Key: Sendable, Value: Sendable {}

/// How many low bits of a hash are used up at a level of the trie.
private typealias Shift = UInt

/// Fewer make a longer way, and less to copy on it when a copy is changed: each sibling of each node on the
/// way has its references counted, and in a large map these lie anywhere in memory.
private let bitsPerLevel: Shift = 4
private let hashWidth = Shift(UInt.bitWidth)

/// The branch of `hash` at the level below `shift` bits, as a single bit.
private func branch(_ hash: UInt, _ shift: Shift) -> UInt32 {
  1 << UInt32(truncatingIfNeeded: (hash >> shift) & ((1 << bitsPerLevel) - 1))
}

extension UInt32 {
  /// The position of `bit` in a dense array that has an element for each bit set here.
  fileprivate func rank(of bit: UInt32) -> Int {
    (self & (bit &- 1)).nonzeroBitCount
  }
}

// MARK: - Reading

extension HashTrie {
  package var isEmpty: Bool { count == 0 }

  /// - Complexity: O(log₁₆ *n*) on average.
  package subscript(key: Key) -> Value? {
    withExtendedLifetime(self) {
      for entry in locate(key.trieHash) where entry.key == key { return entry.value }
      return nil
    }
  }

  /// The entry whose key has this hash and satisfies `isKey`.
  ///
  /// - Complexity: O(log₁₆ *n*) on average.
  @inline(__always)
  package func entry(hash: UInt, where isKey: (Key) -> Bool) -> (key: Key, value: Value)? {
    withExtendedLifetime(self) {
      for entry in locate(hash) where isKey(entry.key) { return (entry.key, entry.value) }
      return nil
    }
  }

  /// Whether there is an entry whose key has this hash that satisfies `isMatch`. Nothing is copied.
  ///
  /// - Complexity: O(log₁₆ *n*) on average.
  @inline(__always)
  package func contains(hash: UInt, where isMatch: (Key, Value) -> Bool) -> Bool {
    withExtendedLifetime(self) {
      for entry in locate(hash) where isMatch(entry.key, entry.value) { return true }
      return false
    }
  }

  /// The entries with a hash: none, one, or those that collide.
  ///
  /// Pointers, because counting the references to the arrays on the way would cost more than the
  /// way. They are valid while the trie is alive and does not change: callers extend its life.
  private func locate(_ hash: UInt) -> UnsafeBufferPointer<Entry> {
    guard var node = root.child(hash, 0) else { return root.entries(hash, 0) }
    var shift = bitsPerLevel
    while let child = node.pointee.child(hash, shift) {
      node = child
      shift += bitsPerLevel
    }
    return node.pointee.entries(hash, shift)
  }

  /// Calls `body` with every key and value, in no particular order.
  package func forEach(_ body: (Key, Value) throws -> Void) rethrows {
    try root.forEach(body)
  }
}

extension HashTrie.Node {
  /// The child on the branch of a hash; nil where there is none.
  @inline(__always)
  fileprivate func child(_ hash: UInt, _ shift: Shift) -> UnsafePointer<Self>? {
    guard childMap != 0 else { return nil }  // also below the last bits of the hash
    let bit = branch(hash, shift)
    guard childMap & bit != 0 else { return nil }
    // There are children, so they have an address.
    return children.withUnsafeBufferPointer { $0.baseAddress! } + childMap.rank(of: bit)
  }

  @inline(__always)
  fileprivate func entries(_ hash: UInt, _ shift: Shift) -> UnsafeBufferPointer<HashTrie.Entry> {
    let all = entries.withUnsafeBufferPointer { $0 }
    guard shift < hashWidth else { return all }
    let bit = branch(hash, shift)
    guard entryMap & bit != 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    let index = entryMap.rank(of: bit)
    guard all[index].hash == hash else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(rebasing: all[index...index])
  }

  fileprivate func forEach(_ body: (Key, Value) throws -> Void) rethrows {
    for entry in entries { try body(entry.key, entry.value) }
    for child in children { try child.forEach(body) }
  }
}

// MARK: - Writing

extension HashTrie {
  /// Hands the value of `key`, or nil, to `body`, and keeps what `body` makes of it.
  ///
  /// - Precondition: `body` leaves a value. (Use ``removeValue(forKey:)`` to remove one.)
  /// - Complexity: O(log₁₆ *n*) on average, and no copy where this map is the only owner.
  package mutating func update<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
    let (result, isNew) = root.update(key, hash: key.trieHash, shift: 0, body)
    if isNew { count += 1 }
    return result
  }

  /// Puts a value in the place of what `key` had, if it had any.
  ///
  /// What most writes do: without the optional value that `update` has to make room for.
  /// - Complexity: O(log₁₆ *n*) on average, and no copy where this map is the only owner.
  package mutating func updateValue(_ value: consuming Value, forKey key: consuming Key) {
    let hash = key.trieHash
    if root.put(Entry(hash: hash, key: key, value: value), shift: 0) { count += 1 }
  }

  /// Removes the value of `key`, and tells what it was.
  @discardableResult
  package mutating func removeValue(forKey key: Key) -> Value? {
    let removed = root.remove(key, hash: key.trieHash, shift: 0)
    if removed != nil { count -= 1 }
    return removed
  }
}

extension HashTrie.Node {
  fileprivate mutating func update<Result>(
    _ key: Key, hash: UInt, shift: Shift, _ body: (inout Value?) -> Result
  ) -> (Result, isNew: Bool) {
    guard shift < hashWidth else { return updateColliding(key, hash: hash, body) }
    let bit = branch(hash, shift)
    if childMap & bit != 0 {
      return children[childMap.rank(of: bit)]
        .update(key, hash: hash, shift: shift + bitsPerLevel, body)
    }
    let index = entryMap.rank(of: bit)
    guard entryMap & bit != 0 else {
      entryMap |= bit
      return (insert(key, hash: hash, at: index, body), true)
    }
    if entries[index].hash == hash, entries[index].key == key {
      return (entries[index].modify(body), false)
    }
    pushDown(entryAt: index, bit: bit, shift: shift)
    return children[childMap.rank(of: bit)]
      .update(key, hash: hash, shift: shift + bitsPerLevel, body)
  }

  /// Puts an entry in the place of the one with its key; says whether there was none.
  fileprivate mutating func put(_ entry: consuming HashTrie.Entry, shift: Shift) -> Bool {
    guard shift < hashWidth else { return putColliding(entry) }
    let bit = branch(entry.hash, shift)
    if childMap & bit != 0 {
      return children[childMap.rank(of: bit)].put(entry, shift: shift + bitsPerLevel)
    }
    let index = entryMap.rank(of: bit)
    guard entryMap & bit != 0 else {
      entryMap |= bit
      entries.insert(entry, inOrderAt: index)
      return true
    }
    if entries[index].hash == entry.hash, entries[index].key == entry.key {
      entries[index].value = entry.value
      return false
    }
    pushDown(entryAt: index, bit: bit, shift: shift)
    return children[childMap.rank(of: bit)].put(entry, shift: shift + bitsPerLevel)
  }

  private mutating func putColliding(_ entry: HashTrie.Entry) -> Bool {
    guard let index = entries.firstIndex(where: { $0.key == entry.key }) else {
      entries.append(entry)
      return true
    }
    entries[index].value = entry.value
    return false
  }

  private mutating func updateColliding<Result>(
    _ key: Key, hash: UInt, _ body: (inout Value?) -> Result
  ) -> (Result, isNew: Bool) {
    if let index = entries.firstIndex(where: { $0.key == key }) {
      return (entries[index].modify(body), false)
    }
    return (insert(key, hash: hash, at: entries.count, body), true)
  }

  private mutating func insert<Result>(
    _ key: Key, hash: UInt, at index: Int, _ body: (inout Value?) -> Result
  ) -> Result {
    var value: Value?
    let result = body(&value)
    guard let value else { preconditionFailure("An update must leave a value.") }
    entries.insert(HashTrie.Entry(hash: hash, key: key, value: value), inOrderAt: index)
    return result
  }

  /// Makes room for a second key on a branch: its entry moves into a child.
  private mutating func pushDown(entryAt index: Int, bit: UInt32, shift: Shift) {
    var child = HashTrie.Node()
    if shift + bitsPerLevel < hashWidth {
      child.entryMap = branch(entries[index].hash, shift + bitsPerLevel)
    }
    child.entries.reserveCapacity(4)
    child.entries.append(entries.remove(at: index))
    entryMap &= ~bit
    childMap |= bit
    children.insert(child, inOrderAt: childMap.rank(of: bit))
  }

  fileprivate mutating func remove(_ key: Key, hash: UInt, shift: Shift) -> Value? {
    guard shift < hashWidth else {
      return entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).value }
    }
    let bit = branch(hash, shift)
    if entryMap & bit != 0 {
      let index = entryMap.rank(of: bit)
      guard entries[index].hash == hash, entries[index].key == key else { return nil }
      entryMap &= ~bit
      return entries.remove(at: index).value
    }
    guard childMap & bit != 0 else { return nil }
    return removeFromChild(key, hash: hash, bit: bit, shift: shift)
  }

  /// A child that is left with nothing goes; one that is left with a single entry gives it back, so
  /// equal maps have equal trees.
  private mutating func removeFromChild(
    _ key: Key, hash: UInt, bit: UInt32, shift: Shift
  ) -> Value? {
    let index = childMap.rank(of: bit)
    let removed = children[index].remove(key, hash: hash, shift: shift + bitsPerLevel)
    guard removed != nil, children[index].children.isEmpty, children[index].entries.count <= 1
    else { return removed }
    let rest = children.remove(at: index).entries
    childMap &= ~bit
    if let last = rest.first {
      entryMap |= bit
      entries.insert(last, inOrderAt: entryMap.rank(of: bit))
    }
    return removed
  }
}

extension ContiguousArray {
  /// Inserts an element without the generic detour of `insert(_:at:)`, and makes room for a few more at
  /// once.
  @inline(__always)
  fileprivate mutating func insert(_ element: consuming Element, inOrderAt index: Int) {
    if count == capacity { reserveCapacity(Swift.max(4, count * 2)) }
    append(element)
    guard index < count - 1 else { return }
    withUnsafeMutableBufferPointer { elements in
      let last = elements.count - 1
      let start = elements.baseAddress!  // there is an element
      let moved = (start + last).move()
      (start + index + 1).moveInitialize(from: start + index, count: last - index)
      (start + index).initialize(to: moved)
    }
  }
}

extension HashTrie.Entry {
  fileprivate mutating func modify<Result>(_ body: (inout Value?) -> Result) -> Result {
    var current: Value? = value
    let result = body(&current)
    guard let current else { preconditionFailure("An update must leave a value.") }
    value = current
    return result
  }
}
