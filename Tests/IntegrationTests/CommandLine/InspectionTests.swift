import Foundation
import Testing

/// `apollo-cli schema coverage`, `operations complexity`, and the schemas of projects and commits.
@Suite(.timeLimit(.minutes(10)))
struct InspectionTests {
  private static let files = [
    "apollo-codegen-config.json": """
    {
      "schemaNamespace": "API",
      "input": { "schemaSearchPaths": ["schema/*.graphqls"], "operationSearchPaths": ["ops/*.graphql"] },
      "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } }
    }
    """,
    "schema/s.graphqls": """
    type Query { node: Node, heroes: [Hero!]!, old: Int }
    interface Node { id: ID! }
    type Hero implements Node @typePolicy(keyFields: "id") { id: ID!, name: String, friends: [Hero!]! }
    type Villain implements Node { id: ID!, plan: String }
    """,
    "ops/a.graphql": """
    query Nodes { node { id } }
    query Heroes { heroes { ...Parts friends { ...Parts } } }
    fragment Parts on Hero { name }
    """,
  ]

  // MARK: - Coverage

  @Test func countsTheFieldsThatOperationsUse() async throws {
    try await withFiles(Self.files) { project in
      let outcome = try await project.apollo("schema", "coverage")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(
        outcome.output == """
          Query    2 of 3 fields (66 %)
          Node     1 of 1 field (100 %)
          Hero     3 of 3 fields (100 %)
          Villain  1 of 2 fields (50 %)

          4 types of 4 used, with 7 of 9 fields (77 %) of all types.

          """)
      let unused = try await project.apollo("schema", "coverage", "--unused")
      #expect(unused.output == "Query.old\nVillain.plan\n")
      let named = try await project.apollo(
        "schema", "coverage", "-s", "schema", "ops", "--format", "json")
      #expect(named.output.contains(#""unused": ["Villain.plan"]"#), "\(named)")
    }
  }

  @Test func operationsWithErrorsHaveNoCoverage() async throws {
    try await withFiles(Self.files) { project in
      try project.write("query B { nope }", to: "ops/b.graphql")
      for command in [["schema", "coverage"], ["operations", "complexity"]] {
        let outcome = try await project.apollo(command)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        expectOneError(in: outcome, naming: "ops/b.graphql:1:11")
      }
    }
  }

  // MARK: - Complexity

