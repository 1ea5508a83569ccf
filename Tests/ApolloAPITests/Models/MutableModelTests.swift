@testable import ApolloAPI
import Testing

struct MutableModelTests {
  typealias Hero = StarWarsAPI.EditableHero

  private let hero = Hero(
    __typename: "Human", name: "Luke Skywalker of Tatooine", appearsIn: [.case(.jedi), nil],
    friends: [.init(__typename: "Human", name: "Han"), nil],
    bestFriend: .init(__typename: "Droid", name: "R2-D2"))

  @Test func initializersAndResponsesMakeEqualModels() throws {
    let decoded = try Hero(
      jsonValue: [
        "__typename": "Human", "name": "Luke Skywalker of Tatooine", "appearsIn": ["JEDI", nil],
        "friends": [["__typename": "Human", "name": "Han"], nil],
        "bestFriend": ["__typename": "Droid", "name": "R2-D2"],
      ])
    #expect(hero == decoded && hero.hashValue == decoded.hashValue)
    #expect(hero.friends?.map { $0?.name } == ["Han", nil])
    #expect(hero.bestFriend?.name == "R2-D2")
  }

  @Test func copiesAreIndependent() {
    var copy = hero
    copy.name = "Wormie"
    copy.height = 1.72
    copy.appearsIn.append(.unknown("REY"))
    #expect(
      hero.name == "Luke Skywalker of Tatooine" && hero.height == nil && hero.appearsIn.count == 2)
    #expect(copy.name == "Wormie" && copy.height == 1.72)
    #expect(copy.appearsIn == [.case(.jedi), nil, .unknown("REY")])
    #expect(copy != hero)
    copy.name = hero.name
    copy.height = nil
    copy.appearsIn.removeLast()
    #expect(copy == hero)
  }

  @Test func nilIsNullInJSON() throws {
    var copy = hero
    copy.height = 1.72
    copy.height = nil
    copy.friends = nil
    guard case .object(let members) = try JSONValue(jsonBytes: copy.jsonBytes) else {
      throw ResponseError(.missingValue)
    }
    #expect(members["height"] == .null && members["friends"] == .null)
  }

  @Test func aNewValueEndsTheErrorsOfItsFieldAlone() {
    var copy = hero
    let error = GraphQLError(message: "Not now.")
    copy.__object.fieldErrors = ["height": [error], "friends": [error]]
    copy.name = "Wormie"
    #expect(copy.errors(for: \.height) == [error] && copy.errors(for: \.friends) == [error])
    copy.height = 1.72
    #expect(copy.errors(for: \.height).isEmpty && copy.errors(for: \.friends) == [error])
    copy.friends = []
    #expect(copy.__object.fieldErrors.isEmpty)
  }

  @Test func aFragmentOfAnotherObjectBringsItsErrors() throws {
    let error = GraphQLError(message: "Not now.")
    let failed = try Measured(jsonValue: ["name": "Luke", "height": nil])
    failed.__object.fieldErrors = ["name": [error], "height": [error]]
    let known = try Measured(jsonValue: ["name": "Leia", "height": nil])

    var changed = failed
    changed._set(Measure(__object: known.__object))
    #expect(changed.errors(forKey: "height").isEmpty && changed.errors(forKey: "name") == [error])
    #expect(changed.jsonValue["name"] == "Luke")

    changed = known
    changed._set(Measure(__object: failed.__object))
    #expect(changed.errors(forKey: "height") == [error] && changed.errors(forKey: "name").isEmpty)
    #expect(changed.jsonValue["name"] == "Leia" && known.__object.fieldErrors.isEmpty)
  }

  @Test func changesReachNestedObjectsOfOneCopyOnly() {
    var copy = hero
    copy.bestFriend?.name = "C-3PO"
    copy.friends?[0]?.name = "Leia"
    #expect(hero.bestFriend?.name == "R2-D2" && copy.bestFriend?.name == "C-3PO")
    #expect(hero.friends?[0]?.name == "Han" && copy.friends?[0]?.name == "Leia")
    let friend = copy.friends?[0]
    copy.friends = nil
    #expect(friend?.name == "Leia" && copy.friends == nil)
  }

  @Test func listsOfModelsAreOrdinaryArrays() throws {
    var friends = try #require(hero.friends)
    friends.append(.init(__typename: "Human", name: "Leia"))
    friends.insert(nil, at: 0)
    friends.swapAt(0, 1)
    friends.removeFirst()
    #expect(friends.map { $0?.name } == [nil, nil, "Leia"])
    #expect(hero.friends?.count == 2)
    friends.removeAll(where: { $0 == nil })
    friends.reserveCapacity(100)
    friends.append(contentsOf: hero.friends ?? [])
    #expect(friends.map { $0?.name } == ["Leia", "Han", nil])
    var copy = hero
    copy.friends = friends
    #expect(copy.friends == friends && copy.friends?.last == .some(nil))
  }

  @Test func changesAnUnsharedObjectInPlace() {
    var hero = Hero(__typename: "Human", name: "Luke", appearsIn: [])
    let before = hero.__object.slotAddress
    hero.name = "Wormie"
    #expect(hero.__object.slotAddress == before)
    let copy = hero
    hero.name = "Luke"
    #expect(hero.__object.slotAddress != before && copy.__object.slotAddress == before)
  }
}

/// `fragment Measure on Character { height }`.
private struct Measure: StarWarsAPI.MutableSelectionSet, Fragment {
  typealias Schema = StarWarsAPI.SchemaMetadata
  static var fragmentDefinition: String { "fragment Measure on Character { height }" }
  static let __selections = Selections("Character {height Float}")
  static let __layout = __selections[0]
  var __object: ResponseObject
  init(__object: ResponseObject) { self.__object = __object }
}

/// `{ name ...Measure }`.
private struct Measured: StarWarsAPI.MutableSelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  static let __selections = Selections("Character {name String ...#0}", fragments: [Measure.self])
  static let __layout = __selections[0]
  var __object: ResponseObject
  init(__object: ResponseObject) { self.__object = __object }
}
