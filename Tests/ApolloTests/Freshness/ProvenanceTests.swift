import ApolloAPI
import Apollo
import ApolloSQLite
import Foundation
import SeededRandom
import TestOperations
import Testing

/// The store knows the latest write of each field, compared with an oracle, in each cache.
@Suite(.timeLimit(.minutes(10)))
struct ProvenanceTests {
  enum Kind: CaseIterable {
    case memory, disk, chain

    func cache(_ file: URL) throws -> any NormalizedCache {
      switch self {
      case .memory: InMemoryNormalizedCache()
      case .disk: try SQLiteNormalizedCache(fileURL: file)
      case .chain: ChainedNormalizedCache(try SQLiteNormalizedCache(fileURL: file))
      }
    }
  }

  /// The values and the times of all fields.
  private struct Oracle {
    var values: [FieldAddress: String] = [:]
    var times: [FieldAddress: Double] = [:]

    mutating func write(_ record: RecordKey, _ fields: [FieldKey: String], at time: Double) {
      for (field, value) in fields {
        values[FieldAddress(record: record, field: field)] = value
        times[FieldAddress(record: record, field: field)] = time
      }
    }

    /// A change by the program makes only those fields new whose values it changes.
    mutating func change(_ record: RecordKey, _ fields: [FieldKey: String], at time: Double) {
      let changed = fields.filter {
        values[FieldAddress(record: record, field: $0.key)] != $0.value
      }
      write(record, changed, at: time)
    }

    /// The time of the oldest field that a query for a hero and its friend reads from a field of
    /// the root, or `nil` if one is missing.
    func oldest(below field: FieldKey) -> Double? {
      let root = FieldAddress(record: .queryRoot, field: field)
      guard let hero = values[root].map({ RecordKey($0) }),
        let friend = values[FieldAddress(record: hero, field: "friends")].map({ RecordKey($0) })
      else { return nil }
      let read =
        [root] + ["id", "name", "friends"].map { FieldAddress(record: hero, field: $0) }
        + ["id", "name"].map { FieldAddress(record: friend, field: $0) }
      let times = read.compactMap { self.times[$0] }
      return times.count == read.count ? times.min() : nil
    }

    mutating func remove(_ record: RecordKey) {
      values = values.filter { $0.key.record != record }
      times = times.filter { $0.key.record != record }
    }
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test(arguments: Kind.allCases)
  func agreesWithAnOracle(_ kind: Kind) async throws {
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    try await withFolder { folder in
      for round in 0..<10 {
        let file = folder.appendingPathComponent("\(round).sqlite")
        let time = Lock(0.0)
        func open() throws -> ApolloStore {
          var configuration = ApolloStore.Configuration()
          configuration.freshness.isTracked = true
          configuration.freshness.now = { Date(timeIntervalSince1970: time.get()) }
          return ApolloStore(cache: try kind.cache(file), configuration: configuration)
        }
        var store = try open()
        var oracle = Oracle()
        for step in 0..<60 {
          let now = Double(step + 1)
          time.withLock { $0 = now }
          try await change(&store, &oracle, at: now, &random, reopen: kind == .memory ? nil : open)
          // Before anything else asks, which makes the store sort its notes by records.
          try await checkReadings(
            of: store, oracle, "seed \(seed), \(kind), round \(round), step \(step)")
          for record in Set(oracle.times.keys.map(\.record)) {
            let known = store.provenance(of: record).filter { $0.key != "__typename" }
              .mapValues(\.date.timeIntervalSince1970)
            var expected: [FieldKey: Double] = [:]
            for (address, time) in oracle.times where address.record == record {
              expected[address.field] = time
            }
            try #require(
              known == expected, "seed \(seed), \(kind), round \(round), step \(step), \(record)")
          }
        }
      }
    }
  }

  /// The arguments of queries for a hero. `nil` for none.
  private static let arguments: [String?] = (0..<13).map { "\($0)" } + [nil]

