/// The reason that a file cannot be inspected.
package enum CacheFileError: Error, Hashable, Sendable {
  case missing(path: String)
  case notAFile(path: String)
  /// It is empty, or is no database.
  case notADatabase(path: String)
  /// It is the database of another program.
  case notACache(path: String)
  /// Its tables are those of an earlier version of this library.
  case older(path: String, version: Int64, current: Int64)
  /// Its tables are those of a later version of this library.
  case newer(path: String, version: Int64, current: Int64)
  /// Another connection holds the lock.
  case locked(path: String)
  /// A program ended while it wrote. Its journal has what the write replaced.
  case interrupted(path: String)
  case failed(path: String, SQLiteError)
}

extension CacheFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path): "There is no file '\(path)'. Check the path."
    case .notAFile(let path): "'\(path)' is not a file. Name the SQLite file of a cache."
    case .notADatabase(let path):
      "'\(path)' is not a cache: it is no SQLite database. Name the SQLite file of a cache."
    case .notACache(let path):
      "'\(path)' is not a cache: it is the database of another program. "
        + "Name the SQLite file of a cache."
    case .older(let path, let version, let current):
      "'\(path)' was written by an earlier version of this library (tables \(version), now "
        + "\(current)). Let a program with the current version open it once, which migrates it."
    case .newer(let path, let version, let current):
      "'\(path)' was written by a later version of this library (tables \(version), here "
        + "\(current)). Use the 'apollo-cli' of that version."
    case .locked(let path):
      "'\(path)' is locked by another program. Try again, or end that program."
    case .interrupted(let path):
      "'\(path)' has a part of a write: a program ended while it wrote. Let a program open the file "
        + "once, which restores it."
    case .failed(let path, let error):
      "'\(path)' cannot be read: \(error.message) (SQLite code \(error.code))."
    }
  }
}
