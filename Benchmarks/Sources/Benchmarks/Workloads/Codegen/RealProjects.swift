import Foundation

/// The amount of code for whole projects, and the time and machine code that it takes to compile,
/// beside what an earlier revision generates for the same projects.
///
/// Compilations take turns: in each round, every project is compiled once by either revision.
struct RealProjects: Experiment {
  let title = "Code generated for real projects, and by revision \(RevisionBuild.unitName)"

  private struct Subject {
    var name: String
    var isOptimized: Bool
    var current: GenerationProject
    var unit: GenerationProject?
  }
  private var subjects: [Subject] = []

  init(_ data: BenchmarkData) throws {
    for (name, folder) in [
      ("animal kingdom", "animalkingdom"), ("Star Wars", "starwars"),
      ("GitHub sample", "github-apollo-ios"),
    ] {
      // The corpus lies beside the data of the benchmarks.
      let place = try data.file("../corpus/real/\(folder)").standardized.path
      let project = { build in
        try GenerationProject(
          schema: "\(place)/schema.graphql", operations: "\(place)/operations/**/*.graphql",
          build: build)
      }
      let current = try project(.current)
      let unit = try RevisionBuild.unit.map(project)
      for isOptimized in [true, false] {
        subjects.append(
          Subject(name: name, isOptimized: isOptimized, current: current, unit: unit))
      }
    }
  }

  func table() async throws -> String {
    for subject in subjects where subject.isOptimized {
      for project in [subject.current, subject.unit] { _ = try project?.generate() }
    }
    var compilations: [[(current: Compilation, unit: Compilation?)]] = subjects.map { _ in [] }
    for _ in 0..<RevisionBuild.rounds(3) {
      for (index, subject) in subjects.enumerated() {
        let unit = try subject.unit.map {
          try Compilation(of: $0, isOptimized: subject.isOptimized)
        }
        let current = try Compilation(of: subject.current, isOptimized: subject.isOptimized)
        compilations[index].append((current, unit))
      }
    }
    var rows = [
      [
        "", "lines", "`swiftc -wmo`, CPU time", RevisionBuild.unitName, "ratio", "machine code",
        RevisionBuild.unitName, "ratio",
      ]
    ]
    for (subject, rounds) in zip(subjects, compilations) {
      rows.append(try row(subject, rounds))
    }
    return markdown(rows) + (RevisionBuild.unit == nil ? RevisionBuild.missingUnit : "")
  }

  private func row(
    _ subject: Subject, _ rounds: [(current: Compilation, unit: Compilation?)]
  ) throws -> [String] {
    let time = median(rounds.map(\.current.processorTime))
    let unitTimes = rounds.compactMap(\.unit?.processorTime)
    let unitTime = unitTimes.isEmpty ? nil : median(unitTimes)
    // The same code has the same size in every round.
    let size = rounds[0].current.codeSize
    let unitSize = rounds[0].unit?.codeSize
    return [
      "\(subject.name), `\(subject.isOptimized ? "-O" : "-Onone")`",
      String(try subject.current.lineCount()),
      text(time), unitTime.map(text) ?? "", unitTime.map { ratio(time / $0) } ?? "",
      kilobytes(size), unitSize.map(kilobytes) ?? "",
      unitSize.map { ratio(Double(size) / Double($0)) } ?? "",
    ]
  }

  private func kilobytes(_ count: Int) -> String { String(format: "%.0f KB", Double(count) / 1e3) }
}

/// A ratio as text, such as `0.80×`.
func ratio(_ value: Double) -> String { String(format: "%.2f×", value) }
