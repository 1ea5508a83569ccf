import ApolloAPI
import ApolloCodegenLib
import Foundation
import Testing

/// Models of fragments whose data may arrive later.
@Suite struct DeferringTests {
  typealias Query = DeferringAPI.HeroQuery
  typealias Hero = Query.Data.Hero

  /// Fields of one object that arrive after the others.
  private struct Part {
    var path: [PathEntry]
    var data: JSONValue
  }

  private static let first =
    #"{"data":{"hero":{"__typename":"Droid","name":"R2-D2","home":{"__typename":"Place","name":"Naboo"},"friends":[{"__typename":"Human","name":"Luke"},{"__typename":"Human","name":"Leia"}]}},"hasNext":true}"#
  private static let parts: [Part] = [
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

  /// Decodes the response so far, as a transport delivers it.
  private func hero(after parts: [Part] = []) throws -> Hero {
    let first = try JSONValue(jsonBytes: Array(Self.first.utf8))
    let response = parts.reduce(first) { $0.merging($1.data, at: ["data"] + $1.path) }
    return try #require(try decode(response.description).data?.hero)
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

  /// The null goes no further than to the fragment, since the object has arrived before.
  @Test(arguments: [
    (#""bio":null,"home":{"__typename":"Place","name":"Naboo"}"#, #"["hero","bio"]"#),
    (
      #""bio":"Beep","home":{"__typename":"Place","name":"Naboo","moons":null}"#,
      #"["hero","home","moons"]"#
    ),
    (
      #""model":"R2","parts":[{"__typename":"Part","name":null}],"home":{"__typename":"Place","name":"Naboo"}"#,
      #"["hero","parts",0,"name"]"#
    ),
  ])
  func aNullThatTheSchemaRulesOutLeavesItsFragmentPending(fields: String, path: String) throws {
    let data = #"{"hero":{"__typename":"Droid","name":"R2-D2","friends":null,\#(fields)}}"#
    let response = try decode(
      #"{"data":\#(data),"errors":[{"message":"boom","path":\#(path)}]}"#)
    let droid = try #require(response.data?.hero)
    #expect(droid.name == "R2-D2" && droid.home?.name == "Naboo")
    #expect(droid.fragments.$slow == .pending)
    #expect(droid.asDroid?.fragments.$droidParts == .pending)
    #expect(response.errors?.map(\.message) == ["boom"])
    let error = #expect(throws: ResponseError.self) { try decode(#"{"data":\#(data)}"#) }
    #expect(error?.problem == .nullValue)
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
    func decode(_ hero: String, _ friend: String) throws -> DeferringAPI.UnlabelledQuery.Data {
      let friend = #"{"__typename":"Droid","name":"R2-D2"\#(friend)}"#
      let hero = #"{"__typename":"Human","name":"Luke","friends":[\#(friend)]\#(hero)}"#
      let text = #"{"data":{"hero":\#(hero)}}"#
      return try #require(
        try ResponseDecoder().decode(Array(text.utf8), as: DeferringAPI.UnlabelledQuery()).data)
    }
    let text = DeferringAPI.UnlabelledQuery.operationDocument.definition?.queryDocument
    #expect(text?.contains("... @defer { bio }") == true)
    #expect(try decode("", "").hero?.fragments.$deferred == .pending)
    let second = try decode(#","bio":"Farmer""#, "").hero
    #expect(second?.fragments.deferred?.bio == "Farmer")
    #expect(second?.friends?.first?.asDroid?.fragments.$deferred == .pending)
    let last = try decode(#","bio":"Farmer""#, #","model":"R2""#).hero
    #expect(last?.friends?.first?.asDroid?.fragments.deferred?.model == "R2")
  }

  /// The friend arrives before its own deferred fragment, and maybe before that of `Details`.
  @Test func deferredFragmentsWithTheSameNameArriveByThemselves() throws {
    let project = try GeneratedProject(
      schema: """
        directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        type Query { hero: Hero! }
        type Hero { name: String! bio: String! rank: Int! friend: Hero! }
        """,
      operations: """
        query Q { hero { name ...Details ... @defer { friend { name ... @defer { bio } } } } }
        fragment Details on Hero { ... @defer { rank } }
        """)
    let file = try #require(project.files.first { $0.hasSuffix("QQuery.graphql.swift") })
    let text = try project.text(of: file)
    #expect(
      text.contains(
        "...Hero {+__typename+name friend Hero {__typename String! name String! "
          + "...Hero {+__typename+name bio String!}"), "\(text)")
    // The property of the deferred fragment.
    #expect(text.components(separatedBy: "var bio: String {").count == 2, "\(text)")
    #expect(!text.contains("var rank"), "\(text)")
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

  /// The struct and the property have the names that they have in Apollo iOS. `fragments.self` is
  /// `fragments`, so that no property can have that name.
  @Test(arguments: [
    ("slow_part", "SlowPart", "slow_part"), ("SLOW", "Slow", "sLOW"),
    ("error", "Error_SelectionSet", "error"),
    ("self", "Self_SelectionSet", "self_SelectionSet"),
  ])
  func theNameOfAStructJoinsTheWordsOfItsLabel(
    _ label: String, _ name: String, _ property: String
  ) throws {
    let project = try GeneratedProject(
      schema: "type Query { hero: Hero } type Hero { bio: String }",
      operations: #"query Q { hero { ... @defer(label: "\#(label)") { bio } } }"#)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("struct \(name):"), "\(code)")
    #expect(code.contains("var \(property): \(name)?"), "\(code)")
    #expect(code.contains(#"@defer(label: "\#(label)")"#), "\(code)")
  }

  @Test func labelsWithTheSameWordsHaveTheirSpellings() throws {
    let project = try GeneratedProject(
      schema: "type Query { hero: Hero } type Hero { bio: String rank: Int }",
      operations: #"""
        query Q {
          hero { ... @defer(label: "slow_part") { bio } ... @defer(label: "slowPart") { rank } }
        }
        """#)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("var slow_part: Slow_part?"), "\(code)")
    #expect(code.contains("var slowPart: SlowPart?"), "\(code)")
  }

  /// No struct has the name of such a label. The literal has it with the escapes of the document.
  @Test func theLabelOfANamedFragmentCanBeAnyText() throws {
    let project = try GeneratedProject(
      schema: "type Query { hero: Hero } type Hero { bio: String }",
      operations: #"""
        query Q { hero { ...F @defer(label: "a \"b\" c\\") } }
        fragment F on Hero { bio }
        """#)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    let label = #"@defer(label: "a \"b\" c\\")"#
    #expect(code.ranges(of: label).count == 2, "document and literal: \(code)")
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
    func decode(_ fields: String) throws -> DeferringAPI.OverlapQuery.Data.Hero {
      let text = #"{"data":{"hero":{"__typename":"Human","name":"Luke"\#(fields)}}}"#
      let response = try ResponseDecoder().decode(
        Array(text.utf8), as: DeferringAPI.OverlapQuery())
      return try #require(response.data?.hero)
    }
    let a = #""__typename":"Place","moons":["Ghomrassen"]"#
    let second = try decode(#","bio":"Farmer","home":{\#(a)}"#)
    #expect(second.fragments.a?.home?.moons == ["Ghomrassen"])
    #expect(second.fragments.$b == .pending)
    let last = try decode(#","bio":"Farmer","home":{\#(a),"climate":"arid"}"#)
    #expect(last.fragments.b?.home?.climate == "arid")
    #expect(last.fragments.a?.home?.moons == ["Ghomrassen"])
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

extension JSONValue {
  /// Returns the value with more members of the object at a path.
  fileprivate func merging(_ part: JSONValue, at path: [PathEntry]) -> JSONValue {
    switch (self, path.first) {
    case (.object(var members), .field(let key)?):
      members[key] = members[key]?.merging(part, at: Array(path.dropFirst()))
      return .object(members)
    case (.array(var elements), .index(let index)?):
      elements[index] = elements[index].merging(part, at: Array(path.dropFirst()))
      return .array(elements)
    case (.object(let members), nil):
      guard case .object(let more) = part else { return self }
      return .object(members.merging(more) { $0.merging($1, at: []) })
    default: return part
    }
  }
}
