/// The mutations of a session, as one transaction has read them.
struct FileContents: Sendable {
  var entries: [EntryRecord] = []
  var identifiers: [StoredIdentifier] = []
  /// The number of mutations of all sessions, and their bytes.
  var size: (count: Int64, byteCount: Int64) = (0, 0)
  /// `true` if there are mutations of sessions without a name other than this one.
  var hasOtherUnnamedSessions = false
  /// A number that changes with each commit of another connection.
  var foreignCommitCount: Int64 = 0
}

/// A temporary identifier in the file.
struct StoredIdentifier: Sendable {
  let temporary: String
  let creator: Int64
  /// `nil` until the server has given it.
  let real: String?
}
