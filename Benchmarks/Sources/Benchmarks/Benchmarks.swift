import Foundation

/// Every comparison there is, in the order of the output. A new file under `Workloads` adds its
/// line here.
private let registry: [@Sendable (BenchmarkData) throws -> Comparison] =
  responseDecoding + modelUse + parsing + validation + memoryCaching + diskCaching + watching

/// `Benchmarks [filter]` measures the comparisons and workloads whose names contain the filter.
@main
struct Benchmarks {
  static func main() async throws {
    let filter = CommandLine.arguments.dropFirst().first ?? ""
    let data = BenchmarkData()
    var missing: [MissingData] = []
    var isNothingFound = true
    for makeComparison in registry {
      do {
        guard let comparison = try makeComparison(data).matching(filter) else { continue }
        isNothingFound = false
        let measurements = try await comparison.measure()
        print("### \(comparison.title)\n\n\(comparison.table(of: measurements))\n")
      } catch let problem as MissingData {
        missing.append(problem)
      }
    }
    for problem in missing { complain("Not measured: \(problem)") }
    guard isNothingFound else { return }
    if missing.isEmpty {
      complain("Nothing is called '\(filter)'. Run without a filter to see every name.")
    }
    exit(1)
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }
}

extension Comparison {
  /// The part of this comparison that `filter` names: all of it when the title contains the filter,
  /// else the workloads whose names do, together with the baseline.
  fileprivate func matching(_ filter: String) -> Comparison? {
    func names(_ text: String) -> Bool {
      filter.isEmpty || text.range(of: filter, options: .caseInsensitive) != nil
    }
    if names(title) { return self }
    guard workloads.contains(where: { names($0.name) }) else { return nil }
    var part = self
    part.workloads = workloads.filter { $0.name == baseline || names($0.name) }
    return part
  }
}
