internal import ApolloAPI

/// Notes for all stores of one cache when each field was written.
///
/// - A response is one write. Its fields name it, so that the time of all of them is in one place.
///   They are sorted in by records when the writes of a record are asked for.
/// - If the same fields arrive again with the next response to an operation, the write gets another
///   time, and nothing else is changed.
/// - The fields that the program changes by itself are one write as well. Others that it writes
///   again keep their times.
///
/// Readers take a snapshot of the ledger before they take one of the records. A commit is noted
/// after it is visible. So a field never counts as newer than it is; at worst, one that was just
/// written counts as old.
final class FreshnessTracker: Sendable {
  fileprivate struct State: Sendable {
    private(set) var ledger = FreshnessLedger()
    /// The ledger as an object, made when it is asked for.
    private var snapshot: LedgerSnapshot?
    var lastID: Int64 = 0
    /// The number of times that commits by other processes had been detected.
    var foreignCommitCount = 0
    /// The number of entries above which the ledger forgets all, or `nil` if the cache cannot be
    /// asked for them.
    let entryLimit: Int?

    init(entryLimit: Int?) { self.entryLimit = entryLimit }
  }
  private let state: Lock<State>
  let recordPositions = RecordPositions()

  /// Creates a tracker without writes.
  ///
  /// - Parameters:
  ///   - keepsWrites: `true` if the cache keeps the writes of its fields. It may then have more
  ///     records than fit into memory, and may remove some without a report.
  ///   - limit: The number of entries above which the ledger of such a cache forgets all.
  init(
    ofCacheThatKeepsWrites keepsWrites: Bool = false,
    limit: Int = FreshnessTracker.mostKeptEntries
  ) {
    state = Lock(State(entryLimit: keepsWrites ? limit : nil))
  }

  /// The largest number of writes that are known.
  fileprivate static let mostWrites = 65_536

  /// The ledger as it is now, which may not be sorted.
  var snapshot: LedgerSnapshot { state.withLock { $0.currentSnapshot() } }

  /// The ledger as it is now.
  var ledger: FreshnessLedger { sorted(snapshot).ledger }

  /// Returns a ledger with the latest writes sorted in.
  func sorted(_ snapshot: LedgerSnapshot) -> LedgerSnapshot {
    guard !snapshot.ledger.isSorted else { return snapshot }
    let current = state.withLock { state -> LedgerSnapshot? in
      guard state.isCurrent(snapshot) else { return nil }
      state.changeLedger { $0.sortIn() }
      return state.currentSnapshot()
    }
    if let current { return current }
    var ledger = snapshot.ledger
    ledger.sortIn()
    return LedgerSnapshot(ledger)
  }

  /// Forgets everything if other processes have committed since the last call: the cache knows what
  /// they have written.
  func noteForeignCommits(_ count: Int) {
    state.withLock { state in
      guard state.foreignCommitCount != count else { return }
      state.foreignCommitCount = count
      state.forgetEverything()
    }
  }

  /// Indicates whether nothing was noted yet.
  var isIdle: Bool { state.withLock { $0.lastID == 0 } }

  /// Returns the write of a response that is about to be committed.
  func write(of response: NormalizedResponse, _ receipt: ResponseReceipt, at time: Double)
    -> PendingWrite
  {
    let facts = WriteFacts(
      time: time, operationName: receipt.operationName, maxAge: receipt.maxAge?.seconds)
    guard response.isUnchanged else { return PendingWrite(facts, .all) }
    let fingerprint = response.fingerprint
    let known = state.withLock { state in
      state.changeLedger { $0.wholeWrite(of: receipt.selection, fingerprint: fingerprint) }
    }
    return PendingWrite(facts, known.map { .same($0) } ?? .all)
  }

  /// Notes a response that was committed.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - receipt: The facts about it.
  ///   - write: The write that it was.
  ///   - id: The number that the cache has given it, or `nil` if it gives none.
  func note(
    _ response: NormalizedResponse, _ receipt: ResponseReceipt, _ write: PendingWrite,
    _ id: WriteID?
  ) {
    if case .same(let known) = write.fields {
      return state.withLock { state in
        state.changeLedger { $0.noteRepetition(of: known, write.facts, of: receipt.selection) }
      }
    }
    let fields = response.writtenFields
    let fingerprint = response.isUnchanged ? response.fingerprint : nil
    state.withLock { state in
      state.changeLedger { $0.beginVersion() }
      let id = state.note(fields, write.facts, id)
      guard let fingerprint else { return }
      state.changeLedger { $0.noteWhole(id, fingerprint, of: receipt.selection) }
    }
  }

