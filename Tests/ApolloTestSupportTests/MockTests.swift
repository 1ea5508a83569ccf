import ApolloTestSupport
import MockingAPI
import MockingAPITestMocks
import Testing

@Suite struct MockTests {
  typealias Hero = MockingAPI.HeroQuery.Data.Hero

  @Test func aModelHasTheFieldsOfItsMock() {
    let ship = Mock<Ship>(
      coordinates: [[1, 2], []], fleets: [[nil, Mock<Ship>(name: "TIE")]], length: 12.5,
      name: "X-Wing")
    let mock = Mock<Human>(
      born: "19 BBY", episodes: [.case(.jedi), .unknown("REY")], feet: 5.6,
      friends: [Mock<Droid>(name: "R2-D2"), nil], hash: 7, height: 1.72, id: "1", in: "x",
      name: "Luke", ship: ship)
    let hero = Hero.from(mock)
    #expect(hero.__typename == "Human")
    #expect(hero.name == "Luke" && hero.in == "x" && hero.id == "1" && hero.born == "19 BBY")
    #expect(hero.episodes == [.case(.jedi), .unknown("REY")])
    #expect(hero.friends?.map { $0?.name } == ["R2-D2", nil])
    #expect(hero.friends?.first??.__typename == "Droid")
    #expect(hero.asHuman?.height == 1.72 && hero.asHuman?.feet == 5.6 && hero.asHuman?.hash == 7)
    #expect(hero.asDroidIfDetailed == nil)
    #expect(hero.ship.coordinates == [[1, 2], []])
    #expect(hero.ship.fleets?.map { $0.map { $0?.name } } == [[nil, "TIE"]])
    #expect(hero.fragments.characterDetails.ship.length == 12.5)
  }

  @Test func fieldsCanBeReadAndSet() {
    let mock = Mock<Human>()
    #expect(mock.name == nil && mock.__typename == "Human")
    mock.name = "Luke"
    mock.ship = Mock<Ship>(name: "X-Wing")
    mock.ship?.length = 12.5
    mock.friends = [Mock<Human>(name: "Leia")]
    #expect(mock.name == "Luke" && mock.ship?.length == 12.5)
    #expect((mock.friends?.first as? Mock<Human>)?.name == "Leia")
    #expect(Hero.from(mock).ship.length == 12.5)
    mock.name = nil
    #expect(mock.name == nil)
    mock.hash = 7
    #expect(mock.hash == 7 && Hero.from(mock).asHuman?.hash == 7)
  }

  @Test func variablesDecideConditionalSelections() {
    let mock = Mock<Droid>(name: "R2-D2", primaryFunction: "Astromech")
    #expect(Hero.from(mock).asDroidIfDetailed == nil)
    let hero = Hero.from(mock, withVariables: ["detailed": true])
    #expect(
      hero.asDroidIfDetailed?.primaryFunction == "Astromech"
        && hero.asDroidIfDetailed?.name == "R2-D2")
  }

  @Test func aFieldThatTheMockLacksIsNullOrMissing() {
    let hero = Hero.from(Mock<Human>(name: "Luke"))
    #expect(hero.name == "Luke" && hero.friends == nil && hero.asHuman?.height == nil)
    #expect(hero.jsonObject["id"] == nil, "The schema rules out null, so it is missing.")
    #expect(hero == Hero.from(Mock<Human>(name: "Luke")))
    #expect(hero != Hero.from(Mock<Human>(name: "Leia")))
  }

  @Test func membersOfUnionsKeepTheirTypes() {
    let mock = Mock<Query>(search: [
      Mock<Human>(name: "Luke"), Mock<Ship>(label: "X-Wing"), Mock<Mock_Object>(name: "Fake"), nil,
    ])
    let search = MockingAPI.SearchQuery.Data.from(mock).search
    #expect(search?.map { $0?.__typename } == ["Human", "Ship", "Mock", nil])
    #expect(search?[0]?.asCharacter?.name == "Luke")
    #expect(search?[1]?.asShip?.label == "X-Wing")
    #expect(search?[2]?.asMock?.name == "Fake")
  }

  @Test func mocksMayContainEachOther() {
    let luke = Mock<Human>(name: "Luke")
    let ship = Mock<Ship>(name: "X-Wing", pilots: [luke])
    luke.ship = ship
    luke.friends = [luke]
    let hero = Hero.from(luke)
    #expect(hero.friends?.first??.ship.pilots?.first?.friends?.first??.name == "Luke")
    let other = Mock<Human>(name: "Luke", ship: Mock<Ship>(name: "X-Wing"))
    other.ship?.pilots = [other]
    other.friends = [other]
    #expect(luke == other && luke.hashValue == other.hashValue)
    other.ship?.name = "TIE"
    #expect(luke != other)
  }

  @Test func mocksWithEqualFieldsAreEqual() {
    #expect(Mock<Human>(height: nil, name: "Luke") == Mock<Human>(name: "Luke"))
    #expect(Mock<Ship>(coordinates: [[1]]) != Mock<Ship>(coordinates: [[2]]))
    #expect(Mock<Human>(friends: []) != Mock<Human>(friends: [nil]))
    #expect(Set([Mock<Human>(name: "Luke"), Mock<Human>(name: "Luke")]).count == 1)
  }

  @Test func aModelDoesNotChangeWithItsMock() {
    let mock = Mock<Human>(name: "Luke")
    let hero = Hero.from(mock)
    mock.name = "Wormie"
    #expect(hero.name == "Luke")
  }

  #if compiler(>=6.2) && (os(Linux) || os(macOS))
    @Test func aFieldOfAnotherTypeTraps() async {
      await #expect(processExitsWith: .failure) {
        _ = MockingAPI.SearchQuery.Data.from(Mock<Query>(_values: ["search": "text"]))
      }
    }

    @Test func readingAMissingFieldTraps() async {
      await #expect(processExitsWith: .failure) {
        _ = Hero.from(Mock<Human>()).name
      }
    }
  #endif
}
