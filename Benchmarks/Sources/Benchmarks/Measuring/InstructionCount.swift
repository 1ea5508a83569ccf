#if os(Linux)
  import Foundation

  /// The instructions of processes, in their own threads and without the kernel, as valgrind's
  /// callgrind counts them. Other programs of the machine do not change them.
  struct InstructionCount {
    /// The text in place of a table on a machine without valgrind.
    static let missing = "valgrind is missing (apt-get install valgrind)."

    private let program: String

    /// Prepares a program for counting.
    ///
    /// - Parameters:
    ///   - program: Its path.
    ///   - folder: The folder for a copy of it without debug information, which valgrind cannot
    ///   read
    ///     as Swift writes it.
    /// - Throws: The errors of `strip`.
    init(of program: String, in folder: URL) throws {
      let copy = folder.appending(path: UUID().uuidString).path
      let arguments = ["strip", "--strip-debug", "-o", copy, program]
      let process = try Process.run(URL(fileURLWithPath: "/usr/bin/env"), arguments: arguments)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw ProcessMeter.UnexpectedExit(
          command: arguments, code: Int(process.terminationStatus))
      }
      self.program = copy
    }

    /// Returns the instructions of one call. What the process does once is not a part: it is the
    /// difference between processes with many and with few calls.
    ///
    /// - Parameters:
    ///   - few: The first number of calls.
    ///   - many: The second.
    ///   - arguments: Returns the arguments of the program for a number of calls.
    /// - Returns: The instructions, or `nil` without valgrind.
    /// - Throws: The error of a process that fails.
    func callAverage(few: Int, many: Int, _ arguments: (Int) -> [String]) throws -> Int? {
      guard let first = try whole(arguments(few)), let second = try whole(arguments(many))
      else { return nil }
      return (second - first) / (many - few)
    }

    /// The instructions of a whole process, or `nil` without valgrind.
    private func whole(_ arguments: [String]) throws -> Int? {
      let report = Pipe()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments =
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program] + arguments
      process.standardOutput = Pipe()
      process.standardError = report
      try process.run()
      let text = String(decoding: report.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      // 127: valgrind is missing.
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

  /// Calls a closure with a folder, which is removed afterwards.
  func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // the system removes what is left
    return try await body(folder)
  }
#endif
