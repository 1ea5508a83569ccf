import ApolloSQLite
import Foundation

/// A folder that goes when its last reference goes.
final class TemporaryFolder: Sendable {
  let url: URL

  init(named name: String = "apollo-sqlite") throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Where tests keep their cache.
  var file: URL { url.appendingPathComponent("cache.sqlite") }

  var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
  }

  deinit {
    try? FileManager.default.removeItem(at: url)  // what is left is the system's to clean
  }
}

extension SQLiteNormalizedCache.Configuration {
  /// Waits for the others however slow the machine is: for tests in which nobody is meant to give up.
  static var patient: Self {
    var configuration = Self()
    configuration.busyTimeout = .seconds(300)
    return configuration
  }
}
