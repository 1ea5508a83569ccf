import ApolloIR
import GraphQLSyntax
import SwiftSource

/// The way from the files of a project to generated files.
///
/// Each stage is one function. Only the stages `read`, `check` and `name` can make their outputs,
/// so later stages need no checks:
///
/// 1. ``read()``: search paths → ``ProjectFiles``
/// 2. ``check(_:_:)``: ``ProjectFiles`` → ``CheckedProject``
/// 3. ``lower(_:)``: ``CheckedProject`` → `Program`
/// 4. ``name(_:_:)``: `Program` → ``NamedProgram``
/// 5. ``render(_:_:)``: ``NamedProgram`` → [``OutputFile``]
/// 6. ``write(_:completion:)``: [``OutputFile``] → ``WriteSummary``
///
/// Files are read and written through `fileSystem` only. Problems of the inputs leave through the
/// ``DiagnosticCollector`` only.
struct GeneratorPipeline {
  let request: GenerationRequest
  let fileSystem: any FileSystem

  private var configuration: ApolloCodegenConfiguration { request.configuration }

  /// Performs all stages after the first one.
  ///
  /// - Parameters:
  ///   - files: The output of the first stage.
  ///   - progress: Called at the start of each step.
  ///   - completion: Called with the output files and the report, when all files are written and no
  ///     other generator can write yet.
  /// - Returns: The report of the run.
  /// - Throws: ``GenerationError``. Then no file has changed.
  func run(
    _ files: ProjectFiles, _ progress: (Generator.Step) -> Void,
    completion: ([OutputFile], Generator.Report) -> Void
  ) throws(GenerationError) -> Generator.Report {
    var diagnostics = DiagnosticCollector()
    let userFiles = UserFiles.read(
      configuration, root: request.root, into: request.combined, fileSystem)
    progress(.checking(fileCount: files.schema.count + files.operations.count))
    let project = try check(files, &diagnostics)
    progress(.naming)
    let program = lower(project)
    let named = try name(program, &diagnostics)
    try diagnostics.add(program.documentProblems)
    progress(.rendering(definitionCount: program.definitions.count))
    let output = try render(named, project.sources)
    // A build plugin compiles the code as a part of the target, whose own names come first.
    if request.combined == nil { try diagnostics.add(shadowedNames(named, output)) }
    try diagnostics.add(
      ProjectRemarks.diagnostics(project.document, configuration, userFiles)
        + KeyCasts.diagnostics(
          userFiles.configuration,
          at: Path.display(userFiles.configurationPath, from: request.root))
        + OrphanedScalars.diagnostics(
          userFiles, besides: Set(output.map(\.path) + output.flatMap(\.formerPaths)),
          root: request.root))
    progress(.writing(fileCount: output.count))
    var report = Generator.Report(named, diagnostics)
    if request.takesOver { report.migration = try migration(to: output) }
    report.summary = try write(output) {
      completion(output, report)
    }
    return report
  }

  /// Explains the models of an operation or a fragment, and writes nothing.
  ///
  /// - Parameter name: The name of the operation or fragment, in GraphQL or in Swift.
  /// - Returns: The explanation, if something has the name.
  /// - Throws: ``GenerationError`` if the project has errors.
  func explanation(of name: String) throws(GenerationError) -> Explanation.Result {
    var diagnostics = DiagnosticCollector()
    let project = try check(try read(), &diagnostics)
    let named = try self.name(lower(project), &diagnostics)
    try diagnostics.add(named.program.documentProblems)
    return Explanation.text(of: name, in: named, project.sources)
  }
}

// MARK: - Stages

extension GeneratorPipeline {
  /// Reads the files that the search paths of the configuration match.
  func read() throws(GenerationError) -> ProjectFiles {
    try ProjectFiles.read(configuration, root: request.root, fileSystem)
  }

  /// Builds the schema, parses the operations and validates them.
  func check(
    _ files: ProjectFiles, _ diagnostics: inout DiagnosticCollector
  ) throws(GenerationError) -> CheckedProject {
    try CheckedProject.check(files, configuration, &diagnostics)
  }

  /// Resolves every name of the operations against the schema, and merges the fields of fragments.
  func lower(_ project: CheckedProject) -> Program {
    ApolloIR.lower(
      project.document, configuration: configuration.validation,
      merging: configuration.mergingOptions,
      options: configuration.loweringOptions, initializers: configuration.initializerOptions)
  }

  /// Gives everything in the program a Swift name.
  func name(
    _ program: Program, _ diagnostics: inout DiagnosticCollector
  ) throws(GenerationError) -> NamedProgram {
    try NamedProgram.name(program, configuration, &diagnostics)
  }

