import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

@testable import ApolloRedis

/// A network between the caches and the server that delays, cuts and damages.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct ProxyTests {
  private func cache(
    over proxy: FaultyProxy, _ scope: String
  ) throws -> RedisNormalizedCache {
    var configuration = RedisNormalizedCache.Configuration()
    // A response passes several threads, which a busy machine lets wait.
    configuration.timeout = .seconds(2)
    return try RedisNormalizedCache(url: proxy.url, scope: scope, configuration: configuration)
  }

  /// Two records that each write changes together, so that a torn reading is noticed.
  private func pair(_ number: Int) -> RecordSet {
    [
      "QUERY_ROOT": ["left": .reference("Left"), "right": .reference("Right")],
      "Left": ["n": .int(Int64(number))], "Right": ["n": .int(Int64(number))],
    ]
  }

  @Test(arguments: FaultyProxy.Fault.allCases)
  func noFaultLeadsToWrongDataAndEachIsSurvived(fault: FaultyProxy.Fault) async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let direct = ApolloStore(cache: try server.cache(scope))
    let proxy = try FaultyProxy(to: server.path)
    let faulty = ApolloStore(cache: try cache(over: proxy, scope))
    try await direct.publish(pair(0))
    proxy.setFault(fault, oneIn: fault == .silence ? 1 : 3)
    for number in 1...60 {
      try await direct.publish(pair(number))
      // Fails or misses, but never shows a half of a write.
      let values = try? await faulty.withinReadTransaction { transaction in
        let left = try transaction.record(for: "Left")?["n"]
        return (left, try transaction.record(for: "Right")?["n"])
      }
      if let (left, right) = values, left != nil, right != nil { #expect(left == right) }
      _ = try? await faulty.publish(["Other": ["n": .int(Int64(number))]])
    }
    proxy.setFault(.none)
    try await direct.publish(pair(1_000))
    while true {
      let left = try? await faulty.withinReadTransaction { transaction in
        try transaction.record(for: "Left")?["n"]
      }
      if left == .int(1_000) { break }
      _ = try await server.send("PING")  // paces the loop
    }
    proxy.stop()
  }

  /// The server asks for shapes by their positions among those of the write.
  @Test(arguments: ["0", "2", "-1", "9223372036854775807", "-9223372036854775808"])
  func askingForAShapeThatTheWriteDoesNotHaveIsAMalformedResponse(position: String) async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let proxy = try FaultyProxy(to: server.path)
    let cache = try cache(over: proxy, scope)
    let records: RecordSet = ["A": [FieldKey("new\(scope)"): 1]]
    func response(_ position: String) -> [UInt8] {
      Array("$6\r\nshapes\r\n$\(position.utf8.count)\r\n\(position)\r\n".utf8)
    }
    proxy.replaceOnce(response("1"), by: response(position))
    let error = await #expect(throws: RedisError.self) { try await cache.apply([.merge(records)]) }
    #expect(error?.code == .malformedResponse)
    try await cache.apply([.merge(records)])
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?.fields.count == 1)
    proxy.stop()
  }

  /// The next write would replace records whose shapes counted as lost.
  @Test func anErrorInPlaceOfShapesIsNotTakenForTheirAbsence() async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let field = FieldKey("new\(scope)")
    try await server.cache(scope).apply([.merge(["A": [field: 1]])])
    let proxy = try FaultyProxy(to: server.path)
    let cache = try cache(over: proxy, scope)
    let shape = ShapeDirectory.bytes(of: .of([field]))
    proxy.replaceOnce(
      Array("*1\r\n$\(shape.count)\r\n".utf8) + shape,
      by: Array("-NOPERM User default has no permissions to run it".utf8))
    let error = await #expect(throws: RedisError.self) {
      try await cache.loadRecords(forKeys: ["A"])
    }
    #expect(error?.code == .server)
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?[field] == 1)
    proxy.stop()
  }

  @Test func ofOneOutageOneErrorIsReportedAndNoCallWaitsTwice() async throws {
    let server = try await RedisServer.shared()
    let proxy = try FaultyProxy(to: server.path)
    let store = ApolloStore(cache: try cache(over: proxy, UUID().uuidString))
    // A response that is late on a busy machine is an outage of its own, which ends here.
    while true {
      _ = try? await store.publish(["A": ["x": 0]])
      let record = try? await store.withinReadTransaction { try $0.record(for: "A") }
      if record?["x"] == 0 { break }
      _ = try await server.send("PING")  // paces the loop
    }
    proxy.setFault(.silence)
    let errors = await withTaskGroup(of: RedisError?.self) { group in
      for _ in 0..<64 {
        group.addTask {
          do {
            _ = try await store.load(HeroAPI.HeroQuery())
            return nil
          } catch {
            return error as? RedisError
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(errors.compactMap(\.self).map(\.code) == [.timedOut])
    proxy.setFault(.none)
    while true {
      // The first response after the pause ends the outage.
      _ = try? await store.publish(["A": ["x": 1]])
      let record = try? await store.withinReadTransaction { try $0.record(for: "A") }
      if record?["x"] == 1 { break }
      _ = try await server.send("PING")  // paces the loop
    }
    proxy.stop()
  }

  /// `scripts/stress` asks for a longer one.
  private let partition = Duration.seconds(
    ProcessInfo.processInfo.environment["STRESS_PARTITION"].flatMap(Int.init) ?? 0)

  @Test func aPartitionEndsWithoutATraceOfIt() async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let proxy = try FaultyProxy(to: server.path)
    let store = ApolloStore(cache: try cache(over: proxy, scope))
    let direct = ApolloStore(cache: try server.cache(scope))
    try await direct.publish(pair(0))
    // Fails if the machine is too busy for the timeout.
    _ = try? await store.withinReadTransaction { try $0.record(for: "Left") }
    proxy.setFault(.silence)
    let end = ContinuousClock.now + partition
    var number = 0
    repeat {
      number += 1
      try await direct.publish(pair(number))
      _ = try? await store.publish(["Lost": ["n": .int(Int64(number))]])
      // Whatever is served is whole, and nothing waits for longer than the timeout.
      let values = try? await store.withinReadTransaction { transaction in
        (try transaction.record(for: "Left")?["n"], try transaction.record(for: "Right")?["n"])
      }
      if let (left, right) = values, left != nil, right != nil { #expect(left == right) }
    } while ContinuousClock.now < end
    proxy.setFault(.none)
    while true {
      let left = try? await store.withinReadTransaction { try $0.record(for: "Left")?["n"] }
      if left == .int(Int64(number)) { break }
      _ = try await server.send("PING")  // paces the loop
    }
    proxy.stop()
  }

  @Test func lostMessagesEmptyTheNearCache() async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let proxy = try FaultyProxy(to: server.path)
    let store = ApolloStore(cache: try cache(over: proxy, scope))
    let direct = try server.cache(scope)
    try await direct.apply([.merge(pair(0))])
    func left() async throws -> CacheValue? {
      try await store.withinReadTransaction { try $0.record(for: "Left")?["n"] }
    }
    while (try? await left()) != .int(0) { _ = try await server.send("PING") }
    // Responses of the server are lost from now on, with the messages.
    proxy.setFault(.silence)
    try await direct.apply([.merge(pair(1))])
    proxy.setFault(.none)
    // Whatever was lost: the change becomes visible.
    while true {
      // A command whose response was lost fails.
      if let value = try? await left(), value == .int(1) { break }
      _ = try await direct.loadRecords(forKeys: ["Left"])
    }
    proxy.stop()
  }
}
