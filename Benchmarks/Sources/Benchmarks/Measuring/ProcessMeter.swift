import Foundation

/// Runs programs and measures them from outside.
enum ProcessMeter {
  struct Run {
    var elapsed: Duration
    var peakBytes: Int
    /// The time of all processors, which other processes of the machine change less than `elapsed`.
    var processorTime: Duration
    /// The part of `processorTime` outside of the kernel, such as without the creation of files.
    var userTime: Duration
  }

  /// The meter, a program in the same folder as this one.
  static func neighbour(_ name: String) -> String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }

  /// Runs a program to its end.
  ///
  /// - Returns: The resources that it took, or `nil` when it or something that it needs is missing.
  /// - Throws: ``UnexpectedExit`` when it fails.
  static func run(_ command: [String]) throws -> Run? {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: neighbour("process-meter"))
    process.arguments = command
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    guard numbers.count == 5 else { throw UnexpectedExit(command: command, code: -1) }
    // 127: the program is missing. 3: graphql-js is missing.
    if numbers[2] == 127 || numbers[2] == 3 { return nil }
    guard numbers[2] == 0 else { throw UnexpectedExit(command: command, code: Int(numbers[2])) }
    return Run(
      elapsed: .nanoseconds(numbers[0]), peakBytes: Int(numbers[1]),
      processorTime: .nanoseconds(numbers[3]), userTime: .nanoseconds(numbers[4]))
  }

  struct UnexpectedExit: Error {
    var command: [String]
    var code: Int
  }
}
