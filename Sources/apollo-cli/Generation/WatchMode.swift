import ApolloCodegenLib

/// The mode `apollo-cli generate --watch`: generates whenever something changes, until the process
/// ends.
///
/// 1. Collect the stamps of all inputs, and generate.
/// 2. Collect them again a few times a second. This works on every file system, including network
///    file systems without notifications.
/// 3. When they differ and have been the same twice, read the configuration again, and continue
///    with step 1.
struct WatchMode {
  /// The shortest time between two scans.
  private static let interval = Duration.milliseconds(200)
  /// The reciprocal of the share of time that scans may take, so that watching a large folder costs
  /// little.
  private static let share = 20

  private let arguments: ParsedArguments
  private var file: ConfigurationFile
  private let combined: CombinedOutput?

  init(_ file: ConfigurationFile, into combined: CombinedOutput?, _ arguments: ParsedArguments) {
    self.file = file
    self.combined = combined
    self.arguments = arguments
  }

  /// Returns when the task is cancelled.
  mutating func run() async -> ExitCode {
    var seen = scan()
    generate()
    while let changed = await nextScan(from: seen) {
      seen = changed
      reload()
      generate()
    }
    return .success
  }

  private func generate() {
    _ = Generation.run(
      .code, of: file, into: combined, mode: .write, isVerbose: arguments.has("verbose"))
    Terminal.status("Watching for changes. End with Control-C.")
  }

  /// Reads the configuration again. If it has errors or is gone, that is reported, and the last
  /// good one stays in use. One in a folder above would be that of another project.
  private mutating func reload() {
    do {
      file = try ConfigurationFile(arguments, at: file.path)
    } catch {
      if !error.message.isEmpty { Terminal.failure(error.message) }
    }
  }

  /// Waits for a change, and until it has settled: an editor may write several files, or one in
  /// several steps.
  private func nextScan(from seen: [String: String]) async -> [String: String]? {
    let clock = ContinuousClock()
    var last = seen
    while true {
      let began = clock.now
      let current = scan()
      if current != seen, current == last { return current }
      last = current
      let pause = max(Self.interval, (clock.now - began) * Self.share)
      guard (try? await Task.sleep(for: pause)) != nil else { return nil }
    }
  }

  /// Returns the stamp of every input, by path. For a link, both the link and its file have one.
  private func scan() -> [String: String] {
    let generator = Generator(file.configuration, rootFolder: file.rootFolder)
    // The next run of the generator reports a folder that cannot be read.
    let inputs = (try? generator.inputPaths(into: combined)) ?? []
    let paths = inputs + (file.path.map { [$0] } ?? [])
    var stamps: [String: String] = [:]
    let fileSystem = Environment.fileSystem
    for path in paths {
      stamps[path] = fileSystem.stamp(of: path)
      if fileSystem.kind(of: path) == .symbolicLink, let target = fileSystem.resolved(path) {
        stamps[target] = fileSystem.stamp(of: target)
      }
    }
    return stamps
  }
}
