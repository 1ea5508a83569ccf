import Foundation
@testable import GraphQLLanguageServer
import GraphQLSyntax
import Testing

/// Hints about fields that the Swift sources of a project do not use.
@Suite struct UnusedFieldsTests {
  private static let query =
    "query A { hero { id __typename name born: name friends { name } } old }"

  private func client(_ source: String?, options: String = #"{"unusedFields": true}"#) throws
    -> TestClient
  {
    var files = ["Generated/A.swift": "x.friends.old.hero"]
    files["Sources/View.swift"] = source
    return try TestClient(files, options: options)
  }

  /// Swift sources, and the fields that they do not use.
  @Test(
    arguments: [
      ("data.hero?.name; hero.friends; data.old; hero.born", []),
      ("data.hero?.name\n  .friends", ["born", "old"]),
      ("let a = \\.hero; b.`name`", ["born", "friends", "old"]),
      ("hero.name", ["hero", "old"]), ("data.HERO.fri_ends.NAME.born", ["old"]),
      ("", ["hero", "old"]),
    ] as [(String, [String])])
  func fieldsWithoutAUseAreHints(_ source: String, _ expected: [String]) throws {
    let client = try client(source)
    client.open("a.graphql", Self.query)
    let found = client.diagnostics(of: "a.graphql").filter { $0.hasPrefix("No Swift source") }
    #expect(found == expected.map { "No Swift source of the project uses '\($0)'." })
  }

  @Test func aHintIsThatOfItsPlaceAndGoesWithAUse() throws {
    let client = try client("data.hero.name.born.friends")
    client.open("a.graphql", Self.query)
    let last = try #require(
      client.messages.last { $0["method"]?.string?.hasSuffix("publishDiagnostics") == true })
    let hints = (last["params"]?["diagnostics"]?.items ?? []).filter { $0["severity"]?.number == 4 }
    #expect(hints.map { TestClient.range($0) } == ["0:66-0:69"])
    #expect(hints.first?["tags"]?.text == "[1]")
    try client.write("data.hero.name.born.friends.old", to: "Sources/View.swift")
    client.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes": [{"uri": "\#(client.uri("Sources/View.swift"))", "type": 2}]}"#)
    #expect(!client.diagnostics(of: "a.graphql").contains { $0.hasPrefix("No Swift source") })
  }

  @Test func thereAreNoHintsWithoutSourcesOrWithoutBeingAskedFor() throws {
    for client in [
      try client(nil), try client("x", options: "{}"), try client("x", options: "null"),
    ] {
      client.open("a.graphql", Self.query)
      #expect(!client.diagnostics(of: "a.graphql").contains { $0.hasPrefix("No Swift source") })
    }
  }
}
