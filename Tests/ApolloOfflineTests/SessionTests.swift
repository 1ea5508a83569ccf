import Apollo
import ApolloAPI
import Foundation
import TestOperations
import Testing

@testable import ApolloOffline

/// Users, and several queues on one file.
@Suite(.timeLimit(.minutes(10)))
struct SessionTests {
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

  @Test func aRequestUnderWayEndsBeforeTheSession() async throws {
    let machine = try Machine()
    machine.server.hold()
    let (client, queue) = try await machine.start(session: "alice")
    try await client.rename(to: "A")
    await queue.waitUntil { $0.sending == 1 }
    let ending = Task { try await client.endSession() }
    await queue.waitUntilEmpty()
    machine.server.release()
    try await ending.value
    #expect(queue.session == nil)
    #expect(try await client.store.load(HeroAPI.HeroQuery()).data == nil)
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
    machine.server.react(.offline)
    let (client, first) = try await machine.start { $0.isShared = true }
    try await client.rename(to: "A")
    await first.waitUntil { _ in machine.server.requestCount == 1 && first.counts.waiting == 1 }
    let (other, second) = try await machine.start { $0.isShared = true }
    #expect(try await other.heroName() == "A")
    try await other.rename("2", to: "B", .enqueue(key: .automatic, lane: "b"))
    machine.server.react(.respond)
    await first.drain(machine.clock)
    await second.drain(machine.clock)
    #expect(Set(machine.server.names) == ["A", "B"])
    #expect(machine.server.performed.count == 2)
    withExtendedLifetime((client, other)) {}
  }
}
