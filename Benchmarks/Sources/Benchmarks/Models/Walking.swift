import ApolloAPI
import BenchmarkAPI

/// A model that can be read in full: every field of every object, once.
protocol Walkable {
  /// Reads every field.
  func walk(_ walk: inout Walk)
}

extension Walkable {
  /// The sum of reading every field.
  func walked() -> Walk {
    var walk = Walk()
    self.walk(&walk)
    return walk
  }
}

/// Uses and counts each value of a walk, so that the optimizer can drop none.
///
/// Of strings it uses the length. Fields with objects count as fields too.
struct Walk {
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

  /// Counts an object, or a list of them, that the walk continues with.
  mutating func enter<Value>(_ value: Value) -> Value {
    add(1)
    return value
  }

  private mutating func add(_ value: Int) {
    sum &+= value
    fieldCount &+= 1
  }
}

extension SmallQuery.Data: Walkable {
  func walk(_ walk: inout Walk) {
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
  func walk(_ walk: inout Walk) {
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
