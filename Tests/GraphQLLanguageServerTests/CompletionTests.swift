import GraphQLSyntax
import Testing

/// The names that are offered at a cursor, `|`, most of them in texts that the parser refuses.
@Suite struct CompletionTests {
  private static let members = ["id", "name", "friends", "__typename"]
  private static let outputs = [
    "Boolean", "Character", "Droid", "Episode", "Float", "Found", "Human", "ID", "Int", "Mutation",
    "Planet", "Query", "String",
  ]

  static let cases: [(text: String, labels: [String])] = [
    ("|", ["query", "mutation", "subscription", "fragment"]),
    ("qu|", ["query", "mutation", "subscription", "fragment"]),
    ("{ | }", ["hero", "search", "old", "__typename"]),
    ("query Q { he|", ["hero", "search", "old", "__typename"]),
    ("query Q { hero { | } }", members),
    ("query Q { hero { name ", members),
    ("query Q { hero { a: | } }", members),
    ("query Q { hero(episode: JEDI) @include(if: true) { | ", members),
    ("{ hero { friends { friends { na| } } } }", members),
    ("{ hero { name } se| }", ["hero", "search", "old", "__typename"]),
    ("{ hero { name }\n\nquery B { | }", ["hero", "search", "old", "__typename"]),
    ("mutation { | }", ["rename", "__typename"]),
    ("subscription { | }", []),
    ("{ unknown { | } }", []),
    ("query |", []),
    // Fragments.
    ("{ hero { ...| } }", ["on", "Details", "Parts"]),
    ("{ hero { ...De| ", ["on", "Details", "Parts"]),
    ("{ search(text: \"a\") { ... on | } }", ["Character", "Found", "Human", "Planet"]),
    ("{ hero { ... on Droid { | } } }", ["id", "name", "friends", "function", "__typename"]),
    ("{ hero { ... @include(if: true) { | } } }", members),
    ("fragment F on |", ["Character", "Droid", "Found", "Human", "Mutation", "Planet", "Query"]),
    ("fragment F on Human { | }", ["id", "name", "friends", "height", "__typename"]),
    // Arguments and values.
    ("{ hero(|) }", ["episode", "filter"]),
    ("{ hero(episode: JEDI, |) }", ["filter"]),
    ("{ hero(episode: |) }", ["NEWHOPE", "JEDI", "null"]),
    ("{ hero(episode: NE|", ["NEWHOPE", "JEDI", "null"]),
    ("{ hero(filter: {|}) }", ["name", "nested", "episode", "isAlive"]),
    ("{ hero(filter: {nested: {name: \"a\", |", ["nested", "episode", "isAlive"]),
    ("{ hero(filter: {nested: {name: \"a\"}, |}) }", ["name", "episode", "isAlive"]),
    ("{ hero(filter: {isAlive: |}) }", ["true", "false"]),
    ("{ hero(filter: {nested: {episode: |", ["NEWHOPE", "JEDI", "null"]),
    // Variables.
    ("query Q($e: Episode, $n: String!) { hero(episode: |) }", ["NEWHOPE", "JEDI", "null", "$e"]),
    ("query Q($e: Episode, $n: String!) { search(text: $|", ["n"]),
    (
      "query Q($e: |) { hero { name } }",
      ["Boolean", "Episode", "Filter", "Float", "ID", "Int", "String"]
    ),
    ("query Q($e: [Ep|", ["Boolean", "Episode", "Filter", "Float", "ID", "Int", "String"]),
    ("query Q($e: Episode = |", ["NEWHOPE", "JEDI", "null"]),
    ("query Q(|", []),
    ("query Q($a: Int = 5 |", []),
    (
      "query Q($a: [String!]!, $b: String!, $c: [[String]]) { search(text: $|",
      ["b"]
    ),
    ("query Q($a: [Int], $b: Boolean!) { hero @include(if: $|", ["b"]),
    // Definitions after a broken one.
    ("{ hero {\nquery ($e: Episode) { hero(episode: $|", ["e"]),
    ("{ hero {\nquery @a { |", ["hero", "search", "old", "__typename"]),
    ("{ hero {\nquery Q { |", ["hero", "search", "old", "__typename"]),
    // Fields with the names of keywords.
    ("{\nhero {\ntype\nname\n| }", members),
    ("{\nhero {\nquery(a: 1)\n| }", members),
    // Directives.
    ("{ hero @| }", ["include", "skip"]),
    ("{ hero @include(|) }", ["if"]),
    ("{ hero @include(if: |) }", ["true", "false"]),
    ("enum E { A @|", ["deprecated"]),
    ("extend enum E { A @|", ["deprecated"]),
    // No names.
    ("# |", []),
    ("{ search(text: \"|\") }", []),
  ]

