import ApolloCache
import SeededRandom
import Testing

@Suite struct HashTrieTests {
  /// A key whose hash is chosen by the test, to force collisions at any depth.
  private struct Key: HashedKey {
    var name: Int
    var bucket: Int
    var trieHash: UInt { UInt(bitPattern: bucket.hashValue) }
    static func == (left: Key, right: Key) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  @Test(arguments: [1, 7, 1_000_000])
  func agreesWithADictionaryWhateverTheHashes(bucketCount: Int) {
    var random = SeededGenerator(seed: freshSeed)
    var trie = HashTrie<Key, Int>()
    var oracle: [Int: Int] = [:]
    for step in 0..<20_000 {
      let name = Int.random(in: 0..<400, using: &random)
      let key = Key(name: name, bucket: name % bucketCount)
      if Int.random(in: 0..<3, using: &random) == 0 {
        #expect(
          trie.removeValue(forKey: key) == oracle.removeValue(forKey: name), "seed \(freshSeed)")
      } else {
        trie.updateValue(step, forKey: key)
        oracle[name] = step
      }
      #expect(trie[key] == oracle[name], "seed \(freshSeed)")
    }
    #expect(trie.count == oracle.count)
    var contents: [Int: Int] = [:]
    trie.forEach { contents[$0.name] = $1 }
    #expect(contents == oracle, "seed \(freshSeed)")
  }

  @Test func aCopyDoesNotSeeLaterChanges() {
    var trie = HashTrie<Key, Int>()
    func key(_ number: Int) -> Key { Key(name: number, bucket: number) }
    for number in 0..<5_000 { trie.updateValue(number, forKey: key(number)) }
    let copy = trie
    for number in 0..<5_000 where number.isMultiple(of: 2) { trie.removeValue(forKey: key(number)) }
    for number in 0..<5_000 where !number.isMultiple(of: 2) {
      trie.updateValue(-1, forKey: key(number))
    }
    #expect(copy.count == 5_000)
    #expect((0..<5_000).allSatisfy { copy[key($0)] == $0 })
    #expect(trie.count == 2_500)
    #expect((0..<5_000).allSatisfy { trie[key($0)] == ($0.isMultiple(of: 2) ? nil : -1) })
  }
}
