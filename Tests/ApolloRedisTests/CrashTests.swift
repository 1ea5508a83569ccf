import ApolloAPI
import ApolloCache
import Foundation
import SeededRandom
import Testing

@testable import ApolloRedis

/// Servers that are killed while caches read and write.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct CrashTests {
  /// `scripts/stress` asks for more.
  private let roundCount =
    ProcessInfo.processInfo.environment["STRESS_ROUNDS"].flatMap(Int.init) ?? 3

  /// Two records that each write changes together, so that a torn reading is noticed.
  private static func pair(_ number: Int) -> RecordSet {
    ["Left": ["n": .int(Int64(number))], "Right": ["n": .int(Int64(number))]]
  }

  @Test func afterACrashEverythingGoesOnByItself() async throws {
    let server = try await RedisServer(isStartedAgain: true)
    let scope = UUID().uuidString
    let stores = try (0..<4).map { _ in
      ApolloStore(cache: try server.cache(scope) { $0.timeout = .seconds(2) })
    }
    var random = SeededGenerator(seed: freshSeed)
    for round in 0..<roundCount {
      let isOver = Lock(false)
      let pings = Int.random(in: 1...40, using: &random)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, store) in stores.enumerated() {
          group.addTask {
            var number = round * 1_000_000 + index
            while !isOver.get() {
              number += 10
              _ = try? await store.publish(Self.pair(number))
              let values = try? await store.withinReadTransaction { transaction in
                let left = try transaction.record(for: "Left")?["n"]
                return (left, try transaction.record(for: "Right")?["n"])
              }
              if let (left, right) = values { #expect(left == right, "seed \(freshSeed)") }
            }
          }
        }
        for _ in 0..<pings { _ = try await server.send("PING") }
        try await server.crash()
        isOver.withLock { $0 = true }
        try await group.waitForAll()
      }
      // All of them see a new write again, without being told.
      let last = round * 1_000_000 + 999_999
      for store in stores {
        while true {
          _ = try? await stores[0].publish(Self.pair(last))
          let record = try? await store.withinReadTransaction { try $0.record(for: "Left") }
          if record?["n"] == .int(Int64(last)) { break }
          _ = try? await server.send("PING")  // paces the loop
        }
      }
    }
    try await server.stop()
  }
}
