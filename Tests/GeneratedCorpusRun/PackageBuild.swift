import ApolloAPI
import Foundation

/// Builds the package with the generated code; a warning is an error.
struct PackageBuild {
  let package: URL
  let products: URL

  var program: URL { products.appendingPathComponent("release/check") }

  /// The first errors of each file that does not compile, by the file's name without extension;
  /// empty when the build succeeds.
  func failingFiles() throws -> [String: String] {
    let (status, output) = try run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "swift", "build", "--package-path", package.path, "--scratch-path", products.path,
        // Whole modules at a time, as a release is built, but not optimized: there is much code,
        // and little of it runs.
        "--product", "check", "--configuration", "release", "-Xswiftc", "-Onone", "-Xswiftc",
        "-warnings-as-errors", "-Xswiftc", "-gnone",
      ])
    if status == 0 { return [:] }
    var failures: [String: String] = [:]
    for line in output.split(separator: "\n") where line.contains(": error:") {
      guard let path = line.split(separator: ":").first else { continue }
      let name = URL(fileURLWithPath: String(path)).deletingPathExtension().lastPathComponent
      failures[name, default: ""] += "\n  \(line)"
    }
    return failures.isEmpty ? ["": String(output.suffix(2000))] : failures
  }
}

/// Runs the program with the generated code.
struct CheckProgram {
  let program: URL

  /// Returns the program's findings about each case of a file, in order; `nil` for a case that
  /// crashes it.
  func findings(of count: Int, in file: URL) throws -> [JSONValue?] {
    var findings: [JSONValue?] = []
    while findings.count < count {
      let (_, output) = try run(program, [file.path, String(findings.count)])
      for line in output.utf8.split(separator: UInt8(ascii: "\n")) {
        // The last line may have been cut off by a crash.
        guard let value = try? JSONValue(jsonBytes: Array(line)) else { break }
        findings.append(value)
      }
      if findings.count < count { findings.append(nil) }
    }
    return findings
  }
}

/// Runs a program to its end and returns what it wrote to its standard output, and to the other
/// one.
private func run(_ program: URL, _ arguments: [String]) throws -> (status: Int32, output: String) {
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}
