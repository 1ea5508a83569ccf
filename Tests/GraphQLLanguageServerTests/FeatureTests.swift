import Foundation
@testable import GraphQLLanguageServer
import GraphQLSyntax
import Testing

/// Hover, definitions, references, renaming, symbols, formatting, tokens and hints.
@Suite struct FeatureTests {
  // MARK: - Hover

  static let hovers: [(text: String, parts: [String])] = [
    ("{ he|ro { name } }", ["Query.hero(episode: Episode = JEDI, filter: Filter): Character"]),
    (
      "{ hero { na|me } }",
      [
        "Character.name: String!", "What it is called.",
        "Cache policy: `@cacheControl(maxAge: 60)`",
      ]
    ),
    ("{ a|b: hero { name } }", ["ab: Query.hero: Character"]),
    ("{ o|ld }", ["Query.old: Int", "**Deprecated**: Use new."]),
    ("{ hero(epi|sode: JEDI) { name } }", ["Query.hero(episode:): Episode = JEDI"]),
    ("{ hero(episode: JE|DI) { name } }", ["Episode.JEDI", "**Deprecated**: Too old."]),
    ("{ hero(filter: {is|Alive: true}) { name } }", ["Filter.isAlive: Boolean!"]),
    ("{ hero { ... on Hum|an { name } } }", ["type Human implements Character"]),
    (
      "fragment F on Cha|racter { name }",
      ["interface Character", "A person or a machine.", "`@typePolicy(keyFields: \"id\")`"]
    ),
    ("{ hero { name @in|clude(if: true) } }", ["directive @include(if: Boolean!) on "]),
    ("query Q($e: Episode = JEDI) { hero(episode: $|e) { name } }", ["$e: Episode = JEDI"]),
    ("{ hero { ...De|tails } }", ["fragment Details on Character", "About a hero."]),
    ("\"Mine.\" query Q|Q { old }", ["query QQ", "Mine."]),
    ("{ unk|nown }", []),
    ("{ hero { name } | }", []),
  ]

