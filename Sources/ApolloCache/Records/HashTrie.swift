internal import ApolloAPI

/// A type of keys for a ``HashTrie``.
package protocol HashedKey: Hashable {
  /// A hash that is well mixed in all bits. Equal keys have equal hashes.
  var trieHash: UInt { get }
}

extension RecordKey: HashedKey {
  package var trieHash: UInt { UInt(truncatingIfNeeded: identity.hash) }
}

extension FieldKey: HashedKey {
  package var trieHash: UInt { UInt(truncatingIfNeeded: KeyHash.hash(rawValue)) }
}

/// A persistent hash map: copying is O(1), and a copy shares everything that it does not change.
///
/// It lets readers hold a snapshot of a million records while a writer continues: a write copies
/// the few small arrays on the path to its change, and only if a snapshot still holds them.
///
/// It is a compressed hash array mapped prefix trie (Steindorfer and Vinju, 2015). To find a key:
///
/// 1. Take the lowest four bits of the hash: they choose one of 16 branches of the root.
/// 2. If the node has a child on that branch, go on in the child with the next four bits.
/// 3. If it has an entry there, the entry is the result if hash and key are equal.
/// 4. Otherwise the key is not in the map.
///
/// After the last bits of the hash, a node is a plain list of entries with equal hashes. To add a
/// key on the branch of another entry, that entry is moved down into a new child. To remove a key,
/// its entry is removed, and a child that is left with a single entry is replaced by that entry. So
/// equal maps have equal trees.
package struct HashTrie<Key: HashedKey, Value> {
  private var root = Node()
  package private(set) var count = 0

  package init() {}

  fileprivate struct Entry {
    let hash: UInt
    let key: Key
    var value: Value
  }

  /// A node. `entries` and `children` are dense; a bit of the maps is set for each of the 16
  /// branches that has one.
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

/// The number of low bits of a hash that the levels above have consumed.
private typealias Shift = UInt

/// The number of bits of a hash that one level consumes.
///
/// Fewer bits make paths longer, but changes of a copy cheaper: for each node on the path, the
/// references of all siblings are counted, and in a large map they lie anywhere in memory.
private let bitsPerLevel: Shift = 4
private let hashWidth = Shift(UInt.bitWidth)

/// The branch of `hash` at the level below `shift` bits, as a single bit.
private func branch(_ hash: UInt, _ shift: Shift) -> UInt32 {
  1 << UInt32(truncatingIfNeeded: (hash >> shift) & ((1 << bitsPerLevel) - 1))
}

extension UInt32 {
  /// Returns the index of `bit` in a dense array with one element for each set bit.
  fileprivate func rank(of bit: UInt32) -> Int {
    (self & (bit &- 1)).nonzeroBitCount
  }
}

// MARK: - Reading

extension HashTrie {
  /// - Complexity: O(log₁₆ *n*) on average.
  package subscript(key: Key) -> Value? {
    withExtendedLifetime(self) {
      for entry in locate(key.trieHash) where entry.key == key { return entry.value }
      return nil
    }
  }

  /// Returns the address of the value of a key, which is valid while the trie is alive and
  /// unchanged. Nothing is copied.
  ///
  /// - Complexity: O(log₁₆ *n*) on average.
  @inline(__always)
  package func address(of key: Key) -> UnsafePointer<Value>? {
    let entries = locate(key.trieHash)
    for index in entries.indices where entries[index].key == key {
      let entry = UnsafeRawPointer(entries.baseAddress! + index)  // it has an element
      return (entry + MemoryLayout<Entry>.offset(of: \.value)!)
        .assumingMemoryBound(to: Value.self)
    }
    return nil
  }

  /// Returns the entry whose key has this hash and satisfies `isKey`.
  ///
  /// - Complexity: O(log₁₆ *n*) on average.
  @inline(__always)
  package func entry(hash: UInt, where isKey: (Key) -> Bool) -> (key: Key, value: Value)? {
    withExtendedLifetime(self) {
      for entry in locate(hash) where isKey(entry.key) { return (entry.key, entry.value) }
      return nil
    }
  }

  /// Returns whether an entry whose key has this hash satisfies `isMatch`. Copies nothing.
  ///
  /// - Complexity: O(log₁₆ *n*) on average.
  @inline(__always)
  package func contains(hash: UInt, where isMatch: (Key, Value) -> Bool) -> Bool {
    withExtendedLifetime(self) {
      for entry in locate(hash) where isMatch(entry.key, entry.value) { return true }
      return false
    }
  }

  /// Returns the entries with a hash: none, one, or several that collide.
  ///
  /// It uses pointers because counting the references to the arrays on the path would cost more
  /// than following it. They are valid while the trie is alive and unchanged: callers extend its
  /// life.
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
  /// Returns the child on the branch of a hash, or `nil` if there is none.
  @inline(__always)
  fileprivate func child(_ hash: UInt, _ shift: Shift) -> UnsafePointer<Self>? {
    guard childMap != 0 else { return nil }  // also after the last bits of the hash
    let bit = branch(hash, shift)
    guard childMap & bit != 0 else { return nil }
    // The array is not empty, so it has an address.
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
  /// Lets `body` change the value of `key`, which is `nil` if there is none.
  ///
  /// - Precondition: `body` leaves a value. (Use ``removeValue(forKey:)`` to remove one.)
  /// - Complexity: O(log₁₆ *n*) on average, without a copy if this map is the only owner.
  package mutating func update<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
    let (result, isNew) = root.update(key, hash: key.trieHash, shift: 0, body)
    if isNew { count += 1 }
    return result
  }

  /// Sets the value of `key`.
  ///
  /// Faster than `update`, which has to make room for an optional value.
  ///
  /// - Complexity: O(log₁₆ *n*) on average, without a copy if this map is the only owner.
  package mutating func updateValue(_ value: consuming Value, forKey key: consuming Key) {
    let hash = key.trieHash
    if root.put(Entry(hash: hash, key: key, value: value), shift: 0) { count += 1 }
  }

  /// Removes the value of `key` and returns it.
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

  /// Inserts an entry or replaces the one with its key. Returns `true` if it is new.
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

  /// Moves the entry of a branch into a new child, to make room for a second key.
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

  /// Removes a key from a child. An empty child is removed, and a child with a single entry is
  /// replaced by that entry.
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
  /// Inserts an element without the generic path of `insert(_:at:)`, and reserves room for a few
  /// more.
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
