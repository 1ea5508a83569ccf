internal import CSQLite
public import protocol Foundation.LocalizedError

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

  /// Indicates whether the file is damaged or not a database.
  public var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  /// Indicates whether a file that was to be deleted did not exist (`SQLITE_IOERR_DELETE_NOENT`).
  var isOfDeletingNothing: Bool { code == SQLITE_IOERR | (23 << 8) }
}

// MARK: - Sentences

extension SQLiteError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and what to do about it.
  public var description: String {
    "\(activity) failed: \(message) (SQLite code \(code)). \(advice)"
  }

  private var advice: String {
    switch primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED: "Try again, or raise the busy timeout."
    case SQLITE_FULL: "Free some space."
    case SQLITE_CORRUPT, SQLITE_NOTADB: "Delete the file, or let it be replaced."
    case SQLITE_CANTOPEN: "Check the path, and that its folder exists and can be written to."
    case SQLITE_READONLY, SQLITE_PERM: "Check the permissions of the file and of its folder."
    case SQLITE_INTERRUPT: "Call 'resume()' first, then try again."
    case SQLITE_MISUSE: "Start another transaction."
    default: "Check the file and its disk."
    }
  }
}

extension SQLiteError {
  static let suspended = SQLiteError(
    code: SQLITE_INTERRUPT, message: "the cache is suspended, or was during the transaction",
    activity: "Using the cache")

  static let ended = SQLiteError(
    code: SQLITE_MISUSE, message: "the transaction has ended", activity: "Using the cache")
}
