import Foundation
import Testing

/// A file has the same problems whichever command reads it, and whatever other files have.
@Suite(.timeLimit(.minutes(10)))
struct OneVerdictTests {
  private static let configuration = """
    {
      "schemaNamespace": "API",
      "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } }
    }
    """

  @Test(arguments: [
    ("query A { a } fragment Unused on Query { a }", Int32(0)),
    ("query A { b }", 1),
    ("query A($unused: Int) { a }", 1),
    ("query A { a @nope }", 1),
    ("query A { a } fragment F on Query @import(module: \"M\") { a }", 0),
  ])
  func commandsAgree(_ operations: String, status: Int32) async throws {
    let files = [
      "apollo-codegen-config.json": Self.configuration,
      // Published schemas use names that are reserved.
      "s.graphqls": "type Query { a: Int, __b: Int }", "a.graphql": operations,
    ]
    try await withFiles(files) { project in
      let commands = [
        ["validate"], ["validate", "-s", "s.graphqls", "a.graphql"], ["generate", "--dry-run"],
      ]
      for command in commands {
        let outcome = try await project.apollo(command)
        #expect(outcome.status == status, "\(command): \(outcome)")
      }
    }
  }

  /// The hints of a project are those of the generator.
  @Test func aProjectHasTheSameHintsInBothCommands() async throws {
    let files = [
      "apollo-codegen-config.json": Self.configuration,
      "s.graphqls": """
      type Query { a: A, all: [A] } type A @typePolicy(keyFields: "id") { id: ID! b: [B] }
      type B { id: ID! c: Int } query Lost { a { id } }
      """,
      "a.graphql": "query A { all { b { c } } }", "b.gql": "query B { a { id } }",
    ]
    try await withFiles(files) { project in
      let validated = try await project.apollo("validate")
      let generated = try await project.apollo("generate", "--dry-run")
      for rule in ["[CacheKeys]", "[IgnoredOperations]"] {
        #expect(validated.output.contains(rule), "\(validated)")
      }
      func warnings(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.contains("warning: ") }.sorted()
      }
      #expect(warnings(validated.output) == warnings(generated.errors))
      #expect(warnings(validated.output).count == 3)
      for (severity, status) in [("off", Int32(0)), ("error", 1)] {
        let outcome = try await project.apollo("validate", "--severity", "cache-keys=\(severity)")
        #expect(outcome.status == status)
        #expect(outcome.output.contains("[CacheKeys]") == (severity == "error"), "\(outcome)")
      }
    }
  }

  @Test func operationsInANamedSchemaAreNotCheckedWithoutAWord() async throws {
    let files = ["s.graphqls": "type Query { a: Int } query Lost { b }", "a.graphql": "{ a }"]
    try await withFiles(files) { project in
      let outcome = try await project.apollo("validate", "-s", "s.graphqls", "a.graphql")
      #expect(outcome.status == 0)
      #expect(
        outcome.output.contains(
          "s.graphqls:1:29: warning: This is not checked, because the file is one of the schema."))
    }
  }

  @Test(arguments: [
    ("type Query { a: Int } type T @typePolicy(keyFields: \"no\") { a: Int }", "query A { a }"),
    ("type Query { a: Int }", "{ a }"),
  ])
  func whatCannotBecomeCodeIsReportedByBothCommands(
    _ schema: String, _ operations: String
  ) async throws {
    let files = [
      "apollo-codegen-config.json": Self.configuration, "s.graphqls": schema,
      "a.graphql": operations,
    ]
    try await withFiles(files) { project in
      for command in [["validate"], ["generate", "--dry-run"]] {
        let outcome = try await project.apollo(command)
        #expect(outcome.status == 1, "\(command): \(outcome)")
      }
    }
  }

  @Test func theSpecificationIsStricter() async throws {
    let files = [
      "s.graphqls": "type Query { a: Int, __b: Int }",
      "a.graphql": "query A { a } fragment Unused on Query { a }",
    ]
    try await withFiles(files) { project in
      let outcome = try await project.apollo(
        "validate", "--specification", "-s", "s.graphqls", "--format", "xcode", "a.graphql")
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("[ReservedNames]"))
      #expect(outcome.output.contains("[NoUnusedFragments]"))
    }
  }

  /// The fragment that the broken file has is not reported as missing, and the one that only the
  /// broken file uses is not unused.
  @Test func aBrokenFileDoesNotHideTheProblemsOfOthers() async throws {
    let files = [
      "s.graphqls": "type Query { name: String }",
      "a.graphql": "query A($a: String) { nmae ...B }",
      "b.graphql": "fragment B on Query { name(a: $a) ...C ",
      "c.graphql": "fragment C on Query { name }",
    ]
    try await withFiles(files) { project in
      let outcome = try await project.apollo(
        "validate", "-s", "s.graphqls", "--severity", "NoUnusedFragments=error", "--format",
        "xcode",
        ".")
      #expect(outcome.status == 1)
      #expect(
        outcome.output == """
          a.graphql:1:23: error: Cannot query field "nmae" on type "Query". Did you mean "name"? \
          [FieldsOnCorrectType]
          b.graphql:1:40: error: Syntax Error: Expected Name, found <EOF>. [Syntax]

          """)
    }
  }

  @Test func errorsOfTheSchemaDoNotHideSyntaxErrors() async throws {
    let files = [
      "apollo-codegen-config.json": Self.configuration, "s.graphqls": "type Query { a: Nope }",
      "a.graphql": "query A { a ",
    ]
    try await withFiles(files) { project in
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("[KnownTypeNames]") && outcome.errors.contains("[Syntax]"))
    }
  }

  // MARK: - Fixes

  @Test(arguments: [
    "{ name nmae }", "{ nmae naem name }", "{ hero(id: 1, idd: 2) }",
    "{ name @skip(if: true) @skipp(if: true) }",
  ])
  func aFixThatWouldMakeADuplicateIsNotApplied(_ text: String) async throws {
    let files = [
      "s.graphqls": "type Query { name: String, hero(id: Int): String }", "a.graphql": text,
    ]
    try await withFiles(files) { project in
      let outcome = try await project.apollo("validate", "-s", "s.graphqls", "--fix", "a.graphql")
      #expect(outcome.status == 1 && !outcome.output.contains("fix:"), "\(outcome)")
      #expect(try project.text(of: "a.graphql") == text)
    }
  }

  @Test func theFirstOfTwoMisspellingsIsFixed() async throws {
    let files = ["s.graphqls": "type Query { name: String }", "a.graphql": "{ nmae naem x: nmae }"]
    try await withFiles(files) { project in
      _ = try await project.apollo("validate", "-s", "s.graphqls", "--fix", "a.graphql")
      #expect(try project.text(of: "a.graphql") == "{ name naem x: name }")
    }
  }
}
