import Foundation

/// The first response that a process decodes.
let firstResponse: [ExperimentMaker] = [
  { try FirstResponse(files: ["small.json", "github.json", "friends1000.json", "feed.json"], $0) }
]

/// The time of the first and second decoding in new processes, beside those of `JSONDecoder` in
/// processes of its own. The bytes are in memory before.
private struct FirstResponse: Experiment {
  let title = "Cold start: the first response of a process"
  private let files: [String]

  private static let rounds = 21

  init(files: [String], _ data: BenchmarkData) throws {
    self.files = files
    for file in files { _ = try data.file(file) }
  }

  func table() async throws -> String {
    var rows = [["", "first", "second", "`JSONDecoder`, first", "second", "first, faster"]]
    for file in files {
      // The decoders take turns, so that a slow moment affects both.
      var apollo: [[Duration]] = []
      var codable: [[Duration]] = []
      for _ in 0..<Self.rounds {
        apollo.append(try FreshProcess.durations(of: command(.apollo, file), count: 2))
        codable.append(try FreshProcess.durations(of: command(.codable, file), count: 2))
      }
      let first = FreshProcess.median(apollo, 0)
      let codableFirst = FreshProcess.median(codable, 0)
      rows.append([
        file, text(first), text(FreshProcess.median(apollo, 1)), text(codableFirst),
        text(FreshProcess.median(codable, 1)), String(format: "%.2f×", codableFirst / first),
      ])
    }
    return markdown(rows)
  }

  private func command(_ way: DecodingProcess.Way, _ file: String) -> [String] {
    DecodingProcess.commandLine(way, file, count: 2)
  }
}