  @Test func listsTheMostComplexOperationsFirst() async throws {
    try await withFiles(Self.files) { project in
      let outcome = try await project.apollo("operations", "complexity")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(
        outcome.output == """
          COMPLEXITY  DEPTH  FIELDS  LISTS  OPERATION
                 220      3       4      2  Heroes
                   2      2       2      0  Nodes

          """)
      let limited = try await project.apollo(
        "operations", "complexity", "--list-length", "2", "--max-complexity", "11", "--max-depth",
        "2", "--format", "json")
      #expect(limited.status == 1)
      #expect(limited.output.contains(#""complexity": 12"#), "\(limited)")
      #expect(
        limited.errors == """
          error: The complexity of 'Heroes' is 12, and 11 is allowed. Select less, or ask for \
          shorter lists.
          error: The depth of 'Heroes' is 3, and 2 is allowed. Split the operation, or select less.

          """)
    }
  }

  // MARK: - The schema of the project

  @Test(arguments: ["print", "introspect", "stats"])
  func theSchemaOfTheProjectIsFound(_ subcommand: String) async throws {
    try await withFiles(Self.files) { project in
      let found = try await project.apollo("schema", subcommand)
      #expect(found.status == 0 && found.errors.isEmpty && !found.output.isEmpty, "\(found)")
      let named = try await project.apollo("schema", subcommand, "schema/s.graphqls")
      #expect(named.output == found.output)
      let elsewhere = try await project.apollo(
        "schema", subcommand, "--path", "./apollo-codegen-config.json")
      #expect(elsewhere.output == found.output)
    }
  }

  // MARK: - Commits

  private func git(_ arguments: String..., in project: Project) async throws {
    let outcome = try await run(
      URL(fileURLWithPath: "/usr/bin/env"), ["git"] + arguments, in: project.folder,
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent",
        "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
      ])
    try #require(outcome.status == 0, "git \(arguments): \(outcome)")
  }

  @Test func comparesWithACommit() async throws {
    let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
    var files = Self.files
    files["Wow!/s.graphqls"] = files["schema/s.graphqls"]
    try await withFiles(files) { project in
      try await git("init", "-q", "-b", "main", in: project)
      try await git("add", ".", in: project)
      try await git("commit", "-q", "-m", "First", in: project)
      try project.write("extend type Query { new: Int }", to: "schema/more.graphqls")
      try project.write(
        try project.text(of: "schema/s.graphqls").replacing(", old: Int", with: ""),
        to: "schema/s.graphqls")
      func diff(_ arguments: String...) async throws -> Outcome {
        try await project.apollo(["schema", "diff"] + arguments, environment: environment)
      }
      let project = try await diff("git:main")
      #expect(project.status == 1 && project.errors.isEmpty, "\(project)")
      #expect(
        project.output == """
          breaking: Field Query.old was removed. [FIELD_REMOVED]
          safe: Field Query.new was added. [FIELD_ADDED]

          """)
      for arguments in [
        ["git:HEAD", "schema"], ["git:HEAD:schema/s.graphqls", "schema"],
        ["git:HEAD:schema", "schema/*.graphqls"], ["git:HEAD:Wow!", "schema"],
      ] {
        let outcome = try await diff(arguments[0], arguments[1])
        #expect(outcome.output == project.output, "\(arguments): \(outcome)")
      }
      #expect(try await diff("git:HEAD", "git:main").output == "The schemas are the same.\n")
      for (argument, message) in [
        ("git:nope", "has no commit 'nope'"), ("git:--help", "'git:--help' names no commit"),
        ("git:", "'git:' names no commit"),
        ("git:main:other.graphqls", "The commit 'main' has no file that matches 'other.graphqls'"),
      ] {
        let outcome = try await diff(argument)
        #expect(outcome.status == 2)
        expectOneError(in: outcome, naming: message)
      }
    }
  }

  @Test(arguments: ["git:main", "git:main:app/s.graphqls", "git:main:."])
  func followsTheLinksOfACommit(_ commit: String) async throws {
    let files = ["server/s.graphqls": "type Query { name: String, old: String }"]
    try await withFiles(files) { project in
      try FileManager.default.createDirectory(
        at: project.folder.appendingPathComponent("app"), withIntermediateDirectories: false)
      let links = [
        "shared": "server", "app/s.graphqls": "../shared/s.graphqls", "app/none.graphqls": "gone",
      ]
      for (link, target) in links {
        try FileManager.default.createSymbolicLink(
          atPath: project.folder.appendingPathComponent(link).path, withDestinationPath: target)
      }
      try await git("init", "-q", "-b", "main", in: project)
      try await git("add", ".", in: project)
      try await git("commit", "-q", "-m", "First", in: project)
      try project.write("type Query { name: String }", to: "server/s.graphqls")
      let outcome = try await project.apollo(
        ["schema", "diff", commit, "app"], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
      #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(outcome)")
      #expect(
        outcome.output == "breaking: Field Query.old was removed. [FIELD_REMOVED]\n", "\(outcome)")
    }
  }

  @Test(arguments: ["../outside.graphqls", "s.graphqls"])
  func reportsALinkOfACommitThatLeadsToNoFileOfIt(_ target: String) async throws {
    try await withFiles(["new.graphqls": "type Query { name: String }"]) { project in
      try FileManager.default.createSymbolicLink(
        atPath: project.folder.appendingPathComponent("s.graphqls").path,
        withDestinationPath: target)
      try await git("init", "-q", "-b", "main", in: project)
      try await git("add", ".", in: project)
      try await git("commit", "-q", "-m", "First", in: project)
      let outcome = try await project.apollo(
        ["schema", "diff", "git:main:s.graphqls", "new.graphqls"],
        environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
      #expect(outcome.status == 2)
      expectOneError(
        in: outcome, naming: "The symbolic link 'main:s.graphqls' leads out of the repository")
    }
  }

  /// Git LFS has such a filter, which puts a large file in the place of a pointer to it.
  @Test func appliesTheFiltersOfAWorkingCopyToACommit() async throws {
    let files = [
      "s.graphqls": "type Query { name: String }", ".gitattributes": "*.graphqls filter=pointer",
    ]
    try await withFiles(files) { project in
      try await git("init", "-q", "-b", "main", in: project)
      try await git("config", "filter.pointer.clean", "sed s/type/pointer/", in: project)
      try await git("config", "filter.pointer.smudge", "sed s/pointer/type/", in: project)
      try await git("add", ".", in: project)
      try await git("commit", "-q", "-m", "First", in: project)
      let outcome = try await project.apollo(
        ["schema", "diff", "git:main", "s.graphqls"],
        environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(outcome.output == "The schemas are the same.\n")
    }
  }

  /// Hooks in a linked working tree have the variable `GIT_DIR`.
  @Test(arguments: ["git:HEAD", "git:HEAD:schema/s.graphqls"])
  func findsTheWorkingCopyInAHook(_ commit: String) async throws {
    try await withFiles(Self.files) { project in
      try await git("init", "-q", "-b", "main", in: project)
      try await git("add", ".", in: project)
      try await git("commit", "-q", "-m", "First", in: project)
      let outcome = try await project.apollo(
        ["schema", "diff", commit, "schema"],
        environment: [
          "PATH": "/usr/local/bin:/usr/bin:/bin",
          "GIT_DIR": project.folder.appendingPathComponent(".git").path,
        ])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(outcome.output == "The schemas are the same.\n")
    }
  }
}
