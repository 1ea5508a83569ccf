import ApolloAPI
import SeededRandom
import Testing

/// Mutable models are values: after any copies, moves and changes, they equal plain structs.
struct AliasingTests {
  typealias Hero = StarWarsAPI.EditableHero

  /// A reference for comparison: a plain struct.
  private struct Reference: Equatable {
    var name: String
    var height: Double?
    var appearsIn: [String?]
    var friends: [String?]?
    var bestFriend: String?

    init(_ hero: Hero) {
      name = hero.name
      height = hero.height
      appearsIn = hero.appearsIn.map { $0?.rawValue }
      friends = hero.friends?.map { $0?.name }
      bestFriend = hero.bestFriend?.name
    }
  }

  private struct World {
    var random: SeededGenerator
    var heroes: [Hero]
    var references: [Reference]
    /// Friends that were copied from some hero, and their names.
    var friends: [Hero.Friend] = []
    var names: [String] = []

    private mutating func any() -> Int { Int.random(in: 0..<heroes.count, using: &random) }
    private mutating func text() -> String {
      ["", "Leia", "Luke Skywalker of Tatooine"].randomElement(using: &random)!
        + "\(random.next() % 100)"
    }

    /// Changes a hero and its reference in the same way.
    mutating func step() {
      let (one, other) = (any(), any())
      let name = text()
      switch Int.random(in: 0..<13, using: &random) {
      case 0:
        (heroes[one], references[one]) = (heroes[other], references[other])
      case 1:
        heroes[one].name = name
        references[one].name = name
      case 2:
        heroes[one].height = heroes[one].height == nil ? 1.5 : nil
        references[one].height = references[one].height == nil ? 1.5 : nil
      case 3:
        heroes[one].appearsIn.append(.unknown(name))
        references[one].appearsIn.append(name)
      case 4:
        heroes[one].friends?.append(.init(__typename: "Human", name: name))
        references[one].friends?.append(name)
      case 5:
        heroes[one].friends?.indices.last.map { heroes[one].friends?[$0]?.name = name }
        if let last = references[one].friends?.indices.last, references[one].friends?[last] != nil {
          references[one].friends?[last] = name
        }
      case 6:
        heroes[one].friends = heroes[other].friends
        references[one].friends = references[other].friends
      case 7:
        heroes[one].bestFriend?.name = name
        if references[one].bestFriend != nil { references[one].bestFriend = name }
      case 8:
        heroes[one].bestFriend = heroes[other].bestFriend
        references[one].bestFriend = references[other].bestFriend
      case 9:
        heroes[one].bestFriend = .init(__typename: "Droid", name: name)
        references[one].bestFriend = name
      case 10:
        guard let friend = heroes[one].friends?.first ?? nil else { return }
        friends.append(friend)
        names.append(friend.name)
      case 11:
        guard !friends.isEmpty else { return }
        let index = Int.random(in: 0..<friends.count, using: &random)
        friends[index].name = name
        names[index] = name
        heroes[one].friends = [friends[index], nil, friends[index]]
        references[one].friends = [name, nil, name]
      default:
        heroes[one].friends = heroes[one].friends.map { Array($0.dropFirst()) }
        references[one].friends = references[one].friends.map { Array($0.dropFirst()) }
      }
    }
  }

  @Test(arguments: [freshSeed, 1, 2, 3])
  func randomCopiesStayIndependent(seed: UInt64) throws {
    let first = Hero(
      __typename: "Human", name: "Luke", appearsIn: [.case(.jedi), nil],
      friends: [.init(__typename: "Human", name: "Han"), nil],
      bestFriend: .init(__typename: "Droid", name: "R2-D2"))
    let second = try Hero(jsonBytes: first.jsonBytes)
    let heroes = [first, first, second, second]
    var world = World(
      random: SeededGenerator(seed: seed), heroes: heroes, references: heroes.map(Reference.init))
    for step in 0..<1500 {
      world.step()
      #expect(world.heroes.map(Reference.init) == world.references, "seed \(seed), step \(step)")
      #expect(world.friends.map(\.name) == world.names, "seed \(seed), step \(step)")
    }
    for hero in world.heroes {
      let again = try Hero(jsonBytes: hero.jsonBytes)
      #expect(again == hero && again.hashValue == hero.hashValue, "seed \(seed)")
      #expect(!hero.debugDescription.isEmpty, "seed \(seed)")
    }
    #expect(Reference(first) == Reference(second))
  }
}
