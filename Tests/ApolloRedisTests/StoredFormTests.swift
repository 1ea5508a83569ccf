import ApolloAPI
import ApolloCache
import Foundation
import Testing

@testable import ApolloRedis

/// The values under the keys of a cache, which others may damage.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct StoredFormTests {
  private let scope = UUID().uuidString

  private func keys(in server: RedisServer) async throws -> [[UInt8]] {
    let value = try await server.send("KEYS", "apollo:default:{\(scope)}:*")
    return (value.elements ?? []).compactMap(\.bytes)
  }

  private func key(of record: String, in server: RedisServer) async throws -> [UInt8] {
    let ending = Array(":\(record)".utf8)
    return try #require(try await keys(in: server).first { $0.suffix(ending.count) == ending[...] })
  }

  @Test func everyDamageOfARecordMakesItAMissAndCanBeReplaced() async throws {
    let server = try await RedisServer.shared()
    let record: RecordSet = ["A": ["x": 1, "name": "Luke"]]
    try await server.cache(scope).apply([.merge(record)])
    let key = try await key(of: "A", in: server)
    let bytes = try #require(try await server.send(RedisCommand("GET", [key])).bytes)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x41
      _ = try await server.send(RedisCommand("SET", [key, damaged]))
      let found = try await server.cache(scope).loadRecords(forKeys: ["A"])["A"]
      // The first eight bytes only differ after each write.
      #expect((found == nil) == (index >= CellCoder.tokenCount), "byte \(index)")
    }
    try await server.cache(scope).apply([.merge(record)])
    #expect(try await server.cache(scope).loadRecords(forKeys: ["A"])["A"]?["x"] == 1)
  }

  @Test(arguments: [["SET", ""], ["SET", "short"], ["RPUSH", "x"], ["SADD", "x"]])
  func foreignValuesAreMissesAndAreReplaced(command: [String]) async throws {
    let server = try await RedisServer.shared()
    try await server.cache(scope).apply([.merge(["A": ["x": 1], "B": ["x": 1]])])
    let key = try await key(of: "A", in: server)
    _ = try await server.send(RedisCommand("DEL", [key]))
    _ = try await server.send(RedisCommand(command[0], [key, Array(command[1].utf8)]))
    let cache = try server.cache(scope)
    #expect(try await cache.loadRecords(forKeys: ["A", "B"]).keys.map(\.rawValue) == ["B"])
    try await cache.apply([.merge(["A": ["x": 2]])])
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 2)
  }

  /// The server keeps each shape, and a shape is an order of fields.
  @Test func theOrderOfResponsesMakesNoShapes() {
    let stamp = CellStamp(
      PendingWrite(WriteFacts(time: 1, operationName: nil, maxAge: nil), .all))
    func fields(writtenInOrder fields: [FieldKey]) -> [FieldKey] {
      var merger = RecordMerger()
      var record = FieldMap()
      var writes: CellWrites?
      for field in fields {
        let (old, incoming) = (record, FieldMap([(field, .int(1))]))
        let changed = merger.merge(incoming, into: &record)
        writes = stamp.writes(
          of: "A", after: writes, of: old, merging: incoming, into: record, changed)
      }
      return writes?.numbers(of: record).keys ?? []
    }
    #expect(fields(writtenInOrder: ["c", "a", "b"]) == ["a", "b", "c"])
    #expect(fields(writtenInOrder: ["b", "c", "a"]) == ["a", "b", "c"])
  }

  @Test func lostShapesAreMissesAndAreWrittenAgain() async throws {
    let server = try await RedisServer.shared()
    let first = try server.cache(scope)
    try await first.apply([.merge(["A": [FieldKey("lost\(scope)"): 1]])])
    for key in try await keys(in: server) where String(decoding: key, as: UTF8.self).contains(":s:")
    {
      _ = try await server.send(RedisCommand("DEL", [key]))
    }
    let second = try server.cache(scope)
    #expect(try await second.loadRecords(forKeys: ["A"]).isEmpty)
    try await first.apply([.merge(["B": [FieldKey("lost\(scope)"): 2]])])
    #expect(try await server.cache(scope).loadRecords(forKeys: ["A", "B"]).count == 2)
  }

  @Test func withoutItsStateAScopeIsEmpty() async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope)
    try await cache.apply([.merge(["A": ["x": 1]])])
    _ = try await server.send("DEL", "apollo:default:{\(scope)}:m")
    #expect(try await cache.loadRecords(forKeys: ["A"]).isEmpty)
    try await cache.apply([.merge(["A": ["y": 2]])])
    #expect(try await server.cache(scope).loadRecords(forKeys: ["A"])["A"]?.fields == ["y": 2])
  }

  /// The script and the processes must agree on that, or no write succeeds.
  @Test(arguments: [
    "e:18446744073709551615", "e:99999999999999999999", "e:9007199254740992", "z:5", "e:+5",
  ])
  func aTextThatIsNoStateIsReplacedByTheNextWrite(half: String) async throws {
    let server = try await RedisServer.shared()
    _ = try await server.send("SET", "apollo:default:{\(scope)}:m", "\(half)|\(half)")
    for number in 1...2 as ClosedRange<Int64> {
      try await server.cache(scope).apply([.merge(["A": ["x": .int(number)]])])
      let found = try await server.cache(scope).loadRecords(forKeys: ["A"])["A"]
      #expect(found?["x"] == .int(number))
    }
    let state = try await server.send("GET", "apollo:default:{\(scope)}:m").bytes
    #expect(Meta(state).version == 2)
  }

  @Test func clearingRemovesTheKeysOfTheEpochBefore() async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope)
    try await cache.apply([.merge(["A": ["x": 1], "QUERY_ROOT": ["a": 1]])])
    try await cache.apply([.clear])
    while true {
      let names = try await keys(in: server).map { String(decoding: $0, as: UTF8.self) }
      if !names.contains(where: { $0.contains(":r:") || $0.contains(":f:") }) { break }
    }
  }

  @Test func recordsExpireAfterTheirLifetime() async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope) { $0.recordLifetime = .seconds(1_000) }
    try await cache.apply([.merge(["A": ["x": 1]])])
    let key = try await key(of: "A", in: server)
    guard case .integer(let rest) = try await server.send(RedisCommand("PTTL", [key])) else {
      Issue.record("no lifetime")
      return
    }
    #expect((1...1_000_000).contains(rest))
  }

  /// A server refuses a time that it cannot count, in the middle of a write.
  @Test(arguments: [Duration.seconds(Int64.max), .milliseconds(Int64.max), .zero])
  func anyLifetimeIsPossible(lifetime: Duration) async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope) {
      $0.recordLifetime = lifetime
      $0.nearRecordLimit = 0
    }
    for _ in 1...2 { try await cache.apply([.merge(["A": ["x": 1]])]) }
    guard lifetime > .zero else { return }
    let key = try await key(of: "A", in: server)
    guard case .integer(let rest) = try await server.send(RedisCommand("PTTL", [key])) else {
      Issue.record("no lifetime")
      return
    }
    #expect(rest > 1_000_000_000_000)
  }

  @Test func aReadingIsOneRoundTripForEachLevel() async throws {
    let server = try await RedisServer()
    let cache = try server.cache(scope) { $0.nearRecordLimit = 0 }
    try await cache.apply([.merge(["A": ["x": 1]])])
    var least: [String: Int] = [:]
    for _ in 0..<20 {
      let before = try await calls(of: server)
      _ = try await cache.loadRecords(forKeys: Set((0..<50).map { RecordKey("R:\($0)") }))
      let after = try await calls(of: server)
      for command in ["mget", "get", "evalsha"] {
        let count = (after["cmdstat_\(command)"] ?? 0) - (before["cmdstat_\(command)"] ?? 0)
        least[command] = min(least[command] ?? .max, count)
      }
    }
    // The cache looks at the state of the scope by itself, beside some of the readings.
    #expect(least == ["mget": 1, "get": 0, "evalsha": 0])
    try await server.stop()
  }

  @Test func aWriteOfManyRecordsIsTwoRoundTrips() async throws {
    let server = try await RedisServer()
    let cache = try server.cache(scope) { $0.nearRecordLimit = 0 }
    let records = RecordSet((0..<100).map { Record(key: RecordKey("R:\($0)"), fields: ["x": 1]) })
    try await cache.apply([.merge(["R:0": ["x": 0]])])
    try await cache.apply([.merge(["R:0": ["x": 3]])])
    let before = try await calls(of: server)
    try await cache.apply([.merge(records)])
    let after = try await calls(of: server)
    #expect((after["cmdstat_mget"] ?? 0) - (before["cmdstat_mget"] ?? 0) == 1)
    #expect((after["cmdstat_evalsha"] ?? 0) - (before["cmdstat_evalsha"] ?? 0) == 1)
    try await server.stop()
  }

  /// The number of calls of each command. A cache sends others by itself, at any time.
  private func calls(of server: RedisServer) async throws -> [String: Int] {
    let info = try await server.send("INFO", "commandstats").text ?? ""
    var calls: [String: Int] = [:]
    for line in info.split(whereSeparator: \.isNewline) {
      let parts = line.split(whereSeparator: { ":=,".contains($0) })
      if parts.count > 2 { calls[String(parts[0])] = Int(parts[2]) }
    }
    return calls
  }
}
