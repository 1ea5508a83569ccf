import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import SeededRandom
import TestOperations
import Testing

/// Many calls and many clients, and calls that must not wait for others.
///
/// `STRESS_CLIENTS` is the number of clients that come and go.
@Suite(.timeLimit(.minutes(60)))
struct LoadTests {
  private static let clientCount =
    ProcessInfo.processInfo.environment["STRESS_CLIENTS"].flatMap(Int.init) ?? 200

  private static func query(_ name: String) -> HeroAPI.HeroQuery {
    HeroAPI.HeroQuery(name: .some(name))
  }

  @Test(arguments: [(50, TaskPriority.medium), (120, .background)])
  func aFastResponseDoesNotWaitForSlowOnes(_ count: Int, _ priority: TaskPriority) async throws {
    let isOver = Signal()
    let server = try LoopbackServer { request, reply in
      guard request.bodyText.contains("slow") else { return reply.json(#"{"data":{"hero":null}}"#) }
      reply.beginChunks()
      reply.chunk(#"{"data":"#)
      isOver.block()
      reply.chunk(#"{"hero":null}}"#)
      reply.endChunks()
    }
    defer {
      isOver.fire()
      server.stop()
    }
    let client = ApolloClient.patient(url: server.url())
    let endedCount = Lock(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        group.addTask(priority: priority) {
          _ = try await client.fetch(query: Self.query("slow \(index)"))
          endedCount.withLock { $0 += 1 }
        }
      }
      await server.wait { $0.requests.count == count }
      for index in 0..<10 {
        #expect(try await client.fetch(query: Self.query("fast \(index)")).source == .server)
      }
      #expect(endedCount.get() == 0)
      isOver.fire()
      try await group.waitForAll()
    }
    #expect(endedCount.get() == count)
  }

  @Test func tenThousandCallsAtOnceAllEnd() async throws {
    let transport = StreamingTransport { _ in [.response("A")] }
    let client = ApolloClient(networkTransport: transport)
    let count = try await withThrowingTaskGroup(of: String?.self) { group in
      for index in 0..<10_000 {
        group.addTask {
          try await client.fetch(query: Self.query("\(index)")).data?.hero?.name
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 == "A" ? 1 : 0 }
    }
    #expect(count == 10_000)
    #expect(transport.openCount == 0)
  }

  /// Clients that were never used, that have idle connections, and that are released during a call.
  @Test func clientsComeAndGo() async throws {
    let server = try LoopbackServer(keepsRequests: false) { request, reply in
      if request.bodyText.contains("silent") { return reply.waitForClientToClose() }
      reply.json(#"{"data":{"hero":null}}"#)
    }
    defer { server.stop() }
    let unreleasedCount = Lock(Self.clientCount)
    let allAreReleased = Signal()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask {
          for index in stride(from: lane, to: Self.clientCount, by: 4) {
            let witness = Witness {
              let count = unreleasedCount.withLock { count in
                count -= 1
                return count
              }
              if count == 0 { allAreReleased.fire() }
            }
            let client = ApolloClient(
              networkTransport: WitnessedTransport(url: server.url(), witness: witness))
            switch index % 4 {
            case 0: break
            case 1: _ = try await client.fetch(query: Self.query("a"))
            case 2:
              let call = Task { try await client.fetch(query: Self.query("silent")) }
              for _ in 0..<index % 50 { await Task.yield() }
              call.cancel()
              _ = await call.result
            default:
              // Goes on without its client, and is cancelled by nobody.
              client.fetch(query: Self.query("a"), queue: .global()) { _ in }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    await server.wait { $0.openConnectionCount == 0 }
    await allAreReleased.wait()
    #expect(unreleasedCount.get() == 0)
  }

  /// A transport over HTTP that holds a witness of its life.
  private final class WitnessedTransport: NetworkTransport {
    private let base: HTTPNetworkTransport
    private let witness: Witness

    init(url: URL, witness: Witness) {
      base = HTTPNetworkTransport(url: url, client: .patient)
      self.witness = witness
    }

    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      try await base.send(request)
    }

    func responses(to request: OperationRequest) -> NetworkResponses { base.responses(to: request) }
  }
}
