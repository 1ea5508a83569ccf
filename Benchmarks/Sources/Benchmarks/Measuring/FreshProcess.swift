import Foundation

/// Runs this program again to measure what only a new process does.
enum FreshProcess {
  /// Runs a command that prints durations in nanoseconds.
  ///
  /// - Throws: ``ProcessMeter/UnexpectedExit`` when it does not print that many.
  static func durations(of command: [String], count: Int) throws -> [Duration] {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let durations = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    guard durations.count == count else {
      throw ProcessMeter.UnexpectedExit(command: command, code: Int(process.terminationStatus))
    }
    return durations.map { .nanoseconds($0) }
  }

  /// The median of one of the durations over several processes.
  static func median(_ processes: [[Duration]], _ index: Int) -> Duration {
    processes.map { $0[index] }.sorted()[processes.count / 2]
  }
}
