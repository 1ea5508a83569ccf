internal import Foundation

extension SQLiteNormalizedCache {
  /// Opens a cache file for a tool, or creates it. Files of another kind or version stay as they
  /// are.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mustExist: Whether a file that does not exist is an error.
  /// - Returns: The cache.
  /// - Throws: ``CacheFileError``
  package static func opening(
    cacheFile path: String, mustExist: Bool
  ) throws -> SQLiteNormalizedCache {
    if mustExist, !FileManager.default.fileExists(atPath: path) {
      throw CacheFileError.missing(path: path)
    }
    do {
      return try SQLiteNormalizedCache(
        fileURL: URL(fileURLWithPath: path), configuration: Configuration(forCacheFile: path))
    } catch let error as SQLiteError {
      throw CacheFileError(error, writing: path)
    }
  }
}

extension SQLiteNormalizedCache.Configuration {
  /// Creates the settings of a tool that writes to a file.
  ///
  /// - Throws: ``CacheFileError`` for a file of another kind or version.
  init(forCacheFile path: String) throws {
    self.init()
    replacesUnusableFile = false
    // Another reader is not kept waiting for the whole file to be checked.
    checksIntegrity = false
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      let reader = try CacheFileReader(path: path)
      defer { reader.close() }
      // Programs that use the file agree on its mode.
      journalMode = try reader.journalMode() ?? journalMode
    } catch let error as CacheFileError {
      guard case .empty = error else { throw error }
    }
  }
}
