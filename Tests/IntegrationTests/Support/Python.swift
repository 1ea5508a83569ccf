import Foundation

/// The interpreter that runs the test servers: `APOLLO_TEST_PYTHON`, or the one that `scripts/test` installs.
enum Python {
  static let interpreter: URL? = {
    if let path = ProcessInfo.processInfo.environment["APOLLO_TEST_PYTHON"] {
      return URL(fileURLWithPath: path)
    }
    let installed = Repository.root.appendingPathComponent(".build/venv/bin/python")
    return FileManager.default.isExecutableFile(atPath: installed.path) ? installed : nil
  }()

  static let isInstalled = interpreter != nil
  static let advice = "scripts/test installs the servers that this test talks to."
}
