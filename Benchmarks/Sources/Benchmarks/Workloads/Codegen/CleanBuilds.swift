import Foundation

/// The time of whole builds into an empty folder, for each module too, beside those of an earlier
/// revision.
struct CleanBuilds: Experiment {
  let title = "Clean builds, and those of revision 566d210"

  /// The subject of a build.
  private enum Subject: String, CaseIterable {
    case program = "a program that fetches"
    case tool = "`apollo-cli`"
  }

  /// The times of one build.
  private struct Build {
    var elapsed: Duration
    var processorTime: Duration
    /// The processor's time in the compiler, by module.
    var modules: [String: Double]
  }

  func table() async throws -> String {
    var rows = [["", "elapsed", "566d210", "ratio", "CPU time", "566d210", "ratio"]]
    for subject in Subject.allCases {
      for configuration in ["debug", "release"] {
        var builds: [Build] = []
        var units: [Build] = []
        for _ in 0..<RevisionBuild.rounds(1) {
          if let unit = RevisionBuild.unit { units.append(try build(subject, configuration, unit)) }
          builds.append(try build(subject, configuration, .current))
        }
        rows += self.rows("\(subject.rawValue), \(configuration)", builds, units)
      }
    }
    return markdown(rows) + (RevisionBuild.unit == nil ? RevisionBuild.missingUnit : "")
  }

  private func rows(_ name: String, _ builds: [Build], _ units: [Build]) -> [[String]] {
    let elapsed = median(builds.map(\.elapsed))
    let processor = median(builds.map(\.processorTime))
    var total = [name, text(elapsed), "", "", text(processor), "", ""]
    if !units.isEmpty {
      let unitElapsed = median(units.map(\.elapsed))
      let unitProcessor = median(units.map(\.processorTime))
      total = [
        name, text(elapsed), text(unitElapsed), ratio(elapsed / unitElapsed), text(processor),
        text(unitProcessor), ratio(processor / unitProcessor),
      ]
    }
    // The median round stands for all, so that its modules add up.
    let modules = builds.sorted { $0.processorTime < $1.processorTime }[builds.count / 2].modules
    let unitModules =
      units.isEmpty
      ? [:] : units.sorted { $0.processorTime < $1.processorTime }[units.count / 2].modules
    return [total]
      + modules.filter { $0.value >= 0.5 }.sorted { $0.value > $1.value }.map { module, seconds in
        let unit = unitModules[module]
        return [
          "– \(module)", "", "", "", String(format: "%.1f s", seconds),
          unit.map { String(format: "%.1f s", $0) } ?? "", unit.map { ratio(seconds / $0) } ?? "",
        ]
      }
  }

  private func build(
    _ subject: Subject, _ configuration: String, _ revision: RevisionBuild
  ) throws -> Build {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-swift-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let statistics = folder.appendingPathComponent("statistics")
    try FileManager.default.createDirectory(at: statistics, withIntermediateDirectories: true)
    let package: String
    switch subject {
    case .program:
      package = folder.appendingPathComponent("program").path
      try write(to: URL(fileURLWithPath: package), dependingOn: revision.package)
    case .tool: package = revision.package
    }
    let command = [
      "swift", "build", "--package-path", package, "--configuration", configuration,
      "--scratch-path", folder.appendingPathComponent("build").path, "--product",
      subject == .program ? "Program" : "apollo-cli",
      "-Xswiftc", "-stats-output-dir", "-Xswiftc", statistics.path,
    ]
    guard let run = try ProcessMeter.run(command) else { throw MissingData(path: "swift") }
    return Build(
      elapsed: run.elapsed, processorTime: run.processorTime,
      modules: try Self.modules(in: statistics))
  }

  /// Writes a package with a program that sends one query.
  private func write(to folder: URL, dependingOn package: String) throws {
    let sources = folder.appendingPathComponent("Sources/Program")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try """
    // swift-tools-version: 6.1
    import PackageDescription

    let package = Package(
      name: "Program",
      platforms: [.macOS(.v13)],
      dependencies: [.package(name: "apollo-swift", path: "\(package)")],
      targets: [
        .executableTarget(
          name: "Program", dependencies: [.product(name: "Apollo", package: "apollo-swift")])
      ]
    )
    """.write(
      to: folder.appendingPathComponent("Package.swift"), atomically: false, encoding: .utf8)
    try """
    import Apollo
    import Foundation

    struct Query<Operation: GraphQLQuery> {
      var operation: Operation
      func fetch(_ client: ApolloClient) async throws -> Operation.Data? {
        try await client.fetch(query: operation).data
      }
    }

    print(ApolloClient(url: URL(string: "http://localhost:8000/graphql")!))
    """.write(
      to: sources.appendingPathComponent("main.swift"), atomically: false, encoding: .utf8)
  }

  /// Adds up the seconds of the processor that the compiler wrote down, by module.
  private static func modules(in statistics: URL) throws -> [String: Double] {
    var seconds: [String: Double] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: statistics, includingPropertiesForKeys: nil)
    {
      // stats-<time>-swift-frontend-<module>-<input>-….json
      let words = file.lastPathComponent.split(separator: "-", maxSplits: 5)
      guard words.count == 6, words[2] == "swift", words[3] == "frontend" else { continue }
      let values = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
      for (key, value) in values ?? [:]
      where key.hasPrefix("time.swift-frontend.")
        && (key.hasSuffix(".user") || key.hasSuffix(".sys"))
      {
        seconds[String(words[4]), default: 0] += value as? Double ?? 0
      }
    }
    return seconds
  }
}