  @Test(arguments: hovers.indices) func tellsWhatANameMeans(_ index: Int) throws {
    let (text, parts) = Self.hovers[index]
    let client = try TestClient([
      "fragments.graphql": "\"About a hero.\" fragment Details on Character { name }"
    ])
    let result = try client.ask("hover", text)
    let markdown = result["contents"]?["value"]?.string ?? ""
    #expect(parts.isEmpty == markdown.isEmpty)
    for part in parts { #expect(markdown.contains(part), "\(markdown)") }
  }

  /// LSP 3.17, `HoverClientCapabilities.contentFormat`.
  @Test(arguments: [
    (#"["plaintext"]"#, "plaintext", "Query.old: Int\n\nDeprecated: Use new."),
    (
      #"["plaintext", "markdown"]"#, "markdown",
      "```graphql\nQuery.old: Int\n```\n\n**Deprecated**: Use new."
    ),
  ])
  func textsHaveAFormatThatTheClientAccepts(
    _ formats: String, _ kind: String, _ text: String
  ) throws {
    let client = try TestClient(
      capabilities:
        #"{"textDocument": {"hover": {"contentFormat": \#(formats)}, "completion": {"completionItem": {"documentationFormat": \#(formats)}}}}"#
    )
    let hover = try client.ask("hover", "{ o|ld }")["contents"]
    let item = try client.ask("completion", "{ o| }")["items"]?.items?.first {
      $0["label"]?.string == "old"
    }
    for content in [hover, item?["documentation"]] {
      #expect(content?["kind"]?.string == kind)
      #expect(content?["value"]?.string == text)
    }
    let variable = try client.ask("hover", "query A($|x: Int) { old }")["contents"]?["value"]
    #expect(variable?.string == (kind == "plaintext" ? "$x: Int" : "```graphql\n$x: Int\n```"))
  }

  // MARK: - Definitions

  static let definitions: [(text: String, file: String, name: String)] = [
    ("{ he|ro { name } }", "schema.graphqls", "hero"),
    ("{ hero { ... on Hu|man { name } } }", "schema.graphqls", "Human"),
    ("{ hero(episode: J|EDI) { name } }", "schema.graphqls", "JEDI"),
    ("{ hero { ...Det|ails } }", "fragments.graphql", "Details"),
    ("query Q($e: Episode) { hero(episode: $|e) { name } }", "a.graphql", "$e"),
    ("query Her|o { old }", "Generated/HeroQuery.graphql.swift", "HeroQuery"),
    ("fragment detail|s2 on Human { name }", "Generated/Details2.graphql.swift", "Details2"),
    ("query Deta|ils { old }", "Generated/DetailsQuery.graphql.swift", "DetailsQuery"),
    (
      "mutation He|ro { rename(id: 1, name: \"a\") { name } }",
      "Generated/HeroMutation.graphql.swift", "HeroMutation"
    ),
    ("query HeroQu|ery { old }", "Generated/HeroQuery.graphql.swift", "HeroQuery"),
    (
      "query Loc|al @apollo_client_ios_localCacheMutation { old }",
      "Generated/LocalLocalCacheMutation.graphql.swift", "LocalLocalCacheMutation"
    ),
  ]

  @Test(arguments: definitions.indices) func findsDefinitions(_ index: Int) throws {
    let (text, file, name) = Self.definitions[index]
    let client = try TestClient([
      "fragments.graphql": "# ä😀\nfragment Details on Character { name }",
      "Generated/HeroQuery.graphql.swift": "\npublic struct HeroQuery: GraphQLQuery {}",
      "Generated/Details2.graphql.swift": "\npublic struct Details2: Fragment {}",
      "Generated/Details.graphql.swift": "\npublic struct Details: Fragment {}",
      "Generated/DetailsQuery.graphql.swift": "\npublic struct DetailsQuery: GraphQLQuery {}",
      "Generated/HeroMutation.graphql.swift": "\npublic struct HeroMutation: GraphQLMutation {}",
      "Generated/LocalLocalCacheMutation.graphql.swift":
        "\npublic struct LocalLocalCacheMutation: LocalCacheMutation {}",
    ])
    let result = try client.ask("definition", text)
    #expect(result["uri"]?.string == client.uri(file))
    let range = result["range"]
    let line = Int(range?["start"]?["line"]?.number ?? -1)
    let (start, end) = (
      Int(range?["start"]?["character"]?.number ?? -1),
      Int(range?["end"]?["character"]?.number ?? -1)
    )
    let content =
      file == "a.graphql"
      ? text.split(separator: "|").joined()
      : try String(contentsOf: client.folder.appendingPathComponent(file), encoding: .utf8)
    let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[line].dropFirst(start).prefix(end - start) == name)
  }

  // MARK: - References and renaming

  private let spreading = [
    "fragments.graphql": "fragment Details on Character { name friends { ...More } }",
    "more.graphql": "fragment More on Character { friends @include(if: $all) { name } }",
    "b.graphql": "query B($all: Boolean!, $x: Int) { hero { ...Details } }",
  ]

  @Test func findsReferencesInOperationsAndTheSchema() throws {
    let client = try TestClient(spreading)
    let more = #", "context": {"includeDeclaration": true}"#
    let result = try client.ask("references", "{ hero { na|me } }", more: more)
    let files = (result.items ?? []).compactMap { $0["uri"]?.string }
    let expected = ["schema.graphqls", "a.graphql", "fragments.graphql", "more.graphql"]
    #expect(Set(files) == Set(expected.map(client.uri)))
    let others = try client.ask(
      "references", "{ hero { na|me } }", more: #", "context": {"includeDeclaration": false}"#)
    #expect(others.items?.count == 3)
  }

  @Test func findsTheVariableOfAFragmentInAnOperationOfAnotherFile() throws {
    let client = try TestClient(spreading)
    let text = "fragment More on Character { friends @include(if: $a|ll) { name } }"
    let definition = try client.ask("definition", in: "more.graphql", text)
    #expect(definition["uri"]?.string == client.uri("b.graphql"))
    #expect(TestClient.range(definition) == "0:8-0:12")
    let hover = try client.ask("hover", in: "more.graphql", text)
    #expect(hover["contents"]?["value"]?.string == "```graphql\n$all: Boolean!\n```")
  }

  /// Both operations spread the fragment that uses the variable.
  @Test func findsTheVariableOfTheOperationAroundIt() throws {
    let client = try TestClient()
    let text = """
      query A($x: Boolean!) { hero { ...F } }
      query B($x: Boolean! = true) { hero { name @include(if: $|x) ...F } }
      fragment F on Character { id @include(if: $x) }
      """
    #expect(TestClient.range(try client.ask("definition", text)) == "1:8-1:10")
    let hover = try client.ask("hover", text)
    #expect(hover["contents"]?["value"]?.string == "```graphql\n$x: Boolean! = true\n```")
  }

  static let renames: [(text: String, name: String, edits: [String: Int])] = [
    ("query A|A { old }", "BB", ["a.graphql": 1]),
    ("{ a|b: old }", "cd", ["a.graphql": 1]),
    (
      "{ hero { ...De|tails } }", "Other", ["a.graphql": 1, "fragments.graphql": 1, "b.graphql": 1]
    ),
    ("query A($x|: Int) { hero { id @include(if: $x) } }", "y", ["a.graphql": 2]),
    // A fragment that both operations reach uses the variable.
    (
      "query A($al|l: Boolean!) { hero { ...Details } }", "every",
      ["a.graphql": 1, "more.graphql": 1, "b.graphql": 1]
    ),
  ]

  @Test(arguments: renames.indices) func renamesEverywhere(_ index: Int) throws {
    let (text, name, edits) = Self.renames[index]
    let client = try TestClient(spreading)
    let result = try client.ask("rename", text, more: ", \"newName\": \"\(name)\"")
    let changes = result["changes"]?.members ?? []
    let counts = Dictionary(
      uniqueKeysWithValues: changes.map { ($0.key.string ?? "", $0.value.items?.count ?? 0) })
    #expect(
      counts == Dictionary(uniqueKeysWithValues: edits.map { (client.uri($0.key), $0.value) }))
    #expect(
      changes.allSatisfy { $0.value.items?.allSatisfy { $0["newText"]?.string == name } == true })
  }