  /// Plans the files, then makes the text of each.
  ///
  /// - Parameters:
  ///   - program: The output of the stage before.
  ///   - sources: The sources of the operations, beside which their files may be.
  /// - Returns: The files, with their paths and texts.
  /// - Throws: ``GenerationError`` if the user's own sources cannot be read.
  func render(
    _ program: NamedProgram, _ sources: SourceMap
  ) throws(GenerationError) -> [OutputFile] {
    let folders = program.program.definitions.map { definition in
      Path.parent(of: sources.sources[sources.sourceIndex(at: definition.span.start)].name)
    }
    let renderer = Renderer(
      program, configuration, folders: folders, identify: request.identify)
    var files: [OutputFile] = []
    if request.items.contains(.code) {
      let plan = OutputPlan(program, configuration, sources, root: request.root)
      let fileRenderer = FileRenderer(renderer)
      files +=
        try request.combined?.files(plan, fileRenderer, root: request.root, fileSystem)
        ?? plan.files(fileRenderer)
    }
    if request.items.contains(.operationManifest) {
      files += OperationManifestText(renderer).file(root: request.root)
    }
    return files
  }

  /// Returns the warnings about names that get their first files.
  private func shadowedNames(_ program: NamedProgram, _ files: [OutputFile]) -> [Diagnostic] {
    // Most programs have none of these names, and need no look at the files.
    var paths: [String: [String]]?
    return ShadowedNames.diagnostics(
      program, hasMocks: configuration.output.testMocks != .none,
      isNew: { name in
        let known = paths ?? Dictionary(grouping: files.map(\.path), by: Path.name(of:))
        paths = known
        return known[name]?.contains { fileSystem.kind(of: $0) == nil } ?? false
      })
  }

  /// Writes the files that changed, and removes those that are not generated any more.
  ///
  /// - Parameters:
  ///   - files: The output of the stage before.
  ///   - completion: Called when everything is written, before another generator can write.
  /// - Returns: The changes.
  /// - Throws: ``GenerationError``. Then no file has changed.
  func write(
    _ files: [OutputFile], completion: () -> Void
  ) throws(GenerationError) -> WriteSummary {
    let writer = OutputWriter(
      folders: request.writtenFolders, fileSystem: fileSystem, takesOver: request.takesOver)
    let leftovers = request.leftovers
    let candidates = { () throws(DiskError) in try leftovers?.paths(in: fileSystem) ?? [] }
    do {
      guard !request.isDryRun else { return try writer.plan(files, pruning: candidates) }
      return try writer.write(files, pruning: candidates, completion: completion)
    } catch {
      throw GenerationError(.writing(error))
    }
  }
}

// MARK: - Migration

extension GeneratorPipeline {
  /// Compares the code of Apollo iOS with the files that take its place.
  private func migration(to files: [OutputFile]) throws(GenerationError) -> Migration {
    do {
      return Migration(
        files, leftovers: try request.leftovers?.paths(in: fileSystem) ?? [],
        former: FormerCode.paths(in: request.root, fileSystem),
        namespace: configuration.schemaNamespace, fileSystem)
    } catch {
      throw GenerationError(.reading(error))
    }
  }
}

// MARK: - Options of the stages

extension ApolloCodegenConfiguration {
  fileprivate var mergingOptions: MergingOptions {
    MergingOptions(rawValue: experimentalFeatures.fieldMerging.rawValue)
  }

  fileprivate var initializerOptions: InitializerOptions {
    var initializers = InitializerOptions()
    initializers.operations = options.selectionSetInitializers.operations
    initializers.namedFragments = options.selectionSetInitializers.namedFragments
    initializers.definitionsNamed = options.selectionSetInitializers.definitionsNamed
    return initializers
  }

  fileprivate var loweringOptions: LoweringOptions {
    var lowering: LoweringOptions = []
    if options.reduceGeneratedSchemaTypes { lowering.insert(.reducedTypes) }
    if experimentalFeatures.legacySafelistingCompatibleOperations {
      lowering.insert(.legacyDocuments)
    }
    return lowering
  }
}

// MARK: - Reports

extension Generator.Report {
  fileprivate init(_ named: NamedProgram, _ collected: DiagnosticCollector) {
    let definitions = named.program.definitions
    fragmentCount = definitions.count { $0.kind == .fragment }
    operationCount = definitions.count - fragmentCount
    (diagnostics, sources) = (collected.diagnostics, collected.sources)
  }

  /// Creates the report of a run whose files are known to be up to date. It repeats the warnings of
  /// the last run.
  init(unchangedSince last: GenerationCache.Run) {
    summary = WriteSummary(unchangedCount: last.fileCount)
    (operationCount, fragmentCount) = (last.operationCount, last.fragmentCount)
    (diagnostics, sources) = (last.warnings.diagnostics, last.warnings.sources)
  }
}
