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
        apollo.append(try Self.durations(.apollo, file))
        codable.append(try Self.durations(.codable, file))
      }
      let first = Self.median(apollo, 0)
      let codableFirst = Self.median(codable, 0)
      rows.append([
        file, text(first), text(Self.median(apollo, 1)), text(codableFirst),
        text(Self.median(codable, 1)), String(format: "%.2f×", codableFirst / first),
      ])
    }
    return markdown(rows)
  }

  private static func median(_ rounds: [[Duration]], _ index: Int) -> Duration {
    rounds.map { $0[index] }.sorted()[rounds.count / 2]
  }

  /// The durations of two decodings in a new process.
  private static func durations(_ way: DecodingProcess.Way, _ file: String) throws -> [Duration] {
    let command = DecodingProcess.commandLine(way, file, count: 2)
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let durations = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    guard durations.count == 2 else {
      throw ProcessMeter.UnexpectedExit(command: command, code: Int(process.terminationStatus))
    }
    return durations.map { .nanoseconds($0) }
  }
}
