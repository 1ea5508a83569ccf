import ApolloAPI
import ApolloCodegenLib
import Testing

/// Models of fragments whose data may arrive later.
@Suite struct DeferringTests {
  typealias Query = DeferringAPI.HeroQuery
  typealias Hero = Query.Data.Hero

  private static let first =
    #"{"data":{"hero":{"__typename":"Droid","name":"R2-D2","home":{"__typename":"Place","name":"Naboo"},"friends":[{"__typename":"Human","name":"Luke"},{"__typename":"Human","name":"Leia"}]}},"hasNext":true}"#
  private static let parts: [IncrementalData] = [
    .init(
      path: ["hero"],
      data: [
        "__typename": "Droid", "rank": 3, "motto": "Beep boop",
        "ship": ["__typename": "Ship", "name": "X-Wing"],
      ]),
    .init(path: ["hero"], data: ["bio": "Beep", "home": ["moons": ["Ohma", "Rori"]]]),
    .init(
      path: ["hero"],
      data: ["model": "R2", "parts": [["__typename": "Part", "name": "Dome"]]]),
    .init(path: ["hero", "friends", 1], data: ["__typename": "Human", "bio": "A princess"]),
  ]

  private func decode(
    _ json: String, _ query: Query = Query()
  ) throws(ResponseError) -> GraphQLResponse<Query> {
    try ResponseDecoder().decode(Array(json.utf8), as: query)
  }

  private func hero(after parts: [IncrementalData] = []) throws -> Hero {
    var response = try decode(Self.first)
    for part in parts { response = try response.merging(part) }
    return try #require(response.data?.hero)
  }

  @Test func operationsDeclareAnIncrementalResponseFormat() {
    #expect(Query.hasDeferredFragments && DeferringAPI.OverlapQuery.hasDeferredFragments)
    #expect(!DeferringAPI.PlainQuery.hasDeferredFragments)
    #expect(Query.ResponseFormat.self == IncrementalDeferredResponseFormat.self)
  }

