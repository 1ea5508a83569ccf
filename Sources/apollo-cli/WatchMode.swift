import ApolloCodegenLib

/// `apollo-cli generate --watch`: generates, waits until something has changed, and so on until the process is ended.
///
/// Files are looked at a few times a second; that works the same on every file system, also on those that are mounted from
/// elsewhere and tell nobody of changes.
struct WatchMode {
  /// How long to wait between two looks, at least.
  private static let interval = Duration.milliseconds(200)
  /// A look may take this part of the time, so that watching a huge folder costs little.
  private static let share = 20

  private let arguments: ParsedArguments
  private var file: ConfigurationFile

  init(_ file: ConfigurationFile, _ arguments: ParsedArguments) {
    self.file = file
    self.arguments = arguments
  }

  /// Returns when the task is cancelled.
  mutating func run() async -> ExitCode {
    var seen = look()
    generate()
    while let changed = await changedLook(from: seen) {
      seen = changed
      reload()
      generate()
    }
    return .success
  }

  private func generate() {
    _ = Generation.run(file, .code, isVerbose: arguments.has("verbose"))
    Terminal.print("Watching for changes. End with Control-C.")
  }

  /// A configuration that cannot be read is told, and the last good one stays.
  private mutating func reload() {
    do {
      file = try ConfigurationFile(arguments)
    } catch {
      Terminal.error("error: \(error.message)")
    }
  }

  /// Waits for a difference, and then until it has settled: an editor may write several files, or one in several steps.
  private func changedLook(from seen: [String: String]) async -> [String: String]? {
    let clock = ContinuousClock()
    var last = seen
    while true {
      let began = clock.now
      let current = look()
      if current != seen, current == last { return current }
      last = current
      let pause = max(Self.interval, (clock.now - began) * Self.share)
      guard (try? await Task.sleep(for: pause)) != nil else { return nil }
    }
  }

  /// The stamp of every input, by path.
  private func look() -> [String: String] {
    let generator = Generator(file.configuration, rootFolder: file.rootFolder)
    // A folder that cannot be read at the moment is what the next run of the generator complains about.
    let paths = ((try? generator.inputPaths()) ?? []) + (file.path.map { [$0] } ?? [])
    var stamps: [String: String] = [:]
    for path in paths { stamps[path] = GenerationCache.stamp(of: path) }
    return stamps
  }
}
