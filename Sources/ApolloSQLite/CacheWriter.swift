internal import ApolloCache
internal import CSQLite

/// The one connection of a cache that writes.
///
/// `@unchecked Sendable` because it is either in the cache's ``ExclusiveWriter``, behind a lock, or
/// in one write context.
struct CacheWriter: @unchecked Sendable {
  private let file: DatabaseFile
  private var identity: DatabaseFile.Identity?
  private var rows: RecordRows
  /// SQLite's version of the data, which changes with each commit of another connection.
  private var dataVersion: Int64?
  /// Indicates whether others have committed since the last commit of this writer.
  private var hasForeignCommits = false
  /// The erasure that the last removal asked for and that readers have prevented so far.
  private(set) var pendingErasure: Erasure?
  /// Indicates whether the latest transaction has removed something that is to be erased.
  private var asksForErasure = false
  /// Indicates whether a step of the erasure has met a full disk since the latest commit began.
  private var lacksSpaceToErase = false
  /// Indicates whether the current transaction was committed.
  private(set) var hasCommitted = false
  /// Indicates whether a transaction has found damage before its commit. The next one replaces the
  /// file.
  private(set) var isDamaged = false
  /// The path of a damaged file that this writer has replaced, until mutations are committed.
  private var setAside: String?
  /// The write that the latest transaction is, and its number, to repeat it in another file.
  private var write: (pending: PendingWrite, id: WriteID)?

  init(_ file: DatabaseFile) throws {
    self.file = file
    let opened = try file.openForWriting()
    rows = Self.rows(opened)
    identity = opened.identity
    dataVersion = try Self.dataVersion(rows.database)
    if file.settings.shouldVacuumOnClear { try rows.overwriteRemovedContent(true) }
  }

  /// The rows of a connection that does not wait for others: a writer tries again later, without
  /// blocking a thread.
  private static func rows(_ opened: DatabaseFile.Opened) -> RecordRows {
    opened.database.setBusyTimeout(0)
    return RecordRows(opened.database)
  }

  /// Returns the version of the data, or `nil` while another connection has exclusive access.
  private static func dataVersion(_ database: DatabaseConnection) throws -> Int64? {
    do {
      let statement = try database.statement("PRAGMA data_version")
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : nil
    } catch {
      guard error.isBusy else { throw error }
      return nil
    }
  }

  var connection: DatabaseConnection { rows.database }

  // MARK: - The file

  /// Replaces a damaged file and connects to the new one.
  mutating func replaceFile() throws {
    // Another connection may have replaced it already.
    if try reopenIfReplaced() { return }
    rollBack()
    setAside = try file.setAside(identity) ?? setAside
    try reconnect()
  }

  /// Connects to the file that is at the path now. The records that this writer knows are gone.
  private mutating func reconnect() throws {
    let (setAside, write) = (self.setAside, self.write)
    self = try CacheWriter(file)
    (self.setAside, self.write) = (setAside, write)
    hasForeignCommits = true
  }

  /// Notes that a transaction has found damage before its commit.
  mutating func noteDamage() { isDamaged = true }

  /// Deletes the damaged file that was replaced if `deletes`, because the commit that has followed
  /// removes all earlier records. From now on, the file is left to the program.
  ///
  /// - Throws: ``SQLiteError`` if it cannot be deleted. The next clearing tries again.
  mutating func forgetSetAside(deletes: Bool) throws {
    if deletes, let setAside { try file.deleteSetAside(setAside) }
    setAside = nil
  }

  /// Removes every record without using space on the disk, by deleting the file.
  mutating func deleteFile() throws {
    rollBack()
    try file.delete(identity)
    try forgetSetAside(deletes: true)
    // Creating the new file needs some space. If there is none, the next write tries again, because
    // the file that this writer knows is gone.
    _ = try? reopenIfReplaced()
    hasForeignCommits = false
    pendingErasure = nil
  }

  /// Reconnects if the file was deleted or replaced: writes to the old one would be lost.
  ///
  /// Returns `true` if it was.
  mutating func reopenIfReplaced() throws -> Bool {
    guard file.identity != identity else { return false }
    try reconnect()
    return true
  }

  /// Indicates whether another file has taken the place of this one.
  var isReplaced: Bool { file.identity.map { $0 != identity } ?? false }

  /// Returns whether others have committed and the last commit did not report it. The next one does
  /// not report it either.
  mutating func takeForeignCommits() -> Bool {
    defer { hasForeignCommits = false }
    return hasForeignCommits
  }

  /// Returns whether others have committed since the last call.
  mutating func detectsForeignCommit() throws -> Bool {
    let version = try Self.dataVersion(rows.database)
    guard version == nil || version != dataVersion else { return false }
    dataVersion = version
    hasForeignCommits = true
    rows.forgetShapes()  // another connection may have removed some
    return true
  }

  // MARK: - Transactions

