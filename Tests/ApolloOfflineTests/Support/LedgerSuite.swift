import ApolloAPI
import Foundation
import Testing

@testable import ApolloOffline

/// A suite whose tests use queues without tasks: a test performs what the ledger returns.
protocol LedgerSuite {}

extension LedgerSuite {
  func ledger(
    _ machine: Machine, _ session: String? = "alice", limits: QueueLimits = QueueLimits()
  ) throws -> QueueLedger {
    let file = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    var logic = QueueMachine(limits: limits)
    logic.registered = ["Rename"]
    var ledger = QueueLedger(file: file, machine: Lock(logic))
    if let session { try ledger.begin(session) }
    return ledger
  }

  func entry(
    key: String? = "key", _ rules: OfflineRules = .enqueue(), files: [StoredFile] = []
  ) -> NewEntry {
    NewEntry(
      operationName: "Rename", key: key, rules: rules, isVisible: false,
      payload: Array("{}".utf8), files: files)
  }

  @discardableResult
  func add(
    _ new: NewEntry, to ledger: inout QueueLedger, inPlaceOf old: [EntryRecord] = []
  ) throws -> Int64? {
    let session = try #require(ledger.machine.get().session)
    // The first try may only read what others have changed.
    let id =
      try ledger.add(new, session: session, inPlaceOf: old, at: 0)
      ?? ledger.add(new, session: session, inPlaceOf: old, at: 0)
    if let id { ledger.machine.withLock { $0.release(id) } }
    return id
  }

  func moment(_ seconds: Double) -> Moment {
    Moment(time: .seconds(seconds), date: seconds)
  }

  func attempt(_ ledger: inout QueueLedger, at seconds: Double) throws -> Attempt {
    ledger.machine.withLock { $0.wakeAll() }
    guard case .send(let attempt) = try ledger.next(at: moment(seconds)) else {
      throw NothingIsSent()
    }
    return attempt
  }

  @discardableResult
  func finish(
    _ attempt: Attempt, _ outcome: AttemptOutcome, in ledger: inout QueueLedger, at seconds: Double
  ) throws -> Bool {
    defer { ledger.machine.withLock { $0.end(attempt) } }
    return try ledger.finish(attempt, outcome, at: moment(seconds))
  }

  func sendsNothing(_ ledger: inout QueueLedger, at seconds: Double) throws -> Bool {
    ledger.machine.withLock { $0.wakeAll() }
    return try ledger.next(at: moment(seconds)) == nil
  }

  func entries(_ ledger: QueueLedger) -> [EntryRecord] {
    ledger.machine.get().orderedEntries
  }

  var rejection: AttemptOutcome {
    .rejected(OfflineFailure(.graphQL, messages: ["no"]), mayHaveArrived: false)
  }
}

private struct NothingIsSent: Error {}
