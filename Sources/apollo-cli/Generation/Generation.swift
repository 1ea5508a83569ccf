import ApolloCodegenLib
import GraphQLSyntax

/// Runs the generator for a command and prints the result.
enum Generation {
  /// The effect of a run on the output files.
  enum Mode {
    /// Writes the changes.
    case write
    /// Lists the changes.
    case dryRun
    /// Lists the changes, and fails if there are any.
    case check
  }

  /// Generates files. Prints the progress, the diagnostics and the changes.
  ///
  /// - Parameters:
  ///   - items: The kinds of files.
  ///   - file: The configuration file of the project.
  ///   - combined: The folder of a build plugin, which takes the place of the configured output.
  ///   - mode: The effect on the files.
  ///   - isVerbose: `true` if every change and every warning is printed.
  /// - Returns: The exit code of the command.
  static func run(
    _ items: Generator.Items, of file: ConfigurationFile, into combined: CombinedOutput? = nil,
    mode: Mode, isVerbose: Bool
  ) -> ExitCode {
    let generator = Generator(
      file.configuration, rootFolder: file.rootFolder, cache: cache(of: file))
    return run(
      with: generator, items, of: file, into: combined, mode: mode, isVerbose: isVerbose)
  }

  /// Generates files with a generator that a command has prepared.
  static func run(
    with generator: Generator, _ items: Generator.Items, of file: ConfigurationFile,
    into combined: CombinedOutput? = nil, mode: Mode, isVerbose: Bool
  ) -> ExitCode {
    let progress = ProgressLine()
    func showProgress(_ step: Generator.Step) {
      // Without a line of progress, the wait needs an explanation.
      if case .waiting = step, !Terminal.isInteractive { Terminal.note(text(of: step)) }
      progress.show(text(of: step))
    }
    do {
      let report = try generator.run(
        items, into: combined, isDryRun: mode != .write, progress: showProgress)
      progress.clear()
      printDiagnostics(report.diagnostics, report.sources, isVerbose: isVerbose)
      return finish(report, mode, root: file.rootFolder, isVerbose: isVerbose)
    } catch {
      progress.clear()
      return printFailure(error, file)
    }
  }

  /// Prints the files that were or would be written, and returns the exit code.
  private static func finish(
    _ report: Generator.Report, _ mode: Mode, root: String, isVerbose: Bool
  ) -> ExitCode {
    let changes = changes(of: report, mode, root: root)
    if mode == .check, !changes.isEmpty {
      Terminal.print(changes.joined(separator: "\n"))
      let verb = changes.count == 1 ? "is" : "are"
      Terminal.failure(
        "\(counted(changes.count, "generated file")) \(verb) out of date. "
          + "Run 'apollo-cli generate', and commit the result.")
      return .inputErrors
    }
    if mode == .dryRun, !changes.isEmpty { Terminal.print(changes.joined(separator: "\n")) }
    Terminal.status(summary(of: report, mode))
    if mode == .write, isVerbose, !changes.isEmpty {
      Terminal.status(changes.joined(separator: "\n"))
    }
    return .success
  }

  /// Returns the memory of earlier runs. `nil` if there is no folder for it, or if this tool cannot
  /// tell its own version: then every run generates everything.
  private static func cache(of file: ConfigurationFile) -> GenerationCache? {
    guard let folder = Caches.folder, let tool = Caches.stampOfThisTool else { return nil }
    return GenerationCache(
      folder: folder, configuration: file.text, rootFolder: file.rootFolder, tool: tool)
  }

  private static func text(of step: Generator.Step) -> String {
    switch step {
    case .reading: "Reading the schema and the operations…"
    case .checking(let count): "Checking \(counted(count, "file"))…"
    case .naming: "Naming…"
    case .rendering(let count): "Generating the code of \(counted(count, "definition"))…"
    case .writing(let count): "Writing \(counted(count, "file"))…"
    case .waiting(let folder): "Waiting for another generator, which is writing to '\(folder)'…"
    }
  }

  /// Prints the reason why nothing was generated, and returns the exit code.
  static func printFailure(
    _ error: GenerationError, _ file: ConfigurationFile
  ) -> ExitCode {
    switch error.reason {
    case .configuration(let error):
      file.show(error)
      return .inputErrors
    case .input(let diagnostics, let sources):
      printDiagnostics(diagnostics, sources, isVerbose: true)
      let count = diagnostics.count { $0.severity == .error }
      Terminal.error("Nothing was generated: \(counted(count, "error")).")
      return .inputErrors
    case .noMatch, .onlySchemas, .severalIntrospections, .searchPath, .reading, .writing:
      Terminal.failure("\(error)")
      return .couldNotRun
    }
  }

  /// Prints all errors, and a limited number of warnings.
  private static func printDiagnostics(
    _ diagnostics: [Diagnostic], _ sources: SourceMap, isVerbose: Bool
  ) {
    let limit = isVerbose ? diagnostics.count : 10
    let shown = Array(diagnostics.prefix(limit))
    Terminal.show(shown, in: sources)
    let rest = diagnostics.count - shown.count
    if rest > 0 { Terminal.error("\(counted(rest, "more warning")). Show all with --verbose.") }
  }

  private static func summary(of report: Generator.Report, _ mode: Mode) -> String {
    let inputs =
      "\(counted(report.operationCount, "operation")) and "
      + counted(report.fragmentCount, "fragment")
    let (written, removed) = (report.summary.written.count, report.summary.removed.count)
    let verb = mode == .write ? "Generated" : "Checked"
    if written + removed == 0 {
      return mode == .write
        ? "Generated \(inputs): nothing has changed."
        : "Checked \(inputs): \(counted(report.summary.unchangedCount, "file")) up to date."
    }
    let would = mode == .write ? "" : "would be "
    return "\(verb) \(inputs): \(counted(written, "file")) \(would)written"
      + (removed > 0 ? ", \(removed) \(would)removed" : "")
      + ", \(report.summary.unchangedCount) unchanged."
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    Terminal.counted(count, noun)
  }

  private static func changes(
    of report: Generator.Report, _ mode: Mode, root: String
  ) -> [String] {
    let (write, remove) =
      mode == .write ? ("wrote   ", "removed ") : ("would write  ", "would remove ")
    return report.summary.written.map {
      "  \(Terminal.painted(write, .added))\(Path.display($0, from: root))"
    }
      + report.summary.removed.map {
        "  \(Terminal.painted(remove, .removed))\(Path.display($0, from: root))"
      }
  }
}