  /// The URI of a document that has never been saved is not that of a file.
  @Test func findsAndRenamesNamesOfADocumentThatIsNotAFile() throws {
    let client = try TestClient(["f.graphql": "fragment F on Character { name }"])
    let uri = "untitled:Untitled-1"
    client.notify(
      "textDocument/didOpen",
      #"{"textDocument": {"uri": "\#(uri)", "languageId": "graphql", "version": 1, "text": "query A($e: Episode) { hero(episode: $e) { ...F } }"}}"#
    )
    func request(_ method: String, at character: Int) throws -> IndexedJSON.Value {
      try client.request(
        "textDocument/\(method)",
        #"{"textDocument": {"uri": "\#(uri)"}, "position": {"line": 0, "character": \#(character)}, "newName": "other"}"#
      )
    }
    func editCounts(at character: Int) throws -> [String: Int] {
      let changes = try request("rename", at: character)["changes"]?.members ?? []
      return Dictionary(
        uniqueKeysWithValues: changes.map { ($0.key.string ?? "", $0.value.items?.count ?? 0) })
    }
    #expect(try editCounts(at: 9) == [uri: 2])
    #expect(try editCounts(at: 46) == [uri: 1, client.uri("f.graphql"): 1])
    #expect(try request("definition", at: 38)["uri"]?.string == uri)
    #expect(try request("references", at: 9).items?.count == 2)
  }

