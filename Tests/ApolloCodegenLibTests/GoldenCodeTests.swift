import ApolloAPI
import Testing

/// Golden files that decode responses.
@Suite struct GoldenCodeTests {
  private func decode<O: GraphQLOperation>(_ operation: O, _ json: String) throws -> O.Data {
    let response = try ResponseDecoder().decode(Array(json.utf8), as: operation)
    return try #require(response.data)
  }

  @Test func readsTheCallSitesOfTheDocumentation() throws {
    let query = StarWarsAPI.HeroNameQuery(episode: .empire)
    let data = try decode(query, #"{"data":{"hero":{"__typename":"Droid","name":"R2-D2"}}}"#)
    #expect(data.hero?.name == "R2-D2")
    #expect(query.__variables?.jsonValue == ["episode": "EMPIRE"])
    #expect(StarWarsAPI.HeroNameQuery().__variables?.isEmpty == true)
    let review = StarWarsAPI.ReviewInput(stars: 5, commentary: "This is a great movie!")
    let mutation = StarWarsAPI.CreateReviewForEpisodeMutation(episode: .jedi, review: review)
    #expect(
      mutation.__variables?.jsonValue == [
        "episode": "JEDI", "review": ["stars": 5, "commentary": "This is a great movie!"],
      ])
    #expect(StarWarsAPI.UploadFileMutation(file: "a").__variables?.jsonValue == ["file": "a"])
  }

  @Test func convertsToFragmentsAndTypeCases() throws {
    let data = try decode(
      StarWarsAPI.HeroAndFriendsQuery(),
      """
      {"data":{"hero":{"__typename":"Human","name":"Luke","appearsIn":["EMPIRE","NEW",null],"height":1.72,
      "friends":[{"__typename":"Human","id":"2","name":"Han","appearsIn":["JEDI"],"height":1.8,"friends":null},null]}}}
      """)
    let hero = try #require(data.hero)
    #expect(hero.appearsIn == [.case(.empire), .unknown("NEW"), nil])
    #expect(hero.fragments.heroDetails.name == "Luke")
    #expect(hero.asHuman?.height == 1.72)
    #expect(hero.asDroid == nil)
  }

