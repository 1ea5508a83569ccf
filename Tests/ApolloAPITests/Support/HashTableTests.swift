import Testing

@testable import ApolloAPI

struct HashTableTests {
  @Test(arguments: [0, 1, 3, 4, 5, 100, 1_000])
  func findsEachElementAmongAnyNumber(count: Int) {
    var table = HashTable<String>()
    for number in 0..<count { table.insert("\(number)", hash: number &* 7) }
    #expect(table.count == count)
    for number in 0..<count {
      #expect(table.find(hash: number &* 7) { $0 == "\(number)" } == "\(number)")
    }
    #expect(table.find(hash: -1) { _ in true } == nil)
  }

  @Test func findsElementsWhoseHashesAreEqual() {
    var table = HashTable<Int>()
    for number in 0..<50 { table.insert(number, hash: number % 2) }
    for number in 0..<50 {
      #expect(table.find(hash: number % 2) { $0 == number } == number)
      #expect(table.find(hash: 1 - number % 2) { $0 == number } == nil)
    }
  }

  @Test func acceptsNegativeAndExtremeHashes() {
    var table = HashTable<Int>()
    let hashes = [Int.min, .max, -1, 0, 1]
    for hash in hashes { table.insert(hash, hash: hash) }
    for hash in hashes { #expect(table.find(hash: hash) { _ in true } == hash) }
  }

  @Test func insertsAnObjectOnce() {
    final class Object {}
    let objects = (0..<100).map { _ in Object() }
    var set = IdentitySet()
    let first = objects.map { set.insert($0) }
    let second = objects.map { set.insert($0) }
    #expect(first.allSatisfy { $0 } && !second.contains(true))
  }
}
