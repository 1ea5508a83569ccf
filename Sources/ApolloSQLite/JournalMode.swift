/// The way in which SQLite keeps what a transaction replaces, until the transaction has ended.
///
/// ```swift
/// var configuration = SQLiteNormalizedCache.Configuration()
/// configuration.journalMode = .truncate
/// let cache = try SQLiteNormalizedCache(fileURL: file, configuration: configuration)
/// ```
///
/// With every mode but ``wal``, a write waits until all readers have finished, and readers wait for
/// its end, both up to the busy timeout.
public enum JournalMode: String, CaseIterable, Hashable, Sendable {
  /// A journal beside the file, which is deleted at the end of each transaction.
  case delete = "DELETE"
  /// A journal beside the file, which is emptied at the end of each transaction.
  case truncate = "TRUNCATE"
  /// A journal beside the file, which is marked as ended and used again.
  case persist = "PERSIST"
  /// A journal in memory. If the process ends during a write, the file is damaged.
  case memory = "MEMORY"
  /// A log of the changes beside the file. Readers and writers do not wait for each other.
  ///
  /// The log does not work on network file systems.
  case wal = "WAL"
  /// No journal. If a write fails, or the process ends during one, the file is damaged.
  case off = "OFF"

  /// The files beside the database that belong to it, in the order in which they are removed.
  static let companions = ["-wal", "-shm", "-journal"]
}
