import ApolloIR
public import GraphQLSyntax
import SwiftSource

/// Generates Swift for the operations of a project: the whole way from files to files.
///
/// ```swift
/// let configuration = try ApolloCodegenConfiguration(json: text)
/// let report = try Generator(configuration, rootFolder: "/project").generate()
/// ```
public struct Generator: Sendable {
  /// What to make.
  public struct Items: OptionSet, Hashable, Sendable {
    /// One bit for each item.
    public let rawValue: Int

    /// Makes a set of the items whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The Swift files.
    public static let code = Items(rawValue: 1)
    /// The operation manifest, where the configuration has one.
    public static let operationManifest = Items(rawValue: 2)
    /// Everything.
    public static let all: Items = [.code, .operationManifest]
  }

  /// What a run is doing.
  public enum Step: Hashable, Sendable {
    /// The schema and the operations are read and checked.
    case reading
    /// The code is made.
    case generating
    /// Files that have changed are written.
    case writing(fileCount: Int)
    /// Another generator is writing to a folder. When it has finished, everything is done again, as it may have changed by then.
    case waiting(folder: String)
  }

  /// What a run did.
  public struct Report: Sendable {
    /// What was written and removed.
    public var summary = WriteSummary()
    /// How many operations the project has.
    public var operationCount = 0
    /// How many named fragments the project has.
    public var fragmentCount = 0
    /// Warnings, in the order of the sources.
    public var diagnostics: [Diagnostic] = []
    /// What the spans of the diagnostics mean.
    public var sources = SourceMap()
  }

  private let configuration: ApolloCodegenConfiguration
  private let root: String
  private let memory: GenerationMemory?
  private let identify: OperationIdentifierProvider?
  /// How long to wait for another generator that writes to the same folders.
  package var patience = Duration.seconds(10)

  /// Makes a generator for one project.
  ///
  /// - Parameters:
  ///   - configuration: What to generate. It is checked when the generator runs.
  ///   - rootFolder: What relative paths of the configuration are relative to.
  ///   - memory: Tells whether there is anything to do since the last run; without it, all is done each time.
  ///   - operationIdentifierProvider: Computes the identifiers of operations, which are the SHA-256 of their text without it. As nobody
  ///     can tell whether it has changed, `memory` is not asked then.
  public init(
    _ configuration: ApolloCodegenConfiguration, rootFolder: String,
    memory: GenerationMemory? = nil,
    operationIdentifierProvider: OperationIdentifierProvider? = nil
  ) {
    self.configuration = configuration
    self.memory = operationIdentifierProvider == nil ? memory : nil
    identify = operationIdentifierProvider
    root = Path.normalized(rootFolder)
  }

  /// Reads, checks, renders, and then writes what changed. Nothing is written when anything is
  /// wrong. While another generator writes to the same folders, waits some seconds.
  ///
  /// - Parameters:
  ///   - items: What to make.
  ///   - combined: Where the code goes instead of where the configuration says, in two files.
  ///   - progress: Called at the beginning of each step; of ``Step/waiting(folder:)``, once for a folder.
  /// - Returns: What was done.
  /// - Throws: ``GenerationError``.
  public func generate(
    _ items: Items = .code, into combined: CombinedOutput? = nil,
    progress: (Step) -> Void = { _ in }
  ) throws(GenerationError) -> Report {
    let clock = ContinuousClock()
    let end = clock.now + patience
    var awaited: Set<String> = []
    while true {
      switch try attempt(items, into: combined, progress: progress) {
      case .done(let report): return report
      case .locked(let folder):
        let isInTime = clock.now < end
        if isInTime, awaited.insert(folder).inserted { progress(.waiting(folder: folder)) }
        // A folder that is free for a moment may be taken again before the next attempt, again and again.
        guard isInTime, Disk.waitUntilFree(folder, until: end) else {
          throw .writing(WriteError.locked(folder).description)
        }
      }
    }
  }

  private enum Attempt {
    case done(Report)
    /// Another generator is writing to this folder.
    case locked(folder: String)
  }

  private func attempt(
    _ items: Items, into combined: CombinedOutput?, progress: (Step) -> Void
  ) throws(GenerationError) -> Attempt {
    let problems = configuration.problems + (combined == nil ? [] : problemsOfCombining)
    guard problems.isEmpty else { throw .configuration(ConfigurationError(problems: problems)) }
    var items = items
    if configuration.operationManifest?.generateManifestOnCodeGeneration == true, combined == nil {
      items.insert(.operationManifest)
    }
    progress(.reading)
    let inputs = try ProjectFiles.read(configuration, root: root)
    let recollection = combined == nil ? memory?.about(items, inputs) : nil
    let last = recollection?.unchanged()
    if let last, last.warnings == 0 {
      return .done(
        Report(
          summary: WriteSummary(unchangedCount: last.files), operationCount: last.operations,
          fragmentCount: last.fragments))
    }
    let project = try Project.check(inputs, configuration)
    if let last {
      return .done(
        Report(
          summary: WriteSummary(unchangedCount: last.files), operationCount: last.operations,
          fragmentCount: last.fragments, diagnostics: project.diagnostics,
          sources: project.sources))
    }
    progress(.generating)
    let renderer = try makeRenderer(project)
    let diagnostics = ProjectRules.diagnostics(renderer)
    guard !diagnostics.contains(where: { $0.severity == .error }) else {
      throw .invalidInput(diagnostics, project.sources)
    }
    var report = Report()
    report.diagnostics = project.diagnostics + diagnostics
    report.sources = project.sources
    let definitions = renderer.program.definitions
    report.fragmentCount = definitions.count { $0.kind == .fragment }
    report.operationCount = definitions.count - report.fragmentCount
    var files: [OutputFile] = []
    if items.contains(.code) { files += try codeFiles(renderer, project.sources, combined) }
    if items.contains(.operationManifest) { files.append(try manifest(renderer)) }
    progress(.writing(fileCount: files.count))
    // What is to be said about names is found on the way: a run that said something is made again.
    let memorable = diagnostics.isEmpty ? recollection : nil
    do {
      report.summary = try write(files, items, combined) {
        memorable?.remember(
          files.map(\.path),
          .init(
            files: files.count, operations: report.operationCount, fragments: report.fragmentCount,
            warnings: report.diagnostics.count))
      }
    } catch {
      if case .locked(let folder) = error { return .locked(folder: folder) }
      throw .writing(error.description)
    }
    return .done(report)
  }

