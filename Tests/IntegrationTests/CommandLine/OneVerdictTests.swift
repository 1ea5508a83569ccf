import Foundation
import LoopbackServer
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

  /// A schema and an operation that break rules, all of which the project tolerates.
  private static let tolerated = [
    // A reserved name is a warning without a configuration.
    "s.graphqls": """
    type Query { a: A, __b: Int }
    interface N { id: ID!, n: Int } type A implements N { id: ID! }
    """,
    "a.graphql": "query A($unused: Int) { a { id @here } }",
    "apollo-codegen-config.json": configuration.replacing(
      "\"output\"",
      with: """
        "input": { "schemaSearchPaths": ["s.graphqls"], "operationSearchPaths": ["a.graphql"] },
        "ruleSeverities": {
          "InterfaceImplementations": "off", "NoUnusedVariables": "off", "KnownDirectives": "off"
        },
        "output"
        """),
  ]

  @Test(arguments: [
    ["validate"], ["generate", "--dry-run"], ["schema", "print"], ["schema", "introspect"],
    ["schema", "stats"], ["schema", "coverage"], ["schema", "diff", "s.graphqls"],
    ["schema", "diff", "s.graphqls", "--operations", "a.graphql"],
  ])
  func noCommandRefusesWhatTheProjectTolerates(_ command: [String]) async throws {
    let outcome = try await withFiles(Self.tolerated) { try await $0.apollo(command) }
    #expect(outcome.status == 0, "\(outcome)")
    #expect(!(outcome.output + outcome.errors).contains("[InterfaceImplementations]"))
  }

  @Test func runSendsWhatTheProjectTolerates() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{"a":null}}"#) }
    defer { server.stop() }
    let outcome = try await withFiles(Self.tolerated) {
      try await $0.apollo("run", "a.graphql", "--endpoint", server.url().absoluteString)
    }
    #expect(outcome.status == 0 && server.requests.count == 1, "\(outcome)")
  }

  @Test(
    arguments: [
      ("query A($unused: Int) { a }", "NoUnusedVariables=warning", nil),
      ("query A($unused: Int) { a }", "NoUnusedVariables=error", "[NoUnusedVariables]"),
      // Such operations cannot be compared.
      ("query A { q }", "ScalarLeafs=off", "[ScalarLeafs]"),
    ] as [(String, String, String?)])
  func severitiesOfTheArgumentsApplyToTheOperationsOfADiff(
    _ operation: String, _ severity: String, _ error: String?
  ) async throws {
    let files = ["s.graphqls": "type Query { a: Int, q: Query }", "a.graphql": operation]
    let outcome = try await withFiles(files) {
      try await $0.apollo(
        "schema", "diff", "s.graphqls", "s.graphqls", "--operations", "a.graphql", "--severity",
        severity)
    }
    #expect(outcome.status == (error == nil ? 0 : 1), "\(outcome)")
    #expect(error.map { outcome.errors.contains($0) } ?? outcome.errors.isEmpty, "\(outcome)")
  }

  @Test(arguments: [
    ["schema", "stats"], ["schema", "print", "s.graphqls"], ["schema", "diff", "s.graphqls"],
    ["schema", "diff", "s.graphqls", "s.graphqls", "--operations", "a.graphql"],
  ])
  func aWarningAboutTheConfigurationIsShownOnce(_ command: [String]) async throws {
    let files = [
      "s.graphqls": "type Query { a: Int }", "a.graphql": "query A { a }",
      "apollo-codegen-config.json": Self.configuration.replacing(
        #"{ "other": {} }"#, with: #"{ "swiftPackageManager": {} }"#),
    ]
    let outcome = try await withFiles(files) { try await $0.apollo(command) }
    #expect(outcome.status == 0, "\(outcome)")
    let warnings = outcome.errors.split(separator: "\n").filter { $0.contains("warning: ") }
    #expect(warnings.count == 1, "\(outcome)")
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