  /// Begins a transaction that may write from its start. Returns `false` if another connection is
  /// writing.
  ///
  /// (A transaction that starts by reading and writes later fails at once if another one has
  /// written in between, whatever the busy timeout.)
  mutating func begin(isLastTry: Bool) throws -> Bool {
    hasCommitted = false
    write = nil
    do {
      // In memory, no other connection writes. A lock would keep readers waiting from here on.
      try rows.database.statement(file.isInMemory ? "BEGIN" : "BEGIN IMMEDIATE").run()
      return true
    } catch {
      guard error.isBusy && !isLastTry else { throw error }
      return false
    }
  }

  mutating func rollBack() {
    rows.stamps.end()
    rows.database.rollBack()
  }

  /// Says which write the current transaction is.
  mutating func begin(_ write: PendingWrite) throws -> WriteID {
    let id = try rows.stamps.begin(write)
    self.write = (write, id)
    return id
  }

  /// Notes in the current transaction that records were used.
  func note(uses keys: [RecordKey], at time: Int64) throws {
    try rows.note(uses: keys, at: time)
  }

  mutating func fields(of key: RecordKey) throws -> FieldMap? {
    try rows.fields(of: key)
  }

  mutating func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try rows.fields(of: key, among: wanted)
  }

  /// Applies changes in the current transaction and commits it.
  mutating func commit(_ changes: [CacheMutation], keeping known: inout RecordTable?) throws
    -> ChangeSet
  {
    try commit { writer throws in
      var result = ChangeSet()
      for change in changes { result.formUnion(try writer.apply(change, keeping: &known)) }
      return result
    }
  }

  /// Removes fields of records in the current transaction and commits it.
  mutating func commit(removing fields: [RecordKey: Set<FieldKey>]) throws -> ChangeSet {
    try commit { writer throws in
      var result = ChangeSet()
      for (key, removed) in fields where try writer.rows.remove(removed, of: key) {
        result.insert(.listed(Array(removed)), of: key)
      }
      writer.noteRemoval(isEmpty: result.isEmpty)
      return result
    }
  }

  /// Commits the current transaction with the changes that `body` makes, or rolls it back.
  private mutating func commit(
    _ body: (inout CacheWriter) throws -> ChangeSet
  ) throws -> ChangeSet {
    asksForErasure = false
    lacksSpaceToErase = false
    var result = try commitRows(body)
    rows.limitLog()
    // Each removal waits for readers, also if an earlier one has waited in vain. Others do not.
    try finishErasure(within: asksForErasure ? erasureTimeout : .zero)
    if hasForeignCommits { result = .everything }
    hasForeignCommits = false
    return result
  }

  private mutating func commitRows(
    _ body: (inout CacheWriter) throws -> ChangeSet
  ) throws -> ChangeSet {
    let earlierErasure = pendingErasure
    // Without a log, a commit waits for the readers, each of which is short. No other can begin.
    let waitsForReaders = file.settings.journalMode != .wal
    if waitsForReaders {
      rows.database.setBusyTimeout(file.settings.busyTimeoutInMilliseconds)
    }
    defer { if waitsForReaders { rows.database.setBusyTimeout(0) } }
    do {
      let result = try body(&self)
      try rows.database.statement("COMMIT").run()
      hasCommitted = true
      rows.stamps.end()
      return result
    } catch {
      rows.forgetShapes()
      rollBack()
      pendingErasure = earlierErasure
      // Costs only time if it fails. The connection may be of no more use.
      try? endOverwriting()
      throw error
    }
  }

  /// Repeats the transaction that has found damage in the file that has replaced the damaged one.
  /// Another connection may have made that file, and be writing to it.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - isInterrupted: Returns whether the waiting for that connection must end. An interruption
  ///     of the transaction reaches the connection to the damaged file only.
  /// - Returns: The changes of the new file.
  /// - Throws: ``SQLiteError``
  mutating func applyAgain(
    _ changes: [CacheMutation], unless isInterrupted: () -> Bool
  ) throws -> ChangeSet {
    let earlier = write
    var waiting = Waiting(file.settings.busyTimeout)
    while try !begin(isLastTry: waiting.isOver) {
      guard !isInterrupted() else { throw SQLiteError.suspended }
      waiting.block()
    }
    if let (write, id) = earlier {
      // The rows of the earlier write that it has repeated are gone.
      let fields = if case .same = write.fields { PendingWrite.Fields.all } else { write.fields }
      _ = try rows.stamps.begin(
        PendingWrite(write.facts, fields, keeping: write.kept), numbered: id)
    }
    var nothing: RecordTable?
    return try commit(changes, keeping: &nothing)
  }

  private mutating func apply(_ change: CacheMutation, keeping known: inout RecordTable?) throws
    -> ChangeSet
  {
    switch change {
    case .merge(let records): return try rows.merge(records, keeping: &known)
    case .remove(let key):
      var changes = ChangeSet()
      if try rows.remove(key) { changes.insert(key) }
      noteRemoval(isEmpty: changes.isEmpty)
      _ = known?.remove(key)
      return changes
    case .removeMatching(let pattern):
      var changes = ChangeSet()
      for key in try rows.keys(matching: pattern) where try rows.remove(key) { changes.insert(key) }
      noteRemoval(isEmpty: changes.isEmpty)
      _ = known?.apply([change])
      return changes
    case .clear:
      try removeAll()
      _ = known?.apply([change])
      return .everything
    }
  }

  func problems() throws -> [String] {
    try DatabaseFile.problems(in: rows.database, atMost: 100)
  }

  func limitPageCount(to count: Int) throws {
    _ = try rows.database.integer("PRAGMA max_page_count = \(count)")
  }
}

