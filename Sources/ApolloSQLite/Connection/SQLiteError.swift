internal import CSQLite

/// A failure that SQLite reported.
///
/// ```swift
/// do {
///   try cache.clear()
/// } catch let error as SQLiteError where error.isFull {
///   print(error)
/// }
/// ```
public struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code, such as 5 (`SQLITE_BUSY`) or 266 (`SQLITE_IOERR_READ`).
  public var code: Int32
  /// SQLite's message.
  public var message: String
  /// The failed activity, such as "Opening /tmp/cache.sqlite".
  public var activity: String

  /// Creates an error from the facts that SQLite reported.
  public init(code: Int32, message: String, activity: String) {
    self.code = code
    self.message = message
    self.activity = activity
  }

  /// The code without its details.
  public var primaryCode: Int32 { code & 0xFF }

  /// Indicates whether another connection held the lock for longer than the busy timeout.
  public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// Indicates whether the disk is full, or the file has reached its allowed size.
  public var isFull: Bool { primaryCode == SQLITE_FULL }

  /// Indicates whether a file that was to be deleted did not exist (`SQLITE_IOERR_DELETE_NOENT`).
  var isOfDeletingNothing: Bool { code == SQLITE_IOERR | (23 << 8) }

  /// Indicates whether the file is damaged or not a database.
  public var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
}

extension SQLiteError: CustomStringConvertible {
  /// The activity, the message and the code, as one sentence.
  public var description: String {
    "\(activity) failed: \(message) (SQLite code \(code))."
  }
}
