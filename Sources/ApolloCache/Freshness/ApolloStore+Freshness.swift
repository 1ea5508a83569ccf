package import ApolloAPI

// How a reading is checked:
//
// 1. The reader takes the ledger of writes, before it opens the records.
// 2. It reads as without ages. The dependencies of the result name all fields that were read.
// 3. If they are the fields of the latest write of the selection, its time is theirs. Only the
//    fields of records that others have changed are looked up.
// 4. Otherwise the times of all fields are looked up. In both cases they are compared with the
//    limits, and the report is remembered with the result.
// 5. A strict reading with a stale field becomes one with misses.

// How a write is noted:
//
// 1. Before the commit, the cache is told which write it is. One that keeps writes gives it a
//    number.
// 2. After the commit, the ledger notes which fields are from it.

extension ApolloStore {
  /// The write that a commit is, or `nil` if the store does not track ages.
  func pendingWrite(of pending: PendingCommit) throws -> PendingWrite? {
    let tracker = siblings.freshness
    if case .response(let response, _) = pending, let receipt = response.receipt {
      // Others may have cleared the cache and used the number of an earlier write.
      if records.hasForeignWriters {
        guard let count = try records.foreignCommitCount() else {
          return PendingWrite(receipt.facts(at: freshness.currentTime), .all)
        }
        tracker.noteForeignCommits(count)
      }
      return tracker.write(of: response, receipt, at: freshness.currentTime)
    }
    if case .updated(let response, _, _) = pending, let facts = response.facts {
      return PendingWrite(facts, .all, keeping: response.edited.shapes)
    }
    if case .removals = pending { return nil }
    // The program may change what it has read before a response has arrived.
    let isTracked =
      freshness.isTracked ?? (freshness.hasLimits || !tracker.isIdle || plans.haveMaxAges)
    guard isTracked else { return nil }
    let facts = WriteFacts(time: freshness.currentTime, operationName: nil, maxAge: nil)
    switch pending {
    case .updated(let response, _, _):
      return PendingWrite(facts, .all, keeping: response.edited.shapes)
    default: return PendingWrite(facts, .changed)
    }
  }

  /// Adds to a ledger, and to that of all stores, what the cache has kept of the fields that a
  /// reading has read. Their writes are those of the same snapshot.
  func addKeptWrites(
    of result: ObjectReadResult, for selection: OperationSelection,
    in snapshot: any StoreSnapshot, to ledger: inout LedgerSnapshot?
  ) throws {
    guard var known = ledger, snapshot.keepsWrites, result.object != nil else { return }
    if let whole = wholeWrite(of: selection, &known), whole.replaced.isEmpty,
      result.dependencies.fingerprint == whole.fingerprint
    {
      ledger = known
      return
    }
    known = siblings.freshness.sorted(known)
    let kept = try KeptWrites(result.dependencies, unknownTo: known.ledger, in: snapshot)
    guard !kept.isEmpty else {
      // The same version, so that the report can be used again.
      ledger = known
      return
    }
    var complete = known.ledger
    complete.add(kept)
    siblings.freshness.add(kept, readAfter: known.ledger)
    ledger = LedgerSnapshot(complete)
  }

  /// The writes of fields as they are now, or `nil` if the store does not track them.
  func currentLedger(for schema: any SchemaMetadata.Type) -> LedgerSnapshot? {
    guard freshness.isTracked(for: schema) else { return nil }
    noteForeignCommitsInLedger()
    return siblings.freshness.snapshot
  }

  /// Lets the ledger forget what other connections may have replaced. If their commits cannot be
  /// counted now, the next call counts them.
  func noteForeignCommitsInLedger() {
    if records.hasForeignWriters, let count = try? records.foreignCommitCount() {
      siblings.freshness.noteForeignCommits(count)
    }
  }

  /// Returns the latest write of a selection if it has written exactly these fields. `nil` also if
  /// others have written many of them since.
  private func wholeWrite(
    of selection: OperationSelection, _ fields: Dependencies, _ snapshot: inout LedgerSnapshot
  ) -> WholeWrite? {
    let whole = wholeWrite(of: selection, &snapshot)
    return whole?.fingerprint == fields.fingerprint ? whole : nil
  }

