import ApolloAPI
import ApolloSQLite
import Foundation
import Testing

@testable import ApolloOffline

/// A queue without tasks, and its file, which other queues change too.
@Suite(.timeLimit(.minutes(10)))
struct LedgerTests: LedgerSuite {
  private let alice = OfflineFile.storedName(of: "alice")

  // MARK: The lease

  @Test func whatAnEndedQueueWasSendingIsSentAgainWithItsKey() throws {
    let machine = try Machine()
    var ended = try ledger(machine)
    let id = try add(entry(), to: &ended)
    _ = try attempt(&ended, at: 0)
    var next = try ledger(machine)
    #expect(try sendsNothing(&next, at: 5), "The lease of another queue does not count.")
    let again = try attempt(&next, at: 20)
    #expect(again.id == id)
    #expect(again.number == 2)
    #expect(again.key == "key")
  }

  /// Another queue may add a mutation after this one has looked for its changes.
  @Test func aMutationOfAnotherQueueComesBeforeALaterOne() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    var second = try ledger(machine)
    try add(entry(key: "1"), to: &second)
    let session = try #require(first.machine.get().session)
    #expect(try first.add(entry(key: "2"), session: session, inPlaceOf: [], at: 0) == nil)
    #expect(entries(first).count == 1, "It knows the other one now.")
    try add(entry(key: "2"), to: &first)
    #expect(try attempt(&first, at: 0).key == "1")
  }

  @Test func aQueueThatHasLostItsLeaseSendsNothingAndItsResultIsLate() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    try add(entry(key: "1"), to: &first)
    try add(entry(key: "2"), to: &first)
    let lost = try attempt(&first, at: 0)
    // The first one is suspended, and another one takes over.
    var second = try ledger(machine)
    let again = try attempt(&second, at: 20)
    #expect(again.id == lost.id)
    #expect(try !finish(lost, rejection, in: &first, at: 21))
    #expect(try sendsNothing(&first, at: 22))
    #expect(entries(first).map(\.phase) == [.sending, .waiting])
  }

  @Test func withoutAKeyNothingIsSentAgain() throws {
    let machine = try Machine()
    var ended = try ledger(machine)
    try add(entry(key: nil), to: &ended)
    _ = try attempt(&ended, at: 0)
    var next = try ledger(machine)
    #expect(try sendsNothing(&next, at: 20))
    #expect(entries(next).map(\.phase) == [.uncertain])
  }

  @Test func whatNoTaskSendsIsSentAgainWhileTheLeaseIsHeld() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(), to: &ledger)
    let first = try attempt(&ledger, at: 0)
    // The user logs out and in again before the request ends.
    try ledger.endSession(keeping: true)
    try ledger.begin("alice")
    let second = try attempt(&ledger, at: 1)
    #expect(second.id == first.id)
    #expect(second.key == first.key)
  }

  @Test(arguments: [true, false])
  func theFileIsSyncedWithEachCommitIfItSurvivesAPowerLoss(survivesPowerLoss: Bool) throws {
    let machine = try Machine()
    let file = try OfflineFile(
      url: machine.file, survivesPowerLoss: survivesPowerLoss, busyTimeout: .seconds(300))
    // 1 is `NORMAL`, and 2 `FULL`.
    #expect(try file.database.integer("PRAGMA synchronous") == (survivesPowerLoss ? 2 : 1))
    #expect(try file.database.integer("PRAGMA fullfsync") == (survivesPowerLoss ? 1 : 0))
  }

  /// A lease of a queue in another process, or of one that says so.
  private func setLease(
    in machine: Machine, _ process: ProcessIdentity, from date: Double, duration: Double
  ) throws {
    let file = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    try file.transaction { try file.setLease(of: process, from: date, duration: duration) }
    // Its owner has another name now, so that the release of this connection does not end it.
    try file.database.execute("UPDATE lease SET owner = 'another'")
  }

  @Test func theLeaseOfAProcessThatHasEndedIsFree() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(), to: &ledger)
    // No process has this number: Linux has at most 2²² of them, and Apple's systems 99,999.
    let ended = ProcessIdentity(number: 99_999_999, space: ProcessIdentity.current.space)
    try setLease(in: machine, ended, from: 0, duration: 100)
    #expect(try attempt(&ledger, at: 1).number == 1)
  }

  @Test func theLeaseOfAProcessInAnotherContainerIsKept() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(), to: &ledger)
    let other = ProcessIdentity(number: 99_999_999, space: "pid:[1]")
    try setLease(in: machine, other, from: 0, duration: 100)
    #expect(try sendsNothing(&ledger, at: 99))
    #expect(try attempt(&ledger, at: 101).number == 1)
  }

  @Test func aLeaseHasTheDurationOfItsOwner() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(), to: &ledger)
    // Longer than those of this queue.
    try setLease(in: machine, .current, from: 1_000, duration: 60)
    #expect(try sendsNothing(&ledger, at: 1_001))
    // One that begins in the future is of a clock that was set back since.
    #expect(try attempt(&ledger, at: 999).number == 1)
  }

  @Test func aRequestThatLosesItsLeaseStillShowsItsMutation() throws {
    let machine = try Machine()
    var (first, second) = (try ledger(machine), try ledger(machine))
    var new = entry()
    new.isVisible = true
    let id = try #require(try add(new, to: &first))
    try second.reload()
    let attempt = try attempt(&first, at: 0)
    _ = try self.attempt(&second, at: 100)
    try first.reload()
    let isShown = { (ledger: QueueLedger) in ledger.machine.withLock { $0.isShown(id) } }
    #expect(!isShown(first), "A second layer would show the change twice.")
    first.machine.withLock { $0.endShowing(attempt) }
    #expect(isShown(first))
  }

  @Test func onlyTheHolderOfTheLeaseAsksHandlers() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    try add(entry(.enqueue(conflict: .handler)), to: &first)
    let sent = try attempt(&first, at: 0)
    try finish(sent, rejection, in: &first, at: 1)
    var second = try ledger(machine)
    #expect(try sendsNothing(&second, at: 2))
    first.machine.withLock { $0.wakeAll() }
    guard case .ask = try first.next(at: moment(2)) else {
      Issue.record("The holder of the lease does not ask.")
      return
    }
  }

  /// The first one has been asked before, about an earlier rejection.
  @Test func aHandlerIsAskedAboutWhatAnotherQueueHasRetriedInVain() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    let id = try #require(try add(entry(.enqueue(conflict: .handler)), to: &first))
    try finish(try attempt(&first, at: 0), rejection, in: &first, at: 1)
    func isAsked(at seconds: Double) throws -> Bool {
      first.machine.withLock { $0.wakeAll() }
      guard case .ask(let question) = try first.next(at: moment(seconds)) else { return false }
      first.machine.withLock { $0.endAsking(question.entry, in: question.session) }
      return true
    }
    #expect(try isAsked(at: 2))
    #expect(try !isAsked(at: 3))
    // After the end of the lease.
    var second = try ledger(machine)
    let session = try #require(second.machine.get().session)
    #expect(try second.retry(id, session: session, newKey: "new", at: moment(20)))
    try finish(try attempt(&second, at: 20), rejection, in: &second, at: 21)
    try first.reloadIfNeeded()
    #expect(try isAsked(at: 60))
  }

  @Test func aKeyWhoseRequestMayHaveBeenPerformedStaysAfterARejection() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let id = try #require(try add(entry(), to: &ledger))
    let first = try attempt(&ledger, at: 0)
    try finish(
      first, .unknown(retryAfter: nil, isFaultOfServer: false), in: &ledger, at: 1)
    // A gateway in front of the server's table of keys.
    try finish(try attempt(&ledger, at: 100), rejection, in: &ledger, at: 101)
    let session = try #require(ledger.machine.get().session)
    #expect(try ledger.retry(id, session: session, newKey: "new", at: moment(102)))
    #expect(try attempt(&ledger, at: 200).key == "key")
  }

  // MARK: Changes of others

  @Test func aDecisionAboutAFormerStateChangesNothing() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    let id = try #require(try add(entry(), to: &first))
    let sent = try attempt(&first, at: 0)
    try finish(sent, rejection, in: &first, at: 1)
    var second = try ledger(machine)
    let (one, two) = (first.machine.get().session, second.machine.get().session)
    #expect(try first.retry(id, session: #require(one), newKey: "new", at: moment(2)))
    let again = try attempt(&first, at: 2)
    #expect(try !second.remove(id, session: #require(two), .dropped, at: moment(3)))
    #expect(try !second.retry(id, session: #require(two), newKey: "other", at: moment(3)))
    #expect(again.key == "new")
    #expect(entries(second).map(\.phase) == [.sending])
    #expect(try finish(again, .performed([:]), in: &first, at: 4))
  }

  @Test func whatAnotherQueueHasSentIsNotReplaced() throws {
    let machine = try Machine()
    let rules = OfflineRules.enqueue(superseding: .replace("name"))
    var first = try ledger(machine)
    try add(entry(key: "1", rules), to: &first)
    let old = entries(first)
    var second = try ledger(machine)
    let sent = try attempt(&second, at: 0)
    try finish(sent, .unknown(retryAfter: nil, isFaultOfServer: false), in: &second, at: 1)
    #expect(try add(entry(key: "2", rules), to: &first, inPlaceOf: old) == nil)
    #expect(entries(first).map(\.mayHaveArrived) == [true])
    #expect(
      first.machine.get().superseded(by: "name", in: "", operationName: "Rename").isEmpty)
  }

  @Test func aLaneGoesOnWhenAnotherQueueHasRemovedItsHead() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    let id = try #require(try add(entry(key: "1"), to: &first))
    try add(entry(key: "2"), to: &first)
    let second = try ledger(machine)
    try second.file.transaction { try second.file.remove(id) }
    #expect(try attempt(&first, at: 0).key == "2")
    #expect(entries(first).count == 1)
  }

  @Test func aResultOfAMutationThatIsGoneIsOutOfDate() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    try add(entry(), to: &first)
    let sent = try attempt(&first, at: 0)
    let second = try ledger(machine)
    try second.file.transaction { try second.file.remove(sent.id) }
    #expect(try !finish(sent, rejection, in: &first, at: 1))
    #expect(entries(first).isEmpty)
    #expect(first.machine.get().sendingCount == 0)
  }

  @Test func aLateSuccessDoesNotEndWhatHasOtherContentsNow() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    let id = try #require(try add(entry(), to: &first))
    let lost = try attempt(&first, at: 0)
    var second = try ledger(machine)
    let again = try attempt(&second, at: 20)
    try finish(again, rejection, in: &second, at: 21)
    let session = try #require(second.machine.get().session)
    let new = Payload(variables: .object(["name": "B"]))
    #expect(try second.retry(id, session: session, new, newKey: "new", at: moment(22)))
    #expect(try !finish(lost, .performed([:]), in: &first, at: 23))
    #expect(try attempt(&second, at: 30).key == "new")
  }

  @Test func whatNeedsAnIdentifierIsShownAgainWhenAnotherQueueHasReceivedIt() throws {
    let machine = try Machine()
    var first = try ledger(machine)
    try add(entry(.enqueue(lane: "a", creates: ["temporary": ["id"]])), to: &first)
    var needing = entry(.enqueue(lane: "b"))
    (needing.needs, needing.isVisible) = (["temporary"], true)
    let id = try #require(try add(needing, to: &first))
    var second = try ledger(machine)
    #expect(second.machine.withLock { $0.takeTouched() }.contains(id))
    try finish(
      try attempt(&first, at: 0), .performed(["temporary": "real"]), in: &first, at: 1)
    try second.reload()
    #expect(second.machine.get().names.real("temporary") == "real")
    #expect(second.machine.withLock { $0.takeTouched() }.contains(id))
    try second.reload()
    #expect(second.machine.withLock { $0.takeTouched() } == [], "Nothing has changed.")
  }

  // MARK: Sessions

  @Test func aMutationIsAddedToTheSessionOfItsCallOnly() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let alice = try #require(ledger.machine.get().session)
    for next in ["bob", "alice"] {
      try ledger.endSession(keeping: true)
      try ledger.begin(next)
      let error = #expect(throws: OfflineError.self) {
        try ledger.add(entry(), session: alice, inPlaceOf: [], at: 0)
      }
      #expect(error?.code == .noSession)
    }
    #expect(entries(ledger).isEmpty)
  }

  @Test func resultsOfAnEndedSessionReachItsFile() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let creating = OfflineRules.enqueue(lane: "a", creates: ["temporary": ["id"]])
    try add(entry(creating), to: &ledger)
    try add(entry(key: nil, .enqueue(lane: "b")), to: &ledger)
    try add(entry(key: nil, .enqueue(lane: "c")), to: &ledger)
    let attempts = try (0..<3).map { _ in try attempt(&ledger, at: 0) }
    try ledger.endSession(keeping: true)
    try ledger.begin("bob")
    try finish(attempts[0], .performed(["temporary": "real"]), in: &ledger, at: 1)
    let notPerformed = AttemptOutcome.notPerformed(retryAfter: nil, isFaultOfServer: false)
    try finish(attempts[1], notPerformed, in: &ledger, at: 1)
    try finish(attempts[2], rejection, in: &ledger, at: 1)
    try ledger.endSession(keeping: true)
    try ledger.begin("alice")
    #expect(ledger.machine.get().names.real("temporary") == "real")
    #expect(entries(ledger).map(\.phase) == [.waiting, .failed])
    #expect(entries(ledger).map(\.mayHaveArrived) == [false, false])
  }

  @Test func aResultOfTheSameUserBeforeTheLastLoginIsTakenOver() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(key: nil), to: &ledger)
    let sent = try attempt(&ledger, at: 0)
    try ledger.endSession(keeping: true)
    try ledger.begin("alice")
    #expect(try sendsNothing(&ledger, at: 1))
    #expect(entries(ledger).map(\.phase) == [.sending], "Its result is still to come.")
    #expect(try finish(sent, .performed([:]), in: &ledger, at: 2))
    #expect(entries(ledger).isEmpty)
  }

  @Test func aSessionThatCannotBeReadDoesNotBegin() throws {
    let machine = try Machine()
    let file = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .milliseconds(1))
    let queue = Lock(QueueMachine(limits: QueueLimits()))
    var ledger = QueueLedger(file: file, machine: queue)
    let other = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    try other.transaction {
      _ = #expect(throws: (any Error).self) { try ledger.begin("alice") }
    }
    #expect(queue.get().session == nil)
    try ledger.begin("alice")
    #expect(queue.get().session?.name == "alice")
  }

  @Test func whatCouldNotBeRemovedAtTheLogoutIsNeverSeenAgain() throws {
    let machine = try Machine()
    let file = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .milliseconds(1))
    var ledger = QueueLedger(
      file: file, machine: Lock(QueueMachine(limits: QueueLimits())))
    try ledger.begin("")
    try add(entry(), to: &ledger)
    let other = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    try other.transaction {
      #expect(throws: (any Error).self) { try ledger.endSession(keeping: true) }
      #expect(throws: (any Error).self) { try ledger.begin("") }
    }
    #expect(ledger.machine.get().session == nil)
    try ledger.begin("")
    #expect(entries(ledger).isEmpty)
    var next = QueueLedger(file: other, machine: Lock(QueueMachine(limits: QueueLimits())))
    try next.begin("")
    #expect(entries(next).isEmpty)
  }

  @Test func noClientRevivesASessionThatEnds() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(), to: &ledger)
    try add(entry(.enqueue(lane: "b")), to: &ledger)
    let sent = try attempt(&ledger, at: 0)
    #expect(sent.call?.isCurrent == true)
    let (session, calls) = ledger.machine.withLock { $0.stopSending() }
    calls?.end()
    // A client takes the queue over before the end of the session is in the file.
    ledger.machine.withLock { $0.allowCalls() }
    #expect(sent.call?.isCurrent == false)
    #expect(try sendsNothing(&ledger, at: 0))
    #expect(session?.name == "alice")
    try ledger.endSession(keeping: true)
    ledger.machine.withLock { $0.allowCalls() }
    #expect(ledger.machine.get().calls == nil)
  }

  @Test func aRequestThatBeginsAtTheEndOfItsSessionHasEnded() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(), to: &ledger)
    let sent = try attempt(&ledger, at: 0)
    ledger.machine.withLock { machine in
      _ = machine.stopSending()
      machine.allowCalls()
      // As if the ledger had decided just before.
      #expect(machine.begin(sent) == nil)
    }
  }

  @Test func anotherProcessEndsTheSessionWithoutANameForAll() throws {
    let machine = try Machine()
    var first = try ledger(machine, "")
    var second = try ledger(machine, "")
    try add(entry(), to: &first)
    try first.endSession(keeping: true)
    let error = #expect(throws: OfflineError.self) { try add(entry(), to: &second) }
    #expect(error?.code == .noSession)
    try first.begin("")
    #expect(try first.file.contents(of: "").size.count == 0)
  }

  // MARK: Rules

  static let kinds: [OfflineFailure.Kind] = [
    .graphQL, .rejected, .unreadable, .expired, .dependency, .repeatedly, .unsendable,
  ]

  @Test(arguments: kinds)
  func onlyWhatAServerHasRejectedIsSkipped(kind: OfflineFailure.Kind) {
    for conflict in [OfflineConflictRule.stop, .skip, .handler] {
      let record = entry(.enqueue(conflict: conflict)).record(id: 1, time: 0)
      let change = record.rejected(OfflineFailure(kind), mayHaveArrived: false)
      // A status without GraphQL errors may be that of something in front of the server.
      let isSkipped = conflict == .skip && kind == .graphQL
      switch change.result {
      case .leaves(let ending): #expect(isSkipped && ending == .dropped)
      case .stays(let new): #expect(!isSkipped && new.failure?.kind == kind)
      }
    }
  }

  @Test func failuresOfAServerAreLimitedOnlyIfTheProgramWantsThat() throws {
    for limit in [nil, 3] {
      let machine = try Machine()
      var limits = QueueLimits()
      limits.maximumServerFailures = limit
      let file = try OfflineFile(
        url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
      var logic = QueueMachine(limits: limits)
      logic.registered = ["Rename"]
      var ledger = QueueLedger(file: file, machine: Lock(logic))
      try ledger.begin("alice")
      let id = try #require(try add(entry(.enqueue(conflict: .skip)), to: &ledger))
      for number in 0..<(limit ?? 100) {
        // Requests to wait do not count.
        let waiting = try attempt(&ledger, at: Double(number) * 1_000)
        try finish(
          waiting, .notPerformed(retryAfter: nil, isFaultOfServer: false), in: &ledger,
          at: Double(number) * 1_000)
        let sent = try attempt(&ledger, at: Double(number) * 1_000 + 500)
        try finish(
          sent, .unknown(retryAfter: nil, isFaultOfServer: true), in: &ledger,
          at: Double(number) * 1_000 + 500)
      }
      #expect(entries(ledger).map(\.phase) == [limit == nil ? .waiting : .failed])
      guard limit != nil else { continue }
      // The key stays: it may have been performed.
      let session = try #require(ledger.machine.get().session)
      #expect(try ledger.retry(id, session: session, newKey: "new", at: moment(10_000)))
      #expect(try attempt(&ledger, at: 10_001).key == "key")
    }
  }

  @Test func aHandlerThatAlwaysRetriesWaitsLongerAndLonger() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    ledger.machine.withLock { $0.jitter = { 1 } }
    let id = try #require(try add(entry(.enqueue(conflict: .handler)), to: &ledger))
    let session = try #require(ledger.machine.get().session)
    var time = 0.0
    func rejectAndRetry(after setback: EntryChange.Setback?) throws {
      try finish(try attempt(&ledger, at: time), rejection, in: &ledger, at: time)
      #expect(
        try ledger.retry(id, session: session, newKey: "new", after: setback, at: moment(time)))
    }
    let setback = EntryChange.Setback(retryAfter: nil, isFaultOfServer: false)
    for wait in [1.0, 2, 4, 8] {
      try rejectAndRetry(after: setback)
      #expect(try sendsNothing(&ledger, at: time + wait * 0.9), "It waits for \(wait) seconds.")
      time += wait
    }
    // A decision of the program begins a new row.
    try rejectAndRetry(after: nil)
    try rejectAndRetry(after: setback)
    #expect(try attempt(&ledger, at: time + 1).id == id)
  }

  // MARK: Identifiers and contents

  @Test func anIdentifierInUseIsRefused() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let rules = OfflineRules.enqueue(creates: ["temporary": ["id"]])
    try add(entry(rules), to: &ledger)
    let error = #expect(throws: OfflineError.self) { try add(entry(rules), to: &ledger) }
    #expect(error?.code == .identifierInUse)
    let sent = try attempt(&ledger, at: 0)
    try finish(sent, .performed(["temporary": "real"]), in: &ledger, at: 1)
    #expect(throws: OfflineError.self) { try add(entry(rules), to: &ledger) }
    #expect(ledger.machine.get().names.real("temporary") == "real")
  }

  @Test func realIdentifiersThatNothingNeedsAreForgotten() throws {
    let machine = try Machine()
    var limits = QueueLimits()
    limits.maximumIdentifierCount = 8
    let file = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    var logic = QueueMachine(limits: limits)
    logic.registered = ["Rename"]
    var ledger = QueueLedger(file: file, machine: Lock(logic))
    try ledger.begin("alice")
    for number in 0..<100 {
      let rules = OfflineRules.enqueue(lane: "a", creates: ["new \(number)": ["id"]])
      try add(entry(rules), to: &ledger)
      if number == 0 {
        var needing = entry(.enqueue(lane: "b"))
        needing.needs = ["new 0"]
        try add(needing, to: &ledger)
      }
      while let work = try ledger.next(at: moment(0)) {
        guard case .send(let attempt) = work else { continue }
        let isNeeding = attempt.entry.lane == "b"
        let names = attempt.entry.creates.mapValues { _ in "real" }
        try finish(
          attempt,
          isNeeding
            ? .notPerformed(retryAfter: .seconds(80_000), isFaultOfServer: false)
            : .performed(names), in: &ledger, at: 0)
      }
    }
    #expect(ledger.machine.get().names.realCount <= 10)
    #expect(ledger.machine.get().names.real("new 0") == "real")
    #expect(try ledger.file.contents(of: alice).identifiers.count <= 10)
  }

  @Test func aKeyThatTheServerIsBusyWithWaits() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(.enqueue(conflict: .skip)), to: &ledger)
    let inUse = AttemptOutcome.rejected(
      OfflineFailure(.rejected, statusCode: 409, messages: ["in use"]), mayHaveArrived: false)
    try finish(
      try attempt(&ledger, at: 0), .unknown(retryAfter: nil, isFaultOfServer: false), in: &ledger,
      at: 1)
    try finish(try attempt(&ledger, at: 100), inUse, in: &ledger, at: 101)
    #expect(entries(ledger).map(\.phase) == [.waiting])
    #expect(try attempt(&ledger, at: 1_000).key == "key")
  }

  @Test func aMutationThatHasWaitedTooLongIsUncertainIfItMayHaveArrived() throws {
    let machine = try Machine()
    var limits = QueueLimits()
    limits.maximumAge = 60
    let file = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    var logic = QueueMachine(limits: limits)
    logic.registered = ["Rename"]
    var ledger = QueueLedger(file: file, machine: Lock(logic))
    try ledger.begin("alice")
    // With each rule: it may never have been performed.
    let id = try #require(try add(entry(.enqueue(uncertainty: .assumeDone)), to: &ledger))
    let sent = try attempt(&ledger, at: 0)
    try finish(sent, .unknown(retryAfter: nil, isFaultOfServer: false), in: &ledger, at: 1)
    #expect(try sendsNothing(&ledger, at: 100))
    #expect(entries(ledger).map(\.phase) == [.uncertain])
    let session = try #require(ledger.machine.get().session)
    #expect(try ledger.retry(id, session: session, newKey: "new", at: moment(100)))
    #expect(try attempt(&ledger, at: 101).key == "key")
  }
}
