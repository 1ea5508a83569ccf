public import GraphQLSyntax

/// Generates the Swift code of a project.
///
/// ```swift
/// let configuration = try ApolloCodegenConfiguration(json: text)
/// let report = try Generator(configuration, rootFolder: "/project").generate()
/// ```
///
/// The work itself is done by `GeneratorPipeline`. A generator wraps it twice: it skips a run that
/// its cache knows to change nothing, and it waits while another generator writes to the same
/// folders.
public struct Generator: Sendable {
  private let configuration: ApolloCodegenConfiguration
  private let root: String
  private let cache: GenerationCache?
  private let identify: OperationIdentifierProvider?

  /// The time to wait for another generator that writes to the same folders.
  package var lockTimeout = Duration.seconds(10)
  /// The files that are read and written.
  package var fileSystem: any FileSystem & Sendable = Disk()
  /// `true` if the files that Apollo iOS generated are replaced.
  package var takesOver = false
  /// The clock that measures the wait for another generator.
  package var clock: any WaitingClock = SystemClock()

  /// Creates a generator for one project.
  ///
  /// - Parameters:
  ///   - configuration: The inputs, outputs and options. They are checked when the generator runs.
  ///   - rootFolder: The folder that relative paths of the configuration are relative to.
  ///   - cache: The record of earlier runs. Without it, each run does all of its work.
  ///   - operationIdentifierProvider: Computes the identifiers of operations; without it, they are
  ///     the SHA-256 of the operations' texts. With it, `cache` is not used, because a change of
  ///     the provider could not be detected.
  public init(
    _ configuration: ApolloCodegenConfiguration, rootFolder: String,
    cache: GenerationCache? = nil,
    operationIdentifierProvider: OperationIdentifierProvider? = nil
  ) {
    self.configuration = configuration
    self.cache = operationIdentifierProvider == nil ? cache : nil
    identify = operationIdentifierProvider
    root = Path.normalized(rootFolder)
  }

  /// Reads, checks and renders the project, then writes the files that changed.
  ///
  /// Nothing is written when anything is wrong. While another generator writes to the same folders,
  /// the call waits for some seconds.
  ///
  /// - Parameters:
  ///   - items: The kinds of files to generate.
  ///   - combined: A folder for two files that take the place of the configured output.
  ///   - progress: Called at the start of each step, and once for each folder that is waited for.
  /// - Returns: A report of the files, operations and warnings.
  /// - Throws: ``GenerationError``.
  public func generate(
    _ items: Items = .code, into combined: CombinedOutput? = nil,
    progress: (Step) -> Void = { _ in }
  ) throws(GenerationError) -> Report {
    try run(items, into: combined, isDryRun: false, progress: progress)
  }

  /// Reads, checks and renders the project, and writes nothing.
  ///
  /// - Parameters:
  ///   - items: The kinds of files to generate.
  ///   - combined: A folder for two files that take the place of the configured output.
  ///   - progress: Called at the start of each step.
  /// - Returns: The report that ``generate(_:into:progress:)`` would return, with the files that it
  ///   would write and remove.
  /// - Throws: ``GenerationError``.
  public func changes(
    _ items: Items = .code, into combined: CombinedOutput? = nil,
    progress: (Step) -> Void = { _ in }
  ) throws(GenerationError) -> Report {
    try run(items, into: combined, isDryRun: true, progress: progress)
  }

  /// Generates files like ``generate(_:into:progress:)``, or lists them like
  /// ``changes(_:into:progress:)``.
  package func run(
    _ items: Items, into combined: CombinedOutput?, isDryRun: Bool, progress: (Step) -> Void
  ) throws(GenerationError) -> Report {
    var request = try GenerationRequest(
      configuration, root: root, items: items, combined: combined, identify: identify)
    request.isDryRun = isDryRun
    request.takesOver = takesOver
    let pipeline = GeneratorPipeline(request: request, fileSystem: fileSystem)
    let turns = WriteTurns(fileSystem: fileSystem, clock: clock, timeout: lockTimeout)
    return try turns.perform(waiting: { progress(.waiting(folder: $0)) }) {
      () throws(GenerationError) in try attempt(pipeline, progress)
    }
  }

  private func attempt(
    _ pipeline: GeneratorPipeline, _ progress: (Step) -> Void
  ) throws(GenerationError) -> Report {
    progress(.reading)
    let files = try pipeline.read()
    let entry = cache?.entry(for: pipeline.request, files, in: fileSystem)
    guard let last = entry?.lastRun() else {
      return try pipeline.run(files, progress) { entry?.record($0, $1) }
    }
    return Report(unchangedSince: last)
  }

  /// Explains the models of an operation or a fragment: what is added, what is merged, and why a
  /// property is optional.
  ///
  /// - Parameter name: The name of the operation or fragment, in GraphQL or in Swift.
  /// - Returns: The explanation, if something has the name.
  /// - Throws: ``GenerationError``.
  package func explanation(of name: String) throws(GenerationError) -> Explanation.Result {
    let request = try GenerationRequest(
      configuration, root: root, items: .code, combined: nil, identify: identify)
    return try GeneratorPipeline(request: request, fileSystem: fileSystem).explanation(of: name)
  }

  /// Returns the absolute paths of the files that a run would read besides the configuration.
  ///
  /// - Parameter combined: A folder for two files that take the place of the configured output. The
  ///   user's own sources of the same module are among the files.
  /// - Returns: The paths.
  /// - Throws: ``GenerationError`` if a folder cannot be read.
  public func inputPaths(
    into combined: CombinedOutput? = nil
  ) throws(GenerationError) -> [String] {
    let input = configuration.input
    return try ProjectFiles.paths(input.schemaSearchPaths, root, fileSystem)
      + ProjectFiles.paths(input.operationSearchPaths, root, fileSystem)
      + (combined?.ownFiles(root, fileSystem) ?? [])
  }
}

// MARK: - Items, steps and reports

extension Generator {
  /// The kinds of files that a run generates.
  public struct Items: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: Int

    /// Creates a set of the kinds whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The Swift files.
    public static let code = Items(rawValue: 1)
    /// The operation manifest, if the configuration has one.
    public static let operationManifest = Items(rawValue: 2)
    /// Every kind of file.
    public static let all: Items = [.code, .operationManifest]
  }

  /// A step of a run, for a display of its progress.
  public enum Step: Hashable, Sendable {
    /// The schema and the operations are read.
    case reading
    /// The schema and the operations in these files are checked.
    case checking(fileCount: Int)
    /// The operations and fragments are resolved and named.
    case naming
    /// The code of the operations and fragments is written in memory.
    case rendering(definitionCount: Int)
    /// Changed files are written.
    case writing(fileCount: Int)
    /// The run waits for another generator that writes to `folder`.
    ///
    /// All earlier steps are repeated afterwards, because the inputs may have changed.
    case waiting(folder: String)
  }

  /// The result of a run.
  public struct Report: Sendable {
    /// The files that were written and removed.
    public internal(set) var summary = WriteSummary()
    /// The number of operations in the project.
    public internal(set) var operationCount = 0
    /// The number of named fragments in the project.
    public internal(set) var fragmentCount = 0
    /// Warnings, in the order of the sources.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// The sources that the spans of the diagnostics refer to.
    public internal(set) var sources = SourceMap()
    /// The change from the code of Apollo iOS, if its files are replaced.
    package internal(set) var migration: Migration?
  }
}
