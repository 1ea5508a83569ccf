import Foundation

extension Workload {
  /// The work of graphql-js in a warm process of its own.
  ///
  /// - Parameters:
  ///   - task: One of the tasks of `Baselines/graphql-js.js`.
  ///   - file: What the task works on.
  /// - Returns: A workload without samples when Node or the library is not installed.
  static func graphQLJS(_ task: String, _ file: URL) -> Workload {
    .external("graphql-js, warm") {
      let script = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../../Baselines/graphql-js.js").standardized
      let output = Pipe()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["node", script.path, task, file.path]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text.split(separator: "\n").compactMap { Int64($0).map(Duration.nanoseconds) }
    }
  }
}
