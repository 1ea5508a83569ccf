import ApolloAPI
import BenchmarkAPI

/// A model that can be read in full: every field once, of every object.
protocol Walkable {
  /// Reads every field.
  func walk(_ walk: inout Walk)
}

extension Walkable {
  /// What reading every field amounts to.
  func walked() -> Walk {
    var walk = Walk()
    self.walk(&walk)
    return walk
  }
}

/// Looks at each value that a walk meets, so that none can be left out, and counts them.
///
/// Strings are looked at by their length. Fields with objects are fields too.
struct Walk {
  /// How many fields were read.
  private(set) var fieldCount = 0
  /// What was read, added up.
  private(set) var sum = 0

  mutating func read(_ value: String) { add(value.utf8.count) }
  mutating func read(_ value: String?) { add(value?.utf8.count ?? 0) }
  mutating func read(_ value: Int) { add(value) }
  mutating func read(_ value: Double) { add(Int(value)) }
  mutating func read(_ value: Bool) { add(value ? 1 : 0) }
  mutating func read(_ value: [String]) { add(value.count) }
  mutating func read(_ value: GraphQLEnum<Species>) { add(value == .human ? 1 : 0) }

  /// Looks at an object, or a list of them, that the walk goes on with.
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
