import ApolloAPI
import Foundation
import TestOperations
import Testing

@testable import ApolloCache
@testable import ApolloRedis

/// Two caches of one scope, as two processes have them.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct SharedScopeTests {
  private func caches() async throws -> (RedisNormalizedCache, RedisNormalizedCache) {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    return (try server.cache(scope), try server.cache(scope))
  }

  /// Writes a response with one hero and one friend.
  private func write(_ name: String, to store: ApolloStore) async throws {
    let body =
      #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"\#(name)","#
      + #""friends":[{"__typename":"Hero","id":"2","name":"Leia"}]}}}"#
    try await store.publish(body: Data(body.utf8), of: HeroAPI.HeroQuery())
  }

  @Test func oneReadsWhatTheOtherHasWritten() async throws {
    let (first, second) = try await caches()
    try await write("Luke", to: ApolloStore(cache: first))
    let reading = try await ApolloStore(cache: second).load(HeroAPI.HeroQuery())
    #expect(reading.data?.hero?.name == "Luke")
    #expect(reading.data?.hero?.friends?.map(\.name) == ["Leia"])
  }

  /// As with a cache in memory, nothing is read while nothing changes.
  @Test func aReadingWithoutChangesIsDeliveredAgain() async throws {
    let (first, second) = try await caches()
    let (store, other) = (ApolloStore(cache: first), ApolloStore(cache: second))
    for name in ["Luke", "Han"] {
      try await write(name, to: other)
      var isSame = false
      // The message of the write may be on its way.
      while !isSame {
        let readings = (
          try await store.load(HeroAPI.HeroQuery()), try await store.load(HeroAPI.HeroQuery())
        )
        guard let data = readings.0.data, let again = readings.1.data else { continue }
        isSame = data.hero?.name == name && data.__object === again.__object
        _ = try await first.loadRecords(forKeys: ["Hero:1"])  // paces the loop
      }
    }
  }

  /// An older response that is being committed has read the same values. It finds them changed,
  /// although they are equal.
  @Test func equalValuesAreWrittenWhileAnotherCommitIsUnderWay() async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let store = ApolloStore(cache: try server.cache(scope))
    let other = ApolloStore(cache: try server.cache(scope))
    func contents() async throws -> RedisValue {
      guard case .array(let keys) = try await server.send("KEYS", "*\(scope)*Hero:1*"),
        case .bytes(let key)? = keys.first, keys.count == 1
      else { throw URLError(.resourceUnavailable) }
      return try await server.send("DUMP", String(decoding: key, as: UTF8.self))
    }
    try await write("Luke", to: store)
    let first = try await contents()
    let query = store.begin(.query)
    try await write("Luke", to: other)
    #expect(try await contents() == first)
    let position = try #require(store.order.beginWrite())
    store.order.expect([], clearing: nil, at: position)
    try await write("Luke", to: other)
    #expect(try await contents() != first)
    store.order.withdraw(position)
    withExtendedLifetime(query) {}
  }

  /// A commit is recorded only after readers could see it. A watch must not read again for ever.
  @Test func whatWasReadBeforeItsCommitWasRecordedIsCurrent() async throws {
    let (cache, _) = try await caches()
    let store = ApolloStore(cache: cache)
    try await write("Luke", to: store)
    // All records are in memory, and no message is on its way.
    while try await store.load(HeroAPI.HeroQuery()).trace.version == nil {}
    _ = store.registry.recordForeignCommit(version: nil)
    let watch = store.watch { _ in }
    var isCurrent = false
    // What the start of a subscription reports may come in between.
    for _ in 0..<100 where !isCurrent {
      let reading = try await store.load(HeroAPI.HeroQuery())
      #expect(reading.data?.hero?.name == "Luke")
      isCurrent = watch.depend(on: reading.trace)
    }
    #expect(isCurrent)
  }

  @Test func twoCachesOfAScopeShareTheOrder() async throws {
    let (first, second) = try await caches()
    let (store, other) = (ApolloStore(cache: first), ApolloStore(cache: second))
    let query = store.begin(.query)
    let mutation = other.begin(.mutation)
    var new = NormalizedResponse(records: ["Hero:1": ["name": "new"]])
    new.sent = mutation
    _ = try await other.publish(new)
    var old = NormalizedResponse(records: ["Hero:1": ["name": "old"]])
    old.sent = query
    #expect(try await store.publish(old).standing == .overtaken)
    for cache in [first, second] {
      let record = try await ApolloStore(cache: cache).withinReadTransaction {
        try $0.record(for: "Hero:1")
      }
      #expect(record?["name"] == "new")
    }
  }

  /// Otherwise an older response of one cache could undo what another one has written.
  @Test func cachesOfOneScopeHaveOneNameWhateverTheirURLsLookLike() throws {
    func name(_ url: String, schema: String = "a", _ scope: String = "b") throws -> String? {
      var configuration = RedisNormalizedCache.Configuration()
      configuration.schema = schema
      return try RedisNormalizedCache(
        url: #require(URL(string: url)), scope: scope, configuration: configuration
      ).sharedName
    }
    let server = "redis://127.0.0.1:1"
    let own = try name(server)
    for url in ["\(server)/", "\(server)/0", "redis://user:secret@127.0.0.1:1/0"] {
      #expect(try name(url) == own)
    }
    for url in ["\(server)/1", "redis://127.0.0.1:2", "unix:///127.0.0.1:1"] {
      #expect(try name(url) != own)
    }
    #expect(try name(server, schema: "a b", "c") != name(server, schema: "a", "b c"))
  }

  @Test func aReadingWithoutRecordsIsAMiss() async throws {
    let (first, _) = try await caches()
    let reading = try await ApolloStore(cache: first).load(HeroAPI.HeroQuery())
    #expect(reading.data == nil)
    #expect(!reading.misses.isEmpty)
  }

  @Test func aTransactionReadsAndUpdatesSynchronously() async throws {
    let (first, second) = try await caches()
    let store = ApolloStore(cache: first)
    try await write("Luke", to: store)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name = "Han" }
    }
    let name = try await ApolloStore(cache: second).withinReadTransaction { transaction in
      try transaction.read(query: HeroAPI.HeroQuery()).hero?.name
    }
    #expect(name == "Han")
  }

  /// The body runs again with the records, although it hides the error of the reading.
  @Test(arguments: [false, true])
  func aTransactionMayThrowAnErrorOfItsOwnForAMiss(writes: Bool) async throws {
    struct NoHero: Error {}
    func readHero(_ transaction: some CacheTransaction) throws -> String? {
      guard let data = try? transaction.read(query: HeroAPI.HeroQuery()) else { throw NoHero() }
      return data.hero?.name
    }
    func heroName(in store: ApolloStore) async throws -> String? {
      guard writes else { return try await store.withinReadTransaction { try readHero($0) } }
      return try await store.withinReadWriteTransaction { try readHero($0) }
    }
    let (first, second) = try await caches()
    let store = ApolloStore(cache: second)
    await #expect(throws: NoHero.self) { try await heroName(in: store) }
    try await write("Luke", to: ApolloStore(cache: first))
    #expect(try await heroName(in: store) == "Luke")
  }

  /// A root that is read whole has been found without this field.
  @Test func aTransactionDoesNotReplaceAFieldThatARootHasGotMeanwhile() async throws {
    let (first, second) = try await caches()
    try await second.apply([.merge(["QUERY_ROOT": ["a": 1]])])
    let hasWritten = Lock(false)
    try await ApolloStore(cache: first).withinReadWriteTransaction { transaction in
      let root = try transaction.record(for: .queryRoot)
      if !hasWritten.exchange(true) { try await second.apply([.merge(["QUERY_ROOT": ["b": 5]])]) }
      if root?["b"] == nil { try transaction.merge(["QUERY_ROOT": ["b": 0]]) }
    }
    #expect(try await second.loadRecords(forKeys: ["QUERY_ROOT"])["QUERY_ROOT"]?["b"] == 5)
  }

  /// The write adds a field to the root and changes the record, at once.
  @Test func aRootAndARecordAreOfOneMoment() async throws {
    let (first, second) = try await caches()
    try await second.apply([.merge(["QUERY_ROOT": ["a": 1], "A": ["n": 1]])])
    let hasWritten = Lock(false)
    let (b, n) = try await ApolloStore(cache: first).withinReadTransaction { transaction in
      let root = try transaction.record(for: .queryRoot)
      if !hasWritten.exchange(true) {
        try await second.apply([.merge(["QUERY_ROOT": ["b": 2], "A": ["n": 2]])])
      }
      return (root?["b"], try transaction.record(for: "A")?["n"])
    }
    #expect(b == (n == 2 ? 2 : nil))
  }

  /// A root that was read whole depends on its own fields only.
  @Test func aTransactionThatHasReadAWholeRootDoesNotConflictWithOtherRecords() async throws {
    let (first, second) = try await caches()
    try await second.apply([.merge(["QUERY_ROOT": ["a": 1]])])
    let runCount = Lock(0)
    try await ApolloStore(cache: first).withinReadWriteTransaction { transaction in
      let number = runCount.withLock { count in
        count += 1
        return count
      }
      let root = try transaction.record(for: .queryRoot)  // ends the first run, to load the root
      try await second.apply([.merge(["Other": ["n": .int(Int64(number))]])])
      if root?["b"] == nil { try transaction.merge(["QUERY_ROOT": ["b": 2]]) }
    }
    #expect(runCount.get() == 2)
    #expect(try await second.loadRecords(forKeys: ["QUERY_ROOT"])["QUERY_ROOT"]?["b"] == 2)
  }

  /// A merge depends on the fields that it merges, and on no others of the root.
  @Test func mergesOfDifferentFieldsOfARootDoNotConflict() async throws {
    let (first, second) = try await caches()
    try await second.apply([.merge(["QUERY_ROOT": ["a": 1, "b": 1]])])
    let runCount = Lock(0)
    try await ApolloStore(cache: first).withinReadWriteTransaction { transaction in
      let number = runCount.withLock { count in
        count += 1
        return count
      }
      try transaction.merge(["QUERY_ROOT": ["a": 2]])  // ends the first run, to load the field
      let new = FieldKey("new\(number)")
      try await second.apply([.merge(["QUERY_ROOT": ["b": .int(Int64(number)), new: 1]])])
    }
    #expect(runCount.get() == 2)
    let root = try await second.loadRecords(forKeys: ["QUERY_ROOT"])["QUERY_ROOT"]
    #expect(root?.fields == ["a": 2, "b": 2, "new2": 1])
  }

  @Test func watchesOfTheOtherAreNotified() async throws {
    let (first, second) = try await caches()
    let store = ApolloStore(cache: second)
    try await write("Luke", to: ApolloStore(cache: first))
    let (changes, continuation) = AsyncStream<StoreChange>.makeStream()
    let watch = store.watch { continuation.yield($0) }
    var reading = try await store.load(HeroAPI.HeroQuery())
    while !watch.depend(on: reading.trace) {
      reading = try await store.load(HeroAPI.HeroQuery())
    }
    #expect(reading.data?.hero?.name == "Luke")
    try await write("Han", to: ApolloStore(cache: first))
    for await _ in changes {
      reading = try await store.load(HeroAPI.HeroQuery())
      if reading.data?.hero?.name == "Han" { break }
    }
    #expect(reading.data?.hero?.name == "Han")
  }

  @Test func exactlyTheChangedFieldsAreReported() async throws {
    let (first, second) = try await caches()
    let store = ApolloStore(cache: second)
    let (changes, continuation) = AsyncStream<ChangeSet>.makeStream()
    let watch = store.subscribe { continuation.yield($0.changes) }
    var arrived = changes.makeAsyncIterator()
    var number: Int64 = 0
    /// Writes, and returns the changes that reach the other store. The start of a subscription
    /// reports everything, so another write follows then. Each has a record that tells it apart.
    func reported(_ write: (Int64) -> RecordSet) async throws -> Set<FieldAddress> {
      while true {
        number += 1
        let name = RecordKey("Write:\(number)")
        try await first.apply([.merge(write(number)), .merge([name: ["number": .int(number)]])])
        while let change = await arrived.next(), !change.includesEverything {
          guard change.records.contains(name) else { continue }
          return change.addresses.filter { $0.field != "number" }
        }
        try Task.checkCancellation()
      }
    }
    let both = try await reported { ["A": ["x": .int($0), "y": 1], "B": ["x": .int($0)]] }
    #expect(Set(both.map(\.record)) == ["A", "B"])
    let known = number
    let one = try await reported { ["A": ["x": .int($0), "y": 1], "B": ["x": .int(known)]] }
    #expect(one == [FieldAddress(record: "A", field: "x")])
    watch.cancel()
  }

  @Test(arguments: [1, 2, 4]) func incrementsAreNeverLost(storeCount: Int) async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let stores = try (0..<storeCount).map { _ in ApolloStore(cache: try server.cache(scope)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask {
          for _ in 0..<50 {
            try await store.withinReadWriteTransaction { transaction in
              let known = try transaction.record(for: "Counter:1")?["count"] ?? .int(0)
              guard case .int(let count) = known else { throw CancellationError() }
              try transaction.merge(["Counter:1": ["count": .int(count + 1)]])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let records = try await server.cache(scope).loadRecords(forKeys: ["Counter:1"])
    #expect(records["Counter:1"]?["count"] == .int(Int64(50 * storeCount)))
  }

  @Test func fieldsThatTwoProcessesWriteAreBothKept() async throws {
    let (first, second) = try await caches()
    let (one, two) = (ApolloStore(cache: first), ApolloStore(cache: second))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let field = FieldKey("field\(number)")
          try await (number.isMultiple(of: 2) ? one : two).publish(["Wide:1": [field: .int(1)]])
        }
      }
      try await group.waitForAll()
    }
    let record = try await first.loadRecords(forKeys: ["Wide:1"])["Wide:1"]
    #expect(record?.fields.count == 40)
  }

  @Test func clearingEmptiesTheScopeForAll() async throws {
    let (first, second) = try await caches()
    let (one, two) = (ApolloStore(cache: first), ApolloStore(cache: second))
    try await write("Luke", to: one)
    #expect(try await two.load(HeroAPI.HeroQuery()).data != nil)
    try await two.clearCache()
    #expect(try await two.load(HeroAPI.HeroQuery()).data == nil)
    #expect(try await first.loadRecords(forKeys: ["Hero:1", "QUERY_ROOT"]).isEmpty)
    try await write("Han", to: two)
    #expect(try await two.load(HeroAPI.HeroQuery()).data?.hero?.name == "Han")
  }

  @Test func invalidatedRecordsAreRemovedForAll() async throws {
    let (first, second) = try await caches()
    let one = ApolloStore(cache: first)
    try await write("Luke", to: one)
    try await one.invalidate(["Hero:1", "Hero:77"])
    #expect(
      try await second.loadRecords(forKeys: ["Hero:1", "Hero:2"]).keys.map(\.rawValue) == ["Hero:2"]
    )
  }

  /// A collection would have to read all records of the scope.
  @Test func oneRecordIsRemovedWithoutThoseThatItRefersTo() async throws {
    let (first, second) = try await caches()
    try await first.apply([.merge(["A": ["b": .reference("B")], "B": ["n": 1]])])
    let store = ApolloStore(cache: second)
    await #expect(throws: StoreError(.requiresEnumeration)) {
      try await store.removeObject(for: "A", cascades: true)
    }
    #expect(try await first.loadRecords(forKeys: ["A", "B"]).count == 2)
    #expect(try await store.removeObject(for: "A", cascades: false).removedCount == 1)
    #expect(try await store.removeObject(for: "A", cascades: false).removedCount == 0)
    let rest = try await first.loadRecords(forKeys: ["A", "B"])
    #expect(rest.keys.map(\.rawValue) == ["B"])
  }

  @Test func aProgramReadsItsOwnWritesAtOnce() async throws {
    let (first, _) = try await caches()
    let store = ApolloStore(cache: first)
    for number in 0..<100 {
      try await write("Hero \(number)", to: store)
      #expect(try await store.load(HeroAPI.HeroQuery()).data?.hero?.name == "Hero \(number)")
    }
  }

  @Test func scopesDoNotMix() async throws {
    let server = try await RedisServer.shared()
    let name = UUID().uuidString
    // Names that differ only in characters that mean something in keys.
    let scopes = ["", "{", "}", ":", "*", ".1", "%", "%25", "ä", "a"].map { name + $0 }
    for scope in scopes {
      try await server.cache(scope).apply([.merge(["A": ["scope": .string(scope)]])])
    }
    for scope in scopes {
      let record = try await server.cache(scope).loadRecords(forKeys: ["A"])["A"]
      #expect(record?["scope"] == .string(scope))
    }
    try await server.cache(scopes[4]).apply([.clear])
    for scope in scopes {
      let isThere = try await server.cache(scope).loadRecords(forKeys: ["A"])["A"] != nil
      #expect(isThere == (scope != scopes[4]))
    }
  }

  /// A server delivers a message to the subscribers of its channel in all databases.
  @Test func databasesOfAServerDoNotShareAChannel() async throws {
    let port = Int.random(in: 20_000..<30_000)
    let server = try await RedisServer("--port \(port) --bind 127.0.0.1")
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(60)
    let caches = try [0, 1].map { database in
      try RedisNormalizedCache(
        url: #require(URL(string: "redis://127.0.0.1:\(port)/\(database)")), scope: "x",
        configuration: configuration)
    }
    var subscriberCounts: [String: Int64] = [:]
    while subscriberCounts.values.reduce(0, +) < 2 {
      let names = try await server.send("PUBSUB", "CHANNELS").elements?.compactMap(\.text) ?? []
      subscriberCounts = [:]
      for name in names {
        let response = try await server.send("PUBSUB", "NUMSUB", name)
        if case .integer(let count)? = response.elements?.last { subscriberCounts[name] = count }
      }
    }
    #expect(subscriberCounts.count == 2)
    withExtendedLifetime(caches) {}
    try await server.stop()
  }
}