  /// The files that a run would read besides the configuration, as absolute paths.
  /// - Throws: ``GenerationError`` when a folder cannot be read.
  public func inputPaths() throws(GenerationError) -> [String] {
    let input = configuration.input
    do {
      return try [input.schemaSearchPaths, input.operationSearchPaths]
        .flatMap { try Glob($0, root: root).files() }
    } catch {
      throw .reading("\(error)")
    }
  }

  private var problemsOfCombining: [ConfigurationProblem] {
    guard configuration.output.operations != .inSchemaModule else { return [] }
    return [
      .init(
        path: "output.operations",
        message: "The schema's types and the operations are combined in one module here. "
          + "Set it to { \"inSchemaModule\": {} }.")
    ]
  }

  private func makeRenderer(_ project: Project) throws(GenerationError) -> Renderer {
    let merging = MergingOptions(rawValue: configuration.experimentalFeatures.fieldMerging.rawValue)
    var initializers = InitializerOptions()
    initializers.operations = configuration.options.selectionSetInitializers.operations
    initializers.namedFragments = configuration.options.selectionSetInitializers.namedFragments
    initializers.definitionsNamed = configuration.options.selectionSetInitializers.definitionsNamed
    var options: LoweringOptions = []
    if configuration.options.reduceGeneratedSchemaTypes { options.insert(.reducedTypes) }
    if configuration.experimentalFeatures.legacySafelistingCompatibleOperations {
      options.insert(.legacyDocuments)
    }
    let program = lower(
      project.document, merging: merging, options: options, initializers: initializers)
    do {
      var renderer = try Renderer(program, configuration)
      renderer.identify = identify
      return renderer
    } catch {
      throw .configuration(
        ConfigurationError(problems: [
          .init(
            path: error.path,
            message: "'\(error.pattern)' is not a regular expression.")
        ]))
    }
  }

  // MARK: - Writing

  private func codeFiles(
    _ renderer: Renderer, _ sources: SourceMap, _ combined: CombinedOutput?
  ) throws(GenerationError) -> [OutputFile] {
    let plan = OutputPlan(renderer, root: root, sources: sources)
    if let combined {
      do {
        return try combined.files(plan.entries, root: root)
      } catch {
        throw .reading(error.description)
      }
    }
    var files = plan.entries.map {
      OutputFile(
        path: $0.path, text: $0.file.text(), ownership: $0.ownership, formerPath: $0.formerPath)
    }
    if let manifest = PackageManifest(configuration) {
      let folder = Path.join(root, configuration.output.schemaTypes.path)
      files.append(OutputFile(path: "\(folder)/Package.swift", text: manifest.text))
    }
    return files
  }

  private func manifest(_ renderer: Renderer) throws(GenerationError) -> OutputFile {
    guard let settings = configuration.operationManifest else {
      throw .configuration(
        ConfigurationError(problems: [
          .init(
            path: "operationManifest",
            message: "Missing. Give the 'path' of the manifest to generate.")
        ]))
    }
    return OutputFile(
      path: OutputPlan.manifestPath(settings, root: root),
      text: ManifestText(renderer).text(settings.version), origin: .operationManifest)
  }

  private func write(
    _ files: [OutputFile], _ items: Items, _ combined: CombinedOutput?, completion: () -> Void
  ) throws(WriteError) -> WriteSummary {
    var folders: [String] = []
    var leftovers: Leftovers?
    if let combined {
      folders = [Path.join(root, combined.folder)]
    } else if items.contains(.code) {
      folders = OutputPlan.folders(configuration, root: root)
      leftovers = Leftovers(configuration, root: root)
    }
    if items.contains(.operationManifest), let settings = configuration.operationManifest {
      folders.append(Path.parent(of: OutputPlan.manifestPath(settings, root: root)))
    }
    return try OutputWriter(folders: folders).write(
      files, pruning: { () throws(DiskError) in try leftovers?.paths() ?? [] },
      completion: completion)
  }
}

/// Why nothing was generated.
public enum GenerationError: Error, Sendable {
  case configuration(ConfigurationError)
  /// The schema or the operations have errors.
  case invalidInput([Diagnostic], SourceMap)
  /// Files are missing or cannot be read.
  case reading(String)
  /// Files cannot be written, or must not be.
  case writing(String)
}
