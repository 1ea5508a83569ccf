import ApolloCodegenLib
import Testing

/// `apollo-cli generate --explain`: the models of an operation in words.
@Suite struct ExplanationTests {
  private static let schema = """
    type Query { hero: Character, heroes: [Character!]! }
    interface Character { name: String! friends: [Character] }
    type Human implements Character @typePolicy(keyFields: "id") {
      id: ID! name: String! friends: [Character] height: Float!
    }
    type Droid implements Character { name: String! friends: [Character] model: String }
    """

  private static let operations = """
    query Hero($more: Boolean!) {
      hero {
        name
        ...Details @include(if: $more)
        ... on Human { height }
      }
      heroes { ...Details friends @skip(if: $more) { name } }
    }
    fragment Details on Character { name friends { name } }
    query Several {
      hero { ...Tall ...Known
        ... @defer(label: "late") { ...Modern } }
    }
    fragment Tall on Human { height }
    fragment Known on Human { id }
    fragment Modern on Droid { model }
    """

  private func explanation(of name: String) throws -> Explanation.Result {
    let folder = try TemporaryFolder()
    try folder.write(Self.schema, to: "schema.graphqls")
    try folder.write(Self.operations, to: "hero.graphql")
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API",
          "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } } }
        """)
    let text = try Generator(configuration, rootFolder: folder.path).explanation(of: name)
    #expect(!folder.exists("out"))
    return text
  }

  @Test func saysWhatIsAddedAndMergedAndWhyAPropertyIsOptional() throws {
    let expected = [
      "query Hero (hero.graphql:1:7)",
      "hero: Hero? (hero.graphql:2:3)", "optional: 'Query.hero' may be null",
      "added: every object has the name of its type",
      "name: String (hero.graphql:3:5)",
      "asHuman: AsHuman? (hero.graphql:5:5)", "optional: only an object of type 'Human' has it",
      "added: a key field of 'Human' ('@typePolicy')",
      "height: Float (hero.graphql:5:20)",
      "fragments.details: Details? (hero.graphql:9:10)",
      "optional: only with '@include(if: $more)'",
      "heroes: [Heroes] (hero.graphql:7:3)",
      "merged: from fragment 'Details'",
      "optional: 'Character.friends' may be null",
      "optional: not with '@skip(if: $more)' (hero.graphql:7:23)",
    ]
    try expect(expected, inExplanationOf: "Hero")
  }

  /// A type case that two fragments have has the properties of both.
  @Test func explainsTheTypeCasesOfSeveralFragments() throws {
    let expected = [
      "asHuman: AsHuman?", "merged: from several fragments", "height: Float (hero.graphql:14:26)",
      "fragments.tall: Tall (hero.graphql:14:10)", "fragments.tall: Tall? (hero.graphql:14:10)",
      "optional: only an object of type 'Human' has it",
      "fragments.late: Late? (hero.graphql:12:5)",
      "optional: its data may arrive later ('@defer(label: \"late\")') (hero.graphql:12:5)",
      "fragments.modern: Modern? (hero.graphql:16:10)",
    ]
    try expect(expected, inExplanationOf: "Several")
  }

  private func expect(_ expected: [String], inExplanationOf name: String) throws {
    guard case .text(let text) = try explanation(of: name) else {
      Issue.record("Nothing is called '\(name)'.")
      return
    }
    let lines = Set(text.split(separator: "\n").map { $0.drop { $0 == " " } })
    for line in expected { #expect(lines.contains(line[...]), "\(line) is not in\n\(text)") }
  }

  @Test func suggestsTheNearestNameOfWhatIsNotThere() throws {
    #expect(try explanation(of: "Villain") == .unknown(nearest: nil))
    #expect(try explanation(of: "details") == .unknown(nearest: "Details"))
    #expect(try explanation(of: "HeroQuery") == explanation(of: "Hero"))
  }
}
