import GraphQLSyntax
import Testing

/// The language server in projects with fragment arguments.
@Suite struct FragmentArgumentTests {
  private static let fragments = """
    fragment Details($size: Int! = 3, $e: Episode) on Character {
      name @include(if: $all) ...More(e: $e) ...Size(size: $size)
    }
    fragment More("Mine." $e: Episode = NEWHOPE) on Character { id @mood(of: $e) ...Size(size: 1) }
    fragment Size($size: Int!) on Character { id @size(of: $size) }
    """

  private func client(isOn: Bool = true) throws -> TestClient {
    try TestClient([
      "apollo-codegen-config.json": """
      { "schemaNamespace": "API",
        "input": { "schemaSearchPaths": ["*.graphqls"], "operationSearchPaths": ["*.graphql"] },
        "output": { "schemaTypes": { "path": "out", "moduleType": { "swiftPackage": {} } } },
        "experimentalFeatures": { "fragmentArguments": \(isOn) } }
      """,
      "more.graphqls": "directive @size(of: Int!) on FIELD\ndirective @mood(of: Episode) on FIELD",
      "fragments.graphql": Self.fragments,
      "b.graphql": "query B($size: Int!, $all: Boolean!) { hero { ...Details(size: $size) } }",
    ])
  }

  @Test(
    arguments: [
      ("{ hero { ...Details(si|ze: 1) } }", "```graphql\n$size: Int! = 3\n```"),
      ("{ hero { ...More(|e: JEDI) } }", "```graphql\n$e: Episode = NEWHOPE\n```\n\nMine."),
      ("{ hero { ...More(e: JE|DI) } }", nil),
      ("{ hero { ...More(un|known: 1) } }", nil),
      (
        "fragment F($|x: [Int!]) on Human { id @size(of: $x) }", "```graphql\n$x: [Int!]\n```"
      ),
      ("fragment F($x: Int!) on Human { id @size(of: $|x) }", "```graphql\n$x: Int!\n```"),
      // A variable of the operation has the same name.
      (
        "query A($x: Boolean!) { hero { name @include(if: $|x) ...F(x: 1) } } "
          + "fragment F($x: Int!) on Character { id @size(of: $x) }",
        "```graphql\n$x: Boolean!\n```"
      ),
    ] as [(String, String?)])
  func tellsWhatAVariableMeans(_ text: String, _ expected: String?) throws {
    let result = try client().ask("hover", text)
    #expect(result["contents"]?["value"]?.string == expected)
  }

  @Test(arguments: [
    ("{ hero { ...Details(si|ze: 1) } }", "fragments.graphql", "0:17-0:22"),
    ("{ hero { ...More(|e: JEDI) } }", "fragments.graphql", "3:22-3:24"),
    ("fragment F($x: Int!) on Human { id @size(of: $|x) }", "a.graphql", "0:11-0:13"),
    (
      "query A($x: Boolean!) { hero { name @include(if: $x) ...F(|x: 1) } }\n"
        + "fragment F($x: Int!) on Character { id @size(of: $x) }",
      "a.graphql", "1:11-1:13"
    ),
  ])
  func findsTheDefinition(_ text: String, _ file: String, _ range: String) throws {
    let client = try client()
    let result = try client.ask("definition", text)
    #expect(result["uri"]?.string == client.uri(file))
    #expect(TestClient.range(result) == range)
  }

  @Test(
    arguments: [
      // The definition, and the arguments in three files. The variables of others keep their names.
      (
        "{ hero { ...Details(si|ze: 1) } }", "width",
        [
          "a.graphql": ["0:20-0:24"], "b.graphql": ["0:57-0:61"],
          "fragments.graphql": ["0:18-0:22", "1:56-1:60"],
        ]
      ),
      (
        "{ hero { ...Details(|e: JEDI) } }", "of",
        ["a.graphql": ["0:20-0:21"], "fragments.graphql": ["0:35-0:36", "1:38-1:39"]]
      ),
      // A variable of the operation is the value of an argument.
      (
        "query A($s|ize: Int!) { hero { ...Details(size: $size) } }", "other",
        ["a.graphql": ["0:9-0:13", "0:48-0:52"]]
      ),
      (
        "query A($a|ll: Boolean!) { hero { ...Details } }", "every",
        [
          "a.graphql": ["0:9-0:12"], "b.graphql": ["0:22-0:25"], "fragments.graphql": ["1:21-1:24"],
        ]
      ),
    ] as [(String, String, [String: [String]])])
  func renames(_ text: String, _ name: String, _ expected: [String: [String]]) throws {
    let client = try client()
    let result = try client.ask("rename", text, more: ", \"newName\": \"\(name)\"")
    for (file, ranges) in expected {
      let edits = TestClient.edits(of: client.uri(file), in: result)
      #expect(Set(edits.map(TestClient.range)) == Set(ranges), "\(file)")
      #expect(edits.allSatisfy { $0["newText"]?.string == name })
    }
    #expect(result["changes"]?.members?.count == expected.count, "\(result.text)")
  }

