import ApolloAPI
import Testing

/// Models that a program creates with the generated initializers.
@Suite struct MakingTests {
  typealias Hero = MakingAPI.HeroQuery.Data.Hero

  private func decode(_ json: String, detailed: Bool = false) throws -> Hero {
    let query = MakingAPI.HeroQuery(detailed: detailed)
    let response = try ResponseDecoder().decode(
      Array(#"{"data":{"hero":\#(json)}}"#.utf8), as: query)
    return try #require(response.data?.hero)
  }

  private let luke = Hero(
    __typename: "Human", name: "Luke",
    friends: [.init(__typename: "Droid", name: "R2", in: "x"), nil], id: "1",
    episodes: [.case(.jedi)], ship: .init(name: "X-Wing"))

  @Test func aCreatedModelEqualsOneFromAResponse() throws {
    let human = Hero.AsHuman(
      name: "Luke", friends: luke.friends, id: "1", episodes: [.case(.jedi)], ship: luke.ship,
      homePlanet: "Tatooine")
    let decoded = try decode(
      """
      {"__typename":"Human","name":"Luke","kind":"Human","id":"1","episodes":["JEDI"],
      "ship":{"__typename":"Ship","name":"X-Wing","built":null},
      "friends":[{"__typename":"Droid","name":"R2","in":"x"},null],"homePlanet":"Tatooine"}
      """)
    let made = Hero(human)
    #expect(made == decoded && made.hashValue == decoded.hashValue)
    #expect(made.jsonValue == decoded.jsonValue)
    #expect(made.kind == "Human" && made.__typename == "Human")
    #expect(try Hero(jsonBytes: made.jsonBytes) == made)
    #expect(made.asHuman == human && made.asHuman == decoded.asHuman)
  }

  @Test func aCreatedModelFulfilsOnlyItsOwnType() {
    #expect(luke.asHuman == nil && luke.asDroid == nil && luke.ifDetailed == nil)
    #expect(luke.fragments.humanDetails == nil)
    #expect(luke.height == nil)
    #expect(luke.kind == "Human")
    let r2 = Hero(
      Hero.AsDroid(
        friends: [.init(__typename: "Human", id: "1", name: "Luke")], name: "R2-D2", id: "2",
        episodes: [], model: "R2"))
    #expect(r2.__typename == "Droid" && r2.asDroid?.primaryFunction == nil)
    #expect(r2.asDroid?.model == "R2" && r2.asDroid?.friends?.first??.id == "1")
    #expect(r2.friends?.first??.name == "Luke")
  }

  @Test func viewsDifferWhereTheirMergedFieldsDo() throws {
    func droid(_ name: String, friend: String) throws -> Hero.AsDroid? {
      try decode(
        """
        {"__typename":"Droid","name":"\(name)","kind":"Droid","id":"2","episodes":[],"ship":null,"model":"R2",
        "friends":[{"__typename":"Human","name":"\(friend)","in":null,"id":"1"}],"primaryFunction":null}
        """
      ).asDroid
    }
    let r2 = try droid("R2-D2", friend: "Luke"), r4 = try droid("R4", friend: "Anakin")
    #expect(r2 != nil && r2 != r4)
    #expect(r2?.friends?.first != r4?.friends?.first)
    #expect(try r2 == droid("R2-D2", friend: "Luke"))
    #expect(r2?.jsonObject["name"] as? String == "R2-D2")
  }

  @Test func aModelConvertsToTheFragmentsItCertainlyFulfils() {
    let details = luke.fragments.heroDetails
    #expect(details.id == "1" && details.episodes == [.case(.jedi)])
    #expect(details.ship?.name == "X-Wing")
    #expect(details.ship?.built == nil)
    let alone = MakingAPI.HeroDetails(
      __typename: "Human", id: "1", episodes: [.case(.jedi)], ship: luke.ship)
    #expect(alone == details)
    #expect(alone.asDroid == nil)
  }

  @Test func keepsValuesOfConditionalFields() {
    let tall = Hero(
      __typename: "Human", name: "Luke", height: 1.72, id: "1", episodes: [], ship: nil)
    #expect(tall.height == 1.72 && tall.ifDetailed == nil)
    let detailed = Hero.IfDetailed(
      __typename: "Human", rank: 3, name: "Luke", id: "1", episodes: [])
    #expect(detailed.asRootEntityType.ifDetailed?.rank == 3)
    #expect(detailed.asRootEntityType.name == "Luke")
    let data = MakingAPI.HeroQuery.Data(hero: Hero(detailed))
    #expect(data.hero?.ifDetailed?.rank == 3)
    #expect(MakingAPI.HeroQuery.Data(hero: luke).hero?.ifDetailed == nil)
    #expect(data != MakingAPI.HeroQuery.Data(hero: luke))
  }

  @Test func objectsOfOneListKeepTheirOwnKinds() {
    typealias Search = MakingAPI.SearchQuery.Data.Search
    let data = MakingAPI.SearchQuery.Data(search: [
      .init(Search.AsHuman(name: "Luke", id: "1")),
      .init(Search.AsShip(name: "X-Wing", length: 12.5)),
      .init(__typename: "Droid"),
    ])
    #expect(data.search.map(\.__typename) == ["Human", "Ship", "Droid"])
    #expect(data.search.map { $0.asHuman?.id } == ["1", nil, nil])
    #expect(data.search.map { $0.asShip?.length } == [nil, 12.5, nil])
    #expect(data.search[2].asCharacter == nil)
    #expect(
      data.jsonValue["search"] == [
        ["__typename": "Human", "name": "Luke", "id": "1"],
        ["__typename": "Ship", "name": "X-Wing", "length": 12.5], ["__typename": "Droid"],
      ])
  }

  @Test func acceptsNestedListsAndModelsOfFragments() {
    let data = MakingAPI.MatrixQuery.Data(
      matrix: [[.init()], nil],
      ship: .init(pilots: [.init(__typename: "Human", id: "1", episodes: [])]))
    #expect(data.matrix.map { $0?.count } == [1, nil])
    #expect(data.matrix[0]?[0].__typename == "Ship")
    #expect(data.ship?.pilots?.first?.fragments.heroDetails.id == "1")
  }

  @Test func anInitializerTakesWhatFragmentsOfFragmentsSelect() {
    let hero = MakingAPI.ChainQuery.Data.Hero(
      __typename: "Human", name: "Luke", ship: .init(id: "s", length: 12.5),
      friends: [.init(__typename: "Human", name: "Leia")], id: "1")
    #expect(hero.fragments.e.id == "1" && hero.fragments.e.ship?.length == 12.5)
    #expect(hero.fragments.a.fragments.b.ship?.id == "s")
    #expect(hero.fragments.d.fragments.e.asDroid == nil)
  }
}
