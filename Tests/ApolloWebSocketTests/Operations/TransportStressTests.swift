import ApolloAPI
import ApolloTransport
import CMemoryUse
import Foundation
import LoopbackServer
import ScriptedSocket
import TestOperations
import Testing

@testable import ApolloWebSocket

/// Many operations at once. Under ThreadSanitizer, these tests search for data races.
@Suite(.timeLimit(.minutes(10)))
struct TransportStressTests {
  /// Eight tasks start and stop subscriptions while the server floods them, also with messages for
  /// subscriptions that have ended. Each subscription is sent once and completed once, in order.
  @Test func startsAndStopsSubscriptionsInAFlood() async throws {
    let server = ScriptedServer()
    var configuration = WebSocketTransport.Configuration()
    configuration.resultBuffer = .unlimited
    let transport = try server.transport(configuration)
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
    #expect(script.machine.operations.keys.count == 1)
    #expect(script.received(.next(id: "1", MessagePayload("{}"))) == ["deliver 1 {}"])
    #expect(script.received(.next(id: "50000", MessagePayload("{}"))) == [])
  }

  #if CURL
    /// The same flood over a real socket: for each message of the client, the server sends twenty
    /// events, which are many thousands a second.
    @Test func startsAndStopsSubscriptionsInAFloodOfASocket() async throws {
      let counts = Lock((subscribes: 0, completes: 0, events: 0))
      let server = try SocketServer.accepting { peer in
        var ids: [String] = []
        while let text = peer.nextText() {
          if text.contains("connection_init") { peer.acknowledge() }
          guard let id = text.operationID else { continue }
          let isSubscribe = text.contains("subscribe")
          if isSubscribe { ids.append(id) }
          let recipients = Array(repeating: ids.suffix(10), count: 2).joined()
          counts.withLock { counts in
            if isSubscribe { counts.subscribes += 1 } else { counts.completes += 1 }
            counts.events += recipients.count
          }
          for id in recipients { peer.deliverHero("flood", id: id) }
        }
      }
      defer { server.stop() }
      var configuration = WebSocketTransport.Configuration.patient
      configuration.resultBuffer = .unlimited
      let transport = WebSocketTransport(endpointURL: server.url, configuration: configuration)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            let first = try transport.results(of: heroChanges)
            #expect(try await first.nextText() == "flood")
            try await startAndStop(200, transport, seed: number)
          }
        }
        try await group.waitForAll()
      }
      transport.closeConnection()
      await server.http.wait { $0.openConnectionCount == 0 }
      let final = counts.get()
      #expect(final.completes == final.subscribes, "each one that was sent ends once")
      #expect(final.events > 20_000)
    }

    #if compiler(>=6.2)
      /// A hundred thousand subscriptions are started and stopped on one connection. The memory
      /// after the last of them is that after the first thousands, but for less than ten bytes
      /// each. The test has a process of its own, whose memory no other test takes.
      @Test func growsByNothingWithAHundredThousandSubscriptions() async {
        await #expect(processExitsWith: .success) {
          let server = try SocketServer.accepting { peer in
            while let text = peer.nextText() {
              if text.contains("connection_init") { peer.acknowledge() }
              guard text.contains("subscribe"), let id = text.operationID else { continue }
              peer.deliverHero("Luke", id: id)
            }
          }
          defer { server.stop() }
          let transport = WebSocketTransport(endpointURL: server.url, configuration: .patient)
          let stays = try transport.results(of: heroChanges)
          #expect(try await stays.nextText() == "Luke")
          var before = 0
          for number in 1...100_000 {
            let results = try transport.results(of: heroChanges)
            // Waiting for some of them keeps the client from running far ahead of the server.
            if number % 500 == 0 { #expect(try await results.nextText() == "Luke") }
            // As at the end, nothing is under way.
            if number == 10_000 { before = allocated_byte_count() }
          }
          let growth = allocated_byte_count() - before
          #expect(growth < 900_000)
          withExtendedLifetime(stays) {}
        }
      }
    #endif
  #endif
}

extension ResultBufferPolicy {
  /// The reader of a subscription may get no turn while very many results arrive.
  fileprivate static var unlimited: Self { Self(maximumCount: .max, maximumByteCount: .max) }
}
