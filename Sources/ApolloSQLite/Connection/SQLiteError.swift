internal import CSQLite

/// What SQLite said when it could not do what it was asked.
public struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code, such as 5 (`SQLITE_BUSY`) or 266 (`SQLITE_IOERR_READ`).
  public var code: Int32
  /// What SQLite says about it.
  public var message: String
  /// What was being done, such as "Opening /tmp/cache.sqlite".
  public var activity: String

  /// Makes an error from what SQLite said.
  public init(code: Int32, message: String, activity: String) {
    self.code = code
    self.message = message
    self.activity = activity
  }

  /// The code without its details.
  public var primaryCode: Int32 { code & 0xFF }

  /// Another connection held the lock for longer than the busy timeout.
  public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// The disk, or the size that was allowed, is full.
  public var isFull: Bool { primaryCode == SQLITE_FULL }

  /// A file was to be deleted that was not there (`SQLITE_IOERR_DELETE_NOENT`).
  var isOfDeletingNothing: Bool { code == SQLITE_IOERR | (23 << 8) }

  /// The file is not a database, or a damaged one.
  public var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
}

extension SQLiteError: CustomStringConvertible {
  /// The activity, the message and the code, as one sentence.
  public var description: String {
    "\(activity) failed: \(message) (SQLite code \(code))."
  }
}
