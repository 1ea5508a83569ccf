import Foundation

/// The files that workloads read. They are not part of the repository.
struct BenchmarkData {
  /// The folder of the files: `APOLLO_BENCHMARK_DATA`, or `shared/bench` beside the repository.
  let directory: URL

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    if let path = environment["APOLLO_BENCHMARK_DATA"] {
      directory = URL(fileURLWithPath: path, isDirectory: true)
    } else {
      directory =
        URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../../../shared/bench", isDirectory: true).standardized
    }
  }

  /// The URL of one file.
  /// - Throws: ``MissingData`` when there is no such file.
  func file(_ name: String) throws -> URL {
    let file = directory.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw MissingData(path: file.path)
    }
    return file
  }

  /// The bytes of one file.
  /// - Throws: ``MissingData`` when there is no such file.
  func bytes(of name: String) throws -> Data {
    try Data(contentsOf: try file(name))
  }
}

/// The error for a missing file that a comparison needs.
struct MissingData: Error, CustomStringConvertible {
  var path: String

  var description: String {
    "\(path) does not exist. Set APOLLO_BENCHMARK_DATA to the folder that holds it."
  }
}