  private static func rootField(_ argument: String?) -> FieldKey {
    FieldKey(argument.map { #"hero(name:"\#($0)")"# } ?? "hero")
  }

  /// Compares the ages of readings with the oracle.
  private func checkReadings(
    of store: ApolloStore, _ oracle: Oracle, _ comment: Comment
  ) async throws {
    for argument in Self.arguments {
      let reading = try await store.load(HeroAPI.HeroQuery(name: argument.nullable))
      let expected = oracle.oldest(below: Self.rootField(argument))
      try #require((reading.data != nil) == (expected != nil), comment)
      try #require(reading.freshness?.writtenAt?.timeIntervalSince1970 == expected, comment)
    }
    let reading = try await store.load(HeroAPI.DeferredHeroQuery())
    guard reading.data?.hero?.fragments.slow != nil else { return }
    try #require(
      reading.freshness?.writtenAt?.timeIntervalSince1970 == oracle.oldest(below: "hero"), comment)
  }

  /// Makes one random change to a store and to the oracle.
  private func change(
    _ store: inout ApolloStore, _ oracle: inout Oracle, at time: Double,
    _ random: inout SeededGenerator, reopen: (() throws -> ApolloStore)?
  ) async throws {
    let id = Int.random(in: 0..<4, using: &random)
    let name = ["Luke", "Leia"].randomElement(using: &random)!
    let hero = RecordKey("Hero:\(id)")
    switch Int.random(in: 0..<12, using: &random) {
    case 10, 11:
      // Often without the deferred part, which is from an earlier response then.
      let isWhole = Bool.random(using: &random)
      let friends = #","friends":[{"__typename":"Hero","id":"6","name":"\#(name)"}]"#
      let body =
        #"{"data":{"hero":{"__typename":"Hero","id":"\#(id)","name":"\#(name)"\#(isWhole ? friends : "")}}}"#
      try await store.publish(body: Array(body.utf8), of: HeroAPI.DeferredHeroQuery())
      oracle.write(.queryRoot, ["hero": "Hero:\(id)"], at: time)
      oracle.write(hero, ["id": "\(id)", "name": name], at: time)
      guard isWhole else { break }
      oracle.write(hero, ["friends": "Hero:6"], at: time)
      oracle.write("Hero:6", ["id": "6", "name": name], at: time)
    case 0..<4:
      // The root has more fields than a row when there are many arguments.
      // One of them is the field of the query with a deferred part.
      let argument = Self.arguments.randomElement(using: &random)!
      let friend = Int.random(in: 4..<7, using: &random)
      let body =
        #"{"data":{"hero":{"__typename":"Hero","id":"\#(id)","name":"\#(name)","friends":[{"__typename":"Hero","id":"\#(friend)","name":"\#(name)"}]}}}"#
      try await store.publish(
        body: Array(body.utf8), of: HeroAPI.HeroQuery(name: argument.nullable))
      oracle.write(.queryRoot, [Self.rootField(argument): "Hero:\(id)"], at: time)
      oracle.write(hero, ["id": "\(id)", "name": name, "friends": "Hero:\(friend)"], at: time)
      oracle.write(RecordKey("Hero:\(friend)"), ["id": "\(friend)", "name": name], at: time)
    case 4..<6:
      let body =
        #"{"data":{"rename":{"__typename":"Hero","id":"\#(id)","name":"\#(name)"}}}"#
      try await store.publish(
        body: Array(body.utf8), of: HeroAPI.RenameMutation(id: "\(id)", name: name))
      oracle.write(hero, ["id": "\(id)", "name": name], at: time)
    case 6..<8:
      try await store.publish([hero: ["name": .string(name)]])
      oracle.change(hero, ["name": name], at: time)
    case 8:
      try await store.removeObject(for: hero)
      oracle.remove(hero)
    default:
      if Int.random(in: 0..<4, using: &random) == 0 {
        try await store.clearCache()
        oracle = Oracle()
      } else if let reopen {
        store = try reopen()
      }
    }
  }

  // MARK: - A file

  @Test(arguments: [Kind.disk, .chain])
  func aFileKeepsTheAges(_ kind: Kind) async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("cache.sqlite")
      let query = HeroAPI.HeroQuery()
      let server = AgingServer()
      func client() throws -> ApolloClient {
        server.client(cache: try kind.cache(file)) { $0.maxAges = ["Hero": .seconds(60)] }
      }
      _ = try await client().fetch(query: query)
      server.advance(by: 50)
      // Only a part of the record is written before the rest is read.
      let second = try client()
      _ = try await second.perform(mutation: HeroAPI.RenameMutation(id: "0", name: "Luke"))
      let response = try await second.fetch(query: query)
      #expect(response.source == .cache)
      #expect(response.age == .seconds(50))
      server.advance(by: 10)
      #expect(try await client().fetch(query: query).source == .server)
      #expect(try await client().fetch(query: query).source == .cache)
    }
  }

  @Test func aResponseDoesNotRenewAWriteOfAnotherConnectionWithItsNumber() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("cache.sqlite")
      let time = Lock(0.0)
      func open() throws -> ApolloStore {
        var configuration = ApolloStore.Configuration()
        configuration.freshness.isTracked = true
        configuration.freshness.now = { Date(timeIntervalSince1970: time.get()) }
        return ApolloStore(cache: try Kind.disk.cache(file), configuration: configuration)
      }
      func publish(_ id: Int, to store: ApolloStore, at now: Double) async throws {
        time.withLock { $0 = now }
        let body =
          #"{"data":{"hero":{"__typename":"Hero","id":"\#(id)","name":"Luke","friends":[]}}}"#
        try await store.publish(
          body: Array(body.utf8), of: HeroAPI.HeroQuery(name: .some("\(id)")))
      }
      let (one, other) = (try open(), try open())
      try await publish(1, to: one, at: 1)
      time.withLock { $0 = 10 }
      try await other.clearCache()  // the numbers of writes begin again
      try await publish(2, to: other, at: 10)
      try await publish(1, to: one, at: 100)
      let reading = try await one.load(HeroAPI.HeroQuery(name: "2"))
      #expect(reading.freshness?.writtenAt?.timeIntervalSince1970 == 10)
    }
  }

  @Test func theAgesOfOthersAreSeen() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("cache.sqlite")
      let query = HeroAPI.HeroQuery()
      let server = AgingServer()
      func client() throws -> ApolloClient {
        server.client(cache: try Kind.disk.cache(file)) { $0.maxAges = ["Hero": .seconds(60)] }
      }
      let (one, other) = (try client(), try client())
      _ = try await one.fetch(query: query)
      #expect(try await other.fetch(query: query).source == .cache)
      server.advance(by: 70)
      #expect(try await other.fetch(query: query).source == .server)
      #expect(try await one.fetch(query: query).source == .cache)
      #expect(server.requestCount == 2)
    }
  }
}

extension String? {
  fileprivate var nullable: GraphQLNullable<String> { map { .some($0) } ?? .none }
}
