import Foundation

/// The sizes of programs that only fetch.
let programSizes: [ExperimentMaker] = [{ _ in ProgramSizes() }]

/// The executables of a program that fetches one query, with this package and with Foundation
/// alone. Neither contains the Swift libraries.
private struct ProgramSizes: Experiment {
  let title = "Size of a program that only fetches"

  func table() async throws -> String {
    var rows = [["", "executable", "without symbols", "code and constants"]]
    for (name, program) in [("Apollo", "fetch-apollo"), ("`URLSession`", "fetch-urlsession")] {
      let path = ProcessMeter.neighbour(program)
      let stripped = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(program)-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: stripped) }  // it may not have been made
      _ = try Self.output(of: ["strip", "-o", stripped.path, path])
      // The second line has the sizes of code, data and zeros.
      let sections = try Self.output(of: ["size", path]).split(separator: "\n")
      let code = sections.dropFirst().first?.split(whereSeparator: \.isWhitespace).first
      rows.append([
        name, try Self.size(of: path), try Self.size(of: stripped.path),
        code.flatMap { Int($0) }.map(Self.text) ?? "unknown",
      ])
    }
    return markdown(rows)
  }

  private static func size(of path: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let size = attributes[.size] as? Int else { throw MissingData(path: path) }
    return text(size)
  }

  private static func text(_ byteCount: Int) -> String {
    String(format: "%.2f MB", Double(byteCount) / 1e6)
  }

  /// Runs one of the system's tools.
  private static func output(of command: [String]) throws -> String {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ProcessMeter.UnexpectedExit(command: command, code: Int(process.terminationStatus))
    }
    return text
  }
}