  @Test(arguments: cases.indices) func offersNames(_ index: Int) throws {
    let (text, labels) = Self.cases[index]
    let marked = text.contains("|") ? text : text + "|"
    let client = try TestClient([
      "fragments.graphql": """
      fragment Details on Character { name }
      fragment Parts on Droid { function }
      fragment Land on Planet { name }
      """
    ])
    let result = try client.ask("completion", marked)
    let found = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    let isDirective = marked.contains("@|")
    // The built-in directives and those of the compiler that fit.
    if isDirective {
      #expect(labels.allSatisfy(found.contains) && !found.contains("typePolicy"), "\(marked)")
    } else {
      #expect(found == labels, "\(marked)")
    }
  }

  /// A fragment uses the variables of the operations that spread it, also through others.
  @Test(arguments: [
    ("fragment More on Character { friends @include(if: $|", ["all"]),
    ("fragment More on Character { friends @include(if: |", ["true", "false", "$all"]),
    ("fragment Other on Character { friends @include(if: $|", []),
    ("fragment More($x: Boolean = |", ["true", "false", "null"]),
    ("fragment More on Character { name } query Q { hero @include(if: $|", []),
  ])
  func offersVariablesOfOperationsInFragments(_ text: String, _ labels: [String]) throws {
    let client = try TestClient([
      "details.graphql": "fragment Details on Character { name friends { ...More } }",
      "b.graphql": "query B($all: Boolean!, $x: Int) { hero { ...Details } }",
      "c.graphql": "query C($none: Boolean!) { hero @include(if: $none) { name } }",
    ])
    let result = try client.ask("completion", in: "more.graphql", text)
    #expect((result["items"]?.items ?? []).compactMap { $0["label"]?.string } == labels, "\(text)")
  }

  private static func client(acceptsDirectivesOnDirectives isOn: Bool) throws -> TestClient {
    try TestClient([
      "apollo-codegen-config.json": """
      { "schemaNamespace": "API",
        "input": { "schemaSearchPaths": ["*.graphqls"], "operationSearchPaths": ["*.graphql"] },
        "output": { "schemaTypes": { "path": "out", "moduleType": { "swiftPackage": {} } } },
        "experimentalFeatures": { "directivesOnDirectiveDefinitions": \(isOn) } }
      """
    ])
  }

  @Test(arguments: [
    ("directive @a @|", true), ("directive @a(b: Int) @|", true), ("extend directive @a @|", true),
    ("directive @|", false), ("extend directive @|", false), ("directive @a @b @|", true),
  ])
  func offersDirectivesOfDirectives(_ text: String, _ isOffered: Bool) throws {
    let client = try Self.client(acceptsDirectivesOnDirectives: true)
    let result = try client.ask("completion", in: "more.graphqls", text)
    let found = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(found == (isOffered ? ["deprecated"] : []))
  }

  @Test(arguments: [true, false])
  func offersTheLocationOfDirectivesWithTheOption(_ isOn: Bool) throws {
    let client = try Self.client(acceptsDirectivesOnDirectives: isOn)
    let result = try client.ask("completion", in: "more.graphqls", "directive @a on |")
    let found = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(found.contains("DIRECTIVE_DEFINITION") == isOn)
    #expect(found.contains("INPUT_FIELD_DEFINITION"))
  }

  /// The directives of each kind of definition differ.
  @Test(arguments: [
    ("extend scalar A @|", "specifiedBy"), ("extend input A @|", "oneOf"),
    ("scalar B\n\ninput A @|", "oneOf"), ("union B = Human\n\nscalar A @|", "specifiedBy"),
    ("directive @a on FIELD\n\ninput A @|", "oneOf"),
  ])
  func offersDirectivesOfTheDefinitionAndOfNoOther(_ text: String, _ name: String) throws {
    let result = try TestClient().ask("completion", in: "more.graphqls", text)
    let found = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(found.contains(name) && !found.contains("typePolicy"), "\(found)")
  }