  /// Notes records that were merged without a receipt.
  func note(_ records: RecordSet, _ facts: WriteFacts, _ id: WriteID?) {
    let fields = NormalizedResponse(records: records).writtenFields
    state.withLock { state in
      state.changeLedger { $0.beginVersion() }
      _ = state.note(fields, facts, id)
    }
  }

  /// Notes changes by the program. Readings with the same data keep their ages.
  func note(_ changes: ChangeSet, _ facts: WriteFacts, _ id: WriteID?) {
    guard !changes.isEmpty else { return }
    guard !changes.includesEverything else { return state.withLock { $0.forgetEverything() } }
    var removed: [RecordKey] = []
    var fields: [(key: RecordKey, shape: RecordShape)] = []
    for entry in changes.entries {
      switch entry.fields {
      case .all: removed.append(entry.record)
      case .masked, .listed: fields.append((entry.record, .of(entry.fields.listed)))
      }
    }
    state.withLock { state in
      state.forget(removed)
      if !fields.isEmpty { _ = state.note(fields, facts, id) }
    }
  }

  /// Forgets the times of fields that were removed.
  func forget(_ fields: [RecordKey: Set<FieldKey>]) {
    state.withLock { state in
      guard state.lastID > 0 else { return }
      state.changeLedger { ledger in
        for (key, fields) in fields { ledger.forget(fields, of: key) }
      }
    }
  }

  /// Adds what a cache has kept of earlier writes, as far as nothing newer is known.
  ///
  /// - Parameters:
  ///   - kept: The writes.
  ///   - ledger: The ledger before they were read. If something was forgotten since then, they can
  ///     be those that were forgotten, and nothing is added.
  func add(_ kept: KeptWrites, readAfter ledger: FreshnessLedger) {
    guard !kept.isEmpty else { return }
    state.withLock { state in
      // First, because that forgets newer writes of the same fields, too.
      state.forgetEverythingIfNeeded()
      guard state.ledger.forgetCount == ledger.forgetCount else { return }
      state.changeLedger { $0.add(kept) }
    }
  }

  /// The number of records and of separate fields above which a cache that keeps writes is asked
  /// again.
  static let mostKeptEntries = 100_000

  /// Forgets the times of fields that others have changed.
  func forget(_ changes: ChangeSet) {
    state.withLock { state in
      guard !changes.includesEverything else { return state.forgetEverything() }
      state.forget(changes.records)
    }
  }
}

extension FreshnessTracker.State {
  /// Changes the ledger. Only readers that hold a snapshot now make its parts be copied.
  mutating func changeLedger<Result>(_ body: (inout FreshnessLedger) -> Result) -> Result {
    snapshot = nil
    return body(&ledger)
  }

  mutating func currentSnapshot() -> LedgerSnapshot {
    if let snapshot { return snapshot }
    let new = LedgerSnapshot(ledger)
    snapshot = new
    return new
  }

  /// Indicates whether nothing has changed since a snapshot was taken.
  func isCurrent(_ other: LedgerSnapshot) -> Bool { snapshot === other }

  /// Notes the fields of a write, which the cache or the tracker has given a number.
  mutating func note(
    _ fields: [(key: RecordKey, shape: RecordShape)], _ facts: WriteFacts, _ known: WriteID?
  ) -> WriteID {
    forgetEverythingIfNeeded()
    lastID = max(lastID + 1, known?.number ?? 0)
    // Own numbers are negative, so that none is that of a write that the cache has kept.
    var id = known ?? WriteID(-lastID)
    // A number that a cache gives twice would give one write the facts of the other.
    while ledger.facts(about: id) != nil {
      lastID += 1
      id = WriteID(-lastID)
    }
    changeLedger { ledger in
      ledger.set(facts, of: id)
      ledger.forgetOldest(keeping: FreshnessTracker.mostWrites)
      ledger.note(fields, id)
    }
    return id
  }

  mutating func forget(_ keys: some Sequence<RecordKey>) {
    changeLedger { ledger in
      for key in keys { ledger.forget(key) }
    }
  }

  /// Forgets everything if that is much and the cache can be asked for it.
  ///
  /// What is forgotten is unknown, not newer: a reading that holds an earlier ledger keeps it, and
  /// what that reading asks the cache for is not added (``FreshnessTracker/add(_:readAfter:)``).
  mutating func forgetEverythingIfNeeded() {
    if let entryLimit, ledger.entryCount > entryLimit { forgetEverything() }
  }

  mutating func forgetEverything() {
    changeLedger { $0 = FreshnessLedger(after: $0) }
  }
}

extension Duration {
  /// The number of seconds.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
