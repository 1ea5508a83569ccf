import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

@testable import ApolloRedis

/// Servers that lose, remove or refuse something while they are there.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct LossTests {
  private let scope = UUID().uuidString

  private func keys(in server: RedisServer, _ kind: String = "") async throws -> [[UInt8]] {
    let value = try await server.send("KEYS", "apollo:default:{\(scope)}:\(kind)*")
    return (value.elements ?? []).compactMap(\.bytes)
  }

  private func read(
    _ key: RecordKey, _ field: FieldKey, from store: ApolloStore
  ) async throws -> CacheValue? {
    try await store.withinReadTransaction { try $0.record(for: key)?[field] }
  }

  // MARK: - Records that are removed after a time

  @Test(arguments: [true, false])
  func memoryKeepsNothingThatTheServerHasRemoved(isWriter: Bool) async throws {
    let server = try await RedisServer.shared()
    let writer = ApolloStore(cache: try server.cache(scope) { $0.recordLifetime = .seconds(1) })
    let reader =
      isWriter
      ? writer : ApolloStore(cache: try server.cache(scope) { $0.recordLifetime = .seconds(1) })
    try await writer.publish(["A": ["x": 1]])
    _ = try await read("A", "x", from: reader)
    // Reads it often enough that memory has it.
    while try await !keys(in: server, "r:").isEmpty { _ = try await read("A", "x", from: reader) }
    #expect(try await read("A", "x", from: reader) == nil)
  }

  @Test func anEqualWriteRenewsTheLifetime() async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope) {
      $0.recordLifetime = .seconds(1_000)
      $0.nearRecordLimit = 0
    }
    let records: RecordSet = ["A": ["x": 1], "QUERY_ROOT": ["a": .reference("A")]]
    try await cache.apply([.merge(records)])
    let names = try await keys(in: server, "r:") + keys(in: server, "f:")
    #expect(names.count == 2)
    for name in names {
      _ = try await server.send(RedisCommand("PEXPIRE", [name, Array("100000".utf8)]))
    }
    #expect(try await cache.apply([.merge(records)]).isEmpty)
    for name in names {
      while true {
        guard case .integer(let rest) = try await server.send(RedisCommand("PTTL", [name])) else {
          break
        }
        if rest > 100_000 { break }
      }
    }
  }

  // MARK: - A state and shapes that are lost or damaged

  /// More records than the pages in which the keys are read.
  @Test func onlyTheCellsSinceTheLastClearingRemain() async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope)
    for round in 0..<4 {
      let records = (0..<2_500).map { Record(key: RecordKey("\($0)"), fields: ["x": .int($0)]) }
      try await cache.apply([.merge(RecordSet(records))])
      try await cache.apply([.clear])
      if round == 2 { try await cache.apply([.clear]) }
    }
    try await cache.apply([.merge(["A": ["x": 3]])])
    while try await epochs(in: server).count != 1 {}
    #expect(try await keys(in: server, "r:").count == 1)
  }

  /// The epochs of all cells and indices.
  private func epochs(in server: RedisServer) async throws -> Set<Substring> {
    var epochs: Set<Substring> = []
    for kind in ["r", "f", "i"] {
      for name in try await keys(in: server, "\(kind):") {
        epochs.insert(String(decoding: name, as: UTF8.self).split(separator: ":")[4])
      }
    }
    return epochs
  }

  @Test func cellsOfALostStateAreRemoved() async throws {
    let server = try await RedisServer.shared()
    let records: RecordSet = [
      "A": ["x": 1], "B": ["x": 2], "QUERY_ROOT": ["a": .reference("A"), "b": .reference("B")],
    ]
    try await server.cache(scope).apply([.merge(records)])
    let old = Set(try await keys(in: server, "r:") + keys(in: server, "f:"))
    #expect(old.count == 4)
    _ = try await server.send("DEL", "apollo:default:{\(scope)}:m")
    let other = try server.cache(scope)
    try await other.apply([.merge(["A": ["x": 3]])])
    while try await !old.isDisjoint(with: keys(in: server)) {}
    #expect(try await keys(in: server, "r:").count == 1)
    #expect(
      try await other.loadRecords(forKeys: ["A", "B"]).mapValues(\.fields) == ["A": ["x": 3]])
  }

  @Test(arguments: [["SET", "short"], ["LPUSH", "x"]])
  func aDamagedShapeIsRepairedByTheNextWrite(command: [String]) async throws {
    let server = try await RedisServer.shared()
    let records: RecordSet = ["A": [FieldKey("damaged\(scope)"): 1]]
    try await server.cache(scope).apply([.merge(records)])
    for key in try await keys(in: server, "s:") {
      _ = try await server.send(RedisCommand("DEL", [key]))
      _ = try await server.send(RedisCommand(command[0], [key, Array(command[1].utf8)]))
    }
    let second = try server.cache(scope)
    #expect(try await second.loadRecords(forKeys: ["A"]).isEmpty)
    try await second.apply([.merge(records)])
    #expect(try await server.cache(scope).loadRecords(forKeys: ["A"]).count == 1)
  }

  // MARK: - The fields of a root

  @Test func theFieldsOfARootAreFoundWithoutAScan() async throws {
    let server = try await RedisServer()
    let cache = try server.cache(scope)
    let store = ApolloStore(cache: cache)
    try await store.publish([
      "QUERY_ROOT": FieldMap((0..<50).map { (FieldKey("field(id:\"\($0):x\")"), .int($0)) })
    ])
    try await store.publish(["QUERY_ROOT": ["other": 1]])
    func root() async throws -> FieldMap? {
      try await ApolloStore(cache: try server.cache(scope)).withinReadTransaction {
        try $0.record(for: .queryRoot)?.fields
      }
    }
    #expect(try await root()?.count == 51)
    #expect(try await root()?[FieldKey("field(id:\"7:x\")")] == 7)
    let stats = try await server.send("INFO", "commandstats").text ?? ""
    #expect(!stats.contains("cmdstat_scan:"))
    // An index that is lost or damaged is replaced by a scan, and hinders no write.
    for command in [["DEL"], ["SET", "x"], ["LPUSH", "x"]] {
      for key in try await keys(in: server, "i:") {
        _ = try await server.send(RedisCommand("DEL", [key]))
        _ = try await server.send(
          RedisCommand(command[0], [key] + command.dropFirst().map { Array($0.utf8) }))
      }
      #expect(try await root()?.count == 51)
      try await store.publish(["QUERY_ROOT": ["other": .string(command[0])]])
      #expect(try await root()?.count == 51)
    }
    try await store.withinReadWriteTransaction { try $0.removeObject(for: .queryRoot) }
    #expect(try await root() == nil)
    try await server.stop()
  }

  @Test func anIndexForgetsFieldsThatHaveExpired() async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope) { $0.recordLifetime = .milliseconds(1) }
    for number in 0..<200 {
      try await cache.apply([.merge(["QUERY_ROOT": [FieldKey("f\(number)"): 1]])])
    }
    let index = try #require(
      try await keys(in: server, "i:").first {
        String(decoding: $0, as: UTF8.self).hasSuffix("QUERY_ROOT")
      })
    guard case .integer(let count) = try await server.send(RedisCommand("SCARD", [index])) else {
      return
    }
    #expect(count < 100)
  }

  // MARK: - A state that is lost

  /// The program would read what it has cleared, until the message of the clearing arrives.
  @Test func memoryIsNotUsedWhenAClearingFindsThatTheStateIsLost() async throws {
    let server = try await RedisServer()
    let cache = try server.cache(scope)
    let store = ApolloStore(cache: cache)
    try await server.cache(scope).apply([.merge(["A": ["x": 1]])])
    while cache.core.near.contents()?.records.fields.fields(of: "A") == nil {
      #expect(try await read("A", "x", from: store) == 1)
    }
    _ = try await server.send("FLUSHALL")
    let context = try await cache.beginWriting()
    context.require {
      #expect(cache.core.near.contents() == nil)
      return true
    } othersWrite: {
      false
    }
    _ = try await context.commit([.clear])
    context.end()
    #expect(try await read("A", "x", from: store) == nil)
    try await server.stop()
  }

  // MARK: - Without records in memory

  @Test func changesByOthersArriveWithoutRecordsInMemory() async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope) { $0.nearRecordLimit = 0 }
    let seen = Lock<[RecordKey]>([])
    cache.onForeignCommit { changes in
      seen.withLock { $0 += changes.entries.map(\.record) }
      return true
    }
    let other = try server.cache(scope)
    // Until the subscription is there, everything may have changed.
    while !seen.withLock({ $0.contains("A") }) {
      try await other.apply([.merge(["A": ["x": .int(.random(in: 0..<1_000_000))]])])
    }
    seen.withLock { $0 = [] }
    try await cache.apply([.merge(["Own": ["x": 1]])])
    var number: Int64 = 0
    // A busy machine may lose the subscription, and the message with it.
    while !seen.withLock({ $0.contains("B") }) {
      number += 1
      try await other.apply([.merge(["B": ["x": .int(number)]])])
    }
    #expect(seen.withLock { !$0.contains("Own") })
  }

  // MARK: - Responses that are lost

  /// The records that a cache has reported to its stores.
  private final class Reports: Sendable {
    private let records = Lock<Set<RecordKey>>([])

    init(of cache: RedisNormalizedCache) {
      cache.onForeignCommit { [records] changes in
        records.withLock { records in
          records.formUnion(changes.entries.map(\.record))
          if changes.includesEverything { records.insert("Everything") }
        }
        return true
      }
    }

    func contain(_ key: RecordKey) -> Bool { records.withLock { $0.contains(key) } }

    func forgetAll() { _ = records.exchange([]) }

    /// Writes as another process until the change has arrived, with all that were before.
    func awaitMessage(of key: RecordKey, from other: RedisNormalizedCache) async throws {
      while !contain(key) {
        try await other.apply([.merge([key: ["x": .int(.random(in: 0..<1_000_000))]])])
      }
    }
  }

  /// The store takes the write for a failure. Its watches learn of it as of one by another process.
  @Test(arguments: [0, 100], [false, true])
  func watchesLearnOfAWriteWhoseResponseWasLost(nearRecordLimit: Int, clears: Bool) async throws {
    let server = try await RedisServer()
    let cache = try server.cache(scope) { $0.nearRecordLimit = nearRecordLimit }
    let reports = Reports(of: cache)
    let other = try server.cache(scope)
    try await cache.apply([.merge(["Own": ["x": 1]])])  // loads the script
    try await reports.awaitMessage(of: "First", from: other)
    reports.forgetAll()
    let process = try #require(try await server.process)
    let mutations: [CacheMutation] = clears ? [.clear] : [.merge(["A": ["x": 1]])]
    let hasStopped = Lock(false)
    while !hasStopped.get() {  // on a busy machine, the reading before the write may fail
      let context = try await cache.beginWriting()
      context.require {
        hasStopped.withLock { $0 = true }
        kill(process, SIGSTOP)
        return true
      } othersWrite: {
        false
      }
      await #expect(throws: RedisError.self) {
        try await CacheDeadline.limiting(.milliseconds(400)) {
          try await context.commit(mutations)
        }
      }
      context.end()
    }
    kill(process, SIGCONT)
    try await reports.awaitMessage(of: "Last", from: other)
    #expect(reports.contain("A") || reports.contain("Everything"))
    try await server.stop()
  }

  // MARK: - Writes that end between two partitions

  /// The reason for which a write to a spread scope ends after its first partition.
  enum Interruption: CaseIterable { case conflict, refusal }

  /// Returns the keys of a record of partition 1 and of one of partition 2.
  private func recordsOfTwoPartitions(of keys: KeySpace) throws -> (RecordKey, RecordKey) {
    let all = (0..<10_000).map { RecordKey("Record:\($0)") }
    return (
      try #require(all.first { keys.partition(of: .record($0)) == 1 }),
      try #require(all.first { keys.partition(of: .record($0)) == 2 })
    )
  }

  /// The write is made again without the first partition, or counts as a failure.
  @Test(arguments: [0, 100], Interruption.allCases)
  func watchesLearnOfAWriteThatEndsBetweenTwoPartitions(
    nearRecordLimit: Int, interruption: Interruption
  ) async throws {
    let server = try await RedisServer()
    let cache = try server.cache(scope) {
      $0.isSpread = true
      $0.nearRecordLimit = nearRecordLimit
    }
    let other = try server.cache(scope) { $0.isSpread = true }
    let keys = cache.core.keys
    let (first, second) = try recordsOfTwoPartitions(of: keys)
    let reports = Reports(of: cache)
    try await cache.apply([.merge([first: ["x": 1], second: ["x": 1]])])
    try await reports.awaitMessage(of: "First", from: other)
    reports.forgetAll()
    // Either others write to the second partition, or only the first one may be written.
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let cell = text(keys.key(of: .record(second), cache.core.meta(2).epoch, 2))
    let command =
      switch interruption {
      case .conflict: ["set", cell, "foreign"]
      case .refusal: ["acl", "setuser", "default", "resetkeys", "~\(text(keys.prefix(1)))*"]
      }
    let hasInterrupted = Lock(false)
    let context = try await cache.beginWriting()
    context.require {
      if !hasInterrupted.exchange(true) { server.sendAtOnce(command) }
      return true
    } othersWrite: {
      false
    }
    let commit = try? await context.commit([.merge([first: ["x": 2], second: ["x": 2]])])
    context.end()
    #expect((commit == nil) == (interruption == .refusal))
    _ = try await server.send("ACL", "SETUSER", "default", "allkeys")
    try await reports.awaitMessage(of: "Last", from: other)
    #expect(try await other.loadRecords(forKeys: [first])[first]?["x"] == 2)
    let isInCommit = commit?.changes.records.contains(first) ?? false
    #expect(isInCommit || reports.contain(first) || reports.contain("Everything"))
    try await server.stop()
  }

  /// Its body would read its own part, such as a number that it counts up, and apply it twice.
  @Test func aTransactionDoesNotRunAgainAfterAPartOfItWasWritten() async throws {
    let server = try await RedisServer.shared()
    let cache = try server.cache(scope) { $0.isSpread = true }
    let keys = cache.core.keys
    let (first, second) = try recordsOfTwoPartitions(of: keys)
    try await cache.apply([.merge([first: ["x": 1], second: ["x": 1]])])
    let cell = String(
      decoding: keys.key(of: .record(second), cache.core.meta(2).epoch, 2), as: UTF8.self)
    let hasInterrupted = Lock(false)
    let context = try await cache.beginWriting()
    defer { context.end() }
    context.require {
      if !hasInterrupted.exchange(true) { server.sendAtOnce(["set", cell, "foreign"]) }
      return true
    } othersWrite: {
      false
    }
    try await context.snapshot().load([first, second])
    do {
      _ = try await context.commit([.merge([first: ["x": 2], second: ["x": 2]])])
      Issue.record("The transaction was committed.")
    } catch let error as RedisError {
      #expect(error.code == .contended)
    }
    #expect(context.mayHaveCommitted)
    #expect(try await cache.loadRecords(forKeys: [first])[first]?["x"] == 2)
  }

  // MARK: - Servers that refuse or hang

  /// As one that loads its data, or has too many clients.
  @Test(arguments: ["SUBSCRIBE", "GET"])
  func aServerThatRefusesTheSubscriptionIsAskedAgainAfterAPause(command: String) async throws {
    let server = try await RedisServer("--rename-command \(command) ''")
    let client = try RedisClient(servers: [server.url], timeout: .seconds(60))
    func connectionCount() async throws -> Int {
      let info = try await client.send(RedisClient.Request(command: RedisCommand("INFO", "stats")))
      let line = (info.text ?? "").split(whereSeparator: \.isNewline)
        .first { $0.hasPrefix("total_connections_received:") }
      return line.flatMap { Int($0.split(separator: ":")[1]) } ?? 0
    }
    let count = try await connectionCount()
    let start = ContinuousClock.now
    let cache = try server.cache(scope)
    while try await connectionCount() < count + 6 {}
    #expect(start.duration(to: .now) > CircuitBreaker.firstPause)
    withExtendedLifetime(cache) {}
    try await server.stop()
  }

  /// A new user of Redis 7 has no right to any channel.
  @Test func aWriteWhoseMessageIsRefusedChangesNothing() async throws {
    let server = try await RedisServer()
    let cache = try server.cache(scope) { $0.nearRecordLimit = 0 }
    _ = try await server.send("ACL", "SETUSER", "default", "resetchannels")
    func refuse(_ mutation: CacheMutation) async {
      let error = await #expect(throws: RedisError.self) { try await cache.apply([mutation]) }
      #expect(error?.code == .server)
    }
    await refuse(.merge(["A": ["x": 1], "QUERY_ROOT": ["a": 1]]))
    #expect(try await keys(in: server).isEmpty)
    _ = try await server.send("ACL", "SETUSER", "default", "allchannels")
    try await cache.apply([.merge(["A": ["x": 1]])])
    let before = try await keys(in: server)
    _ = try await server.send("ACL", "SETUSER", "default", "resetchannels")
    for change in [CacheMutation.merge(["A": ["x": 2]]), .remove("A"), .clear] {
      await refuse(change)
    }
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 1)
    let after = try await keys(in: server)
    #expect(Set(after) == Set(before))
    try await server.stop()
  }

  @Test func aServerThatBecameAReplicaIsLeftForTheNewPrimary() async throws {
    let (one, other) = (Int.random(in: 20_000..<25_000), Int.random(in: 25_000..<30_000))
    let old = try await RedisServer("--port \(one) --bind 127.0.0.1")
    let new = try await RedisServer("--port \(other) --bind 127.0.0.1 --replicaof 127.0.0.1 \(one)")
    let proxy = try FaultyProxy(to: old.path)
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(60)
    let cache = try RedisNormalizedCache(url: proxy.url, scope: scope, configuration: configuration)
    try await cache.apply([.merge(["A": ["x": 0]])])
    while try await new.send("INFO", "replication").text?.contains("master_link_status:up") != true
    {}
    _ = try await new.send("REPLICAOF", "NO", "ONE")
    _ = try await old.send("REPLICAOF", "127.0.0.1", "\(other)")
    // New connections lead to the old server for a while.
    var codes: [RedisError.Code] = []
    for number in 1...200 {
      do {
        try await cache.apply([.merge(["A": ["x": .int(Int64(number))]])])
      } catch let error as RedisError {
        codes.append(error.code)
      }
      #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 0, "It can be read.")
    }
    #expect(codes.filter { $0 != .suspended } == [.server])
    proxy.lead(to: new.path)
    while true {
      if (try? await cache.apply([.merge(["A": ["x": 1_000]])])) != nil { break }
      _ = try await new.send("PING")  // paces the loop
    }
    #expect(
      try await new.cache(scope).loadRecords(forKeys: ["A"])["A"]?["x"] == 1_000)
    proxy.stop()
    try await old.stop()
    try await new.stop()
  }

  @Test func aCallWithLittleTimeDoesNotWaitForAServerThatHangs() async throws {
    let server = try await RedisServer()
    let cache = try server.cache(scope)
    try await cache.apply([.merge(["A": ["x": 1]])])
    let process = try #require(try await server.process)
    kill(process, SIGSTOP)
    let error = await #expect(throws: RedisError.self) {
      try await CacheDeadline.limiting(.milliseconds(20)) {
        try await cache.loadRecords(forKeys: ["A"])
      }
    }
    #expect(error?.code == .timedOut)
    #expect(error?.detail == "the call has no more time")
    kill(process, SIGCONT)
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 1)
    try await server.stop()
  }

  /// No call is the test of a server that hangs: it would have to wait for the timeout.
  ///
  /// The client is tested without a cache, whose own commands in the background may be the test.
  @Test func aServerThatHangsIsTestedByACommandOfTheClientsOwn() async throws {
    let server = try await RedisServer()
    let client = try RedisClient(servers: [server.url], timeout: .seconds(1))
    func echo() async throws -> RedisValue {
      try await client.send(RedisClient.Request(command: RedisCommand("ECHO", [Array("A".utf8)])))
    }
    func callCount(of command: String) async throws -> Int {
      let statistics = try await server.send("INFO", "commandstats").text ?? ""
      let line = statistics.split(whereSeparator: \.isNewline)
        .first { $0.hasPrefix("cmdstat_\(command):calls=") }
      return line?.split(separator: "=")[1].split(separator: ",").first.flatMap { Int($0) } ?? 0
    }
    while (try? await echo()) == nil {}
    let process = try #require(try await server.process)
    let pingCount = try await callCount(of: "ping")
    kill(process, SIGSTOP)
    let first = await #expect(throws: RedisError.self) { try await echo() }
    #expect(first?.code == .timedOut)
    let second = await #expect(throws: RedisError.self) { try await echo() }
    #expect(second?.code == .suspended)
    kill(process, SIGCONT)
    while (try? await echo()) == nil { await Task.yield() }
    #expect(try await callCount(of: "ping") > pingCount)
    try await server.stop()
  }
}
