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
    """

  private func explanation(of name: String) throws -> String? {
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
    let text = try #require(try explanation(of: "Hero"))
    let expected = [
      "query Hero (hero.graphql:1:7)",
      "hero: Hero? (hero.graphql:2:3)", "optional: 'Query.hero' may be null",
      "added: every object has the name of its type",
      "name: String (hero.graphql:3:5)",
      "asHuman: AsHuman? (hero.graphql:5:5)", "optional: only an object of type 'Human' has it",
      "added: a key field of 'Human' ('@typePolicy')",
      "height: Float (hero.graphql:5:20)",
      "fragments.details: Details? (hero.graphql:9:10)", "optional: its spread has a condition",
      "heroes: [Heroes] (hero.graphql:7:3)",
      "merged: from fragment 'Details'",
      "optional: 'Character.friends' may be null",
      "optional: not with '@skip(if: $more)' (hero.graphql:7:23)",
    ]
    let lines = Set(text.split(separator: "\n").map { $0.drop { $0 == " " } })
    for line in expected { #expect(lines.contains(line[...]), "\(line) is not in\n\(text)") }
  }

  @Test func nothingIsSaidOfWhatIsNotThere() throws {
    #expect(try explanation(of: "Villain") == nil)
    #expect(
      try explanation(of: "Details")?.hasPrefix("fragment Details (hero.graphql:9:10)") == true)
  }
}
