#if os(Linux)
  import Foundation

  /// The instructions of calls, which other programs do not change.
  let callInstructions: [ExperimentMaker] = [
    { data in
      CallInstructions(server: try LoopbackServer(["small": data.file("small.json")]))
    }
  ]

  /// The instructions of one small POST, in the threads of the program and without the kernel, as
  /// valgrind's callgrind counts them. What a process does once is not a part: it is the difference
  /// between processes with many and with few calls.
  private struct CallInstructions: Experiment {
    let title = "Instructions of one small POST on a kept connection"
    let server: LoopbackServer

    private static let ways: [FetchingProcess.Way] = [.curl, .bare, .withoutCache, .apollo]
    private static let counts = (few: 100, many: 400)

    func table() async throws -> String {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer {
        try? FileManager.default.removeItem(at: folder)  // the system removes what is left
        withExtendedLifetime(server) {}
      }
      let program = try withoutDebugInformation(in: folder)
      var rows = [["", "instructions", "of libcurl's in C"]]
      var baseline: Int?
      for way in Self.ways {
        guard let few = try count(way, Self.counts.few, program),
          let many = try count(way, Self.counts.many, program)
        else { return "valgrind is missing (apt-get install valgrind)." }
        let instructions = (many - few) / (Self.counts.many - Self.counts.few)
        baseline = baseline ?? instructions
        let ratio = Double(instructions) / Double(max(1, baseline ?? 1))
        rows.append([way.rawValue, grouped(UInt64(instructions)), String(format: "%.2f×", ratio)])
      }
      return markdown(rows)
    }

    /// Returns the path of a copy of this program without debug information, which valgrind cannot
    /// read as Swift writes it.
    private func withoutDebugInformation(in folder: URL) throws -> String {
      let copy = folder.appending(path: "Benchmarks").path
      let arguments = ["strip", "--strip-debug", "-o", copy, CommandLine.arguments[0]]
      let process = try Process.run(URL(fileURLWithPath: "/usr/bin/env"), arguments: arguments)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw ProcessMeter.UnexpectedExit(
          command: arguments, code: Int(process.terminationStatus))
      }
      return copy
    }

    /// The instructions of a process with a number of calls, or `nil` without valgrind. It runs the
    /// copy of this program at the path `program`.
    private func count(
      _ way: FetchingProcess.Way, _ calls: Int, _ program: String
    ) throws -> Int? {
      let report = Pipe()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments =
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        + [program]
        + FetchingProcess.commandLine(way, server.url("small"), count: calls).dropFirst()
      process.standardOutput = Pipe()
      process.standardError = report
      try process.run()
      let text = String(decoding: report.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      // 127: the program is missing.
      if process.terminationStatus == 127 { return nil }
      guard let line = text.split(separator: "\n").last(where: { $0.contains("Collected : ") }),
        let number = line.split(separator: " ").last.flatMap({ Int($0) })
      else {
        throw ProcessMeter.UnexpectedExit(
          command: process.arguments ?? [], code: Int(process.terminationStatus))
      }
      return number
    }
  }
#endif
