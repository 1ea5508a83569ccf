import ApolloAPI
import BenchmarkAPI

/// A value that can be read in full: every field of every object, once, in the order of the
/// selections. Models and the structs that are compared with them are walked in the same order.
protocol Walkable {
  /// Reads every field.
  func walk(_ walk: inout some Walk)
}

extension Walkable {
  /// The sum of reading every field.
  func walked() -> SumWalk {
    var walk = SumWalk()
    self.walk(&walk)
    return walk
  }

  /// The digest of every field. Equal contents have equal digests.
  func digested() -> UInt64 {
    var walk = DigestWalk()
    self.walk(&walk)
    return walk.digest
  }
}

/// A use of each value of a ``Walkable``.
protocol Walk {
  mutating func read(_ value: String)
  mutating func read(_ value: String?)
  mutating func read(_ value: Int)
  mutating func read(_ value: Double)
  mutating func read(_ value: Bool)
  mutating func read(_ value: [String])
  mutating func read(_ value: GraphQLEnum<Species>)
  /// Receives the name of an enum's value.
  mutating func read(species: String)
  /// Receives an object, or a list of them, that the walk continues with.
  mutating func enter<Value>(_ value: Value) -> Value
}

/// Uses and counts each value of a walk, so that the optimizer can drop none.
///
/// Of strings it uses the length. Fields with objects count as fields too.
struct SumWalk: Walk, Equatable {
  /// The number of fields that were read.
  private(set) var fieldCount = 0
  /// The sum of the values.
  private(set) var sum = 0

  mutating func read(_ value: String) { add(value.utf8.count) }
  mutating func read(_ value: String?) { add(value?.utf8.count ?? 0) }
  mutating func read(_ value: Int) { add(value) }
  mutating func read(_ value: Double) { add(Int(value)) }
  mutating func read(_ value: Bool) { add(value ? 1 : 0) }
  mutating func read(_ value: [String]) { add(value.count) }
  mutating func read(_ value: GraphQLEnum<Species>) { add(value == .human ? 1 : 0) }
  mutating func read(species: String) { add(species == "HUMAN" ? 1 : 0) }

  mutating func enter<Value>(_ value: Value) -> Value {
    add(1)
    return value
  }

  private mutating func add(_ value: Int) {
    sum &+= value
    fieldCount &+= 1
  }
}

/// Hashes all bytes of each value of a walk (FNV-1a), as the baseline in C++ does.
struct DigestWalk: Walk {
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func read(_ value: String) {
    for byte in value.utf8 { add(byte) }
    add(0xFF)
  }

  mutating func read(_ value: String?) {
    if let value { read(value) } else { add(0xFE) }
  }

  mutating func read(_ value: Int) { add(word: UInt64(bitPattern: Int64(value))) }
  mutating func read(_ value: Double) { add(word: value.bitPattern) }
  mutating func read(_ value: Bool) { add(value ? 1 : 0) }

  mutating func read(_ value: [String]) {
    for element in value { read(element) }
    read(value.count)
  }

  mutating func read(_ value: GraphQLEnum<Species>) { read(value.rawValue) }
  mutating func read(species: String) { read(species) }

  mutating func enter<Value>(_ value: Value) -> Value { value }

  private mutating func add(word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      add(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  private mutating func add(_ byte: UInt8) {
    digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}

extension SmallQuery.Data: Walkable {
  func walk(_ walk: inout some Walk) {
    guard let hero = walk.enter(hero) else { return }
    walk.read(hero.__typename)
    walk.read(hero.id)
    walk.read(hero.name)
    for friend in walk.enter(hero.friends) {
      walk.read(friend.__typename)
      walk.read(friend.id)
      walk.read(friend.name)
    }
  }
}

extension FriendsQuery.Data: Walkable {
  func walk(_ walk: inout some Walk) {
    guard let hero = walk.enter(hero) else { return }
    walk.read(hero.__typename)
    walk.read(hero.id)
    walk.read(hero.name)
    for friend in walk.enter(hero.friends) {
      walk.read(friend.__typename)
      walk.read(friend.id)
      walk.read(friend.name)
      walk.read(friend.age)
      walk.read(friend.height)
      walk.read(friend.mass)
      walk.read(friend.isJedi)
      walk.read(friend.homePlanet)
      walk.read(friend.species)
      walk.read(friend.createdAt)
      walk.read(friend.score)
    }
  }
}
