import Apollo
import ApolloAPI
import ApolloSQLite
import Foundation
import ManualClock
import TestOperations
import Testing

@testable import ApolloOffline

/// Users, and several queues on one file.
@Suite(.timeLimit(.minutes(10)))
struct SessionTests {
  /// Returns a connection as another process has it, which keeps queues from writing.
  private func writer(_ machine: Machine) throws -> OfflineFile {
    let other = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    try other.database.execute("BEGIN IMMEDIATE")
    return other
  }

  @Test(arguments: [true, false])
  func mutationsBelongToTheirUser(areKept: Bool) async throws {
    let machine = try Machine()
    machine.server.token = "alice"
    let (client, queue) = try await machine.start(session: "alice") {
      $0.keepsMutationsAtLogout = areKept
    }
    queue.networkChanged(isAvailable: false)
    try await client.rename(to: "A")
    try await client.endSession()
    #expect(queue.counts.total == 0)
    let error = await #expect(throws: OfflineError.self) { try await client.rename(to: "X") }
    #expect(error?.code == .noSession)
    #expect(error?.localizedDescription == error?.description)

    machine.server.token = "bob"
    try await queue.beginSession("bob")
    queue.networkChanged(isAvailable: true)
    try await client.rename("2", to: "B")
    await queue.waitUntilEmpty()
    #expect(machine.server.performed.map(\.token) == ["bob"])
    try await client.endSession()

    machine.server.token = "alice"
    try await queue.beginSession("alice")
    await queue.waitUntilEmpty()
    let ofAlice = machine.server.performed.filter { $0.token == "alice" }
    #expect(ofAlice.map(\.name) == (areKept ? ["A"] : []))
    #expect(machine.server.performed.filter { $0.name == "A" && $0.token != "alice" } == [])
  }

