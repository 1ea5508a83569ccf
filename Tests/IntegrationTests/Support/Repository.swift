import Foundation

/// The places of the working copy that these tests are about.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardized

  static let example = root.appendingPathComponent("Examples/StarWars")

  /// The command line tool as it was built together with these tests.
  static func commandLineTool() throws -> URL { try product("apollo-cli") }

  /// Returns a product that was built together with these tests, by its path in the folder of
  /// products.
  static func product(_ path: String) throws -> URL {
    let folders = [
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
      Bundle.main.bundleURL.deletingLastPathComponent(),
      root.appendingPathComponent(".build/debug"),
    ]
    let places = folders.map { $0.appendingPathComponent(path) }
    guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0.path) })
    else {
      throw MissingProduct(searched: places.map(\.path))
    }
    return found
  }

  struct MissingProduct: Error {
    var searched: [String]
  }
}

/// A folder that exists while `body` runs.
func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("apollo-swift-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      preconditionFailure("A test's own temporary folder cannot be removed: \(error)")
    }
  }
  return try await body(folder)
}
