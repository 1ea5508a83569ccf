import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

@testable import ApolloRedis

/// The processes of a scope know how old the records of the others are.
///
/// The clock of the test stands still, that of the server does not: the maximum ages are far
/// longer than any test takes.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct AgeTests {
  private let query = HeroAPI.HeroQuery()
  private let time = Lock(1_000_000.0)

  private func store(_ cache: RedisNormalizedCache) -> ApolloStore {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = ["Hero": .seconds(60_000)]
    configuration.freshness.now = { [time] in Date(timeIntervalSince1970: time.get()) }
    return ApolloStore(cache: cache, configuration: configuration)
  }

  /// Writes a response whose headers allow to use it for a time.
  private func write(
    _ name: String, to store: ApolloStore, maxAge: Duration? = nil
  ) async throws {
    let body =
      #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"\#(name)","friends":null}}}"#
    let normalizer = store.normalizer(for: query)
    _ = try ResponseDecoder().decode(Array(body.utf8), as: query, observer: normalizer)
    var response = normalizer.finish()
    response.receipt?.maxAge = maxAge
    try await store.publish(response)
  }

  private func scope() async throws -> (RedisServer, String) {
    (try await RedisServer.shared(), UUID().uuidString)
  }

  // MARK: - Writes of one millisecond

  /// Both processes write at the same time, so that their cells remember the same write.
  @Test func aRepetitionOfOneWriteDoesNotMakeAnotherOneNew() async throws {
    let (server, scope) = try await scope()
    let (one, other) = (store(try server.cache(scope)), store(try server.cache(scope)))
    let character = HeroAPI.HeroQuery(name: "Leia")
    func writeLeia(to store: ApolloStore) async throws {
      try await store.publish(
        body: Data(
          #"{"data":{"hero":{"__typename":"Hero","id":"2","name":"Leia","friends":null}}}"#.utf8),
        of: character)
    }
    try await writeLeia(to: other)
    try await write("Luke", to: one)
    #expect(try await one.load(character).freshness?.age == .zero)
    for step in 1...4 {
      time.withLock { $0 += 50_000 }
      try await write("Luke", to: one)
      let reading = try await one.load(character)
      #expect(reading.data == nil || step == 1)
      #expect((reading.misses.first?.code == .expired) == (step > 1))
      #expect(try await one.load(query).freshness?.age == .zero)
    }
  }

  @Test func oneKnowsTheAgeOfWhatTheOtherHasWritten() async throws {
    let (server, scope) = try await scope()
    let (one, other) = (
      store(try server.cache(scope)), store(try server.cache(scope) { $0.nearRecordLimit = 0 })
    )
    try await write("Luke", to: one, maxAge: .seconds(50_000))
    time.withLock { $0 += 40_000 }
    let reading = try await other.load(query)
    #expect(reading.data?.hero?.name == "Luke")
    #expect(reading.freshness?.age == .seconds(40_000))
    #expect(
      reading.freshness?.earliestExpiry == Date(timeIntervalSince1970: 1_050_000))
    time.withLock { $0 += 10_000 }
    #expect(try await other.load(query).misses.first?.code == .expired)
  }

  /// The clock of the process that has written was a year ahead, and was corrected since.
  @Test(arguments: [0, 1_000]) func dataOfTheFutureCountsAsUnknown(limit: Int) async throws {
    let (server, scope) = try await scope()
    let writer = store(try server.cache(scope) { $0.nearRecordLimit = limit })
    time.withLock { $0 += 365 * 86_400 }
    try await write("Luke", to: writer, maxAge: .seconds(50_000))
    #expect(try await writer.load(query).freshness?.containsStaleFields == false)
    time.withLock { $0 -= 365 * 86_400 }
    let reader = store(try server.cache(scope) { $0.nearRecordLimit = limit })
    for store in [writer, reader, reader] {
      #expect(try await store.load(query).misses.first?.code == .expired)
      time.withLock { $0 += 30 * 86_400 }
    }
    try await write("Luke", to: reader)
    let reading = try await reader.load(query)
    #expect(reading.misses == [] && reading.freshness?.age == .zero)
  }

  @Test func equalDataOfAnotherIsAsNewAsItsResponse() async throws {
    let (server, scope) = try await scope()
    let (one, other) = (store(try server.cache(scope)), store(try server.cache(scope)))
    try await write("Luke", to: one)
    #expect(try await other.load(query).data?.hero?.name == "Luke")
    time.withLock { $0 += 59_000 }
    try await write("Luke", to: one)
    time.withLock { $0 += 10_000 }
    // The message of the write may be on its way.
    while try await other.load(query).data == nil {
      try Task.checkCancellation()
      _ = try await server.send("PING")
    }
    #expect(try await other.load(query).freshness?.age == .seconds(10_000))
  }

  /// Cells are not written again for a difference of less than a second, or only once for several
  /// equal responses.
  @Test func equalDataIsWrittenAgainAfterASecond() async throws {
    let (server, scope) = try await scope()
    let (one, other) = (store(try server.cache(scope)), store(try server.cache(scope)))
    func version() async throws -> String? {
      let keys = try await server.send("KEYS", "*\(scope)*").elements ?? []
      var texts: [String] = []
      for key in keys.compactMap(\.text).sorted() {
        let value = try await server.send("GET", key)
        if let bytes = value.bytes { texts.append("\(key) \(bytes)") }
      }
      return texts.joined(separator: "\n")
    }
    try await write("Luke", to: one, maxAge: .seconds(50_000))
    let first = try await version()
    time.withLock { $0 += 0.5 }
    try await write("Luke", to: other, maxAge: .seconds(50_000))
    #expect(try await version() == first)
    try await write("Luke", to: other, maxAge: .seconds(40_000))
    let second = try await version()
    #expect(second != first, "The maximum age is another one.")
    time.withLock { $0 += 1 }
    try await write("Luke", to: one, maxAge: .seconds(40_000))
    #expect(try await version() != second)
    time.withLock { $0 += 10 }
    let third = store(try server.cache(scope))
    #expect(try await third.load(query).freshness?.age == .seconds(10))
  }

  @Test func aRecordExpiresWithTheMaximumAgeOfAllItsFields() async throws {
    let (server, scope) = try await scope()
    let store = store(try server.cache(scope))
    func lifetime(of record: String) async throws -> Int64 {
      let keys = try await server.send("KEYS", "*\(scope)*:\(record)").elements ?? []
      let key = try #require(keys.first?.text)
      guard case .integer(let lifetime) = try await server.send("PTTL", key) else { return 0 }
      return lifetime
    }
    try await write("Luke", to: store, maxAge: .seconds(50_000))
    #expect((1...50_000_000).contains(try await lifetime(of: "Hero:1")))
    try await write("Leia", to: store, maxAge: .seconds(500_000))
    #expect((50_000_001...500_000_000).contains(try await lifetime(of: "Hero:1")))
    // A field without a maximum age can be of use for ever.
    try await store.publish(["Hero:1": ["home": "Tatooine"]])
    #expect(try await lifetime(of: "Hero:1") == -1)
  }

  @Test func theNumberOfAWriteHasItsFacts() {
    for (time, maxAge) in [
      (0.0, nil), (1_700_000_000.123, 0), (5e8, 31_536_000), (1, 59), (1.001, nil),
    ]
      as [(Double, Double?)]
    {
      let facts = CellWrite(WriteFacts(time: time, operationName: "Q", maxAge: maxAge)).facts
      #expect(facts.time == time)
      #expect(facts.maxAge == maxAge)
    }
  }

  @Test(
    arguments: [
      (0.9, 0), (1_036_800, 1_036_800), (1_036_801, 1_036_800), (1_123_199, 1_036_800),
      (1_123_200, 1_123_200), (2_600_000, 2_592_000), (1_018_310_400, 1_018_310_400),
      (1e11, 1_018_310_400),
    ] as [(Double, Double)])
  func longMaximumAgesAreRoundedDownToDays(maxAge: Double, expected: Double) {
    let facts = WriteFacts(time: 1_700_000_000, operationName: nil, maxAge: maxAge)
    #expect(CellWrite(facts).maxAge == expected)
    #expect(CellWrite(CellWrite(facts).facts).maxAge == expected)
    #expect(CellWrite(facts).time == 1_700_000_000)
  }
}
