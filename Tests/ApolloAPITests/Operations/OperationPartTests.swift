import Testing

@testable import ApolloAPI

/// The texts of parts of a query.
struct OperationPartTests {
  private typealias Query = StarWarsAPI.HeroQuery

  private func text(_ fields: [String: OperationPart]) -> String? {
    Query.completion(of: OperationPart(fields: fields))?.text
  }

  private func text(of part: OperationPart, in text: String) -> String? {
    OperationDefinition(text).text(of: MissingParts(root: part), lookups: [], SchemaTypes())?.text
  }

  @Test func aLeafIsSelectedWithTheNameOfTheType() {
    #expect(
      text(["hero": OperationPart(fields: ["name": OperationPart()])])
        == "query Hero($episode: Episode) { hero(episode: $episode) { __typename name } }")
  }

  @Test func aFieldOfAFragmentIsInAnInlineFragment() {
    #expect(
      text(["hero": OperationPart(fields: ["appearsIn": OperationPart()], keys: ["id"])])
        == "query Hero($episode: Episode) { hero(episode: $episode) "
        + "{ __typename ... on Character { __typename id appearsIn } } }")
  }

  @Test func aFieldOfATypeIsInItsFragment() {
    #expect(
      text(["hero": OperationPart(fields: ["primaryFunction": OperationPart()])])
        == "query Hero($episode: Episode) { hero(episode: $episode) "
        + "{ __typename ... on Droid { primaryFunction } } }")
  }

  @Test func aliasesArgumentsAndConditionsStay() {
    #expect(
      text(["hero": OperationPart(fields: ["metres": OperationPart()])])
        == "query Hero($episode: Episode) { hero(episode: $episode) "
        + "{ __typename metres: height(unit: METER) } }")
    #expect(
      text(["hero": OperationPart(fields: ["friends": OperationPart(isWhole: true)])])
        == "query Hero($episode: Episode, $withFriends: Boolean! = true) "
        + "{ hero(episode: $episode) "
        + "{ __typename friends @include(if: $withFriends) { __typename name } } }")
  }

  @Test func variablesAreThoseOfTheText() {
    let part = OperationPart(fields: ["hero": OperationPart(fields: ["name": OperationPart()])])
    #expect(Query.completion(of: part)?.variables == ["episode"])
  }

  @Test func selectionsAreThoseOfTheText() throws {
    let part = OperationPart(
      fields: ["hero": OperationPart(fields: ["metres": OperationPart()], keys: ["id"])])
    let completion = try #require(Query.completion(of: part))
    let query = Query(episode: nil)
    let body = #"{"data":{"hero":{"__typename":"Droid","id":"1","metres":2}}}"#
    _ = try ResponseDecoder().decode(
      Array(body.utf8), as: completion.layout, of: query, observer: nil)
    #expect(throws: ResponseError.self) {
      let incomplete = #"{"data":{"hero":{"__typename":"Droid","metres":2}}}"#
      _ = try ResponseDecoder().decode(
        Array(incomplete.utf8), as: completion.layout, of: query, observer: nil)
    }
  }

  @Test func aPartThatIsAllOrNotThereHasNoText() {
    #expect(text(["villain": OperationPart()]) == nil)
    #expect(text(["hero": OperationPart(fields: ["villain": OperationPart()])]) == nil)
    #expect(text(["hero": OperationPart(isWhole: true)]) == nil)
    #expect(Query.completion(of: OperationPart(isWhole: true)) == nil)
  }

  @Test(arguments: [
    // Blocks of text, nested values, comments and line breaks.
    (
      "query A($a: [Int!]! = [1, 2] @x(y: \"$z\"), $b: In = {c: \"}\"}) @z(w: $b) {\n"
        + "  f(s: \"\"\"a \"b\" \\\"\"\" }\"\"\", i: {j: [$a, -1.5e3]}) # no }\n  g\n}",
      "f",
      "query A($a: [Int!]! = [1, 2] @x(y: \"$z\"), $b: In = {c: \"}\"}) @z(w: $b) "
        + "{ f(s: \"\"\"a \"b\" \\\"\"\" }\"\"\", i: {j: [$a, -1.5e3]}) }"
    ),
    ("query A { f(a: \"\", b: \"\\\"{\") g }", "g", "query A { g }"),
    ("query A { f(a: \"\", b: \"\\\"{\") g }", "f", "query A { f(a: \"\", b: \"\\\"{\") }"),
    (
      "query A { f(e: RED) @a @b(c: 1) g @skip(if: true) }", "f",
      "query A { f(e: RED) @a @b(c: 1) }"
    ),
  ])
  func textsAreTakenApart(text: String, field: String, expected: String) {
    let part = OperationPart(fields: [field: OperationPart()])
    #expect(self.text(of: part, in: text) == expected)
  }

  @Test(arguments: [
    "", "query", "query A", "query A {", "query A { }", "query A { f g } }", "query { f g }",
    "mutation A { f g }", "query A($a) { f g }", "query A { f(a) g }", "query A { f(a: \"b) g }",
    "query A { f ...B }", "query A { f ...B(a: 1) g }", "query A { f ... { } g }",
    "query A { f(a: \"\"\"b) g }", "query A { f g @a(b: $c) } fragment B on C { d }",
    "query A { f(a: $b) g }",
  ])
  func textsThatAreNotUnderstoodAreSentAsAWhole(text: String) {
    let part = OperationPart(fields: ["f": OperationPart()])
    #expect(self.text(of: part, in: text) == nil)
  }

  @Test func nestingWithoutEndIsNotUnderstood() {
    let depth = 100_000
    let texts = [
      "query A { f g " + String(repeating: "{ a ", count: depth),
      "query A { f g(a: " + String(repeating: "[", count: depth),
      "query A($a: " + String(repeating: "[", count: depth),
    ]
    for text in texts {
      let part = OperationPart(fields: ["f": OperationPart()])
      #expect(self.text(of: part, in: text) == nil)
    }
  }
}