  @Test(arguments: [
    ("{ hero { ...Details(si|ze: 1) } }", "e", "has a variable '$e' already"),
    // The name would take the place of a variable of the operation that the fragment uses.
    ("{ hero { ...Details(si|ze: 1) } }", "all", "has a variable '$all' already"),
    // The fragment would give its own variable that it has under this name.
    (
      "query A($a|ll: Boolean!) { hero { ...Details } }", "e", "There is a variable '$e' already"
    ),
  ])
  func refusesNamesThatAreTaken(_ text: String, _ name: String, _ message: String) throws {
    let result = try client().ask("rename", text, more: ", \"newName\": \"\(name)\"")
    #expect(result["message"]?.string?.contains(message) == true, "\(result.text)")
  }

  @Test func findsReferencesInAllFiles() throws {
    let result = try client().ask(
      "references", "{ hero { ...Details(si|ze: 1) } }",
      more: #", "context": {"includeDeclaration": false}"#)
    #expect(
      (result.items ?? []).map(TestClient.range).sorted()
        == ["0:20-0:24", "0:57-0:61", "1:55-1:60"])
  }

  @Test(arguments: [
    ("{ hero { ...Details(|) } }", ["size", "e"]),
    ("{ hero { ...Details(size: 1, |) } }", ["e"]),
    ("{ hero { ...Details(|", ["size", "e"]),
    ("{ hero { name ...Details(e: |", ["NEWHOPE", "JEDI", "null"]),
    ("query A($e: Episode, $n: Int) { hero { ...More(e: $|", ["e"]),
    ("{ hero(episode: JEDI) { ...Size(|) name } }", ["size"]),
    ("{ hero { ...Missing(|) } }", []),
    ("{ hero { ...Size(size: 1) @include(|) } }", ["if"]),
    ("{ hero { ...| } }", ["on", "Details", "More", "Size"]),
    ("fragment F($x: Int, $y: Episode) on Query { hero(episode: $|", ["y"]),
    ("fragment F($x: Epi|", ["Boolean", "Episode", "Filter", "Float", "ID", "Int", "String"]),
    ("fragment F($x: Int) on Human { hei|", ["id", "name", "friends", "height", "__typename"]),
  ])
  func offers(_ text: String, _ labels: [String]) throws {
    let marked = text.contains("|") ? text : text + "|"
    let result = try client().ask("completion", marked)
    #expect((result["items"]?.items ?? []).compactMap { $0["label"]?.string } == labels)
  }

  @Test func reportsSyntaxErrorsWithoutTheOption() throws {
    let client = try client(isOn: false)
    client.open("a.graphql", "{ hero { ...Details(size: 1) } }")
    #expect(
      client.diagnostics(of: "a.graphql") == ["Syntax Error: Expected Name, found \"(\"."])
    let other = try self.client()
    other.open("a.graphql", "query A($all: Boolean!) { hero { ...Details(size: 1) } }")
    #expect(other.diagnostics(of: "a.graphql") == [])
    #expect(other.diagnostics(of: "fragments.graphql") == [])
  }

  @Test(arguments: [true, false]) func formats(_ isOn: Bool) throws {
    let result = try client(isOn: isOn).ask(
      "formatting", "fragment F( $x:Int=1 ) on Human {id ...Size( size:$x )}|")
    #expect(
      result.items?.first?["newText"]?.string
        == "fragment F($x: Int = 1) on Human {\n  id\n  ...Size(size: $x)\n}\n")
  }

  @Test func namesTheKindsOfWords() throws {
    let result = try client().ask(
      "semanticTokens/full", "fragment F($x: Int!) on Human { ...Size(size: $x) }|")
    let numbers = (result["data"]?.items ?? []).compactMap { $0.number.map { Int($0) } }
    let kinds = stride(from: 3, to: numbers.count, by: 5).map { numbers[$0] }
    // Keyword, function, parameter, type, keyword, type, function, parameter, parameter.
    #expect(kinds == [0, 5, 3, 1, 0, 1, 5, 3, 3])
  }
}