  /// Returns the latest write of a selection, or `nil` if it is not known or others have written
  /// many of its fields since. Sorts the ledger if the answer depends on it.
  private func wholeWrite(
    of selection: OperationSelection, _ snapshot: inout LedgerSnapshot
  ) -> WholeWrite? {
    if let known = snapshot.ledger.wholeWrite(of: selection.key) { return known }
    guard !snapshot.ledger.isSorted else { return nil }
    snapshot = siblings.freshness.sorted(snapshot)
    return snapshot.ledger.wholeWrite(of: selection.key)
  }

  /// Returns the age of a response that was written, or `nil` if the store does not track it.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - trace: The fields of the response.
  ///   - failed: Those that have failed, which have no age. Evaluated if the store tracks ages.
  ///   - demand: When the caller considers it stale.
  /// - Returns: The age of the other fields.
  package func freshness<Operation: GraphQLOperation>(
    of operation: Operation, _ trace: ReadingTrace,
    except failed: @autoclosure () -> Set<FieldAddress>, _ demand: FreshnessDemand
  ) -> ResponseFreshness? {
    guard var ledger = currentLedger(for: Operation.Data.Schema.self) else { return nil }
    let now = freshness.currentTime
    let selection = OperationSelection(operation, servesFailures: false)
    let failed = failed()
    // An earlier response may have written the fields that have failed now, and these alone.
    let whole = failed.isEmpty ? wholeWrite(of: selection, trace.dependencies, &ledger) : nil
    let check = check(trace, of: selection, ledger, missing: failed, now, .response)
    return check.report(whole).freshness(at: now, demand)
  }

  /// Returns the age of a response that is not in the cache, or `nil` if the store does not track
  /// it. It is as new as the moment, whatever the cache has of it.
  ///
  /// `demand`: When the caller considers it stale.
  package func freshness<Operation: GraphQLOperation>(
    ofUnwritten response: NormalizedResponse, to operation: Operation, _ trace: ReadingTrace,
    _ demand: FreshnessDemand
  ) -> ResponseFreshness? {
    guard let receipt = response.receipt,
      let ledger = currentLedger(for: Operation.Data.Schema.self)
    else { return nil }
    let now = freshness.currentTime
    let selection = OperationSelection(operation, servesFailures: false)
    let whole = WholeWrite(
      id: .none, facts: receipt.facts(at: now), fingerprint: trace.dependencies.fingerprint,
      replaced: [])
    let report = check(trace, of: selection, ledger, now, .unwritten).report(whole)
    return report.freshness(at: now, demand)
  }

  /// Returns a reading with the age of its data, or with misses if that is older than demanded.
  /// `misses`: All that is missing in partial data.
  /// `failed`: The fields that are served with errors. A fetch may bring the same errors again, or
  /// others, so they do not count for the expiry that it can change.
  /// `knownReport`: The report of the previous reading of this data.
  func checked<Data>(
    _ reading: CacheReading<Data>, _ object: ResponseObject?, missing misses: [CacheMiss] = [],
    failed: Set<FieldAddress> = [], of selection: OperationSelection, _ ledger: LedgerSnapshot?,
    _ demand: FreshnessDemand, knownReport: VersionedReport? = nil
  ) -> CacheReading<Data> {
    guard reading.data != nil, let object, let ledger else { return reading }
    let now = freshness.currentTime
    let missing = Set(misses.lazy.filter(\.isAbsence).map(\.address))
    let report = report(
      reading.trace, object, of: selection, ledger, missing: missing, now, known: knownReport)
    let renewable =
      failed.isEmpty
      ? report
      : check(
        reading.trace, of: selection, ledger, missing: missing.union(failed), now, .reading
      ).report()
    return checked(reading, report, renewable: renewable, demand, at: now) {
      check(reading.trace, of: selection, ledger, missing: missing, now, .reading)
    }
  }

  /// Returns the reading of the latest event of a subscription in the same way. `facts` are those
  /// about the event: the cache has its objects, but not its root fields.
  func checked<Data>(
    _ reading: CacheReading<Data>, ofEvent facts: WriteFacts?, _ selection: OperationSelection,
    _ ledger: LedgerSnapshot?, _ demand: FreshnessDemand
  ) -> CacheReading<Data> {
    guard reading.data != nil, let ledger else { return reading }
    let now = freshness.currentTime
    let check = check(reading.trace, of: selection, ledger, now, .event(facts))
    let report = check.report()
    return checked(reading, report, renewable: report, demand, at: now) { check }
  }

