import Foundation

/// The instructions that the compiler takes for the code of a small real project, beside those for
/// the code of an earlier revision.
///
/// Times of the compiler differ by a tenth between two runs, and by more beside other work. Its
/// instructions, which valgrind's cachegrind counts, are the same in every run to a thousandth, so
/// that one run shows the gain of one change.
struct CompilerInstructions: Experiment {
  let title =
    "Instructions of the compiler for the GitHub sample, and by revision "
    + RevisionBuild.unitName
  private let current: GenerationProject
  private let unit: GenerationProject?

  init(_ data: BenchmarkData) throws {
    // The corpus lies beside the data of the benchmarks.
    let place = try data.file("../corpus/real/github-apollo-ios").standardized.path
    let project = { build in
      try GenerationProject(
        schema: "\(place)/schema.graphql", operations: "\(place)/operations/**/*.graphql",
        build: build)
    }
    current = try project(.current)
    unit = try RevisionBuild.unit.map(project)
  }

  func table() async throws -> String {
    for project in [current, unit] { _ = try project?.generate() }
    var rows = [["", "instructions", RevisionBuild.unitName, "ratio"]]
    for option in ["-O", "-Onone"] {
      guard let count = try instructions(of: current, option) else {
        return "valgrind is missing (apt-get install valgrind)."
      }
      let unitCount = try unit.flatMap { try instructions(of: $0, option) }
      rows.append([
        "`\(option)`", grouped(UInt64(count)), unitCount.map { grouped(UInt64($0)) } ?? "",
        unitCount.map { ratio(Double(count) / Double($0)) } ?? "",
      ])
    }
    return markdown(rows) + (unit == nil ? RevisionBuild.missingUnit : "")
  }

  /// The instructions of one compilation, or `nil` without valgrind.
  private func instructions(of project: GenerationProject, _ option: String) throws -> Int? {
    let report = project.folder.appendingPathComponent("cachegrind").path
    // The frontend itself: the driver would start it as a process of its own.
    let command =
      [
        "valgrind", "--quiet", "--tool=cachegrind", "--cache-sim=no",
        "--cachegrind-out-file=\(report)", "swift-frontend", "-frontend", "-c", option,
        "-enable-default-cmo", "-parse-as-library", "-swift-version", "6", "-module-name", "API",
        "-I", project.build.modules, "-o", project.folder.appendingPathComponent("API.o").path,
      ] + (try project.files().map(\.path))
    guard try ProcessMeter.run(command) != nil else { return nil }
    // The last line is "summary: 2503000000".
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    guard let words = lines.last?.split(separator: " "), words.count == 2, words[0] == "summary:",
      let count = Int(words[1])
    else { throw MissingData(path: report) }
    return count
  }
}
