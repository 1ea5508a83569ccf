import Foundation
import Testing

/// The interpreter that runs the test servers: `APOLLO_TEST_PYTHON`, or the one that `scripts/test`
/// installs.
enum Python {
  static let interpreter: URL? = {
    // Who names one wants the tests to run, or to fail.
    if let path = ProcessInfo.processInfo.environment["APOLLO_TEST_PYTHON"] {
      return URL(fileURLWithPath: path)
    }
    let environment = Repository.root.appendingPathComponent(".build/venv")
    // The list is written last: where the installation was broken off there is none, and where it
    // is old it is another.
    let isWhole = FileManager.default.contentsEqual(
      atPath: environment.appendingPathComponent("installed.txt").path,
      andPath: Repository.example.appendingPathComponent("Server/requirements.txt").path)
    let installed = environment.appendingPathComponent("bin/python")
    return isWhole && FileManager.default.isExecutableFile(atPath: installed.path)
      ? installed : nil
  }()

  static let advice = "scripts/test installs the servers that this test talks to."
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests, and says how to have them run, where the servers are not installed.
  static var needsServers: Self {
    .enabled(if: Python.interpreter != nil, "\(Python.advice)")
  }
}
