import ApolloAPI
import Testing

/// Models of local cache mutations, whose properties can be set.
@Suite struct ChangingTests {
  typealias Mutation = ChangingAPI.HeroLocalCacheMutation
  typealias Hero = Mutation.Data.Hero

  private func decode(_ hero: String, ranked: Bool = true) throws -> Mutation.Data {
    try Mutation.Data(
      jsonBytes: Array(#"{"hero":\#(hero)}"#.utf8), variables: ["ranked": ranked])
  }

  private let droid =
    """
    {"__typename":"Droid","id":"2","name":"R2-D2","home":{"__typename":"Place","name":"Naboo","moons":[1]},
    "owner":{"__typename":"Human","id":"1","name":"Luke","height":1.7},"rank":3,"friends":[],"primaryFunction":"Astromech"}
    """

  @Test func namesTheRootOfTheCache() {
    #expect(Mutation.operationType == .query)
    #expect(Mutation(ranked: true) == Mutation(ranked: true))
    #expect(Mutation(ranked: true) != Mutation(ranked: false))
    #expect(Mutation(ranked: true).__variables?.jsonValue == ["ranked": true])
  }

  @Test func aChangeDoesNotAffectOtherCopies() throws {
    let data = try decode(droid)
    var copy = data
    copy.hero?.name = "C-3PO"
    copy.hero?.home?.moons?.append(2)
    copy.hero?.friends?.append(.init(__typename: "Human", id: "9", name: "Leia"))
    #expect(data.hero?.name == "R2-D2" && copy.hero?.name == "C-3PO")
    #expect(data.hero?.home?.moons == [1] && copy.hero?.home?.moons == [1, 2])
    #expect(data.hero?.friends == [] && copy.hero?.friends?.first??.name == "Leia")
    copy.hero = nil
    #expect(data.hero?.name == "R2-D2" && copy.hero == nil)
  }

  // MARK: - In place

  private func heroWithFriends(_ count: Int) throws -> Mutation.Data {
    let friends = (0..<count).map { #"{"__typename":"Human","id":"\#($0)","name":"\#($0)"}"# }
    return try decode(
      #"{"__typename":"Human","id":"h","name":"Luke","home":{"__typename":"Place","name":"Naboo","#
        + #""moons":[1]},"rank":1,"friends":[\#(friends.joined(separator: ","))]}"#)
  }

  /// The address of the elements of a list, which a copy of the list would change.
  private func address<Element>(_ list: [Element]?) -> UnsafeRawPointer? {
    list?.withUnsafeBytes { $0.baseAddress }
  }

  @Test func anElementOfAListChangesWithoutACopyOfTheList() throws {
    var data = try heroWithFriends(1_000)
    data.hero?.friends?[0]?.name = "first"
    let list = address(data.hero?.friends)
    let first = data.hero?.friends?[0]?.__object.slotAddress
    let second = data.hero?.friends?[1]
    for index in 0..<1_000 { data.hero?.friends?[index]?.name += "!" }
    data.hero?.home?.moons?.append(2)
    #expect(address(data.hero?.friends) == list)
    #expect(data.hero?.friends?[0]?.__object.slotAddress == first)
    #expect(
      data.hero?.friends?.map { $0?.name } == ["first!"] + (1..<1_000).map { "\($0)!" })
    #expect(data.hero?.home?.moons == [1, 2])
    // What somebody else refers to is copied.
    #expect(second?.name == "1")
  }

  @Test func aListThatIsSharedIsCopied() throws {
    var data = try heroWithFriends(3)
    let copy = data
    data.hero?.friends?.removeLast()
    data.hero?.friends?[0]?.name = "Han"
    #expect(copy.hero?.friends?.map { $0?.name } == ["0", "1", "2"])
    #expect(data.hero?.friends?.map { $0?.name } == ["Han", "1"])
  }

  @Test func whatIsAbsentStaysAbsent() throws {
    var data = try decode(
      #"{"__typename":"Human","id":"1","name":"Luke","home":null,"friends":null}"#, ranked: false)
    let json = data.jsonValue
    data.hero?.friends?.append(nil)
    data.hero?.home?.moons?.append(1)
    data.hero?.home?.name = "nowhere"
    #expect(data.jsonValue == json)
    data.hero?.friends = []
    data.hero?.friends?.append(.init(__typename: "Human", id: "9", name: "Leia"))
    #expect(data.hero?.friends?.first??.name == "Leia")
  }

  @Test func changesTheObjectThroughTypeCasesAndFragments() throws {
    var data = try decode(droid)
    data.hero?.asDroid?.primaryFunction = "Pilot"
    data.hero?.fragments.heroHome.home?.name = "Tatooine"
    data.hero?.fragments.droidOwner?.owner?.name = "Anakin"
    #expect(data.hero?.asDroid?.primaryFunction == "Pilot")
    #expect(data.hero?.home?.name == "Tatooine")
    #expect(data.hero?.asDroid?.fragments.droidOwner.owner?.name == "Anakin")
    let changed = data.hero?.mutateIfFulfilled(\.asDroid) { $0.name = "R4" }
    #expect(changed == true && data.hero?.name == "R4")
  }

  @Test func anUnfulfilledTypeCaseCannotBeSet() throws {
    var data = try decode(
      #"{"__typename":"Human","id":"1","name":"Luke","home":null,"friends":null}"#, ranked: false)
    data.hero?.rank = 5
    data.hero?.asDroid?.primaryFunction = "none"
    data.hero?.asDroid = .init(primaryFunction: "Astromech", id: "2", name: "R2-D2")
    #expect(data.hero?.rank == nil && data.hero?.asDroid == nil && data.hero?.name == "Luke")
    #expect(data.hero?.mutateIfFulfilled(\.asDroid) { $0.name = "R4" } == false)
  }

  @Test func acceptsAFragmentFromAnotherObject() throws {
    var data = try decode(droid)
    data.hero?.fragments.heroHome = .init(
      __typename: "Droid", id: "3", home: .init(name: "Endor", moons: nil))
    #expect(data.hero?.home?.name == "Endor" && data.hero?.id == "3")
    #expect(data.hero?.name == "R2-D2" && data.hero?.asDroid?.primaryFunction == "Astromech")
  }

  @Test func acceptsAFragmentFromAnotherObjectOfTheSameType() throws {
    var data = try decode(droid)
    let other = try decode(
      """
      {"__typename":"Droid","id":"3","name":"BB-8","home":{"__typename":"Place","name":"Jakku","moons":null},
      "owner":null,"rank":1,"friends":null,"primaryFunction":"Pilot"}
      """)
    let home = try #require(other.hero?.fragments.heroHome)
    data.hero?.fragments.heroHome = home
    #expect(data.hero?.home?.name == "Jakku" && data.hero?.id == "3")
    #expect(data.hero?.name == "R2-D2" && data.hero?.rank == 3 && data.hero?.friends == [])
    #expect(data.hero?.asDroid?.primaryFunction == "Astromech")
    #expect(other.hero?.name == "BB-8")
  }

  @Test func combinesCreatedAndReadModels() throws {
    var data = try decode(droid)
    let made = Hero(
      Hero.AsDroid(
        primaryFunction: "Astromech", id: "4", name: "BB-8", friends: data.hero?.friends,
        home: data.hero?.home, owner: data.hero?.asDroid?.owner))
    data.hero = made
    #expect(data.hero?.asDroid?.owner?.name == "Luke" && data.hero?.home?.name == "Naboo")
    #expect(data.hero == made)
    #expect(data.hero?.rank == nil)
    #expect(data.jsonValue["hero"]?["owner"]?["name"] == "Luke")
  }

  @Test func aMarkedFragmentIsMutable() throws {
    typealias Animal = ChangingAPI.EditableAnimal
    var animal = Animal(Animal.AsDog(barks: true, name: "Rex"))
    animal.name = "Rexie"
    animal.asDog?.barks = false
    #expect(animal.asDog?.name == "Rexie" && animal.asDog?.barks == false)
  }
}
