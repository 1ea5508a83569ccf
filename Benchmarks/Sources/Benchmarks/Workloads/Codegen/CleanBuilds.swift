import Foundation

/// The work of whole builds into an empty folder, for each module too, beside those of an earlier
/// revision.
///
/// Times depend on the other work of the machine. What the compiler counts does not: the
/// instructions that it hands to LLVM, and the bytes of the object files.
struct CleanBuilds: Experiment {
  /// The subject of a build.
  enum Subject: String {
    case program = "a program that fetches"
    case tool = "`apollo-cli`"
  }

  let subject: Subject

  var title: String {
    "Clean builds of \(subject.rawValue), and those of revision \(RevisionBuild.unitName)"
  }

  /// The work of the compiler for one module, or for all.
  private struct Work {
    var seconds = 0.0
    var instructions = 0.0
    var bytes = 0.0

    static func + (lhs: Work, rhs: Work) -> Work {
      Work(
        seconds: lhs.seconds + rhs.seconds, instructions: lhs.instructions + rhs.instructions,
        bytes: lhs.bytes + rhs.bytes)
    }
  }

  /// One build.
  private struct Build {
    var elapsed: Duration
    var processorTime: Duration
    /// The largest peak of all processes.
    var peakBytes: Int
    /// The work in the compiler, by module.
    var modules: [String: Work]
  }

  func table() async throws -> String {
    let figures = ["elapsed", "CPU time", "LLVM instructions", "object files", "peak memory"]
    var rows = [[""] + figures.flatMap { [$0, RevisionBuild.unitName, "ratio"] }]
    for configuration in ["debug", "release"] {
      var builds: [Build] = []
      var units: [Build] = []
      for _ in 0..<RevisionBuild.rounds(1) {
        if let unit = RevisionBuild.unit { units.append(try build(configuration, unit)) }
        builds.append(try build(configuration, .current))
      }
      rows += self.rows("\(subject.rawValue), \(configuration)", builds, units)
    }
    return markdown(rows) + (RevisionBuild.unit == nil ? RevisionBuild.missingUnit : "")
  }

  private func rows(_ name: String, _ builds: [Build], _ units: [Build]) -> [[String]] {
    // The median round stands for all, so that its modules add up.
    let build = builds.sorted { $0.processorTime < $1.processorTime }[builds.count / 2]
    let unit = units.sorted { $0.processorTime < $1.processorTime }.dropFirst(units.count / 2).first
    let seconds = { (duration: Duration) in duration / .seconds(1) }
    let total = build.modules.values.reduce(Work(), +)
    let unitTotal = unit?.modules.values.reduce(Work(), +)
    let first =
      [name]
      + cells(
        seconds(median(builds.map(\.elapsed))),
        units.isEmpty ? nil : seconds(median(units.map(\.elapsed))), Self.seconds)
      + cells(
        seconds(median(builds.map(\.processorTime))),
        units.isEmpty ? nil : seconds(median(units.map(\.processorTime))), Self.seconds)
      + cells(total.instructions, unitTotal?.instructions, Self.thousands)
      + cells(total.bytes, unitTotal?.bytes, Self.megabytes)
      + cells(Double(build.peakBytes), unit.map { Double($0.peakBytes) }, Self.megabytes)
    return [first]
      + build.modules.filter { $0.value.seconds >= 0.5 }
      .sorted { $0.value.seconds > $1.value.seconds }.map { module, work in
        let unit = unit?.modules[module]
        return ["– \(module)", "", "", ""]
          + cells(work.seconds, unit?.seconds, Self.seconds)
          + cells(work.instructions, unit?.instructions, Self.thousands)
          + cells(work.bytes, unit?.bytes, Self.megabytes) + ["", "", ""]
      }
  }

  /// A figure, the one of the unit, and their ratio.
  private func cells(
    _ value: Double, _ unit: Double?, _ text: (Double) -> String
  ) -> [String] {
    [text(value), unit.map(text) ?? "", unit.map { ratio(value / $0) } ?? ""]
  }

  private static func seconds(_ value: Double) -> String { String(format: "%.1f s", value) }
  private static func thousands(_ value: Double) -> String { String(format: "%.0f k", value / 1e3) }
  private static func megabytes(_ value: Double) -> String {
    String(format: "%.1f MB", value / 1e6)
  }

  private func build(_ configuration: String, _ revision: RevisionBuild) throws -> Build {
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
      elapsed: run.elapsed, processorTime: run.processorTime, peakBytes: run.peakBytes,
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

  /// Adds up what the compiler wrote down, by module.
  private static func modules(in statistics: URL) throws -> [String: Work] {
    var modules: [String: Work] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: statistics, includingPropertiesForKeys: nil)
    {
      // stats-<time>-swift-frontend-<module>-<input>-….json
      let words = file.lastPathComponent.split(separator: "-", maxSplits: 5)
      guard words.count == 6, words[2] == "swift", words[3] == "frontend" else { continue }
      let values = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
      var work = Work()
      for (key, value) in values ?? [:] {
        guard let value = value as? Double else { continue }
        switch key {
        case "IRModule.NumIRInsts": work.instructions += value
        case "LLVM.NumLLVMBytesOutput": work.bytes += value
        case _ where key.hasPrefix("time.swift-frontend."):
          if key.hasSuffix(".user") || key.hasSuffix(".sys") { work.seconds += value }
        default: break
        }
      }
      modules[String(words[4]), default: Work()] = modules[String(words[4]), default: Work()] + work
    }
    return modules
  }
}