  /// Returns a reading with its report, and the expiry that a fetch can change from another one.
  /// `check` is needed only for the misses.
  private func checked<Data>(
    _ reading: CacheReading<Data>, _ report: FreshnessReport, renewable: FreshnessReport,
    _ demand: FreshnessDemand, at now: Double, by check: () -> FreshnessCheck
  ) -> CacheReading<Data> {
    var reading = reading
    reading.freshness = report.freshness(at: now, demand, renewable: renewable)
    guard demand.enforcement == .strict, !report.satisfies(demand, at: now) else { return reading }
    let expired = check().misses(demand)
    guard !expired.isEmpty else { return reading }
    reading.data = nil
    reading.misses = Array((expired + reading.misses).prefix(maximumMissCount))
    return reading
  }

  private func report(
    _ trace: ReadingTrace, _ object: ResponseObject, of selection: OperationSelection,
    _ ledger: LedgerSnapshot, missing: Set<FieldAddress>, _ now: Double, known: VersionedReport?
  ) -> FreshnessReport {
    // Optimistic data is as new as the moment. A report of partial data is not remembered.
    guard layers.isIdle, missing.isEmpty else {
      return check(trace, of: selection, ledger, missing: missing, now, .reading).report()
    }
    let version = ledger.ledger.version
    // The clock may have been corrected since.
    let known = known.flatMap { $0.report.isFromFuture(at: now) ? nil : $0 }
    if let known, known.version == version { return known.report }
    var ledger = ledger
    let whole = wholeWrite(of: selection, trace.dependencies, &ledger)
    let report: FreshnessReport
    if let known, let whole, whole.replaced.isEmpty, known.whole == whole {
      report = known.report
    } else {
      report = check(trace, of: selection, ledger, now, .reading).report(whole)
    }
    guard !report.isFromFuture(at: now) else { return report }
    results.remember(
      VersionedReport(report: report, version: version, whole: whole), of: selection.key,
      on: object)
    return report
  }

  func check(
    _ trace: ReadingTrace, of selection: OperationSelection, _ snapshot: LedgerSnapshot,
    missing: Set<FieldAddress> = [], _ now: Double, _ kind: FreshnessCheck.Kind
  ) -> FreshnessCheck {
    FreshnessCheck(
      trace.dependencies, of: kind, root: selection.rootPosition, snapshot, siblings.freshness,
      rules: freshness.rules(for: selection.schema), defaultMaxAge: freshness.defaultMaxAge,
      effects: kind == .unwritten ? nil : layers.effects, missing: missing, now: now)
  }
}

extension FreshnessTracker {
  /// Notes when the fields of a commit were written.
  func follow(_ record: CommitRecord) {
    let (commit, number) = (record.commit, record.writeID)
    // Others have committed in between, or all records are gone.
    if commit.changes.includesEverything { forget(.everything) }
    if case .removals(let fields) = record.pending { forget(fields) }
    // Without a write, the fields are newer than the ledger says, and count as older than they are.
    guard let write = record.write else { return }
    switch record.pending {
    case .updating, .removals: return
    case .response(let response, _):
      if let receipt = response.receipt { return note(response, receipt, write, number) }
    case .updated(let response, _, _): note(response.records, write.facts, number)
    case .mutations, .collected, .clearing: break
    }
    note(commit.changes.removing(write), write.facts, number)
  }
}

extension ChangeSet {
  /// Returns the changes without the fields that remain from their earlier writes.
  fileprivate func removing(_ write: PendingWrite) -> ChangeSet {
    guard !write.kept.isEmpty, !includesEverything else { return self }
    var rest = ChangeSet()
    for entry in entries {
      guard write.kept[entry.record] != nil, !entry.fields.isAll else {
        rest.insert(entry.fields, of: entry.record)
        continue
      }
      for field in entry.fields.listed where !write.keeps(field, of: entry.record) {
        rest.insert(FieldAddress(record: entry.record, field: field))
      }
    }
    return rest
  }
}

/// The ages of a reading that is kept, and what they follow from.
///
/// An object, because every reading copies it with the result.
final class VersionedReport: Sendable {
  let report: FreshnessReport
  /// The version of the ledger.
  let version: UInt64
  /// The latest write of the selection, or `nil` if it is not known or the reading has other
  /// fields.
  let whole: WholeWrite?

  init(report: FreshnessReport, version: UInt64, whole: WholeWrite?) {
    self.report = report
    self.version = version
    self.whole = whole
  }
}