  @Test(arguments: ["rename", "references"])
  func readsFilesAgainThatHaveChangedWithoutANotification(_ method: String) throws {
    let client = try TestClient(spreading)
    client.open("a.graphql", "{ hero { ...Details } }")
    try client.write(
      "# More.\nfragment Details on Character { name }", to: "fragments.graphql")
    let result = try client.ask(
      method, "{ hero { ...De|tails } }", more: #", "newName": "Other""#)
    let uri = client.uri("fragments.graphql")
    let found =
      method == "rename"
      ? TestClient.edits(of: uri, in: result).first
      : result.items?.first { $0["uri"]?.string == uri }
    #expect(TestClient.range(found) == "1:9-1:16")
  }

  @Test func readsFilesAgainWhenOneIsSavedIfTheClientWatchesNone() throws {
    let client = try TestClient(["b.graphql": "query B { old }"])
    client.open("a.graphql", "query A { old }")
    try client.write("query B { unknown }", to: "b.graphql")
    client.notify(
      "textDocument/didSave", #"{"textDocument": {"uri": "\#(client.uri("a.graphql"))"}}"#)
    #expect(client.diagnostics(of: "b.graphql").count == 1)
  }

  @Test func countsPositionsBehindAByteOrderMark() throws {
    let client = try TestClient([
      "f.graphql": "\u{FEFF}fragment F on Character { name nme }"
    ])
    let text = "{ hero { ...|F } }"
    let definition = try client.ask("definition", text)
    #expect(TestClient.range(definition) == "0:9-0:10")
    let renaming = try client.ask("rename", text, more: #", "newName": "G""#)
    #expect(
      TestClient.range(TestClient.edits(of: client.uri("f.graphql"), in: renaming).first)
        == "0:9-0:10")
    let report = client.messages.last { $0["params"]?["uri"]?.string == client.uri("f.graphql") }
    #expect(TestClient.range(report?["params"]?["diagnostics"]?.items?.first) == "0:31-0:34")
  }

  @Test(arguments: [
    ("{ he|ro { name } }", "x", "can be renamed"),
    ("query A|A { old }", "a b", "'a b' is not a name"),
    ("query A|A { old }", "", "'' is not a name"),
    ("query A|A { old }", "B", "There is an operation 'B' already"),
    ("{ hero { ...De|tails } }", "More", "There is a fragment 'More' already"),
    ("{ hero { ...De|tails } }", "on", "cannot have the name 'on'"),
    ("query A($a|ll: Boolean!) { hero { ...Details } }", "x", "There is a variable '$x' already"),
  ])
  func refusesNamesThatCannotBeGiven(_ text: String, _ name: String, _ message: String) throws {
    let client = try TestClient(spreading)
    let result = try client.ask("rename", text, more: ", \"newName\": \"\(name)\"")
    #expect(result["message"]?.string?.contains(message) == true, "\(result.text)")
  }

  @Test func preparesOnlyWhatCanBeRenamed() throws {
    let client = try TestClient(spreading)
    #expect(try client.ask("prepareRename", "{ o|ld }").kind == .null)
    let result = try client.ask("prepareRename", "query A($a|ll: Boolean!) { old }")
    #expect(result["placeholder"]?.string == "all")
    #expect(result["range"]?["start"]?["character"]?.number == 9)
  }

  // MARK: - Whole documents

  @Test func listsDefinitions() throws {
    let result = try TestClient().ask(
      "documentSymbol", "query A { old }\nfragment F on Human { name }\n{ old }\nquery { |")
    #expect((result.items ?? []).compactMap { $0["name"]?.string } == ["A", "F", "(anonymous)"])
    let types = try TestClient().ask("documentSymbol", in: "schema.graphqls", TestClient.schema)
    let episode = types.items?.first { $0["name"]?.string == "Episode" }
    #expect(episode?["children"]?.items?.compactMap { $0["name"]?.string } == ["NEWHOPE", "JEDI"])
  }

  @Test func formatsOnlyTheLinesThatChange() throws {
    let result = try TestClient().ask(
      "formatting", "query A {\n  old\n}\n\n# kept\nquery B {  old   }\n|")
    let edit = try #require(result.items?.first)
    #expect(result.items?.count == 1)
    #expect(edit["range"]?["start"]?["line"]?.number == 5)
    #expect(edit["newText"]?.string == "query B {\n  old\n}\n")
    #expect(try TestClient().ask("formatting", "query A {\n  old\n}\n|").items?.isEmpty == true)
    #expect(try TestClient().ask("formatting", "query A { |").items?.isEmpty == true)
  }

  @Test(arguments: ["", "\n", "\n\n", "\r\n", "# c\n\n", "  ", "\n  ", "\u{FEFF}", "\u{FEFF}\n"])
  func formattingEditsLeaveTheFormattedText(_ start: String) throws {
    let client = try TestClient()
    for end in ["", "\n", "\n\n", "  ", "\n\n\n# c"] {
      for body in [
        "query A {\n  hero {\n    name\n  }\n}", "{ old }", "{ old }\r\n{ a: old }\r\n",
        "{\n  old\n\n}",
        "query A {\n  old\n}\n\nquery A {\n  old\n}",
      ] {
        let text = start + body + end
        let result = try client.ask("formatting", text + "|")
        var buffer = TextBuffer(Array(text.utf8))
        for edit in result.items ?? [] {
          let range = try #require(TextRange(edit["range"]))
          buffer.replace(buffer.bytes(of: range, .utf16), with: edit["newText"]?.string ?? "")
        }
        let expected = Source(name: "", text: text).formatted().text
        #expect(
          String(decoding: buffer.bytes, as: UTF8.self) == expected, "\(text.debugDescription)")
      }
    }
  }

  @Test func namesTheKindsOfWords() throws {
    let result = try TestClient().ask(
      "semanticTokens/full", "query Q($e: Episode) { 😀\n}\nquery R { old # c\n}|")
    // The first definition has a syntax error, and keeps the kinds of the lexer.
    let numbers = (result["data"]?.items ?? []).compactMap { $0.number.map { Int($0) } }
    #expect(numbers.count % 5 == 0)
    let kinds = stride(from: 3, to: numbers.count, by: 5).map { numbers[$0] }
    #expect(kinds == [0, 4, 0, 5, 2, 10])
    let modifiers = stride(from: 4, to: numbers.count, by: 5).map { numbers[$0] }
    #expect(modifiers == [0, 0, 0, 1, 2, 0])
  }

  @Test func showsTypesBehindFields() throws {
    let range =
      #", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}"#
    let result = try TestClient().ask("inlayHint", "{ a: hero { name }\n old }|", more: range)
    #expect(
      (result.items ?? []).compactMap { $0["label"]?.string } == [": Character", ": String!"])
  }

