import Foundation

extension Workload {
  /// The work of graphql-js in a warm process of its own, one sample in each turn.
  ///
  /// - Parameters:
  ///   - task: One of the tasks of `Baselines/graphql-js.js`.
  ///   - files: The input of the task.
  /// - Returns: A workload without samples when Node or the library is not installed.
  static func graphQLJS(_ task: String, _ files: URL...) -> Workload {
    let process = WarmGraphQLJS([task] + files.map(\.path))
    return .remote("graphql-js, warm") { try process.sample() }
  }
}

/// The script that runs graphql-js.
let graphQLJSScript = URL(fileURLWithPath: #filePath)
  .appendingPathComponent("../../../../../Baselines/graphql-js.js").standardized.path

/// A process that runs a task on request.
private final class WarmGraphQLJS {
  private let arguments: [String]
  private var process: Process?
  private let input = Pipe()
  private let output = Pipe()
  /// The output that belongs to later requests.
  private var rest = ""

  init(_ arguments: [String]) { self.arguments = arguments }

  deinit { process?.terminate() }

  /// The time that the task took, or `nil` when the process cannot run it.
  func sample() throws -> Duration? {
    if process == nil { try start() }
    guard let process, process.isRunning else { return nil }
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    while !rest.contains("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      rest += String(decoding: data, as: UTF8.self)
    }
    let line = rest.prefix { $0 != "\n" }
    rest = String(rest.dropFirst(line.count + 1))
    return Int64(line).map(Duration.nanoseconds)
  }

  private func start() throws {
    // The process may end before a request; writing to it then fails without a signal.
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["node", graphQLJSScript, "warm"] + arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
  }
}
