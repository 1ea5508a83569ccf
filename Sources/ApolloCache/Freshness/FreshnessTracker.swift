internal import ApolloAPI

/// Notes for all stores of one cache when each field was written.
///
/// - A response is one write. Its fields name it, so that the time of all of them is in one place.
/// - If the same fields arrive again with the next response to an operation, the write gets another
///   time, and nothing else is changed.
/// - The fields that the program changes by itself are one write as well. Others that it writes
///   again keep their times.
///
/// Readers take a snapshot of the ledger before they take one of the records. A commit is noted
/// after it is visible. So a field never counts as newer than it is; at worst, one that was just
/// written counts as old.
final class FreshnessTracker: Sendable {
  fileprivate struct LatestWrite: Sendable {
    var id: WriteID
    var fingerprint: UInt
    var lastUse: UInt64
  }

  fileprivate struct State: Sendable {
    var ledger = FreshnessLedger()
    var lastID: Int64 = 0
    /// The latest write of each operation whose fields nothing else has written since.
    var latest: [SelectionKey: LatestWrite] = [:]
    /// The selections of these writes.
    var selections: [WriteID: SelectionKey] = [:]
    var useCount: UInt64 = 0
    /// The number of times that commits by other processes had been detected.
    var foreignCommitCount = 0
  }
  private let state = Lock(State())
  let recordPositions = RecordPositions()

  /// The largest number of writes that are known.
  fileprivate static let mostWrites = 65_536
  /// The largest number of operations whose latest write is known.
  fileprivate static let mostSelections = 256

  /// The ledger as it is now.
  var ledger: FreshnessLedger { state.withLock { $0.ledger } }

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
    guard response.isUnchanged, let known = state.withLock({ $0.latest[receipt.selection] }),
      known.fingerprint == response.fingerprint
    else { return PendingWrite(facts, .all) }
    return PendingWrite(facts, .same(known.id))
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
      return state.withLock { $0.repeatWrite(known, write.facts, of: receipt.selection) }
    }
    let fields = response.writtenFields
    let fingerprint = response.isUnchanged ? response.fingerprint : nil
    let old = state.withLock { state in
      let old = state.ledger
      state.note(fields, write.facts, id, of: receipt.selection, fingerprint)
      return old
    }
    withExtendedLifetime(old) {}  // its parts are released outside the lock
  }

  /// Notes records that were merged without a receipt.
  func note(_ sets: [RecordSet], _ facts: WriteFacts, _ id: WriteID?) {
    state.withLock { state in
      state.ledger.beginVersion()
      let id = state.newWrite(facts, id)
      for set in sets {
        for (key, shape) in NormalizedResponse(records: set).writtenFields {
          state.note(shape, of: key, id)
        }
      }
    }
  }

  /// Notes changes by the program.
  func note(_ changes: ChangeSet, _ facts: WriteFacts, _ id: WriteID?) {
    guard !changes.isEmpty else { return }
    state.withLock { state in
      guard !changes.includesEverything else { return state.forgetEverything() }
      let id = state.newWrite(facts, id)
      for entry in changes.entries {
        switch entry.fields {
        case .all: state.forget(entry.record)
        case .masked, .listed: state.note(.of(entry.fields.listed), of: entry.record, id)
        }
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
      guard state.ledger.forgetCount == ledger.forgetCount else { return }
      if state.ledger.recordCount > Self.mostKeptRecords { state.forgetEverything() }
      state.ledger.add(kept)
    }
  }

  /// The number of records above which a cache that keeps writes is asked again.
  private static let mostKeptRecords = 100_000

  /// Forgets the times of fields that others have changed.
  func forget(_ changes: ChangeSet) {
    state.withLock { state in
      guard !changes.includesEverything else { return state.forgetEverything() }
      for key in changes.records { state.forget(key) }
    }
  }
}

extension FreshnessTracker.State {
  mutating func newWrite(_ facts: WriteFacts, _ known: WriteID?) -> WriteID {
    lastID = max(lastID + 1, known?.number ?? 0)
    let id = known ?? WriteID(lastID)
    ledger.set(facts, of: id)
    ledger.forgetOldest(keeping: FreshnessTracker.mostWrites)
    return id
  }

  mutating func note(_ shape: RecordShape, of key: RecordKey, _ id: WriteID) {
    var replaced: [WriteID] = []
    ledger.note(shape, of: key, id) { if $0 != replaced.last { replaced.append($0) } }
    for id in replaced { endRepetition(of: id) }
  }

  mutating func note(
    _ fields: [(key: RecordKey, shape: RecordShape)], _ facts: WriteFacts, _ known: WriteID?,
    of selection: SelectionKey, _ fingerprint: UInt?
  ) {
    useCount += 1
    ledger.beginVersion()
    let id = newWrite(facts, known)
    for (key, shape) in fields { note(shape, of: key, id) }
    guard let fingerprint else { return }
    selections[id] = selection
    latest[selection] = FreshnessTracker.LatestWrite(
      id: id, fingerprint: fingerprint, lastUse: useCount)
    guard latest.count > FreshnessTracker.mostSelections else { return }
    for (selection, write) in latest.sorted(by: { $0.value.lastUse < $1.value.lastUse })
      .prefix(FreshnessTracker.mostSelections / 4)
    {
      latest[selection] = nil
      selections[write.id] = nil
    }
  }

  /// Gives a write another time, because the same fields were written again.
  mutating func repeatWrite(_ id: WriteID, _ facts: WriteFacts, of selection: SelectionKey) {
    useCount += 1
    ledger.beginVersion()
    ledger.set(facts, of: id)
    latest[selection]?.lastUse = useCount
  }

  /// Forgets the writes of a record that was removed. Their next repetition writes it anew.
  mutating func forget(_ key: RecordKey) {
    for (_, id) in ledger.writes(of: key)?.all ?? [] { endRepetition(of: id) }
    ledger.forget(key)
  }

  /// Notes that not all fields of a write are from it any more.
  private mutating func endRepetition(of id: WriteID) {
    if let selection = selections.removeValue(forKey: id) { latest[selection] = nil }
  }

  mutating func forgetEverything() {
    ledger = FreshnessLedger(after: ledger)
    latest = [:]
    selections = [:]
  }
}

extension Duration {
  /// The number of seconds.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
