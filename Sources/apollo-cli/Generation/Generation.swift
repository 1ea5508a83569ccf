import ApolloCodegenLib
import GraphQLSyntax

/// Runs the generator for a command and prints the result.
enum Generation {
  /// The effect of a run.
  enum Mode {
    case write
    /// Lists the changes.
    case dryRun
    /// Lists the changes, which are an error.
    case check
  }

  static func run(
    _ file: ConfigurationFile, _ items: Generator.Items, into combined: CombinedOutput? = nil,
    _ mode: Mode, isVerbose: Bool
  ) -> ExitCode {
    let generator = Generator(
      file.configuration, rootFolder: file.rootFolder, cache: cache(of: file))
    let progress = ProgressLine()
    func show(_ step: Generator.Step) {
      // Without a line of progress, the wait needs an explanation.
      if case .waiting = step, !Terminal.isInteractive { Terminal.note(text(of: step)) }
      progress.show(text(of: step))
    }
    do {
      let report =
        mode == .write
        ? try generator.generate(items, into: combined, progress: show)
        : try generator.changes(items, into: combined, progress: show)
      progress.clear()
      Self.show(report.diagnostics, report.sources, isVerbose: isVerbose)
      return finish(report, mode, root: file.rootFolder, isVerbose: isVerbose)
    } catch {
      progress.clear()
      return Self.report(error, file)
    }
  }

  /// Prints the files of a report.
  private static func finish(
    _ report: Generator.Report, _ mode: Mode, root: String, isVerbose: Bool
  ) -> ExitCode {
    let count = report.summary.written.count + report.summary.removed.count
    let changes = changes(of: report, mode, root: root).joined(separator: "\n")
    switch mode {
    case .write:
      Terminal.status(summary(of: report, mode))
      if isVerbose, count > 0 { Terminal.status(changes) }
      return .success
    case .dryRun:
      if count > 0 { Terminal.print(changes) }
      Terminal.status(summary(of: report, mode))
      return .success
    case .check:
      guard count > 0 else {
        Terminal.status(summary(of: report, mode))
        return .success
      }
      Terminal.print(changes)
      Terminal.failure(
        "\(counted(count, "generated file")) \(count == 1 ? "is" : "are") out of date. "
          + "Run 'apollo-cli generate', and commit the result.")
      return .inputErrors
    }
  }

  /// Returns the record of earlier runs, or `nil` if the user has no cache folder.
  private static func cache(of file: ConfigurationFile) -> GenerationCache? {
    guard let folder = Caches.folder, let tool = Caches.stampOfThisTool else { return nil }
    return GenerationCache(
      folder: folder, configuration: file.text, rootFolder: file.rootFolder, tool: tool)
  }

  private static func text(of step: Generator.Step) -> String {
    switch step {
    case .reading: "Reading the schema and the operations…"
    case .checking(let count): "Checking \(counted(count, "file"))…"
    case .generating: "Naming…"
    case .rendering(let count): "Generating the code of \(counted(count, "definition"))…"
    case .writing(let count): "Writing \(counted(count, "file"))…"
    case .waiting(let folder): "Waiting for another generator, which is writing to '\(folder)'…"
    }
  }

  private static func report(_ error: GenerationError, _ file: ConfigurationFile) -> ExitCode {
    switch error.reason {
    case .configuration(let error):
      file.show(error)
      return .inputErrors
    case .input(let diagnostics, let sources):
      show(diagnostics, sources, isVerbose: true)
      let count = diagnostics.count { $0.severity == .error }
      Terminal.error("Nothing was generated: \(counted(count, "error")).")
      return .inputErrors
    default:
      Terminal.failure("\(error)")
      return .couldNotRun
    }
  }

  /// Shows all errors, and a limited number of warnings.
  private static func show(_ diagnostics: [Diagnostic], _ sources: SourceMap, isVerbose: Bool) {
    let limit = isVerbose ? diagnostics.count : 10
    let format = Terminal.isInteractive ? DiagnosticFormat.text : .xcode
    let shown = Array(diagnostics.prefix(limit))
    Terminal.show(shown, in: sources, as: format)
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
