internal import CSQLite

/// The reason that a file cannot be inspected, or written by a tool.
package enum CacheFileError: Error, Hashable, Sendable {
  case missing(path: String)
  case notAFile(path: String)
  /// It has no tables: a program that created it has written nothing yet.
  case empty(path: String)
  /// It is no database.
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
  /// A part of its structure cannot be read.
  case damaged(path: String, message: String)
  /// It cannot be read, or written.
  case failed(path: String, SQLiteError, isWriting: Bool)

  /// Creates the reason for a failure of SQLite while a file was read.
  init(_ error: SQLiteError, reading path: String) {
    // SQLITE_READONLY_ROLLBACK: the journal has to be rolled back, which changes the file.
    if error.code == SQLITE_READONLY | (3 << 8) {
      self = .interrupted(path: path)
    } else {
      self.init(error, path, isWriting: false)
    }
  }

  /// Creates the reason for a failure of SQLite while a file was written.
  package init(_ error: SQLiteError, writing path: String) {
    self.init(error, path, isWriting: true)
  }

  private init(_ error: SQLiteError, _ path: String, isWriting: Bool) {
    self =
      switch error.primaryCode {
      case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path)
      case SQLITE_NOTADB: .notADatabase(path: path)
      case SQLITE_CORRUPT: .damaged(path: path, message: error.message)
      default: .failed(path: path, error, isWriting: isWriting)
      }
  }
}

extension CacheFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path): "There is no file '\(path)'. Check the path."
    case .notAFile(let path): "'\(path)' is not a file. Name the SQLite file of a cache."
    case .empty(let path):
      "'\(path)' has no tables: nothing was written to it yet. Let a program write to it first, or "
        + "check the path."
    case .notADatabase(let path):
      "'\(path)' is not a cache: it is no SQLite database. Name the SQLite file of a cache. If it "
        + "is one, its beginning is damaged: delete it, and the program starts with an empty cache."
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
    case .damaged(let path, let message):
      "'\(path)' is damaged: \(message). Delete the file, or let the program open it, which sets it "
        + "aside as '….damaged-1'; the cache is empty then."
    case .failed(let path, let error, let isWriting):
      "'\(path)' cannot be \(isWriting ? "written" : "read"): \(error.message) (SQLite code "
        + "\(error.code)). \(Self.advice(error))"
    }
  }

  private static func advice(_ error: SQLiteError) -> String {
    switch error.primaryCode {
    case SQLITE_CANTOPEN:
      "Check that its folder exists, and the permissions of the file and of its folder."
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      "Check the permissions of the file and of its folder."
    case SQLITE_FULL: "Free some space on its disk."
    default: "Check the file and its disk."
    }
  }
}
