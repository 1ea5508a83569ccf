import Foundation
import Testing

/// `apollo-cli validate`: what it reads, finds, says and mends.
@Suite(.timeLimit(.minutes(10)))
struct ValidateTests {
  private static let schema = """
    type Query {
      hero(id: ID!): Hero
      old: String @deprecated(reason: "Use `new`.")
      new: String
    }

    type Hero {
      name: String
      friends: [Hero]
    }

    """

  private static let files = [
    "schema.graphqls": schema,
    "empty.graphql": "# Nothing yet.\n",
    "good.graphql": "query Good { hero(id: 1) { name } }\n",
    "bad.graphql": """
    query Bad($id: ID) {
      # é and 🦊 count as one column each
      hero(id: $id, é: "🦊") { nmae }
    }

    """.replacingOccurrences(of: ", é: \"🦊\"", with: ""),
  ]

  // MARK: - Exit codes

  @Test(
    arguments: [
      (["-s", "schema.graphqls", "good.graphql"], 0),
      (["-s", "schema.graphqls", "good.graphql", "empty.graphql"], 0),
      (["-s", "schema.graphqls"], 0),
      (["good.graphql"], 0),
      (["-s", "schema.graphqls", "bad.graphql"], 1),
      (["-s", "schema.graphqls", "good.graphql", "bad.graphql"], 1),
      (["-s", "good.graphql"], 1),
      (
        [
          "-s", "schema.graphqls", "--severity", "VariablesInAllowedPosition=warning",
          "good.graphql",
        ], 0
      ),
      ([], 2),
      (["-s", "missing.graphqls", "good.graphql"], 2),
      (["-s", "schema.graphqls", "missing.graphql"], 2),
      (["-s", "schema.graphqls", "*.none"], 2),
      (["-s"], 2),
      (["--shcema", "schema.graphqls"], 2),
      (["-s", "schema.graphqls", "--format", "yaml"], 2),
      (["-s", "-", "-"], 2),
      (["-s", "schema.graphqls", "--fix", "-"], 2),
      (["-s", "schema.graphqls", ""], 2),
      (["-s", ""], 2),
      (["--path", "config.json", "good.graphql"], 2),
      (["--path", "missing.json"], 2),
    ] as [([String], Int32)])
  func exitCodesTellWhatHappened(_ arguments: [String], code: Int32) async throws {
    try await withFiles(Self.files) { project in
      let outcome = try await project.apollo(["validate"] + arguments, input: "{ hero { nmae } }")
      #expect(outcome.status == code, "\(outcome)")
      if code == 2 { #expect(outcome.errors.hasPrefix("error: ") && outcome.output.isEmpty) }
    }
  }

  // MARK: - Formats

  /// The name of a folder is no pattern.
  @Test(arguments: ["Wow!", "{a,b}"])
  func aFolderCanHaveAnyName(_ name: String) async throws {
    try await withFiles([
      "\(name)/schema.graphqls": Self.schema,
      "\(name)/GraphQL/good.graphql": "query Good { hero(id: 1) { name } }\n",
    ]) { project in
      let outcome = try await project.apollo(
        "validate", "--schema", "\(name)/schema.graphqls", "\(name)/GraphQL")
      #expect(outcome.status == 0, "\(outcome)")
    }
  }

  @Test func showsPeopleWhereAndWhy() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "bad.graphql", "good.graphql")
    }
    #expect(
      outcome.output == """
        bad.graphql:1:11: error: Variable "$id" of type "ID" used in position expecting type "ID!". \
        [VariablesInAllowedPosition]
           1 | query Bad($id: ID) {
             |           ^~~~~~~
        bad.graphql:3:12: note: used here
           3 |   hero(id: $id) { nmae }
             |            ^~~
            fix: make the variable non-null
        bad.graphql:3:19: error: Cannot query field "nmae" on type "Hero". Did you mean "name"? \
        [FieldsOnCorrectType]
           3 |   hero(id: $id) { nmae }
             |                   ^~~~
            fix: replace with 'name'

        """)
    #expect(outcome.errors == "2 errors, 0 warnings in 2 operations and 0 fragments.\n")
  }

  @Test func writesLinesForXcode() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "--format", "xcode", "bad.graphql")
    }
    #expect(
      outcome.output == """
        bad.graphql:1:11: error: Variable "$id" of type "ID" used in position expecting type "ID!". \
        [VariablesInAllowedPosition]
        bad.graphql:3:12: note: used here
        bad.graphql:3:19: error: Cannot query field "nmae" on type "Hero". Did you mean "name"? \
        [FieldsOnCorrectType]

        """)
    #expect(outcome.errors.isEmpty)
  }

  @Test func writesAnnotationsForGitHub() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "--format=github", "bad.graphql")
    }
    #expect(
      outcome.output == """
        ::error file=bad.graphql,line=1,endLine=1,col=11,endColumn=18,title=VariablesInAllowedPosition::\
        Variable "$id" of type "ID" used in position expecting type "ID!".%0Abad.graphql:3:12: used here
        ::error file=bad.graphql,line=3,endLine=3,col=19,endColumn=23,title=FieldsOnCorrectType::\
        Cannot query field "nmae" on type "Hero". Did you mean "name"?

        """)
  }

  private struct Place: Decodable, Equatable {
    var file: String
    var line: Int
    var column: Int
    var endLine: Int
    var endColumn: Int
  }

  private struct Problem: Decodable, Equatable {
    struct Note: Decodable, Equatable {
      var message: String
      var file: String
      var line: Int
      var column: Int
      var endLine: Int
      var endColumn: Int
    }

    struct Fix: Decodable, Equatable {
      struct Edit: Decodable, Equatable {
        var file: String
        var line: Int
        var column: Int
        var endLine: Int
        var endColumn: Int
        var replacement: String
      }

      var message: String
      var edits: [Edit]
    }

    var rule: String
    var severity: String
    var message: String
    var file: String?
    var line: Int?
    var column: Int?
    var endLine: Int?
    var endColumn: Int?
    var notes: [Note]
    var fixes: [Fix]
  }

  private func problems(in outcome: Outcome) throws -> [Problem] {
    try JSONDecoder().decode([Problem].self, from: Data(outcome.output.utf8))
  }

  @Test func writesJSONWithEveryPlaceNoteAndFix() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "--format", "json", "bad.graphql")
    }
    #expect(
      try problems(in: outcome) == [
        Problem(
          rule: "VariablesInAllowedPosition", severity: "error",
          message: #"Variable "$id" of type "ID" used in position expecting type "ID!"."#,
          file: "bad.graphql", line: 1, column: 11, endLine: 1, endColumn: 18,
          notes: [
            .init(
              message: "used here", file: "bad.graphql", line: 3, column: 12, endLine: 3,
              endColumn: 15)
          ],
          fixes: [
            .init(
              message: "make the variable non-null",
              edits: [
                .init(
                  file: "bad.graphql", line: 1, column: 18, endLine: 1, endColumn: 18,
                  replacement: "!")
              ])
          ]),
        Problem(
          rule: "FieldsOnCorrectType", severity: "error",
          message: #"Cannot query field "nmae" on type "Hero". Did you mean "name"?"#,
          file: "bad.graphql", line: 3, column: 19, endLine: 3, endColumn: 23, notes: [],
          fixes: [
            .init(
              message: "replace with 'name'",
              edits: [
                .init(
                  file: "bad.graphql", line: 3, column: 19, endLine: 3, endColumn: 23,
                  replacement: "name")
              ])
          ]),
      ])
    #expect(outcome.errors.isEmpty)
  }

  @Test func anEmptyArrayIsWrittenWhereNothingIsWrong() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "--format", "json", "good.graphql")
    }
    #expect(outcome.output == "[]\n")
    #expect(outcome.status == 0)
  }

  /// Columns are neither bytes nor UTF-16 code units; lines end in any of three ways.
  @Test(arguments: [
    ("{ hero(id: \"é\") { nmae } }", 1, 19),
    ("{ hero(id: \"🦊\") { nmae } }", 1, 19),
    ("{ hero(id: \"e\u{301}\") { nmae } }", 1, 20),
    ("\u{FEFF}{ hero(id: 1) { nmae } }", 1, 18),
    ("{ hero(id: 1) {\r\n\tnmae\r\n} }", 2, 2),
    ("{ hero(id: 1) {\r\r nmae } }", 3, 2),
    ("# 🦊\n\n{ hero(id: 1) { nmae } }", 3, 17),
  ])
  func placesAreCountedInCodePoints(_ text: String, line: Int, column: Int) async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "--format", "json", "-", input: text)
    }
    let problem = try #require(try problems(in: outcome).first)
    #expect(problem.rule == "FieldsOnCorrectType")
    #expect([problem.line, problem.column] == [line, column])
    #expect([problem.endLine, problem.endColumn] == [line, column + 4])
    #expect(problem.file == "<stdin>")
  }

  @Test func aDiagnosticOfTheWholeProjectHasNoPosition() async throws {
    let outcome = try await withFiles(["schema.graphqls": "scalar S"]) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "--format", "json")
    }
    let problem = try #require(try problems(in: outcome).first)
    #expect(problem.message == "Query root type must be provided.")
    #expect(problem.rule == "RootOperationTypes" && problem.file == nil && problem.line == nil)
  }

  @Test func writesALogOfSARIF() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "--format", "sarif", "bad.graphql")
    }
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(
      results.map { $0["ruleId"] as? String } == [
        "VariablesInAllowedPosition", "FieldsOnCorrectType",
      ])
    #expect(results.allSatisfy { $0["level"] as? String == "error" })
  }

  // MARK: - Inputs

  @Test func syntaxErrorsAreReportedWithTheProblemsOfOtherDefinitions() async throws {
    let files = [
      "schema.graphqls": Self.schema,
      "a.graphql": "query A { hero(id: ) { nmae } }\nquery B {\n  hero(id: !)\n  x: 1\n}\n",
      "b.graphql": "{ nothing }",
    ]
    let outcome = try await withFiles(files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", ".", "--format", "json")
    }
    let found = try problems(in: outcome)
    #expect(found.map(\.rule) == ["Syntax", "Syntax", "Syntax", "FieldsOnCorrectType"])
    #expect(found.map(\.line) == [1, 3, 4, 1])
    #expect(found.first?.message == #"Syntax Error: Unexpected ")"."#)
  }

  @Test func aSchemaOfSeveralFilesIsOne() async throws {
    let files = [
      "a.graphqls": "type Query { a: A }", "more/b.graphqls": "extend type A { c: Int }",
      "more/a.graphql": "type A { b: Int }", "ops/x.graphql": "{ a { b c zzz } }",
    ]
    let outcome = try await withFiles(files) {
      try await $0.apollo(
        "validate", "--schema", "a.graphqls", "--schema", "more", "--format", "xcode", "ops/*")
    }
    #expect(
      outcome.output
        == #"ops/x.graphql:1:11: error: Cannot query field "zzz" on type "A". [FieldsOnCorrectType]"#
        + "\n")
  }

  @Test func introspectionIsASchemaAndSDLExtendsIt() async throws {
    try await withFiles(Self.files) { project in
      let json = try await project.apollo("schema", "introspect", "schema.graphqls")
      try project.write(json.output, to: "schema.json")
      try project.write("extend type Hero { age: Int }", to: "more.graphqls")
      let outcome = try await project.apollo(
        "validate", "-s", "schema.json", "-s", "more.graphqls", "-",
        input: "{ hero(id: 1) { name age } }")
      #expect(outcome.status == 0, "\(outcome)")
    }
  }

  @Test(arguments: [#"{"data"#, "{}", #"{"data": null}"#, #"{"__schema": {"types": []}}"#])
  func operationsAreNotBlamedForIntrospectionThatCannotBeRead(json: String) async throws {
    let outcome = try await withFiles(["schema.json": json]) {
      try await $0.apollo("validate", "-s", "schema.json", "--format", "xcode", "-", input: "{ a }")
    }
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.status == 1 && !lines.isEmpty, "\(outcome)")
    #expect(lines.allSatisfy { $0.hasPrefix("schema.json:") && $0.hasSuffix("[Introspection]") })
  }

  @Test func aSchemaAloneIsChecked() async throws {
    let outcome = try await withFiles(["s.graphqls": "type Query { a: Nope b: Int b: Int }"]) {
      try await $0.apollo("validate", "--schema", "s.graphqls")
    }
    #expect(
      outcome.output == """
        s.graphqls:1:17: error: Unknown type "Nope". [KnownTypeNames]
           1 | type Query { a: Nope b: Int b: Int }
             |                 ^~~~
        s.graphqls:1:22: warning: Field "Query.b" can only be defined once. [UniqueFieldDefinitionNames]
           1 | type Query { a: Nope b: Int b: Int }
             |                      ^
        s.graphqls:1:29: note: defined again here
           1 | type Query { a: Nope b: Int b: Int }
             |                             ^

        """)
    #expect(outcome.errors == "1 error, 1 warning in a schema of 1 type.\n")
    #expect(outcome.status == 1)
  }

  @Test func theSchemaIsReadFromStandardInput() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "-", "good.graphql", input: Self.schema)
    }
    #expect(outcome.status == 0, "\(outcome)")
  }

  // MARK: - Severities

  @Test(arguments: [
    ("NoUnusedFragments=warning", 0, "warning"), ("NoUnusedFragments=off", 0, ""),
    ("NoUnusedFragments=error", 1, "error"),
  ])
  func severitiesOfRulesOfOperationsCanBeChanged(
    _ severity: String, code: Int32, found: String
  ) async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo(
        "validate", "-s", "schema.graphqls", "--severity", severity, "--format", "json", "-",
        input: "{ new } fragment F on Hero { name }")
    }
    #expect(outcome.status == code)
    #expect(try problems(in: outcome).map(\.severity) == (found.isEmpty ? [] : [found]))
  }

  @Test(
    arguments: [
      ("UniqueFieldDefinitionNames=warning", 0, ["warning"]),
      ("UniqueFieldDefinitionNames=off", 0, []), ("UniqueFieldDefinitionNames=error", 1, ["error"]),
    ] as [(String, Int32, [String])])
  func severitiesOfRulesOfSchemasCanBeChanged(
    _ severity: String, code: Int32, found: [String]
  ) async throws {
    let outcome = try await withFiles(["s.graphqls": "type Query { a: Int a: Int }"]) {
      try await $0.apollo(
        "validate", "-s", "s.graphqls", "--severity", severity, "--format", "json", "-",
        input: "{ a }")
    }
    #expect(outcome.status == code)
    #expect(try problems(in: outcome).map(\.severity) == found)
  }

  @Test func optionalRulesAreCheckedOnRequest() async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo(
        "validate", "-s", "schema.graphqls", "--severity", "NoDeprecated=warning", "--format",
        "xcode", "-", input: "{ old }")
    }
    #expect(
      outcome.output
        == "<stdin>:1:3: warning: The field Query.old is deprecated. Use `new`. [NoDeprecated]\n"
    )
    #expect(outcome.status == 0)
  }

  @Test(arguments: [
    (
      "NoUnusedFragment=off",
      "There is no rule 'NoUnusedFragment'. Did you mean 'NoUnusedFragments'?"
    ),
    ("NoUnusedFragments", "--severity needs RULE=error, RULE=warning or RULE=off"),
    ("NoUnusedFragments=maybe", "--severity needs RULE=error, RULE=warning or RULE=off"),
  ])
  func severitiesThatMeanNothingAreRefused(_ severity: String, message: String) async throws {
    let outcome = try await withFiles(Self.files) {
      try await $0.apollo("validate", "-s", "schema.graphqls", "--severity", severity)
    }
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  // MARK: - Fixes

  @Test func appliesTheCertainFixes() async throws {
    let files = [
      "schema.graphqls": Self.schema,
      "a.graphql": """
      # Kept.
      query A($id: ID, $unused: Int) {
        hero(id: $id) { nmae friends }
        old # Kept, too.
      }

      fragment Unused on Hero { name }
      """,
      "b.graphql": "query B { new }\n",
    ]
    try await withFiles(files) { project in
      let outcome = try await project.apollo(
        "validate", "-s", "schema.graphqls", "--fix", "--severity", "NoDeprecated=warning",
        "--severity", "NoUnusedFragments=warning", ".")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.isEmpty)
      #expect(
        try project.text(of: "a.graphql") == """
          # Kept.
          query A($id: ID!) {
            hero(id: $id) { name friends { __typename } }
            new # Kept, too.
          }


          """)
      #expect(try project.text(of: "b.graphql") == "query B { new }\n")
      #expect(try project.text(of: "schema.graphqls") == Self.schema)
    }
  }

  @Test func filesAreNotFixedTogetherWithStandardInput() async throws {
    let text = "query A($unused: Int) { new }"
    try await withFiles(["schema.graphqls": Self.schema, "a.graphql": text]) { project in
      let outcome = try await project.apollo(
        "validate", "-s", "schema.graphqls", "--fix", "a.graphql", "-", input: text)
      #expect(outcome.status == 2 && outcome.errors.contains("standard input"), "\(outcome)")
      #expect(try project.text(of: "a.graphql") == text)
    }
  }

  @Test func problemsWithoutAFixAreReported() async throws {
    try await withFiles(["schema.graphqls": Self.schema, "a.graphql": "{ hero { nmae } zzz }"]) {
      let outcome = try await $0.apollo(
        "validate", "-s", "schema.graphqls", "--fix", "--format", "json", "a.graphql")
      #expect(outcome.status == 1)
      #expect(
        try problems(in: outcome).map(\.rule) == [
          "ProvidedRequiredArguments", "FieldsOnCorrectType",
        ])
      #expect(try $0.text(of: "a.graphql") == "{ hero { name } zzz }")
    }
  }

  @Test func fixingFollowsLinksAndKeepsPermissions() async throws {
    try await withFiles(["schema.graphqls": Self.schema, "real/a.graphql": "{ nwe }"]) { project in
      let file = project.folder.appendingPathComponent("real/a.graphql")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
      let link = project.folder.appendingPathComponent("link.graphql")
      try FileManager.default.createSymbolicLink(
        atPath: link.path, withDestinationPath: "real/a.graphql")
      let outcome = try await project.apollo(
        "validate", "-s", "schema.graphqls", "--fix", "link.graphql")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try project.text(of: "real/a.graphql") == "{ new }")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "real/a.graphql")
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
    }
  }
}
