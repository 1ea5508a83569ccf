import ApolloAPI
import ApolloTransport
import Foundation
import ScriptedSocket
import TestOperations
import Testing

@testable import ApolloWebSocket

/// Many operations at once. Under ThreadSanitizer, these tests search for data races.
@Suite(.timeLimit(.minutes(5)))
struct TransportStressTests {
  /// Eight tasks start and stop subscriptions while the server floods them, also with messages for
  /// subscriptions that have ended. Each subscription is sent once and completed once, in order.
  @Test func startsAndStopsSubscriptionsInAFlood() async throws {
    let server = ScriptedServer()
    let transport = try server.transport()
    // Operations that end before there is a session are never sent.
    let first = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    let consumers = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask { try await startAndStop(200, transport, seed: number) }
        }
        try await group.waitForAll()
      }
    }
    var open: Set<String> = []
    var used: Set<String> = ["1"]
    for _ in 1...(2 * 8 * 200) {
      let envelope = try await connection.nextEnvelope().split(separator: " ").map(String.init)
      let id = try #require(envelope.last)
      if envelope[0] == "subscribe" {
        #expect(used.insert(id).inserted)
        open.insert(id)
      } else {
        #expect(envelope[0] == "complete")
        #expect(open.remove(id) != nil, "completed once, after it was sent")
      }
      for id in used.suffix(4) + open { connection.deliverHero("flood", id: id) }
    }
    try await consumers.value
    #expect(open.isEmpty)
    _ = first
  }

  private func startAndStop(_ count: Int, _ transport: WebSocketTransport, seed: Int) async throws {
    for round in 0..<count {
      let results = try transport.results(of: heroChanges)
      if (round + seed) % 3 == 0 {
        let waiting = Task { try await results.next() }
        waiting.cancel()
        _ = await waiting.result
      } else {
        #expect(try await results.nextText() == "flood")
      }
    }
  }

  /// Connections are lost, paused, replaced and closed while tasks use them.
  @Test func changesTheConnectionWhileItIsUsed() async throws {
    let server = ScriptedServer()
    let transport = try server.transport(.init(reconnectionInterval: 0))
    let answering = Task {
      while true {
        let connection = try await server.connector.nextAttempt().accept("graphql-transport-ws")
        Task {
          while true {
            let envelope = try await connection.nextEnvelope().split(separator: " ")
            switch envelope.first {
            case "connection_init": connection.deliver(#"{"type":"connection_ack"}"#)
            case "subscribe": connection.deliverHero("Luke", id: String(envelope[1]))
            case "close": connection.end(.normal, origin: .local)
            default: break
            }
          }
        }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            // A query fails when its connection is replaced.
            _ = try? await transport.send(heroQuery)
            _ = try transport.results(of: heroChanges)
          }
        }
      }
      group.addTask {
        for round in 0..<100 {
          switch round % 4 {
          case 0: transport.updateHeaderValues(["X": "\(round)"])
          case 1: transport.networkChanged(isAvailable: true)
          case 2: transport.pause()
          default: transport.resume()
          }
          await Task.yield()
        }
        transport.resume()
      }
      try await group.waitForAll()
    }
    transport.closeConnection()
    answering.cancel()
    #expect(!transport.isConnected())
  }

  @Test func keepsNothingOfManySubscriptions() {
    let script = MachineScript()
    _ = script.add("stays")
    script.connect()
    for number in 2...100_001 {
      _ = script.add("A")
      _ = script.remove(number)
    }
    #expect(script.machine.operations.count == 1)
    #expect(script.received(.next(id: "1", MessagePayload("{}"))) == ["deliver 1 {}"])
    #expect(script.received(.next(id: "50000", MessagePayload("{}"))) == [])
  }
}
