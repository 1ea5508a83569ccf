import Foundation

/// The first response that a process decodes.
let firstResponse: [ExperimentMaker] = [
  { try FirstResponse(files: ["small.json", "github.json", "friends1000.json", "feed.json"], $0) }
]

/// The time of the first, the second and later decodings in new processes, beside those of
/// `JSONDecoder` in processes of its own. The bytes are in memory before.
///
/// Nothing but the responses is allocated in such a process, so that the system's part in their
/// memory shows.
private struct FirstResponse: Experiment {
  let title = "Cold start: the first response of a process"
  private let files: [String]

  private static let rounds = 21
  private static let count = 22

  init(files: [String], _ data: BenchmarkData) throws {
    self.files = files
    for file in files { _ = try data.file(file) }
  }

  func table() async throws -> String {
    var rows = [
      ["", "first", "second", "later", "`JSONDecoder`, first", "second", "first, faster"]
    ]
    for file in files {
      // The decoders take turns, so that a slow moment affects both.
      var apollo: [[Duration]] = []
      var codable: [[Duration]] = []
      for _ in 0..<Self.rounds {
        let durations = try FreshProcess.durations(
          of: command(.apollo, file, Self.count), count: Self.count)
        apollo.append(durations.prefix(2) + [median(of: durations.dropFirst(2))])
        codable.append(try FreshProcess.durations(of: command(.codable, file, 2), count: 2))
      }
      let first = FreshProcess.median(apollo, 0)
      let codableFirst = FreshProcess.median(codable, 0)
      rows.append([
        file, text(first), text(FreshProcess.median(apollo, 1)),
        text(FreshProcess.median(apollo, 2)), text(codableFirst),
        text(FreshProcess.median(codable, 1)), String(format: "%.2f×", codableFirst / first),
      ])
    }
    return markdown(rows)
  }

  private func median(of durations: some Sequence<Duration>) -> Duration {
    let sorted = durations.sorted()
    return sorted[sorted.count / 2]
  }

  private func command(_ way: DecodingProcess.Way, _ file: String, _ count: Int) -> [String] {
    DecodingProcess.commandLine(way, file, count: count)
  }
}
