import Foundation
import Testing

/// `apollo-cli lint`: rules about the style of operations.
@Suite(.timeLimit(.minutes(10)))
struct LintTests {
  private static let files = [
    "apollo-codegen-config.json": """
    {
      "schemaNamespace": "API",
      "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
      "ruleSeverities": { "naming-convention": "off", "CacheKeys": "off" }
    }
    """,
    "s.graphqls": """
    type Query { heroes: [Hero!]!, hero(id: ID!): Hero }
    type Hero { id: ID!, name: String, friends: [Hero!]!, old: String @deprecated(reason: "Use `name`.") }
    """,
    "a.graphql": """
    query get_heroes($Id: ID!) {
      heroes {
        name
        friends { id, old }
      }
      hero(id: $Id) { ...HeroParts }
    }
    fragment HeroParts on Hero { id }
    fragment Unused on Hero { name }

    """,
  ]

  @Test func reportsTheStyleOfNamedFiles() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("lint", "-s", "s.graphqls", "--max-depth", "2", "a.graphql")
    }
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        a.graphql:1:7: warning: The operation "get_heroes" is not in UpperCamelCase. Name it \
        "GetHeroes". [NamingConvention]
           1 | query get_heroes($Id: ID!) {
             |       ^~~~~~~~~~
        a.graphql:1:7: warning: The operation "get_heroes" has 3 fields inside of each other, and 2 \
        are allowed. Split it, or select less. [MaximumDepth]
           1 | query get_heroes($Id: ID!) {
             |       ^~~~~~~~~~
        a.graphql:1:19: warning: The variable "Id" is not in lowerCamelCase. Name it "id". \
        [NamingConvention]
           1 | query get_heroes($Id: ID!) {
             |                   ^~
        a.graphql:2:3: warning: Objects of type "Hero" are selected without their "id", by which the \
        cache identifies them. Select "id", too. [RequireID]
           2 |   heroes {
             |   ^~~~~~
            fix: select 'id'
        a.graphql:4:19: warning: The field Hero.old is deprecated. Use `name`. [NoDeprecated]
           4 |     friends { id, old }
             |                   ^~~
            fix: replace with 'name'
        a.graphql:9:1: warning: Fragment "Unused" is never used. [NoUnusedFragments]
           9 | fragment Unused on Hero { name }
             | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            fix: remove the fragment

        """)
    #expect(outcome.errors == "0 errors, 6 warnings in 1 operation and 2 fragments.\n")
  }

  @Test func theConfigurationAndTheArgumentsChooseSeverities() async throws {
    try await withFiles(Self.files) { project in
      let outcome = try await project.apollo(
        "lint", "--strict", "--severity", "require-id=error", "--severity", "NoDeprecated=off",
        "--severity", "noUnusedFragments=off", "--severity", "alphabetical=warn", "--format",
        "xcode")
      #expect(outcome.status == 1)
      #expect(
        outcome.output.split(separator: "\n").map { $0.prefix(22) } == [
          "a.graphql:2:3: error: ", "a.graphql:4:5: warning", "a.graphql:6:3: warning",
        ], "\(outcome)")
    }
  }

  @Test func warningsAreFailuresOnRequest() async throws {
    try await withFiles(Self.files) { project in
      for (arguments, status) in [(["lint"], Int32(0)), (["lint", "--strict"], 1)] {
        let outcome = try await project.apollo(arguments)
        #expect(outcome.status == status, "\(arguments): \(outcome)")
      }
      let validated = try await project.apollo("validate", "--strict")
      #expect(validated.status == 0, "\(validated)")
    }
  }

  @Test func addsMissingIDsInTheStyleOfTheFile() async throws {
    try await withFiles(Self.files) { project in
      let outcome = try await project.apollo("lint", "--fix", "--strict")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        try project.text(of: "a.graphql") == """
          query get_heroes($Id: ID!) {
            heroes {
              id
              name
              friends { id, name }
            }
            hero(id: $Id) { ...HeroParts }
          }
          fragment HeroParts on Hero { id }

          """)
    }
  }

  /// The fragment and the variable are unused only until the spread is corrected.
  @Test func whatAMisspelledSpreadMeansIsNotRemoved() async throws {
    var files = Self.files
    files["a.graphql"] = """
      query GetHero($id: ID!) { ...HeroPart }
      fragment HeroParts on Query { hero(id: $id) { id } }

      """
    try await withFiles(files) { project in
      let outcome = try await project.apollo("lint", "--fix", "--strict")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        try project.text(of: "a.graphql") == """
          query GetHero($id: ID!) { ...HeroParts }
          fragment HeroParts on Query { hero(id: $id) { id } }

          """)
    }
  }

  /// A hook for the files of a commit names a part of the project.
  @Test func fragmentsThatOtherFilesCanUseOrDefineAreNotFixedInNamedFiles() async throws {
    var files = Self.files
    let text = """
      query GetHeroes { heroes { id } }
      fragment HeroParts on Hero { id }

      """
    let spread = """
      query GetHero($id: ID!) { hero(id: $id) { id ...HeroPart } }
      fragment HeroParts on Hero { id }

      """
    files["a.graphql"] = text
    files["b.graphql"] = spread
    try await withFiles(files) { project in
      let unused = try await project.apollo("lint", "-s", "s.graphqls", "--fix", "a.graphql")
      #expect(unused.status == 0, "\(unused)")
      #expect(unused.output.contains("NoUnusedFragments"), "\(unused)")
      #expect(try project.text(of: "a.graphql") == text)
      let unknown = try await project.apollo("lint", "-s", "s.graphqls", "--fix", "b.graphql")
      #expect(unknown.status == 1, "\(unknown)")
      #expect(unknown.output.contains("KnownFragmentNames"), "\(unknown)")
      #expect(try project.text(of: "b.graphql") == spread)
    }
  }

  @Test func aVariableBesideAnUndefinedOneIsNotRemoved() async throws {
    var files = Self.files
    let text = "query GetHero($id: ID!) { hero(id: $ID) { id } }\n"
    files["a.graphql"] = text
    try await withFiles(files) { project in
      let outcome = try await project.apollo("lint", "--fix")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(try project.text(of: "a.graphql") == text)
    }
  }

  /// A rule that the configuration names is a rule of the project.
  @Test func namedRulesHoldForGenerationToo() async throws {
    var files = Self.files
    files["apollo-codegen-config.json"] = files["apollo-codegen-config.json"]?
      .replacing("\"naming-convention\": \"off\"", with: "\"RequireID\": \"error\"")
    try await withFiles(files) { project in
      for command in ["generate", "validate"] {
        let outcome = try await project.apollo(command)
        #expect(outcome.status == 1)
        let text = outcome.output + outcome.errors
        #expect(text.contains("a.graphql:2:3: error: ") && text.contains("[RequireID]"))
      }
    }
  }

  @Test func scannersReadDescriptionsOfRules() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("lint", "--format", "sarif")
    }
    struct Log: Decodable {
      struct Run: Decodable { var tool: Tool }
      struct Tool: Decodable { var driver: Driver }
      struct Driver: Decodable { var rules: [Rule] }
      struct Rule: Decodable {
        struct Text: Decodable { var text: String }
        var id: String
        var shortDescription: Text
      }
      var runs: [Run]
    }
    let log = try JSONDecoder().decode(Log.self, from: Data(outcome.output.utf8))
    let rules = try #require(log.runs.first?.tool.driver.rules)
    #expect(rules.map(\.id) == ["RequireID", "NoDeprecated", "NoUnusedFragments"])
    #expect(
      rules.first?.shortDescription.text == "Objects that have an 'id' are selected with it.")
  }
}