  @Test func offersDirectivesOfAnOperationBehindThoseOfAVariable() throws {
    let result = try TestClient().ask("completion", "query Q($e: Episode @a) @| { old }")
    let found = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(found.contains("apollo_client_ios_localCacheMutation"), "\(found)")
  }

  private static let definitions = [
    "type", "interface", "input", "enum", "union", "scalar", "directive", "extend", "schema",
  ]
  private static let inputs = [
    "Boolean", "Episode", "Filter", "Float", "ID", "Int", "String",
  ]

  @Test(arguments: [
    // The default values of input fields.
    ("input A { a: Episode = |", ["NEWHOPE", "JEDI", "null"]),
    ("input A { a: [Episode!] = [JEDI, |", ["NEWHOPE", "JEDI", "null"]),
    ("input A { a: Filter = {name: \"b\", |", ["nested", "episode", "isAlive"]),
    ("input A { a: Filter = {name: \"b\"} c: |", CompletionTests.inputs),
    ("input A { a: [Int] = [1, 2] c: |", CompletionTests.inputs),
    ("input A { a: Int = 5 |", []),
    // A value in a schema is no variable.
    ("type A { a(b: Int): Int @cacheControl(maxAge: |", ["null"]),
    // A definition without a body.
    ("scalar A\n|", CompletionTests.definitions),
    ("union A = Human\n\nty|", CompletionTests.definitions),
    ("extend type A @a(b: 1)\n|", CompletionTests.definitions),
    ("scalar A |", []),
    // Extensions.
    (
      "extend |", ["type", "interface", "input", "enum", "union", "scalar", "schema"]
    ),
    ("extend input |", CompletionTests.inputs),
  ])
  func offersValuesAndDefinitionsInSchemas(_ text: String, _ labels: [String]) throws {
    let result = try TestClient().ask("completion", in: "more.graphqls", text)
    let found = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(found.filter { $0 != "A" } == labels, "\(text)")
  }

  @Test func offersThePlacesOfADirectiveBehindAScalar() throws {
    let result = try TestClient().ask(
      "completion", in: "more.graphqls", "scalar A\n\ndirective @a on |")
    let found = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(found.contains("INPUT_FIELD_DEFINITION"), "\(found)")
  }

  @Test(arguments: [
    ("type A { a: | }", CompletionTests.outputs),
    ("type A { a: [|", CompletionTests.outputs),
    ("type A implements |", CompletionTests.outputs),
    ("input A { a: | }", ["Boolean", "Episode", "Filter", "Float", "ID", "Int", "String"]),
    ("type A { a(b: |", ["Boolean", "Episode", "Filter", "Float", "ID", "Int", "String"]),
  ])
  func offersTypesInSchemas(_ text: String, _ labels: [String]) throws {
    let result = try TestClient().ask("completion", in: "more.graphqls", text)
    let found = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(found.filter { $0 != "A" } == labels)
  }

  /// `|` is a token of the text here, so that the cursor is at its end.
  @Test(arguments: ["directive @x on ", "directive @x(a: Int) repeatable on FIELD | "])
  func offersThePlacesOfDirectives(_ text: String) throws {
    let client = try TestClient()
    client.open("a.graphql", text)
    let result = try client.request(
      "textDocument/completion",
      #"{"textDocument": {"uri": "\#(client.uri("a.graphql"))"}, "position": {"line": 0, "character": \#(text.utf8.count)}}"#
    )
    let labels = (result["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(labels.count == 19 && labels.contains("INPUT_FIELD_DEFINITION"))
    #expect(labels.first == "QUERY" && labels.contains("ENUM_VALUE"))
  }

  @Test func replacesTheWordBeforeTheCursorAndTellsWhatItMeans() throws {
    let result = try TestClient().ask("completion", "{ hero { 😀na|me } }")
    let item = try #require(
      result["items"]?.items?.first { $0["label"]?.string == "name" })
    #expect(item["detail"]?.string == "String!")
    #expect(item["documentation"]?["value"]?.string?.contains("What it is called.") == true)
    let range = item["textEdit"]?["range"]
    #expect(range?["start"]?["character"]?.number == 11)
    #expect(range?["end"]?["character"]?.number == 13)
    let old = try #require(
      try TestClient().ask("completion", "{ | }")["items"]?.items?
        .first { $0["label"]?.string == "old" })
    #expect(old["tags"]?.items?.first?.number == 1)
  }
}
