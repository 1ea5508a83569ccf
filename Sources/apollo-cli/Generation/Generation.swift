import ApolloCodegenLib
import GraphQLSyntax

/// Runs the generator for a command and prints the result.
enum Generation {
  static func run(
    _ file: ConfigurationFile, _ items: Generator.Items, into combined: CombinedOutput? = nil,
    isVerbose: Bool
  ) -> ExitCode {
    let generator = Generator(
      file.configuration, rootFolder: file.rootFolder, cache: cache(of: file))
    let progress = ProgressLine()
    do {
      let report = try generator.generate(items, into: combined) { step in
        // Without a line of progress, the wait needs an explanation.
        if case .waiting = step, !Terminal.isInteractive { Terminal.error(text(of: step)) }
        progress.show(text(of: step))
      }
      progress.clear()
      show(report.diagnostics, report.sources, isVerbose: isVerbose)
      Terminal.print(summary(of: report))
      if isVerbose {
        for line in changes(of: report, root: file.rootFolder) { Terminal.print(line) }
      }
      return .success
    } catch {
      progress.clear()
      return report(error, file)
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
    case .generating: "Generating…"
    case .writing(let count): "Writing \(counted(count, "file"))…"
    case .waiting(let folder): "Waiting for another generator, which is writing to '\(folder)'…"
    }
  }

  private static func report(_ error: GenerationError, _ file: ConfigurationFile) -> ExitCode {
    switch error.reason {
    case .configuration(let error):
      Terminal.error("error: \(file.text(of: error))")
      return .inputErrors
    case .input(let diagnostics, let sources):
      show(diagnostics, sources, isVerbose: true)
      let count = diagnostics.count { $0.severity == .error }
      Terminal.error("Nothing was generated: \(count) \(count == 1 ? "error" : "errors").")
      return .inputErrors
    default:
      Terminal.error("error: \(error)")
      return .couldNotRun
    }
  }

  /// Shows all errors, and a limited number of warnings.
  private static func show(_ diagnostics: [Diagnostic], _ sources: SourceMap, isVerbose: Bool) {
    let limit = isVerbose ? diagnostics.count : 10
    let format = Terminal.isInteractive ? DiagnosticFormat.text : .xcode
    let shown = Array(diagnostics.prefix(limit))
    let text = format.render(shown, in: sources, isColored: Terminal.isInteractive)
    if !text.isEmpty { Terminal.error(String(text.dropLast())) }
    let rest = diagnostics.count - shown.count
    if rest > 0 { Terminal.error("\(counted(rest, "more warning")). Show all with --verbose.") }
  }

  private static func summary(of report: Generator.Report) -> String {
    let inputs =
      "\(counted(report.operationCount, "operation")) and "
      + counted(report.fragmentCount, "fragment")
    let (written, removed) = (report.summary.written.count, report.summary.removed.count)
    if written + removed == 0 { return "Generated \(inputs): nothing has changed." }
    return "Generated \(inputs): \(counted(written, "file")) written"
      + (removed > 0 ? ", \(removed) removed" : "")
      + ", \(report.summary.unchangedCount) unchanged."
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func changes(of report: Generator.Report, root: String) -> [String] {
    report.summary.written.map { "  wrote   \(Path.display($0, from: root))" }
      + report.summary.removed.map { "  removed \(Path.display($0, from: root))" }
  }
}
