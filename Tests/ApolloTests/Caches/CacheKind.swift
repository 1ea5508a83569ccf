import Apollo
import ApolloSQLite
import Foundation
import Testing

/// The kinds of caches that a client works with.
enum CacheKind: CaseIterable, CustomTestStringConvertible {
  case memory
  case disk
  case sqliteInMemory
  case diskWithAJournal
  case memoryInFrontOfDisk
  case usersOwn

  /// Returns an empty cache, and an object to retain while the cache is in use.
  func make() throws -> (cache: any NormalizedCache, owner: AnyObject?) {
    switch self {
    case .memory: return (InMemoryNormalizedCache(), nil)
    case .usersOwn: return (UsersOwnCache(), nil)
    case .disk:
      let folder = try TemporaryFolder()
      return (try SQLiteNormalizedCache(fileURL: folder.file), folder)
    case .sqliteInMemory: return (try SQLiteNormalizedCache.inMemory(), nil)
    case .diskWithAJournal:
      let folder = try TemporaryFolder()
      var configuration = SQLiteNormalizedCache.Configuration()
      configuration.journalMode = .truncate
      return (
        try SQLiteNormalizedCache(fileURL: folder.file, configuration: configuration), folder
      )
    case .memoryInFrontOfDisk:
      let folder = try TemporaryFolder()
      return (ChainedNormalizedCache(try SQLiteNormalizedCache(fileURL: folder.file)), folder)
    }
  }

  var testDescription: String {
    switch self {
    case .memory: "memory"
    case .disk: "disk"
    case .sqliteInMemory: "SQLite in memory"
    case .diskWithAJournal: "disk with a journal"
    case .memoryInFrontOfDisk: "memory in front of disk"
    case .usersOwn: "a user's own"
    }
  }

  final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "apollo-caches-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var file: URL { url.appendingPathComponent("cache.sqlite") }

    deinit {
      try? FileManager.default.removeItem(at: url)  // what is left is the system's to clean
    }
  }
}