  @Test func sendsDefaultsThatSwiftCanExpress() {
    #expect(
      StarWarsAPI.SearchQuery().__variables?.jsonValue == [
        "text": "an \"x\" \\(boo)", "long": true, "unit": "FOOT",
      ])
    #expect(
      NamesAPI.KeywordsQuery().__variables?.jsonValue == [
        "class": "a \"quote\" \\(evil()) \u{0} \u{202E}"
      ])
  }

  @Test func storesInputsThatContainThemselves() {
    var inner = StarWarsAPI.ReviewInput(stars: 1)
    let outer = StarWarsAPI.ReviewInput(stars: 2, nested: .some(inner))
    inner.stars = 3
    #expect(outer.__data.jsonValue == ["stars": 2, "nested": ["stars": 1]])
    #expect(
      StarWarsAPI.ReviewInput(stars: 1, one: .some(.nested(.id("a")))).__data.jsonValue
        == ["stars": 1, "one": ["nested": ["id": "a"]]])
  }

  @Test func showsTheSelectionsOfSeveralFragmentsOfOneObject() throws {
    let data = try decode(
      MergingAPI.ConflictQuery(),
      """
      {"data":{"animal":{"__typename":"Dog","id":"1","owner":{"__typename":"Owner","name":"Ann","city":"Rome",
      "pets":[{"__typename":"Cat","nickname":"Tom","id":"7"}]}}}}
      """)
    #expect(data.animal.owner?.name == "Ann")
    #expect(data.animal.owner?.city == "Rome")
    #expect(data.animal.owner?.pets?.first?.nickname == "Tom")
    #expect(data.animal.fragments.ownerCity.owner?.city == "Rome")
  }

  @Test func showsSiblingsThatApplyAndNarrowerFragments() throws {
    let siblings = try decode(
      MergingAPI.SiblingsQuery(),
      #"{"data":{"animal":{"__typename":"Dog","id":"1","name":"Rex","nickname":"R","barks":true}}}"#
    )
    #expect(siblings.animal.asDog?.nickname == "R")
    #expect(siblings.animal.asDog?.name == "Rex")
    #expect(siblings.animal.asPet?.nickname == "R")
    let narrow = try decode(
      MergingAPI.NarrowQuery(),
      """
      {"data":{"animal":{"__typename":"Dog","id":"1","name":"Rex","barks":true,
      "owner":{"__typename":"Owner","name":"Ann","city":null}}}}
      """)
    #expect(narrow.animal.asDog?.name == "Rex")
    #expect(narrow.animal.asDog?.owner?.name == "Ann")
    #expect(narrow.animal.fragments.dogDetails?.barks == true)
  }

  @Test func showsConditionalPartsOnlyIfTheyAreIncluded() throws {
    let data = try decode(
      MergingAPI.ConditionalQuery(a: true, b: true),
      """
      {"data":{"animal":{"__typename":"Dog","id":"1","name":"Rex","owner":{"__typename":"Owner","name":"Ann",
      "city":"Rome","pets":null},"friends":[{"__typename":"Cat","id":"2"}]}}}
      """)
    #expect(data.animal.name == "Rex")
    #expect(data.animal.friends == nil)
    #expect(data.animal.ifA?.friends.first?.id == "2")
    #expect(data.animal.owner?.ifA?.name == "Ann")
    #expect(data.animal.asDogIfNotA == nil)
  }

  @Test func forwardsToFragmentsThatAreNestedTooDeepToBeMerged() throws {
    let data = try decode(
      MergingAPI.ChainQuery(),
      """
      {"data":{"animals":[{"__typename":"Cat","id":"1","owner":{"__typename":"Owner","id":"o"},
      "friends":[{"__typename":"Dog","id":"2","name":"Rex"}],"name":"Tom","purrs":true,"nickname":"T"}]}}
      """)
    let animal = try #require(data.animals.first)
    #expect(animal.name == "Tom")
    #expect(animal.friends.first?.name == "Rex")
    #expect(animal.fragments.a.id == "1")
    #expect(animal.asCat?.purrs == true)
  }

  @Test func distinguishesDeclarationsThatWouldHaveOneName() throws {
    let query = CollisionsAPI.Beings_Query(
      where: .some(.init(FIRST_NAME: "A", self_: .some(.init(_self: 2, hashValue_: 1)))), a_b: "1",
      aB: "2")
    #expect(
      query.__variables?.jsonValue == [
        "where": ["FIRST_NAME": "A", "self": ["_self": 2, "hashValue": 1]], "a_b": "1", "aB": "2",
        "colors": ["DARK_RED", "light_blue"],
      ])
    let data = try decode(
      query,
      """
      {"data":{"node":{"__typename":"Cat","id":"1","asCat":"c","lives":7,
      "Friends":[{"__typename":"Dog","id":"3"}],"friend":null,"friends":[],"ifA":"i"},
      "nodes":[{"__typename":"Dog","id":"4"}],"Nodes":{"__typename":"Dog","id":"5"}}}
      """)
    let node = try #require(data.node)
    #expect(node.asCat_ == "c")
    #expect(node.asCat?.lives == 7)
    #expect(node.asCat?.asCat == "c")
    #expect(node.Friends?.first?.id == "3")
    #expect(node.fragments.shade_Fragment.fragments.beingsQuery_Fragment.friends == [])
    #expect(node.fragments.shade_Fragment_2.ifA == "i")
    #expect(data.nodes.map(\.id) == ["4"])
    #expect(data.Nodes_?.id == "5")
    let values = try decode(
      CollisionsAPI.BeingsQuery(),
      #"{"data":{"value":1,"VALUE":2,"Value":3,"color":"allCases"}}"#)
    #expect([values.value, values.VALUE, values.Value] == [1, 2, 3])
    #expect(values.color == .case(.allCases_))
    #expect(CollisionsAPI.Color.allCases.count == 6)
    let shades = try decode(
      CollisionsAPI.ShadesQuery(), #"{"data":{"shade":"LIGHT","Shade":"DARK"}}"#)
    #expect(shades.shade == .case(.light))
    #expect(shades.Shade == .case(.dark))
  }

  @Test func distinguishesAnObjectFromAFieldWithItsName() throws {
    let data = try decode(
      CollisionsAPI.HiddenQuery(),
      #"{"data":{"node":{"__typename":"Cat","node":{"__typename":"Dog","id":"1"}}}}"#)
    let node: CollisionsAPI.HiddenQuery.Data.Node? = data.node?.asCat?.asRootEntityType
    #expect(node == data.node)
    #expect(node?.asCat?.node?.id == "1")
  }
}