  @Test func sendsTheDirectiveAndItsVariable() {
    let text = Query.operationDocument.definition?.queryDocument
    #expect(
      text?.hasPrefix("query Hero($later: Boolean! = true, $detailed: Boolean! = false) {") == true)
    #expect(text?.contains("...Details @defer(if: $later)") == true)
    #expect(text?.contains("... @defer(label: \"slow\") { bio") == true)
  }

  @Test func aFragmentIsPendingUntilItsDataArrives() throws {
    let hero = try hero()
    #expect(hero.name == "R2-D2" && hero.home?.name == "Naboo")
    #expect(hero.fragments.slow == nil && hero.fragments.$slow == .pending)
    #expect(hero.fragments.details == nil && hero.fragments.$details == .pending)
    #expect(hero.asDroid?.fragments.$droidParts == .pending)
    #expect(hero.friends?.first?.fragments.$friendBio == .pending)
    #expect(try Hero(jsonBytes: hero.jsonBytes) == hero)
  }

  @Test func aFragmentThatCannotArriveIsNotExecuted() throws {
    let json = #"{"data":{"hero":{"__typename":"Human","name":"Luke","home":null,"friends":null}}}"#
    let human = try #require(decode(json).data?.hero)
    #expect(human.asDroid == nil && human.ifDetailed == nil)
    #expect(
      Deferred<Hero.AsDroid.DroidParts>(__object: human.__object).projectedValue == .notExecuted)
  }

  @Test func conditionsDetermineWhichFragmentsCanArrive() throws {
    let hero = try #require(decode(Self.first, Query(detailed: true)).data?.hero)
    #expect(hero.ifDetailed?.fragments.$extra == .pending)
    #expect(try self.hero().ifDetailed == nil)
  }

  @Test func aPartFulfilsItsFragment() throws {
    let hero = try hero(after: Self.parts)
    #expect(hero.fragments.details?.rank == 3 && hero.fragments.details?.ship?.name == "X-Wing")
    #expect(hero.fragments.details?.ship?.fragments.$measures == .pending)
    #expect(hero.fragments.slow?.bio == "Beep" && hero.fragments.slow?.name == "R2-D2")
    #expect(hero.fragments.slow?.home?.moons == ["Ohma", "Rori"])
    #expect(hero.fragments.slow?.home?.name == "Naboo")
    #expect(hero.asDroid?.fragments.droidParts?.parts.map(\.name) == ["Dome"])
    #expect(hero.friends?.map { $0.fragments.friendBio?.bio } == [nil, "A princess"])
    #expect(hero.home?.name == "Naboo")
  }

  @Test func aPartDoesNotChangeEarlierResponses() throws {
    let response = try decode(Self.first)
    let later = try response.merging(Self.parts[1])
    #expect(response.data?.hero?.fragments.slow == nil)
    #expect(later.data?.hero?.fragments.slow != nil && later != response)
  }

  @Test func theOrderOfPartsDoesNotMatter() throws {
    let whole = try hero(after: Self.parts)
    for order in permutations(Array(Self.parts.indices)) {
      let hero = try hero(after: order.map { Self.parts[$0] })
      #expect(hero == whole && hero.hashValue == whole.hashValue, "\(order)")
      #expect(hero.jsonBytes == whole.jsonBytes, "\(order)")
    }
  }

  @Test func aCompleteResponseFulfilsAllFragments() throws {
    let hero = try #require(
      try decode(
        """
        {"data":{"hero":{"__typename":"Droid","name":"R2-D2","home":{"__typename":"Place","name":"Naboo","moons":["Ohma","Rori"]},
        "rank":3,"motto":"Beep boop","ship":{"__typename":"Ship","name":"X-Wing"},"bio":"Beep","model":"R2","parts":[{"__typename":"Part","name":"Dome"}],
        "friends":[{"__typename":"Human","name":"Luke"},{"__typename":"Human","name":"Leia","bio":"A princess"}]}}}
        """
      ).data?.hero)
    #expect(hero == (try self.hero(after: Self.parts)))
    #expect(hero.fragments.slow?.home?.moons.count == 2)
  }

  @Test func aFragmentWithoutDeferralMustArriveAtOnce() throws {
    let hero = #"{"hero":{"__typename":"Human","name":"Luke","home":null,"friends":null}}"#
    let later = try Query.Data(jsonBytes: Array(hero.utf8), variables: ["later": true])
    #expect(later.hero?.fragments.$details == .pending)
    #expect(throws: ResponseError.self) {
      try Query.Data(jsonBytes: Array(hero.utf8), variables: ["later": false])
    }
    #expect(DeferringAPI.PlainQuery.Data.Hero.__layout.keys == ["__typename", "name", "rank"])
  }

  @Test func aFragmentWithoutALabelIsCalledDeferred() throws {
    var response = try ResponseDecoder().decode(
      Array(
        #"""
        {"data":{"hero":{"__typename":"Human","name":"Luke",
        "friends":[{"__typename":"Droid","name":"R2-D2"}]}}}
        """#.utf8), as: DeferringAPI.UnlabelledQuery())
    let text = DeferringAPI.UnlabelledQuery.operationDocument.definition?.queryDocument
    #expect(text?.contains("... @defer { bio }") == true)
    #expect(response.data?.hero?.fragments.$deferred == .pending)
    response = try response.merging(.init(path: ["hero"], data: ["bio": "Farmer"]))
    #expect(response.data?.hero?.fragments.deferred?.bio == "Farmer")
    let friend = response.data?.hero?.friends?.first
    #expect(friend?.asDroid?.fragments.$deferred == .pending)
    response = try response.merging(.init(path: ["hero", "friends", 0], data: ["model": "R2"]))
    #expect(response.data?.hero?.friends?.first?.asDroid?.fragments.deferred?.model == "R2")
  }

  @Test(
    arguments: [
      "hero { ... @defer { bio } ... @defer { rank } }",
      "hero { ... @defer { bio } ... on Droid @defer { model } }",
      "hero { ... @defer { bio } } hero { ... { ... @defer { rank } } }",
      #"hero { ... @defer { bio } ... @defer(label: "deferred") { rank } }"#,
      #"hero { ... @defer(label: "1st") { rank } }"#,
    ])
  func refusesFragmentsWhoseNamesAreAmbiguous(selections: String) throws {
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(
        schema: """
          type Query { hero: Hero }
          interface Hero { bio: String rank: Int }
          type Droid implements Hero { bio: String rank: Int model: String }
          """, operations: "query Q { \(selections) }")
    }
    #expect(error?.messages.split(separator: "\n").count == 1)
    #expect(error?.messages.hasSuffix("[DeferredLabels]\n") == true)
  }

  @Test func fragmentsOfDifferentObjectsNeedNoLabels() throws {
    let project = try GeneratedProject(
      schema: "type Query { hero: Hero } type Hero { bio: String friend: Hero }",
      operations: """
        query Q { hero { ... @defer { bio } friend { ... @defer { bio } ...F } } }
        fragment F on Hero { ... @defer { friend { bio } } ... @defer(if: false) { bio } }
        """)
    #expect(project.report.operationCount == 1)
  }

  @Test func overlappingFragmentsAreFulfilledSeparately() throws {
    let first = #"{"data":{"hero":{"__typename":"Human","name":"Luke"}}}"#
    var response = try ResponseDecoder().decode(
      Array(first.utf8), as: DeferringAPI.OverlapQuery())
    response = try response.merging(
      .init(
        path: ["hero"],
        data: ["bio": "Farmer", "home": ["__typename": "Place", "moons": ["Ghomrassen"]]]))
    #expect(response.data?.hero?.fragments.a?.home?.moons == ["Ghomrassen"])
    #expect(response.data?.hero?.fragments.$b == .pending)
    response = try response.merging(.init(path: ["hero", "home"], data: ["climate": "arid"]))
    #expect(response.data?.hero?.fragments.b?.home?.climate == "arid")
    #expect(response.data?.hero?.fragments.a?.home?.moons == ["Ghomrassen"])
  }

  @Test func aFailedPartAddsItsErrors() throws {
    let error = GraphQLError(message: "boom", path: ["hero", "bio"])
    let response = try decode(Self.first).merging(
      .init(path: ["hero"], data: .null, errors: [error]))
    #expect(response.errors == [error])
    #expect(response.data?.hero?.fragments.$slow == .pending)
    let bubbled = try decode(Self.first).merging(
      .init(path: ["hero"], data: ["bio": nil, "home": nil], errors: [error]))
    #expect(bubbled.data?.hero?.fragments.$slow == .pending)
    #expect(bubbled.data?.hero?.home?.name == "Naboo")
  }

  @Test func nullDoesNotReplaceAKnownValue() throws {
    let response = try decode(Self.first).merging(
      .init(path: ["hero"], data: ["bio": "Beep", "home": nil]))
    #expect(response.data?.hero?.home?.name == "Naboo")
    #expect(response.data?.hero?.fragments.$slow == .pending)
  }

  @Test(
    arguments: [
      (["villain"], ["bio": "x"], "villain"), (["hero", "name"], ["bio": "x"], "hero.name"),
      (["hero", "friends"], ["bio": "x"], "hero.friends"),
      (["hero", "friends", 7], ["bio": "x"], "hero.friends"),
      (["hero", "friends", "x"], ["bio": "x"], "hero.friends"),
      (["hero"], ["bio": 7], "hero.bio"), (["hero"], ["bio": nil], "hero.bio"),
      (["hero"], ["home": ["moons": "x"]], "hero.home.moons"),
      (["hero"], ["friends": [["bio": "x"]]], "hero.friends"),
      (["hero"], ["parts": [["__typename": "Part"]]], "hero.parts.0.name"),
      (["hero"], ["ship": ["__typename": "Ship"]], "hero.ship.name"), (["hero"], "text", "hero"),
    ] as [([PathEntry], JSONValue, String)])
  func rejectsPartsWithAnInvalidPath(_ path: [PathEntry], _ data: JSONValue, _ place: String) throws
  {
    let response = try decode(Self.first)
    let error = #expect(throws: ResponseError.self) {
      try response.merging(.init(path: path, data: data))
    }
    #expect(error?.path.dotted == place)
  }

  /// Returns the elements in every order.
  private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
      var rest = elements
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }
}
