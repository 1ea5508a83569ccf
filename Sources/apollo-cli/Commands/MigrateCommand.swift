import ApolloCodegenLib

/// The command `apollo-cli migrate`: takes over a project whose code Apollo iOS generated.
enum MigrateCommand: Command {
  static let name = "migrate"
  static let summary = "Replaces the code that Apollo iOS generated."
  static let discussion = [
    "Lists the files of Apollo iOS, and what code that uses the models has to change. "
      + "Then asks whether to replace them. Files that Apollo iOS wrote for you to edit stay. "
      + "Files of Apollo iOS 0.x are compared, and you remove them.",
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
    if !ConfigurationFile.isAvailable(arguments), let advice = FormerCodeAdvice.here {
      Terminal.print(advice.description)
      throw CommandFailure(
        "There is no configuration. Create one with 'apollo-cli init', and run 'apollo-cli migrate'."
      )
    }
    let file = try ConfigurationFile(arguments)
    try file.checkVersion(arguments)
    var generator = Generator(file.configuration, rootFolder: file.rootFolder)
    generator.takesOver = true
    do {
      let report = try generator.run(.code, into: nil, isDryRun: true) { _ in }
      guard let migration = report.migration,
        !migration.replaced.isEmpty || !migration.former.isEmpty
      else {
        Terminal.status("There are no files of Apollo iOS. Run 'apollo-cli generate'.")
        return .success
      }
      let isVerbose = arguments.has("verbose")
      let text = MigrationText(
        migration, report.summary, file.configuration, root: file.rootFolder, isVerbose: isVerbose)
      Terminal.print(text.description)
      if migration.replaced.isEmpty {
        Terminal.status("Remove the files of Apollo iOS 0.x, and run 'apollo-cli generate'.")
        return .success
      }
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
  private let configuration: ApolloCodegenConfiguration
  private let root: String
  private let limit: Int

  init(
    _ migration: Migration, _ summary: WriteSummary, _ configuration: ApolloCodegenConfiguration,
    root: String, isVerbose: Bool
  ) {
    self.migration = migration
    self.summary = summary
    self.configuration = configuration
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
      list("Of Apollo iOS 0.x, for you to remove:", migration.former.map(display)),
      list("With this configuration:", configuration.migrationNotes),
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

/// The advice for a project of Apollo iOS 0.x, which has no configuration.
private struct FormerCodeAdvice {
  private let paths: [String]

  /// The advice for the project in the current folder, or `nil` if it is none of 0.x.
  static var here: FormerCodeAdvice? {
    let root = Environment.currentDirectory
    let paths = FormerCode.paths(in: root, Environment.fileSystem)
    return paths.isEmpty ? nil : FormerCodeAdvice(paths: paths.map { Path.display($0, from: root) })
  }

  var description: String {
    let files = paths.map { "  \($0)" }.joined(separator: "\n")
    return """
      Apollo iOS 0.x generated:
      \(files)
      It had no configuration. After you have written one, 'apollo-cli migrate' compares the models.
      """
  }
}
