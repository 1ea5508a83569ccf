import ApolloCodegenLib
import Testing

/// The texts of documents are those that Apollo iOS sends, so that a server which knows operations
/// by the hashes of their texts knows these too.
@Suite struct DocumentTextTests {
  private static let schema = """
    type Query { hero(episode: Episode): Character }
    type Mutation { createReview(episode: Episode, review: ReviewInput!): Review }
    interface Character { name: String! appearsIn: [Episode]! friends: [Character] }
    type Human implements Character {
      name: String! appearsIn: [Episode]! friends: [Character] homePlanet: String
      height(unit: LengthUnit = METER): Float
    }
    type Droid implements Character {
      name: String! appearsIn: [Episode]! friends: [Character] primaryFunction: String
    }
    type Review { stars: Int! commentary: String }
    enum Episode { NEWHOPE EMPIRE JEDI }
    enum LengthUnit { METER FOOT }
    input ReviewInput { stars: Int! commentary: String }
    """

  /// The hashes are in the code that Apollo iOS 2 generated for its Star Wars schema, with
  /// `legacySafelistingCompatibleOperations`.
  @Test(arguments: [
    (
      """
      query HeroTypeDependentAliasedField($episode: Episode) {
        hero(episode: $episode) {
          ... on Human { property: homePlanet }
          ... on Droid { property: primaryFunction }
        }
      }
      """, "5b1ed6a84e96a4e48a3cad675ebb46020bce176f47361d097d8a0a824b7b8452"
    ),
    (
      """
      query HeroFriendsDetailsUnconditionalAndConditionalInclusion($includeFriendsDetails: Boolean!) {
        hero {
          friends { name }
          friends @include(if: $includeFriendsDetails) { name ... on Droid { primaryFunction } }
        }
      }
      """, "e36c8e5d752afda2a90fe44bcbfeb92de68f0da92b8390d626d3005cbad16dbe"
    ),
    (
      """
      query HeroDetailsInlineConditionalInclusion($includeDetails: Boolean!) {
        hero { ... @include(if: $includeDetails) { name __typename appearsIn } }
      }
      """, "e251576f8c1cfcd442f44d2fbe5fd4b425a36ddd41fb4b6c1019c501ac6ac5bc"
    ),
    (
      """
      query HeroParentTypeDependentField($episode: Episode) {
        hero(episode: $episode) {
          name
          ... on Human { friends { name ... on Human { height(unit: FOOT) } } }
          ... on Droid { friends { name ... on Human { height(unit: METER) } } }
        }
      }
      """, "dc3b582f2baa66cfb5cd53eb3c215933427fd0537076767c8e0ef894d3990d15"
    ),
    (
      """
      query HeroNameTypeSpecificConditionalInclusion($episode: Episode, $includeName: Boolean!) {
        hero(episode: $episode) { name @include(if: $includeName) ... on Droid { name } }
      }
      """, "c05a6e91e1a3ddc3df21205ed7fca49cf6f3f171e4390ac98e7690c391b18baf"
    ),
    (
      """
      query HeroDetailsWithFragment($episode: Episode) { hero(episode: $episode) { ...HeroDetails } }
      fragment HeroDetails on Character {
        name
        ... on Human { height }
        ... on Droid { primaryFunction }
      }
      """, "ffe0a8189e4b2c1fa2c309e2c545cd49b61fd9428b64aa62582513d7413beb11"
    ),
    (
      """
      mutation CreateAwesomeReview {
        createReview(episode: JEDI, review: {stars: 10, commentary: "This is awesome!"}) {
          stars
          commentary
        }
      }
      """, "6758478141ddd4fde56693cbf43efaf5982c5805bb4b5d4ab6e25f656989d7de"
    ),
    (
      """
      mutation CreateReviewWithNullField {
        createReview(episode: JEDI, review: {stars: 10, commentary: null}) { stars commentary }
      }
      """, "3857a03e0db1698622249dcc09b2de36dd56e0360fd053ffc1b9204b3b67f52c"
    ),
  ])
  func haveTheHashesOfApollo(_ operations: String, _ identifier: String) throws {
    let project = try GeneratedProject(
      schema: Self.schema, operations: operations,
      configuration: """
        "experimentalFeatures": { "legacySafelistingCompatibleOperations": true },
        "operationManifest": { "path": "manifest", "generateManifestOnCodeGeneration": true }
        """)
    let manifest = try project.text(of: "manifest.json")
    #expect(manifest.contains("\"id\": \"\(identifier)\""), "\(manifest)")
  }

  /// graphql-js breaks what is longer than 80 characters into lines without commas, and Apollo iOS
  /// joins them.
  @Test(arguments: [
    (#"{ f(a: "1", b: ["2"]) }"#, #"{ f(a: "1", b: ["2"]) }"#),
    (
      "{ f(a: \"\(String(repeating: "x", count: 71))\") }",
      "{ f(a: \"\(String(repeating: "x", count: 71))\") }"
    ),
    (
      "{ f(a: \"\(String(repeating: "x", count: 74))\", b: []) }",
      "{ f( a: \"\(String(repeating: "x", count: 74))\" b: [] ) }"
    ),
    (
      "{ long: f(a: \"\(String(repeating: "x", count: 59))\", b: []) }",
      "{ long: f(a: \"\(String(repeating: "x", count: 59))\", b: []) }"
    ),
    (
      "{ longer: f(a: \"\(String(repeating: "x", count: 60))\", b: []) }",
      "{ longer: f( a: \"\(String(repeating: "x", count: 60))\" b: [] ) }"
    ),
    (
      "{ f(b: [\"\(String(repeating: "x", count: 75))\", \"y\"]) }",
      "{ f( b: [ \"\(String(repeating: "x", count: 75))\" \"y\" ] ) }"
    ),
    (
      "{ f(i: {a: \"\(String(repeating: "x", count: 75))\", i: {a: \"y\"}}) }",
      "{ f( i: { a: \"\(String(repeating: "x", count: 75))\" i: { a: \"y\" } } ) }"
    ),
    (
      "($b: [String!] = [\"\(String(repeating: "x", count: 80))\"], $a: ID) { f(b: $b) @skip(if: false) i(a: $a) }",
      "( $b: [String!] = [ \"\(String(repeating: "x", count: 80))\" ] $a: ID ) { f(b: $b) @skip(if: false) i(a: $a) }"
    ),
  ])
  func haveTheLinesOfGraphQLJS(_ source: String, _ text: String) throws {
    let project = try GeneratedProject(
      schema: """
        type Query { f(a: String, b: [String!], i: Input): Int, i(a: ID): Int }
        input Input { a: String, i: Input }
        """, operations: "query Q\(source.hasPrefix("(") ? "" : " ")\(source)")
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    let expected = "query Q\(text.hasPrefix("(") ? "" : " ")\(text)"
    #expect(code.contains("#\"\(expected)\"#"), "\(code)")
  }
}