// MARK: - Erasing

extension CacheWriter {
  /// The places beside the rows that still hold what a transaction has removed.
  enum Erasure {
    /// The log or the journal.
    case log
    /// The log or the journal, and pages that earlier transactions have freed.
    case file
  }

  /// The size up to which a file is always rewritten when it is cleared.
  static let mostBytesToRewrite: Int64 = 8 << 20

  /// The longest time that clearing waits for readers without `shouldVacuumOnClear`.
  private static let shortTimeout = Duration.seconds(1)

  /// Indicates whether the rest of the erasure needs a copy of the file, for which the disk has had
  /// no space.
  var erasureWaitsForSpace: Bool { pendingErasure == .file && lacksSpaceToErase }

  /// Indicates whether the disk is too full for the erasure: only deleting the file completes it.
  var mustDeleteToErase: Bool { pendingErasure != nil && lacksSpaceToErase && !file.isInMemory }

  private var erasureTimeout: Duration {
    let timeout = file.settings.busyTimeout
    return file.settings.shouldVacuumOnClear ? timeout : min(timeout, Self.shortTimeout)
  }

  /// Notes that the current transaction has removed records or fields.
  private mutating func noteRemoval(isEmpty: Bool) {
    guard !isEmpty, file.settings.shouldVacuumOnClear else { return }
    pendingErasure = pendingErasure ?? .log
    asksForErasure = true
  }

  /// Removes every record in the current transaction. The file is rewritten after the commit if the
  /// settings say so, or if it is small.
  private mutating func removeAll() throws {
    let erases = try file.settings.shouldVacuumOnClear || isSmall
    if erases { try rows.overwriteRemovedContent(true) }
    try rows.removeAll()
    guard erases else { return }
    pendingErasure = .file
    asksForErasure = true
  }

  private var isSmall: Bool {
    get throws {
      let pageCount = try rows.database.integer("PRAGMA page_count") ?? 0
      let pageSize = try rows.database.integer("PRAGMA page_size") ?? 0
      return pageCount * pageSize <= Self.mostBytesToRewrite
    }
  }

  /// Erases what removed records have left in the file and beside it.
  ///
  /// 1. The transaction itself has overwritten the rows (`secure_delete`).
  /// 2. `VACUUM` drops the free pages, which hold what earlier transactions have replaced.
  /// 3. A checkpoint moves these pages from the log to the file and empties the log. A journal that
  ///    is kept between transactions is emptied by its size limit.
  ///
  /// Steps 2 and 3 need a moment without readers. If readers last longer than `timeout`, the
  /// erasure stays pending. The end of each of this cache's snapshots and its later commits try
  /// again. If the disk has no space for step 2, its later commits do.
  ///
  /// - Throws: ``SQLiteError`` if the file turns out to be damaged.
  mutating func finishErasure(within timeout: Duration) throws {
    guard pendingErasure != nil else { return }
    var waiting = Waiting(timeout)
    while try !erase(), !waiting.isOver { waiting.block() }
    try endOverwriting()
  }

  /// Lets SQLite leave removed content where it is, unless an erasure is pending or the settings
  /// always overwrite it.
  private mutating func endOverwriting() throws {
    guard pendingErasure == nil, !file.settings.shouldVacuumOnClear else { return }
    try rows.overwriteRemovedContent(false)
  }

  /// Takes the remaining steps of the erasure. Returns `true` if it is complete, or if waiting is
  /// of no use.
  private mutating func erase() throws -> Bool {
    do {
      try rows.database.checkIsNotInterrupted()
      if pendingErasure == .file, !lacksSpaceToErase { try vacuum() }
      guard try rows.emptiesLog() else { return false }
      if pendingErasure == .log { pendingErasure = nil }
      return true
    } catch let error as SQLiteError where error.isBusy {
      return false
    } catch let error as SQLiteError where !error.isDamage {
      if error.isFull { lacksSpaceToErase = true }
      return true  // the next commit tries again
    }
  }

  /// Drops the free pages, unless the disk has no space for a copy of the file.
  private mutating func vacuum() throws {
    do {
      try rows.database.execute("VACUUM")
      pendingErasure = .log
    } catch let error where error.isFull {
      lacksSpaceToErase = true
    }
  }
}