  @Test func aRequestUnderWayIsStoppedByTheLogoutAndChangesNothing() async throws {
    let machine = try Machine()
    machine.server.hold()
    let (client, queue) = try await machine.start(session: "alice")
    try await client.rename(to: "A", .enqueue())
    while machine.server.requestCount == 0 { await Task.yield() }
    // The transport does not react to the cancellation, and the logout does not wait for it.
    try await client.endSession()
    #expect(queue.session == nil)
    try await queue.beginSession("bob")
    try await client.store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:1")],
      "Hero:1": ["__typename": "Hero", "id": "1", "name": "Ben", "friends": .null],
    ])
    machine.server.release()
    while machine.server.performed.isEmpty { await Task.yield() }
    #expect(try await client.heroName() == "Ben")
    try await queue.beginSession("alice")
    await queue.waitUntil { $0.uncertain == 1 }
    #expect(machine.server.performed.count == 1)
  }

  @Test func aMutationOfAFormerSessionIsNotSentWithTheTokenOfTheNextOne() async throws {
    let machine = try Machine()
    machine.server.token = "alice"
    let (client, queue) = try await machine.start(session: "alice")
    let (arrived, arrival) = AsyncStream<Void>.makeStream()
    let (opened, gate) = AsyncStream<Void>.makeStream()
    let passed = Lock(0)
    machine.server.intercept { _ in
      arrival.yield()
      // An interceptor that does not react to the cancellation, such as one that waits for a token.
      await Task { for await _ in opened {} }.value
      passed.withLock { $0 += 1 }
    }
    try await client.rename(to: "A")
    for await _ in arrived { break }
    try await client.endSession()
    machine.server.token = "bob"
    try await queue.beginSession("bob")
    gate.finish()
    while passed.get() == 0 { await Task.yield() }
    machine.server.intercept(nil)
    try await client.rename("2", to: "B")
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["B"])
    machine.server.token = "alice"
    try await queue.beginSession("alice")
    await queue.drain(machine.clock)
    #expect(machine.server.performed.map(\.token) == ["bob", "alice"])
    #expect(machine.server.names == ["B", "A"])
  }

  @Test func aCallBelongsToTheSessionInWhichItWasMade() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start(session: "alice")
    queue.networkChanged(isAvailable: false)
    let alice = try #require(queue.front.machine.get().session)
    try await queue.beginSession("bob")
    let draft = MutationDraft(
      operationName: "Rename", payload: Payload(variables: ["id": "1", "name": "A"]), key: "key",
      files: [], rules: .enqueue(key: .automatic), merge: nil)
    let error = await #expect(throws: OfflineError.self) {
      _ = try await queue.executor.add(draft, in: alice, EndOfMutation())
    }
    #expect(error?.code == .noSession)
    #expect(queue.counts.total == 0)
    withExtendedLifetime(client) {}
  }

  @Test func interceptorsOfSeveralLanesCanEndTheSession() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start(session: "alice")
    let ended = Lock(0)
    machine.server.intercept { _ in
      try? await client.endSession()
      // Also from a task that has forgotten where it comes from.
      await Task.detached { try? await client.endSession() }.value
      ended.withLock { $0 += 1 }
    }
    queue.networkChanged(isAvailable: false)
    for lane in ["a", "b", "c"] {
      try await client.rename(to: lane, .enqueue(key: .automatic, lane: lane))
    }
    queue.networkChanged(isAvailable: true)
    while ended.get() == 0 { await Task.yield() }
    #expect(queue.session == nil)
    machine.server.intercept(nil)
    try await queue.beginSession("alice")
    await queue.drain(machine.clock)
    #expect(Set(machine.server.names) == ["a", "b", "c"])
    #expect(machine.server.performed.count == 3)
  }

  @Test func aHandlerThatWaitsDelaysNoLogout() async throws {
    let machine = try Machine()
    machine.server.react(.reject, .respond)
    let queue = try machine.queue(session: "alice")
    let (asked, askedSignal) = AsyncStream<Void>.makeStream()
    let (decided, decision) = AsyncStream<Void>.makeStream()
    queue.register(
      Rename.self,
      onConflict: { _ in
        askedSignal.yield()
        await Task { for await _ in decided {} }.value
        return .retry
      })
    let client = try await machine.client()
    client.use(queue)
    try await client.rename(to: "A", .enqueue(key: .automatic, conflict: .handler))
    for await _ in asked { break }
    try await client.endSession()
    try await queue.beginSession("bob")
    decision.finish()
    await queue.lookNow()
    #expect(queue.counts.total == 0)
    // The decision of the former session changed nothing, so the handler is asked again.
    try await queue.beginSession("alice")
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["A"])
  }

  @Test func aFailureToRemoveAtTheLogoutIsReported() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start { $0.busyTimeout = .milliseconds(1) }
    queue.networkChanged(isAvailable: false)
    try await client.rename(to: "A")
    let other = try writer(machine)
    await #expect(throws: (any Error).self) { try await client.endSession() }
    #expect(queue.session == nil)
    #expect(try await client.store.load(HeroAPI.HeroQuery()).data == nil)
    try other.database.execute("ROLLBACK")
    try await queue.beginSession("")
    #expect(queue.counts.total == 0)
  }

  @Test func aLogoutThatHasFailedIsRepeatedUntilItSucceeds() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start { $0.busyTimeout = .milliseconds(1) }
    queue.networkChanged(isAvailable: false)
    try await client.rename(to: "A")
    let other = try writer(machine)
    for _ in 0..<2 {
      await #expect(throws: (any Error).self) { try await client.endSession() }
    }
    await #expect(throws: (any Error).self) { try await queue.endSession(keepingMutations: false) }
    try other.database.execute("ROLLBACK")
    try await client.endSession()
    #expect(try other.contents(of: "").size.count == 0)
  }

  @Test func ofTwoSessionsThatBeginAtOnceOneRemains() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start(session: "carol")
    queue.networkChanged(isAvailable: false)
    for _ in 0..<20 {
      async let alice: Void = queue.beginSession("alice")
      async let bob: Void = queue.beginSession("bob")
      _ = try await (alice, bob)
      let name = try #require(queue.session)
      try await client.rename(to: name)
      let waiting = queue.entries.count
      try await queue.beginSession("carol")
      #expect(queue.counts.total == 0)
      try await queue.beginSession(name)
      #expect(queue.entries.count == waiting)
    }
  }

  @Test func theCountsOfWhatWasKeptAreReportedAtTheLogin() async throws {
    let machine = try Machine()
    let updates: AsyncStream<OfflineCounts>
    do {
      let (client, queue) = try await machine.start(session: "alice")
      queue.networkChanged(isAvailable: false)
      try await client.rename(to: "A")
      try await client.endSession()
      updates = queue.countUpdates
      try await queue.beginSession("alice")
      #expect(queue.counts.waiting == 1)
    }
    // The end of the queue ends them.
    var latest: OfflineCounts?
    for await counts in updates { latest = counts }
    #expect(latest?.waiting == 1)
  }

  @Test func aClientUsesOneQueueAtATime() async throws {
    let machine = try Machine()
    let (client, first) = try await machine.start()
    first.networkChanged(isAvailable: false)
    try await client.rename(to: "A")
    #expect(try await client.heroName() == "A")
    let other = try Machine()
    let second = try other.queue()
    second.register(Rename.self)
    client.use(second)
    first.networkChanged(isAvailable: true)
    await first.lookNow()
    #expect(first.counts.waiting == 1)
    try await client.rename("2", to: "B")
    await second.waitUntilEmpty()
    #expect(machine.server.names == ["B"])
    #expect(try await client.heroName() == "Ben")
  }

  @Test func aClientThatUsesAQueueNoMoreEndsNoSessionOfIt() async throws {
    let machine = try Machine()
    let (first, queue) = try await machine.start(session: "alice")
    queue.networkChanged(isAvailable: false)
    try await first.rename(to: "A")
    let second = try await machine.client()
    second.use(queue)
    #expect(try await first.heroName() == "Ben")
    #expect(try await second.heroName() == "A")
    try await first.endSession()
    #expect(queue.session == "alice")
    #expect(queue.counts.waiting == 1)
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A"])
  }

  @Test func twoQueuesOfOneStoreHaveLayersOfTheirOwn() async throws {
    let (machine, other) = (try Machine(), try Machine())
    let (client, queue) = try await machine.start()
    let second = ApolloClient(networkTransport: other.server, store: client.store)
    let next = try other.queue()
    next.register(Rename.self)
    second.use(next)
    for queue in [queue, next] { queue.networkChanged(isAvailable: false) }
    let change = try await client.rename(to: "A")
    try await second.rename("2", to: "B")
    #expect(try await client.heroName() == "A")
    #expect(try await client.friendName() == "B")
    #expect(try await queue.drop(change.id))
    #expect(try await client.heroName() == "Ben")
    #expect(try await client.friendName() == "B")
  }

  @Test func aQueueThatOutlivesItsClientShowsEachMutationOnce() async throws {
    let machine = try Machine()
    let queue = try machine.queue()
    queue.register(Rename.self)
    queue.registerUpdater("suffix") { transaction, argument in
      let text = argument.stringValue ?? ""
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name += text }
    }
    queue.networkChanged(isAvailable: false)
    let store: ApolloStore
    weak var released: ApolloClient?
    do {
      let client = try await machine.client()
      released = client
      client.use(queue)
      _ = try await client.perform(
        mutation: Rename(id: "1", name: "!"),
        updating: OfflineUpdate("suffix", argument: .string("!")), offline: .enqueue())
      #expect(try await client.heroName() == "Ben!")
      store = client.store
    }
    // A task of the queue may still be about to end.
    while released != nil { await Task.yield() }
    // Such as one with the transport of the next server.
    let client = ApolloClient(networkTransport: machine.server, store: store, clock: machine.clock)
    client.use(queue)
    #expect(try await client.heroName() == "Ben!")
  }

  @Test func aStoreThatOutlivesAQueueShowsNothingOfIt() async throws {
    let machine = try Machine()
    let store: ApolloStore
    do {
      let (client, queue) = try await machine.start()
      queue.networkChanged(isAvailable: false)
      try await client.rename(to: "A")
      store = client.store
    }
    await machine.waitForEnd()
    #expect(store.layers.isEmpty)
    let client = ApolloClient(networkTransport: machine.server, store: store, clock: machine.clock)
    #expect(try await client.heroName() == "Ben")
  }

  @Test func theLayerOfARequestUnderWayEndsWithItsSession() async throws {
    let machine = try Machine()
    machine.server.hold()
    let (client, queue) = try await machine.start(session: "alice")
    try await client.rename(to: "A")
    while machine.server.requestCount == 0 { await Task.yield() }
    #expect(try await client.heroName() == "A")
    // The transport does not react to the cancellation.
    try await queue.endSession(keepingMutations: true)
    #expect(try await client.heroName() == "Ben")
    machine.server.release()
  }

  @Test func whatAnInterceptorHasHeldBackIsNotTakenForPerformedAtTheLogout() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start(session: "alice")
    let (arrived, arrival) = AsyncStream<Void>.makeStream()
    let (opened, gate) = AsyncStream<Void>.makeStream()
    machine.server.intercept { _ in
      arrival.yield()
      await Task { for await _ in opened {} }.value
    }
    try await client.rename(to: "A", .enqueue(uncertainty: .assumeDone))
    for await _ in arrived { break }
    try await queue.endSession(keepingMutations: true)
    machine.server.intercept(nil)
    // The user is back before the interceptor goes on.
    try await queue.beginSession("alice")
    await queue.lookNow()
    #expect(queue.counts.total == 1)
    #expect(machine.server.requestCount == 0)
    gate.finish()
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["A"])
    withExtendedLifetime(client) {}
  }

  @Test func namesOfSessionsAreComparedAsAWhole() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start(session: "alice\0x")
    queue.networkChanged(isAvailable: false)
    try await client.rename(to: "A")
    try await client.endSession()
    try await queue.beginSession("alice")
    #expect(queue.counts.total == 0)
    try await queue.beginSession("alice\0x")
    #expect(queue.counts.total == 1)
  }

  @Test func theMutationsOfASessionWithoutANameEndWithIt() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    let change = try await client.rename(to: "A")
    try await client.endSession()
    await #expect(throws: OfflineError.self) { try await change.response }
    try await queue.beginSession("")
    #expect(queue.counts.total == 0)
  }

  @Test func aSessionWithoutANameThatAnotherProcessHasEndedBeginsAgain() async throws {
    let machine = try Machine()
    let other = try machine.queue { $0.isShared = true }
    let (client, queue) = try await machine.start { $0.isShared = true }
    try await other.endSession(keepingMutations: false)
    let error = await #expect(throws: OfflineError.self) { try await client.rename(to: "A") }
    #expect(error?.code == .noSession)
    try await queue.beginSession("")
    try await client.rename(to: "B")
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["B"])
  }

  @Test func nothingOfADroppedSessionIsInTheFile() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start(session: "alice") {
      $0.keepsMutationsAtLogout = false
    }
    queue.networkChanged(isAvailable: false)
    try await client.rename(to: "Secretive")
    #expect(machine.bytes.range(of: Data("Secretive".utf8)) != nil)
    try await client.endSession()
    #expect(machine.bytes.range(of: Data("Secretive".utf8)) == nil)
  }

  @Test func waitingForAResponseCanBeCancelled() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    let change = try await client.rename(to: "A")
    let waiting = Task { try await change.response }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(queue.counts.waiting == 1)
  }

  @Test func oneQueueOfAFileSendsAtATime() async throws {
    let machine = try Machine()
    machine.server.hold()
    let (client, first) = try await machine.start { $0.isShared = true }
    try await client.rename(to: "A", .enqueue(key: .automatic, lane: "a"))
    while machine.server.requestCount == 0 { await Task.yield() }
    let (other, second) = try await machine.start { $0.isShared = true }
    #expect(try await other.heroName() == "A")
    try await other.rename("2", to: "B", .enqueue(key: .automatic, lane: "b"))
    await second.lookNow()
    // The second one has the lane and a network, but not the right to send.
    #expect(second.counts.waiting == 1)
    #expect(machine.server.requestCount == 1)
    machine.server.release()
    await first.drain(machine.clock)
    await second.drain(machine.clock)
    #expect(Set(machine.server.names) == ["A", "B"])
    #expect(machine.server.performed.count == 2)
    withExtendedLifetime((client, other)) {}
  }

  @Test func aFileThatFailsDuringARequestIsNotTriedAgainAtOnce() async throws {
    let machine = try Machine()
    machine.server.hold()
    let failures = Lock(0)
    let (client, queue) = try await machine.start {
      $0.isShared = true
      $0.busyTimeout = .milliseconds(1)
      $0.onFailure = { _ in failures.withLock { $0 += 1 } }
    }
    try await client.rename(to: "A")
    while machine.server.requestCount == 0 { await Task.yield() }
    let other = try writer(machine)
    // More than a half of the lease has passed, so that it is to be prolonged.
    machine.clock.advance(by: .seconds(6))
    repeat { await queue.lookNow() } while failures.get() == 0
    #expect(machine.clock.delays.first ?? .zero > .zero)
    try other.database.execute("ROLLBACK")
    machine.server.release()
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["A"])
    withExtendedLifetime(client) {}
  }
}