  @Test(arguments: [
    (#"["source.organizeImports"]"#, 0), (#"["quickfix"]"#, 1), (#"[""]"#, 1), ("[]", 0),
    (#"["refactor", "quickfix"]"#, 1),
  ])
  func codeActionsAreOfTheKindsThatAreAskedFor(_ only: String, _ count: Int) throws {
    let more =
      #", "range": {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 10}}, "context": {"diagnostics": [], "only": \#(only)}"#
    let result = try TestClient().ask("codeAction", "{ hero { nme } }|", more: more)
    #expect(result.items?.count == count)
  }

  @Test func appliesFixItsAsCodeActions() throws {
    let range =
      #", "range": {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 10}}"#
    let client = try TestClient()
    let result = try client.ask("codeAction", "{ hero { nme } }|", more: range)
    let action = try #require(result.items?.first)
    #expect(action["title"]?.string == "Replace with 'name'")
    let edit = action["edit"]?["changes"]?.members?.first?.value.items?.first
    #expect(edit?["newText"]?.string == "name")
    #expect(edit?["range"]?["start"]?["character"]?.number == 9)
  }

  /// The operation is in another file than the fragment that it spreads.
  @Test(arguments: [("query A { ...F }", 1), ("query A { ...F hero { id: name } }", 0)])
  func addsNoIDToAFragmentIfAnOperationHasItsResponseNameForAnotherField(
    _ operation: String, _ count: Int
  ) throws {
    let client = try TestClient([
      "apollo-codegen-config.json":
        #"{"schemaNamespace": "A", "ruleSeverities": {"RequireID": "warning"}, "output": {"schemaTypes": {"path": "G", "moduleType": {"other": {}}}}}"#,
      "a.graphql": operation, "f.graphql": "fragment F on Query { hero { name } }",
    ])
    let range =
      #", "range": {"start": {"line": 0, "character": 23}, "end": {"line": 0, "character": 23}}"#
    let actions = try client.ask(
      "codeAction", in: "f.graphql", "fragment F on Query { h|ero { name } }", more: range)
    #expect(actions.items?.count == count)
    #expect(client.diagnostics(of: "f.graphql").count == 1)
  }

  /// The spread is in another file than the fragment, of which it can be a misspelling.
  @Test(arguments: [("query A { hero { id } }", 1), ("query A { hero { id ...Human } }", 0)])
  func removesNoFragmentWhileASpreadIsUnknown(_ operation: String, _ count: Int) throws {
    let client = try TestClient([
      "apollo-codegen-config.json":
        #"{"schemaNamespace": "A", "ruleSeverities": {"NoUnusedFragments": "warning"}, "output": {"schemaTypes": {"path": "G", "moduleType": {"other": {}}}}}"#,
      "a.graphql": operation,
    ])
    let range =
      #", "range": {"start": {"line": 0, "character": 30}, "end": {"line": 0, "character": 30}}"#
    let actions = try client.ask(
      "codeAction", in: "f.graphql",
      "query B { hero { id } } fragment |HumanParts on Character { name }", more: range)
    #expect(actions.items?.count == count)
    #expect(client.diagnostics(of: "f.graphql").count == 1)
  }

  @Test func countsInUTF8IfTheClientOffersIt() throws {
    let client = try TestClient(
      capabilities: #"{"general": {"positionEncodings": ["utf-16", "utf-8"]}}"#)
    client.open("a.graphql", "#é\nquery A { hero { é name } }")
    #expect(!client.diagnostics(of: "a.graphql").isEmpty)
    // In UTF-16, the space behind the letter would be replaced, too, and the field be 'idname'.
    client.edit("a.graphql", 1, 17, 19, "id")
    #expect(client.diagnostics(of: "a.graphql").isEmpty)
  }
}
