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

  /// The file of a test's cache.
  var file: URL { url.appendingPathComponent("cache.sqlite") }

  var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
  }

  deinit {
    try? FileManager.default.removeItem(at: url)  // the system cleans up leftovers
  }
}

extension SQLiteNormalizedCache.Configuration {
  /// A configuration for tests in which no transaction may time out, however slow the machine is.
  static var patient: Self {
    var configuration = Self()
    configuration.busyTimeout = .seconds(300)
    return configuration
  }
}
