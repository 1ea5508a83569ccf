import Testing

/// The commands that a plugin without the permission to write refuses, and those that compare
/// versions.
@Suite struct WritingCommandTests {
  @Test(arguments: [
    "validate --fix", "lint --fix", "format GraphQL", "init", "generate", "generate --watch",
    "generate-operation-manifest", "fetch-schema", "migrate", "migrate --yes",
    "record session.jsonl", "cache import a.sqlite", "run q.graphql --cache a.sqlite",
    "run q.graphql --cache=a.sqlite", "-q migrate --yes", "--color never migrate --yes",
    "--color=never generate", "cache -q import a.sqlite", "-q cache --color never import a.sqlite",
    "cache --color=never import a.sqlite",
  ])
  func findsACommandThatWritesFiles(_ line: String) {
    #expect(WritingCommands.command(in: arguments(line)) != nil)
  }

  @Test(arguments: [
    "", "--help", "--version", "-q", "--color", "validate", "lint GraphQL",
    "format --check GraphQL", "init --print", "init -s", "generate --check", "generate --dry-run",
    "generate -n",
    "generate --explain Hero", "generate --explain=Hero", "generate --help", "migrate --help",
    "migrate -h", "record --help", "cache stats a.sqlite", "cache find a.sqlite import", "cache",
    "cache -q stats a.sqlite", "cache -q",
    "run q.graphql", "schema diff git:main", "operations complexity", "-q validate", "help migrate",
  ])
  func findsNoCommandThatWritesNothing(_ line: String) {
    #expect(WritingCommands.command(in: arguments(line)) == nil)
  }

  @Test func namesTheCommandBehindItsOptions() {
    #expect(WritingCommands.command(in: ["-q", "cache", "import", "a.sqlite"]) == "cache")
  }

  @Test(arguments: [
    "generate", "generate --watch", "generate-operation-manifest", "migrate --yes", "-q generate",
    "--color never migrate",
  ])
  func permitsAnyVersionWhereVersionsAreCompared(_ line: String) {
    #expect(
      WritingCommands.ignoringVersions(arguments(line))
        == arguments(line) + ["--ignore-version-mismatch"])
  }

  @Test(arguments: ["", "validate", "help generate", "fetch-schema", "-q"])
  func addsNothingToOtherCommands(_ line: String) {
    #expect(WritingCommands.ignoringVersions(arguments(line)) == arguments(line))
  }

  private func arguments(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }
}
