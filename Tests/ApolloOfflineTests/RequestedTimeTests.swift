import ApolloAPI
import Testing

@testable import ApolloOffline

/// The time that a server requests with `Retry-After`.
@Suite(.timeLimit(.minutes(10)))
struct RequestedTimeTests: LedgerSuite {
  private let wait = AttemptOutcome.notPerformed(
    retryAfter: .seconds(1_000), isFaultOfServer: false)

  @Test func whatIsDroppedBehindAnotherMutationDoesNotEndTheWaitForThat() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(key: "1"), to: &ledger)
    let later = try #require(try add(entry(key: "2"), to: &ledger))
    try finish(try attempt(&ledger, at: 0), wait, in: &ledger, at: 0)
    let session = try #require(ledger.machine.get().session)
    #expect(try ledger.remove(later, session: session, .dropped, at: moment(1)))
    #expect(try sendsNothing(&ledger, at: 2), "The server wants to be left alone.")
    #expect(try attempt(&ledger, at: 2_000).key == "1")
  }

  @Test func aNetworkEndsTheBackoffAndNotTheTimeThatAServerRequests() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(), to: &ledger)
    try finish(try attempt(&ledger, at: 0), wait, in: &ledger, at: 0)
    ledger.machine.withLock { $0.networkChanged(isAvailable: true) }
    #expect(try sendsNothing(&ledger, at: 999), "The server wants to be left alone.")
    ledger.machine.withLock { $0.endBackoff() }
    try finish(
      try attempt(&ledger, at: 999), .notPerformed(retryAfter: nil, isFaultOfServer: false),
      in: &ledger, at: 999)
    ledger.machine.withLock { $0.networkChanged(isAvailable: true) }
    #expect(try attempt(&ledger, at: 999).number == 3)
  }

  /// One that is dropped while it waits, and one that is taken for performed.
  @Test(arguments: [false, true])
  func staysWithoutTheMutationThatWasSent(isAssumed: Bool) throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let rules = OfflineRules.enqueue(uncertainty: .assumeDone)
    let first = try #require(try add(entry(key: isAssumed ? nil : "1", rules), to: &ledger))
    try finish(
      try attempt(&ledger, at: 0), .unknown(retryAfter: .seconds(1_000), isFaultOfServer: false),
      in: &ledger, at: 0)
    let session = try #require(ledger.machine.get().session)
    #expect(try ledger.remove(first, session: session, .dropped, at: moment(1)) == !isAssumed)
    #expect(entries(ledger).isEmpty)
    try add(entry(key: "2"), to: &ledger)
    #expect(try sendsNothing(&ledger, at: 999), "The server wants to be left alone.")
    let sent = try attempt(&ledger, at: 1_000)
    #expect(sent.key == "2")
    try finish(sent, .performed([:]), in: &ledger, at: 1_001)
    #expect(ledger.machine.get().lanes.isEmpty)
  }

  @Test func isForgottenInAnEmptyLaneWhenItIsOver() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let id = try #require(try add(entry(), to: &ledger))
    try finish(try attempt(&ledger, at: 0), wait, in: &ledger, at: 0)
    let session = try #require(ledger.machine.get().session)
    #expect(try ledger.remove(id, session: session, .dropped, at: moment(1)))
    #expect(try ledger.next(at: moment(2)) == nil)
    #expect(ledger.machine.get().lanes.count == 1)
    #expect(ledger.machine.get().schedule.wakeTime == Duration.seconds(1_000))
    #expect(try ledger.next(at: moment(1_000)) == nil)
    #expect(ledger.machine.get().lanes.isEmpty)
    #expect(ledger.machine.get().schedule.wakeTime == nil)
  }

  @Test func endsForGoodWhenTheProgramRetriesNow() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let first = try #require(try add(entry(key: "1"), to: &ledger))
    try add(entry(key: "2"), to: &ledger)
    try finish(try attempt(&ledger, at: 0), wait, in: &ledger, at: 0)
    ledger.machine.withLock { $0.endBackoff() }
    let session = try #require(ledger.machine.get().session)
    #expect(try ledger.remove(first, session: session, .dropped, at: moment(1)))
    #expect(try attempt(&ledger, at: 2).key == "2")
  }

  @Test func isForAttemptsAndNotForTheHandler() throws {
    let machine = try Machine()
    var limits = QueueLimits()
    limits.maximumServerFailures = 1
    var ledger = try ledger(machine, limits: limits)
    let id = try #require(try add(entry(.enqueue(conflict: .handler)), to: &ledger))
    try finish(
      try attempt(&ledger, at: 0), .unknown(retryAfter: .seconds(1_000), isFaultOfServer: true),
      in: &ledger, at: 0)
    guard case .ask(let question) = try ledger.next(at: moment(1)) else {
      Issue.record("The handler is not asked.")
      return
    }
    #expect(try ledger.retry(id, session: question.session, newKey: "new", at: moment(2)))
    ledger.machine.withLock { $0.endAsking(question.entry, in: question.session) }
    #expect(try sendsNothing(&ledger, at: 999), "The server wants to be left alone.")
    #expect(try attempt(&ledger, at: 1_000).id == id)
  }
}
