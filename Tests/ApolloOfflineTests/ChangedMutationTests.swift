import ApolloAPI
import Testing

@testable import ApolloOffline

/// Mutations that a handler changes.
@Suite(.timeLimit(.minutes(10)))
struct ChangedMutationTests: LedgerSuite {
  @Test func newContentsHaveTheirOwnNeedsSizeAndVisibility() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    try add(entry(.enqueue(lane: "b", creates: ["temporary": ["id"]])), to: &ledger)
    let id = try #require(try add(entry(.enqueue(lane: "a")), to: &ledger))
    let creating = try attempt(&ledger, at: 0)
    let sent = try attempt(&ledger, at: 0)
    try finish(sent, rejection, in: &ledger, at: 1)
    let session = try #require(ledger.machine.get().session)
    let before = ledger.machine.get().byteCount
    let new = Payload(variables: .object(["id": "temporary"]), optimistic: .object([:]))
    #expect(try ledger.retry(id, session: session, new, newKey: "new", at: moment(2)))
    let changed = try #require(ledger.machine.get().entries[id])
    #expect(changed.needs == ["temporary"])
    #expect(changed.isVisible)
    #expect(ledger.machine.get().byteCount == before + Int64(new.bytes.count) - 2)
    #expect(try sendsNothing(&ledger, at: 3), "It is sent with a temporary identifier.")
    try finish(creating, .performed(["temporary": "real"]), in: &ledger, at: 4)
    #expect(try attempt(&ledger, at: 5).identifiers == ["temporary": "real"])
    // The same after a restart.
    let alice = OfflineFile.storedName(of: "alice")
    #expect(try ledger.file.entries(of: alice).last?.needs == ["temporary"])
  }

  @Test func newContentsWithAnIdentifierThatWillNotComeFailAgain() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let creator = try #require(
      try add(entry(.enqueue(lane: "b", creates: ["temporary": ["id"]])), to: &ledger))
    var needing = entry(.enqueue(lane: "a"))
    needing.needs = ["temporary"]
    let id = try #require(try add(needing, to: &ledger))
    let session = try #require(ledger.machine.get().session)
    #expect(try ledger.remove(creator, session: session, .dropped, at: moment(0)))
    #expect(try sendsNothing(&ledger, at: 0))
    #expect(ledger.machine.get().entries[id]?.failure?.kind == .dependency)
    let new = Payload(variables: .object(["id": "temporary"]))
    #expect(try ledger.retry(id, session: session, new, newKey: "new", at: moment(1)))
    #expect(try sendsNothing(&ledger, at: 1), "It is sent with a temporary identifier.")
    #expect(ledger.machine.get().entries[id]?.failure?.kind == .dependency)
  }

  @Test func newContentsAreAnotherMutationForTheServer() throws {
    let machine = try Machine()
    var ledger = try ledger(machine)
    let id = try #require(try add(entry(.enqueue(conflict: .handler)), to: &ledger))
    let session = try #require(ledger.machine.get().session)
    try finish(
      try attempt(&ledger, at: 0),
      .rejected(OfflineFailure(.graphQL, messages: ["no name"]), mayHaveArrived: true),
      in: &ledger, at: 1)
    let new = Payload(variables: .object(["name": "B"]))
    #expect(try ledger.retry(id, session: session, new, newKey: "second", at: moment(2)))
    let sent = try attempt(&ledger, at: 3)
    #expect(sent.key == "second")
    let conflict = OfflineFailure(.rejected, statusCode: 409, messages: ["conflict"])
    try finish(sent, .rejected(conflict, mayHaveArrived: false), in: &ledger, at: 4)
    #expect(entries(ledger).map(\.phase) == [.failed], "The server cannot be busy with a new key.")
    #expect(try ledger.retry(id, session: session, newKey: "third", at: moment(5)))
    #expect(try attempt(&ledger, at: 6).key == "third", "It would give its response again.")
  }
}
