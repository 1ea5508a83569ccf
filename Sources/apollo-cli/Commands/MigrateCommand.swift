import ApolloCodegenLib

/// The command `apollo-cli migrate`: takes over a project whose code Apollo iOS generated.
enum MigrateCommand: Command {
  static let name = "migrate"
  static let summary = "Replaces the code that Apollo iOS generated."
  static let discussion = [
    "Lists the files of Apollo iOS, and what code that uses the models has to change. "
      + "Then asks whether to replace them. Files that Apollo iOS wrote for you to edit stay.",
    "Ends with 1 if the answer is not 'y'.",
  ]
  static let options =
    ConfigurationFile.options + [
      OptionDeclaration("yes", "y", "Replace the files without asking."),
      ConfigurationFile.ignoringVersions,
    ]
  static let examples = [
    CommandExample("List everything, and decide.", "migrate"),
    CommandExample("Replace the files in a script.", "migrate --yes"),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let file = try ConfigurationFile(arguments)
    try file.checkVersion(arguments)
    var generator = Generator(file.configuration, rootFolder: file.rootFolder)
    generator.takesOver = true
    do {
      let report = try generator.run(.code, into: nil, isDryRun: true) { _ in }
      guard let migration = report.migration, !migration.replaced.isEmpty else {
        Terminal.status("There are no files of Apollo iOS. Run 'apollo-cli generate'.")
        return .success
      }
      let isVerbose = arguments.has("verbose")
      let text = MigrationText(
        migration, report.summary, root: file.rootFolder, isVerbose: isVerbose)
      Terminal.print(text.description)
      guard arguments.has("yes") || Terminal.confirms(text.question) else {
        Terminal.failure("Nothing was changed. 'apollo-cli migrate --yes' replaces the files.")
        return .inputErrors
      }
    } catch {
      return Generation.printFailure(error, file)
    }
    return Generation.run(with: generator, .code, of: file, mode: .write, isVerbose: false)
  }
}

/// The list that a user reads before files of Apollo iOS are replaced.
private struct MigrationText {
  private let migration: Migration
  private let summary: WriteSummary
  private let root: String
  private let limit: Int

  init(_ migration: Migration, _ summary: WriteSummary, root: String, isVerbose: Bool) {
    self.migration = migration
    self.summary = summary
    self.root = root
    limit = isVerbose ? .max : 20
  }

  var question: String {
    "Replace \(Terminal.counted(migration.replaced.count, "file")) of Apollo iOS? [y/N] "
  }

  var description: String {
    let (removed, replaced) = (Set(summary.removed), Set(migration.replaced))
    var parts = [
      list("Replaced:", migration.replaced.filter { !removed.contains($0) }.map(display)),
      list("Removed:", summary.removed.map(display)),
      list("New:", summary.written.filter { !replaced.contains($0) }.map(display)),
      list("Yours, and kept:", migration.kept.map(display)),
      list("Classes that become structs:", migration.formerClasses),
      list(
        "Different for code that uses the models (\(migration.unchangedCount) of "
          + "\(migration.propertyCount) properties are as before):",
        migration.differences.map(line)),
    ]
    if migration.differences.isEmpty {
      parts.append("All \(migration.propertyCount) properties of the models stay as they are.")
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func display(_ path: String) -> String { Path.display(path, from: root) }

  private func line(_ difference: Migration.Difference) -> String {
    switch (difference.before, difference.after) {
    case (nil, _): "\(difference.path): there is no such type"
    case (let before?, nil): "\(difference.path): there is no such property (\(before))"
    case (let before?, let after?): "\(difference.path): \(before) becomes \(after)"
    }
  }

  private func list(_ title: String, _ lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    var shown = lines.prefix(limit).map { "  \($0)" }
    if lines.count > limit {
      shown.append("  … and \(lines.count - limit) more. Show all with --verbose.")
    }
    return ([Terminal.painted(title, .heading)] + shown).joined(separator: "\n")
  }
}
