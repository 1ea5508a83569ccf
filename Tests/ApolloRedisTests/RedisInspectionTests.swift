import ApolloAPI
import ApolloCache
import Foundation
import NaiveCache
import SeededRandom
import TestOperations
import Testing

@testable import ApolloInspector
@testable import ApolloRedis
@testable import CacheInspection
import CacheLocations

/// A look into a scope, as `apollo-cli cache` takes it.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct RedisInspectionTests {
  private func location(
    _ scope: String?, schema: String = "default", isSpread: Bool = false
  ) async throws -> CacheLocation {
    .redis(
      url: try await RedisServer.shared().url, scope: scope, schema: schema, isSpread: isSpread)
  }

  private func dump(_ location: CacheLocation) async throws -> [String] {
    var lines: [String] = []
    let unreadable = try await CacheInspector(location).dump { lines.append($0) }
    #expect(unreadable == [])
    return lines
  }

  @Test(arguments: [false, true])
  func whatAStoreHasWrittenIsShown(isSpread: Bool) async throws {
    let scope = "look a:{b}.1 \(UUID())"
    let cache = try await RedisServer.shared().cache(scope) { $0.isSpread = isSpread }
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = ["Hero": .seconds(10)]
    let store = ApolloStore(cache: cache, configuration: configuration)
    let body = #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#
    try await store.publish(body: Data(body.utf8), of: HeroAPI.HeroQuery())
    let inspector = try await CacheInspector(location(scope, isSpread: isSpread))
    let lines = try await inspector.list(.init()).map(json)
    #expect(lines.map { $0["key"] } == ["Hero:1", "QUERY_ROOT"])
    let record = json(try await inspector.records(["Hero:1"])[0])
    let name = record["fields"]?.arrayValue?.first { $0["field"] == "name" }
    #expect(name?["value"] == "Luke" && name?["age"]?.doubleValue != nil)
    #expect(record["referrers"]?.arrayValue?.count == 1)
    #expect(try await inspector.check().isEmpty)
  }

  /// As `ApolloInspector` shows it.
  @Test(arguments: [(isSpread: false, nearRecordLimit: 100), (true, 100), (false, 0)])
  func aRunningProgramShowsItsScope(isSpread: Bool, nearRecordLimit: Int) async throws {
    let scope = UUID().uuidString
    let cache = try await RedisServer.shared().cache(scope) {
      ($0.isSpread, $0.nearRecordLimit) = (isSpread, nearRecordLimit)
    }
    let store = ApolloStore(cache: cache)
    let contents = StoreContents(store: store, name: "heroes")
    let inspector = CacheInspector(contents)
    #expect(try await inspector.list(.init()).isEmpty)
    let empty = await contents.version()
    let body = #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#
    try await store.publish(body: Data(body.utf8), of: HeroAPI.HeroQuery())
    #expect(try await inspector.list(.init()).map { json($0)["key"] } == ["Hero:1", "QUERY_ROOT"])
    let written = await contents.version()
    #expect(written != empty)

    let other = try await RedisServer.shared().cache(scope) { $0.isSpread = isSpread }
    try await other.apply([.merge(["Hero:1": ["name": "Leia"], "Hero:2": ["name": "Han"]])])
    #expect(await contents.version() != written)
    let record = try #require(try await contents.record(of: "Hero:1"))
    #expect(record.fields?["name"] == "Leia" && record.fields?["id"] == "1")
    #expect(record.byteCount > 0)
    #expect(try await inspector.list(.init()).count == 3)
    #expect(try await contents.record(of: "Hero:3") == nil)
  }

  @Test(arguments: UInt64(0)..<3)
  func aDumpImportedIntoAnEmptyScopeGivesAnEqualCache(seed: UInt64) async throws {
    var mutations = RandomMutations(random: SeededGenerator(seed: seed))
    let source = UUID().uuidString
    let cache = try await RedisServer.shared().cache(source)
    for _ in 0..<15 { try await cache.apply([.merge(mutations.records())]) }
    // Fields of Redis' own time are compared, too.
    let timed =
      #"{"key":"Timed","fields":{"a":1,"b":2},"writes":[{"time":1000.5,"maxAge":60000.0}]}"#
    _ = try await CacheImport.run(Array(timed.utf8), into: location(source))
    let copy = try await location(UUID().uuidString, isSpread: seed == 0)
    let lines = try await dump(location(source))
    let count = try await CacheImport.run(Array(lines.joined(separator: "\n").utf8), into: copy)
    #expect(count == lines.count - 2)
    var differences: [String] = []
    _ = try await CacheDifference.run(location(source), copy, includesWrites: true) {
      differences.append($0)
    }
    #expect(differences == [])
  }

  /// As into a file: a value that stays is as old as it was, and one that is replaced is not.
  @Test(
    arguments: [
      ("name", #"{"$failure":{"message":"no"}}"#, 2_000, 1_000),
      ("name", #""Luke""#, nil, 1_000), ("name", #""Luke""#, 2_000, 2_000),
      ("name", #""Leia""#, nil, nil), ("name", #""Leia""#, 2_000, 2_000),
      ("address", #"{"x":1}"#, 2_000, 1_000), ("address", #"{"x":3}"#, nil, 1_000),
      ("address", #"{"x":3,"y":4}"#, nil, nil), ("new", "1", 2_000, 2_000),
    ] as [(field: String, value: String, write: Double?, time: Double?)], ["A", "QUERY_ROOT"])
  func onlyAValueThatAnImportReplacesLooksNew(
    merge: (field: String, value: String, write: Double?, time: Double?), key: String
  ) async throws {
    let place = try await location(UUID().uuidString)
    let writes = merge.write.map { #","writes":[{"time":\#($0)}]"# } ?? ""
    for line in [
      #"{"key":"\#(key)","fields":{"name":"Luke","address":{"x":1,"y":2}},"writes":[{"time":1000.0}]}"#,
      #"{"key":"\#(key)","fields":{"\#(merge.field)":\#(merge.value)}\#(writes)}"#,
    ] { _ = try await CacheImport.run(Array(line.utf8), into: place) }
    let record = try #require(try await place.open().record(of: RecordKey(key)))
    let time = try #require(record.writes[FieldKey(merge.field)]?.time)
    #expect(merge.time.map { $0 == time } ?? (time > 1e9), "\(time)")
    let others = Set(record.writes.keys).subtracting([FieldKey(merge.field)])
    #expect(!others.isEmpty && others.allSatisfy { record.writes[$0]?.time == 1_000 })
  }

  @Test func recordsOfOneKeyAreMergedInTheirOrder() async throws {
    let place = try await location(UUID().uuidString)
    let dump = [
      #"{"key":"D","fields":{"x":"first"},"writes":[{"time":2000.0}]}"#,
      #"{"key":"D","fields":{"x":"last"},"writes":[{"time":1000.0}]}"#,
    ]
    _ = try await CacheImport.run(Array(dump.joined(separator: "\n").utf8), into: place)
    let record = try await place.open().record(of: "D")
    #expect(record?.fields == ["x": "last"] && record?.writes["x"]?.time == 1_000)
  }

  @Test(arguments: [false, true])
  func anImportKeepsTheExpiryOfCells(isSpread: Bool) async throws {
    let scope = UUID().uuidString
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope) {
      $0.isSpread = isSpread
      $0.recordLifetime = .seconds(10_000)
    }
    try await cache.apply([.merge(["QUERY_ROOT": ["a": .reference("A")], "A": ["x": 1]])])
    func lifetimes() async throws -> [String: Int64] {
      var lifetimes: [String: Int64] = [:]
      for name in try await server.send("KEYS", "apollo:default:{\(scope)*").elements ?? [] {
        guard let name = name.text else { continue }
        if case .integer(let milliseconds) = try await server.send("PTTL", name),
          milliseconds >= 0
        {
          lifetimes[name] = milliseconds
        }
      }
      return lifetimes
    }
    let before = try await lifetimes()
    #expect(before.count == 2)
    let dump = [
      #"{"key":"QUERY_ROOT","fields":{"a":null,"b":1}}"#,
      #"{"key":"A","fields":{"x":2,"y":3},"writes":[{"time":1000.0}]}"#,
      #"{"key":"B","fields":{"x":1}}"#,
    ]
    _ = try await CacheImport.run(
      Array(dump.joined(separator: "\n").utf8), into: location(scope, isSpread: isSpread))
    let after = try await lifetimes()
    #expect(after.keys.sorted() == before.keys.sorted())
    for (name, lifetime) in after { #expect(lifetime <= before[name] ?? 0) }
    let record = try await location(scope, isSpread: isSpread).open().record(of: "A")
    #expect(record?.fields == ["x": 2, "y": 3])
  }

  /// A dump may be older than its maximum ages, and is imported to look into it.
  @Test(arguments: [false, true])
  func newObjectsOfAnImportDoNotExpire(isSpread: Bool) async throws {
    let scope = UUID().uuidString
    let server = try await RedisServer.shared()
    let place = try await location(scope, isSpread: isSpread)
    let dump = #"{"key":"A","fields":{"x":1},"writes":[{"time":1000.0,"maxAge":60.0}]}"#
    _ = try await CacheImport.run(Array(dump.utf8), into: place)
    let names = try await server.send("KEYS", "apollo:default:{\(scope)*:r:*").elements ?? []
    #expect(names.count == 1)
    for name in names.compactMap(\.text) {
      #expect(try await server.send("PTTL", name) == .integer(-1))
    }
    #expect(try await place.open().record(of: "A")?.writes["x"]?.maxAge == 60)
  }

  @Test func damagedCellsAreReported() async throws {
    let scope = UUID().uuidString
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope)
    try await cache.apply([
      .merge(["QUERY_ROOT": ["a": .reference("A"), "b": 1], "A": ["__typename": "A", "x": 1]])
    ])
    let names = try await server.send("KEYS", "apollo:default:{\(scope)}:*").elements ?? []
    for name in names.compactMap(\.text) where name.contains(":r:") || name.hasSuffix(":b") {
      try await server.send("SET", name, "no cell, but longer than its head")
    }
    let lines = try await CacheInspector(location(scope)).check()
    #expect(
      lines.filter { $0.kind == .unreadable }.map { json($0.line)["key"] } == ["A", "QUERY_ROOT"])
  }

  @Test func aURLWithoutAScopeIsAnsweredWithThoseOfTheServer() async throws {
    let id = UUID()
    let server = try await RedisServer.shared()
    let cache = try server.cache("a&b \(id)") { $0.schema = "my:schema" }
    try await cache.apply([.merge(["A": ["x": 1]])])
    let spread = try server.cache("spread.\(id)") { $0.isSpread = true }
    try await spread.apply([.merge(["A": ["x": 1]])])
    let error = await #expect(throws: InspectionError.self) {
      try await CacheInspector(location(nil))
    }
    let text = try #require(error?.description)
    let listed = ["scope=a%26b%20\(id)&schema=my:schema", "scope=spread.\(id)&spread=true"]
    for parameters in listed {
      #expect(text.contains(parameters), "\(text)")
      // A URL that the list names leads to the cache.
      let found = try CacheLocation("\(server.url.absoluteString)?\(parameters)")
      #expect(try await CacheInspector(found).list(.init()).count == 1)
    }
  }

  @Test func aKeyOrAScopeThatDoesNotExistIsReported() async throws {
    let scope = UUID().uuidString
    for (isSpread, parameters) in [(false, "'scope=\(scope)'"), (true, "\(scope)&spread=true'")] {
      let missing = await #expect(throws: InspectionError.self) {
        try await CacheInspector(location(scope, isSpread: isSpread))
      }
      #expect(missing?.description.hasPrefix("Nothing was written to '") == true)
      #expect(missing?.description.contains(parameters) == true)
    }
    let cache = try await RedisServer.shared().cache(scope)
    try await cache.apply([.merge(["B": ["x": 1]])])
    let inspector = try await CacheInspector(location(scope))
    let error = await #expect(throws: InspectionError.self) { try await inspector.records(["A"]) }
    #expect(error?.description.contains("has no record 'A'.") == true)
    // Written, but not spread.
    let error2 = await #expect(throws: InspectionError.self) {
      try await CacheInspector(location(scope, isSpread: true))
    }
    #expect(error2?.description.contains("The server has: ") == true)
  }

  private func json(_ line: String) -> JSONValue {
    (try? JSONValue(jsonBytes: Data(line.utf8))) ?? .null
  }
}
