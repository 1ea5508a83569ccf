import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

@testable import ApolloRedis

/// Servers that fail: calls go on as if nothing was cached.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct FailureTests {
  private final class Reports: Sendable {
    let errors = Lock<[RedisError]>([])
    var configuration: ApolloStore.Configuration {
      var configuration = ApolloStore.Configuration()
      configuration.onCacheFailure = { [errors] error in
        if let error = error as? RedisError { errors.withLock { $0.append(error) } }
      }
      return configuration
    }
  }

  @Test func aServerThatIsNotThereFailsOnceAndThenNothingIsCached() async throws {
    let cache = try RedisNormalizedCache(
      url: URL(string: "unix:///tmp/apollo-redis-nowhere")!, scope: "x")
    let store = ApolloStore(cache: cache)
    let error = await #expect(throws: RedisError.self) { try await store.load(HeroAPI.HeroQuery()) }
    #expect(error?.code == .unreachable)
    for _ in 0..<10 {
      let reading = try await store.load(HeroAPI.HeroQuery())
      #expect(reading.data == nil)
    }
  }

  /// Otherwise a slow name server stops every cache of the process, and no timeout passes.
  @Test func namesAreLookedUpWithoutATurn() async throws {
    let connection = Connection(
      to: .tcp(host: "name.invalid", port: 6_379), greeting: [], timeout: .seconds(60))
    let loop = try EventLoop.shared()
    let isSending = Lock(true)
    let hasWaited = Lock(true)
    let response: RedisClient.Response = await withCheckedContinuation { continuation in
      let complete: @Sendable (RedisClient.Response) -> Void = { response in
        _ = hasWaited.exchange(isSending.get())
        continuation.resume(returning: response)
      }
      loop.submit { turns in
        connection.send([(RedisCommand("PING"), complete)], in: turns)
        _ = isSending.exchange(false)
      }
    }
    let error = #expect(throws: RedisError.self) { try response.get() }
    #expect(error?.code == .unreachable)
    #expect(!hasWaited.get())
    loop.submit { connection.close(in: $0) }
  }

  @Test func aConnectionThatIsClosedDuringALookupCanBeOpenedAgain() async throws {
    let port = Int.random(in: 20_000..<30_000)
    let server = try await RedisServer("--port \(port) --bind 127.0.0.1")
    let connection = Connection(
      to: .tcp(host: "localhost", port: Int32(port)), greeting: [], timeout: .seconds(60))
    let loop = try EventLoop.shared()
    let first = Lock<RedisClient.Response?>(nil)
    let second: RedisClient.Response = await withCheckedContinuation { continuation in
      let note: @Sendable (RedisClient.Response) -> Void = { _ = first.exchange($0) }
      let complete: @Sendable (RedisClient.Response) -> Void = {
        continuation.resume(returning: $0)
      }
      loop.submit { turns in
        connection.send([(RedisCommand("PING"), note)], in: turns)
        connection.close(in: turns)
        connection.send([(RedisCommand("PING"), complete)], in: turns)
      }
    }
    let error = #expect(throws: RedisError.self) { try first.get()?.get() }
    #expect(error?.code == .disconnected)
    #expect(try second.get().text == "PONG")
    loop.submit { connection.close(in: $0) }
    try await server.stop()
  }

  /// Otherwise no command would reach a server whose name takes longer than the timeout each time.
  @Test func aLookupThatEndsBetweenTwoAttemptsIsForTheSecondOne() async throws {
    let port = Int.random(in: 20_000..<30_000)
    let server = try await RedisServer("--port \(port) --bind 127.0.0.1")
    let (count, mayEnd) = (Lock(0), DispatchSemaphore(value: 0))
    let connection = Connection(
      to: .tcp(host: "localhost", port: Int32(port)), greeting: [], timeout: .milliseconds(1),
      onLookup: {
        count.withLock { $0 += 1 }
        mayEnd.wait()
      })
    let loop = try EventLoop.shared()
    let first: RedisClient.Response = await withCheckedContinuation { continuation in
      loop.submit { turns in
        connection.send(
          [(RedisCommand("PING"), { @Sendable in continuation.resume(returning: $0) })], in: turns)
      }
    }
    let error = #expect(throws: RedisError.self) { try first.get() }
    #expect(error?.code == .unreachable)
    mayEnd.signal()
    var isLookingUp = true
    while isLookingUp {
      isLookingUp = await withCheckedContinuation { continuation in
        loop.submit { _ in continuation.resume(returning: connection.isLookingUp) }
      }
    }
    // The server may take longer than a millisecond, too, but needs no other lookup.
    mayEnd.signal()
    let _: RedisClient.Response = await withCheckedContinuation { continuation in
      loop.submit { turns in
        connection.send(
          [(RedisCommand("PING"), { @Sendable in continuation.resume(returning: $0) })], in: turns)
      }
    }
    #expect(count.get() == 1)
    loop.submit { connection.close(in: $0) }
    try await server.stop()
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func aServerIsReachedByItsNameAndItsAddress(host: String) async throws {
    let port = Int.random(in: 20_000..<30_000)
    let server = try await RedisServer("--port \(port) --bind 127.0.0.1")
    let url = try #require(URL(string: "redis://\(host):\(port)"))
    let client = try RedisClient(servers: [url], timeout: .seconds(60))
    let request = RedisClient.Request(command: RedisCommand("PING"), slot: nil)
    #expect(try await client.send(request).text == "PONG")
    try await server.stop()
  }

  /// Each failure leads to the next server, without a pause.
  @Test func theLastOfThreeServersIsUsedIfTheOthersCannotBeReached() async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    try await server.cache(scope).apply([.merge(["A": ["x": 1]])])
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(60)
    configuration.otherServers = [
      URL(string: "unix:///tmp/apollo-redis-nowhere-else")!, server.url,
    ]
    let cache = try RedisNormalizedCache(
      url: URL(string: "unix:///tmp/apollo-redis-nowhere")!, scope: scope,
      configuration: configuration)
    for _ in 0..<2 { _ = try? await cache.loadRecords(forKeys: ["A"]) }
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 1)
  }

  @Test func aServerThatEndsIsUsedAgainWhenItIsBack() async throws {
    let server = try await RedisServer()
    let cache = try server.cache("x")
    try await cache.apply([.merge(["A": ["x": 1]])])
    _ = try await server.send("DEBUG", "JMAP")  // any error of the server changes nothing
    _ = try? await server.send("CLIENT", "KILL", "TYPE", "normal")
    // The connection was closed: one command fails, or none if a new one is made first.
    _ = try? await cache.loadRecords(forKeys: ["A"])
    while true {
      if let records = try? await cache.loadRecords(forKeys: ["A"]), !records.isEmpty { break }
      _ = try await server.send("PING")  // paces the loop
    }
    try await server.stop()
  }

  /// The server ends between two records of one reading, of which the first is in memory.
  @Test func aReadingThatSpansAFailureHasNothingFromBeforeIt() async throws {
    let server = try await RedisServer()
    let cache = try server.cache("x")
    let store = ApolloStore(cache: cache)
    try await server.cache("x").apply([.merge(["Left": ["n": 1], "Right": ["n": 1]])])
    while cache.core.near.contents()?.records.fields.fields(of: "Left") == nil {
      _ = try await cache.loadRecords(forKeys: ["Left"])
      _ = try await server.send("PING")  // paces the loop
    }
    let hasStopped = Lock(false)
    let (left, right) = try await store.withinReadTransaction { transaction in
      let left = try transaction.record(for: "Left")?["n"]
      if hasStopped.exchange(true) == false {
        #expect(left == 1)
        try await server.stop()
        // The first failure is reported. From then on, nothing is cached.
        await #expect(throws: RedisError.self) { try await cache.loadRecords(forKeys: ["Other"]) }
      }
      return (left, try transaction.record(for: "Right")?["n"])
    }
    #expect(left == nil && right == nil)
  }

  @Test func aFullServerRefusesWritesAndServesReadings() async throws {
    let server = try await RedisServer("--maxmemory 4mb --maxmemory-policy noeviction")
    let cache = try server.cache("x")
    try await cache.apply([.merge(["A": ["x": 1]])])
    var failure: RedisError?
    for number in 0..<200 where failure == nil {
      let text = String(repeating: "x", count: 100_000)
      do {
        try await cache.apply([.merge([RecordKey("Big:\(number)"): ["text": .string(text)]])])
      } catch let error as RedisError {
        failure = error
      }
    }
    #expect(failure?.code == .server)
    #expect(failure?.detail.contains("OOM") == true)
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 1)
    try await server.stop()
  }

  @Test func aFullServerIsReportedOnceAndWrittenAgainWhenItHasRoom() async throws {
    let server = try await RedisServer("--maxmemory-policy noeviction")
    let cache = try server.cache("x")
    try await cache.apply([.merge(["A": ["x": 1]])])
    try await server.send("CONFIG", "SET", "maxmemory", "1")
    for number in 0..<10 {
      let error = await #expect(throws: RedisError.self) {
        try await cache.apply([.merge(["A": ["x": 2]])])
      }
      #expect(error?.code == (number == 0 ? .server : .suspended))
    }
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 1)
    try await server.send("CONFIG", "SET", "maxmemory", "0")
    var hasWritten = false
    while !hasWritten {
      do {
        try await cache.apply([.merge(["A": ["x": 2]])])
        hasWritten = true
      } catch let error as RedisError where error.code == .suspended {
        _ = try await server.send("PING")  // paces the loop
      }
    }
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 2)
    try await server.stop()
  }

  /// The server responds to every command that it is busy, until the script is ended.
  @Test func aServerThatRunsALongScriptIsReportedOnce() async throws {
    let server = try await RedisServer("--lua-time-limit 1")
    let cache = try server.cache("x")
    try await cache.apply([.merge(["A": ["x": 1]])])
    async let script = server.send("EVAL", "while true do end", "0")
    var failure: RedisError?
    while failure == nil {
      do {
        _ = try await cache.loadRecords(forKeys: ["A"])
      } catch let error as RedisError {
        failure = error
      }
    }
    #expect(failure?.code == .server)
    #expect(failure?.detail.hasPrefix("BUSY ") == true)
    for _ in 0..<10 { #expect(try await cache.loadRecords(forKeys: ["A"]).isEmpty) }
    try await server.send("SCRIPT", "KILL")
    _ = try? await script
    while true {
      if let records = try? await cache.loadRecords(forKeys: ["A"]), !records.isEmpty { break }
      _ = try await server.send("PING")  // paces the loop
    }
    try await server.stop()
  }

  /// A write of the background, such as a longer lifetime, has no call to report to.
  @Test func theRefusalOfAWriteOfTheBackgroundIsReportedByTheNextCall() async throws {
    let server = try await RedisServer("--maxmemory 1 --maxmemory-policy noeviction")
    let client = try RedisClient(servers: [server.url], timeout: .seconds(60))
    for (isInBackground, code) in [
      (true, .suspended), (false, .server), (true, .suspended), (false, .suspended),
    ] as [(Bool, RedisError.Code)] {
      let request = RedisClient.Request(
        command: RedisCommand("SET", "A", "1"), isWrite: true, isInBackground: isInBackground)
      let error = await #expect(throws: RedisError.self) { try await client.send(request) }
      #expect(error?.code == code)
    }
    try await server.stop()
  }

  @Test func replicasAreReadAndReplacedByThePrimary() async throws {
    let port = Int.random(in: 20_000..<30_000)
    let primary = try await RedisServer("--port \(port) --bind 127.0.0.1")
    let replica = try await RedisServer("--replicaof 127.0.0.1 \(port)")
    let cache = try primary.cache("x") {
      $0.replicas = [replica.url]
      $0.nearRecordLimit = 0
    }
    let store = ApolloStore(cache: cache)
    try await store.publish(["A": ["x": 1]])
    // A replica is behind, and has the record at last.
    func read() async throws -> CacheValue? {
      try await store.withinReadTransaction { try $0.record(for: "A")?["x"] }
    }
    while try await read() != 1 {}
    let stats = try await replica.send("INFO", "commandstats").text ?? ""
    #expect(stats.contains("cmdstat_mget"))
    // Transactions read from the primary, so nothing is lost.
    for number in 2...20 {
      try await store.withinReadWriteTransaction { transaction in
        guard case .int(let count)? = try transaction.record(for: "A")?["x"] else { return }
        #expect(count == number - 1)
        try transaction.merge(["A": ["x": .int(count + 1)]])
      }
    }
    try await replica.stop()
    while try await read() != 20 { _ = try await primary.send("PING") }
    try await primary.stop()
  }

  /// A watch that was notified of a change would show the data from before it, for good.
  @Test(arguments: [0, 100])
  func aReplicaIsNotReadThatIsBehindWhatTheProcessKnows(nearRecordLimit: Int) async throws {
    let port = Int.random(in: 20_000..<30_000)
    let primary = try await RedisServer("--port \(port) --bind 127.0.0.1")
    let replica = try await RedisServer("--replicaof 127.0.0.1 \(port)")
    func store() throws -> ApolloStore {
      ApolloStore(
        cache: try primary.cache("x") {
          $0.replicas = [replica.url]
          $0.nearRecordLimit = nearRecordLimit
        })
    }
    let (store, other) = (try store(), try store())
    func read() async throws -> CacheValue? {
      try await store.withinReadTransaction { try $0.record(for: "A")?["x"] }
    }
    try await store.publish(["A": ["x": 1]])
    #expect(try await read() == 1)
    while try await replica.send("DBSIZE") == .integer(0) {}
    // From now on it stands still.
    _ = try await replica.send("REPLICAOF", "NO", "ONE")
    try await store.publish(["A": ["x": 2]])
    #expect(try await read() == 2)
    try await other.publish(["A": ["x": 3]])
    while try await read() != 3 {}
    try await replica.stop()
    try await primary.stop()
  }

  /// The replica has a write whose message has not arrived.
  @Test func memoryIsNotUsedThatIsBehindWhatAReplicaHasShown() async throws {
    let server = try await RedisServer()
    let proxy = try FaultyProxy(to: server.path)
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(60)
    configuration.replicas = [server.url]
    let cache = try RedisNormalizedCache(url: proxy.url, scope: "x", configuration: configuration)
    let store = ApolloStore(cache: cache)
    let other = try server.cache("x")
    func read(_ key: RecordKey) async throws -> CacheValue? {
      try await store.withinReadTransaction { try $0.record(for: key)?["n"] }
    }
    try await other.apply([.merge(["A": ["n": 1], "B": ["n": 1]])])
    while cache.core.near.contents()?.records.fields.fields(of: "A") == nil {
      #expect(try await read("A") == 1)
    }
    proxy.setFault(.silence)
    try await other.apply([.merge(["A": ["n": 2], "B": ["n": 2]])])
    #expect(try await read("B") == 2)
    #expect(try await read("A") == 2)
    proxy.stop()
    try await server.stop()
  }

  /// The notes of the write itself are none of others.
  @Test func responsesInTheWrongOrderAreWritten() async throws {
    let server = try await RedisServer()
    let store = ApolloStore(cache: try server.cache("x"))
    let requests = (store.begin(.query), store.begin(.query), store.begin(.query))
    func publish(_ fields: FieldMap, _ sent: SentRequest) async throws {
      var response = NormalizedResponse(records: ["A": fields])
      response.sent = sent
      try await store.publish(response)
    }
    try await publish(["x": 3], requests.2)
    try await publish(["x": 2, "y": 2], requests.1)
    let mutation = store.begin(.mutation)
    try await store.publish(["A": ["z": "own"]])
    try await publish(["x": 4, "z": "mutation"], mutation)
    let record = try await store.withinReadTransaction { try $0.record(for: "A") }
    #expect(record == Record(key: "A", fields: ["x": 4, "y": 2, "z": "own"]))
    withExtendedLifetime(requests) {}
    try await server.stop()
  }

  /// Another cache of the process has noted newer data since the response was compared with it.
  @Test func aWriteThatIsNotCurrentIsMadeAgain() async throws {
    let server = try await RedisServer()
    let cache = try server.cache("x")
    let context = try await cache.beginWriting()
    context.require {
      false
    } othersWrite: {
      false
    }
    await #expect(throws: CommitConflict.self) {
      try await context.commit([.merge(["A": ["x": 1]])])
    }
    context.require {
      true
    } othersWrite: {
      false
    }
    _ = try await context.commit([.merge(["A": ["x": 2]])])
    context.end()
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["x"] == 2)
    try await server.stop()
  }

  /// Another program changes the record between the reading and the writing of a commit.
  @Test func aCommitThatHasBegunEndsAlthoughItsTaskIsCancelled() async throws {
    let server = try await RedisServer()
    let cache = try server.cache("x")
    try await cache.apply([.merge(["A": ["x": 1]])])
    let hasChanged = Lock(false)
    let work = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let context = try await cache.beginWriting()
      context.require {
        guard
          hasChanged.withLock({ (was: inout Bool) in
            defer { was = true }; return !was
          })
        else { return true }
        server.sendAtOnce(["flushall"])
        return true
      } othersWrite: {
        false
      }
      _ = try await context.commit([.merge(["A": ["x": 2]])])
      context.end()
    }
    try await work.value
    #expect(hasChanged.get())
    #expect(try await server.cache("x").loadRecords(forKeys: ["A"])["A"]?["x"] == 2)
    try await server.stop()
  }

  @Test func evictedRecordsAreMisses() async throws {
    let server = try await RedisServer("--maxmemory 4mb --maxmemory-policy allkeys-random")
    let cache = try server.cache("x")
    let text = String(repeating: "x", count: 20_000)
    for number in 0..<400 {
      try await cache.apply([
        .merge([RecordKey("Big:\(number)"): ["n": .int(Int64(number)), "text": .string(text)]])
      ])
      let key = RecordKey("Big:\(number / 2)")
      if let record = try await cache.loadRecords(forKeys: [key])[key] {
        #expect(record["n"] == .int(Int64(number / 2)))
      }
    }
    try await server.stop()
  }

  @Test(arguments: [
    ("http://host", "its scheme is not 'redis' or 'unix'"),
    ("rediss://host", "hiredis has no TLS"),
    ("redis://host/x", "'x' is not the number of a database"),
    ("redis://host:0", "its port is not a port"),
    ("unix://", "the path is missing"),
    ("redis://%FF:secret@host", "its user or its password is not UTF-8"),
    ("redis://user:%FF@host", "its user or its password is not UTF-8"),
  ])
  func aURLThatCannotBeUsedIsRefused(text: String, reason: String) throws {
    let url = try #require(URL(string: text))
    let error = #expect(throws: RedisError.self) { try RedisNormalizedCache(url: url, scope: "") }
    #expect(error?.code == .invalidURL)
    #expect(error?.description.contains(reason) == true)
  }

  @Test func theUserAndThePasswordOfAURLAreDecodedOnce() throws {
    let url = try #require(URL(string: "redis://a%25b%2541:c%25d%2541@localhost/2"))
    let greeting = try ServerAddress(url).greeting.map { command in
      command.arguments.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(greeting == [["AUTH", "a%b%41", "c%d%41"], ["SELECT", "2"]])
  }

  @Test func aPasswordIsSentAndNeverReported() async throws {
    let server = try await RedisServer("--requirepass secret")
    let cache = try RedisNormalizedCache(url: server.url, scope: "x")
    let error = await #expect(throws: RedisError.self) {
      try await cache.loadRecords(forKeys: ["A"])
    }
    #expect(error?.detail.contains("NOAUTH") == true)
    try await server.stop()
  }
}
