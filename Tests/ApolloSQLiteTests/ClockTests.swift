import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import TestOperations
import Testing

/// A clock that was ahead when data was written, and was corrected later.
struct ClockTests {
  private let folder: TemporaryFolder
  private let time = Lock(1_000_000_000.0)

  init() throws { folder = try TemporaryFolder(named: "apollo-clock") }

  private func store(_ isFile: Bool) throws -> ApolloStore {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = ["Hero": .seconds(10)]
    configuration.freshness.now = { [time] in Date(timeIntervalSince1970: time.get()) }
    return isFile
      ? ApolloStore(
        cache: try SQLiteNormalizedCache(fileURL: folder.file), configuration: configuration)
      : ApolloStore(cache: InMemoryNormalizedCache(), configuration: configuration)
  }

  private func write(to store: ApolloStore) async throws {
    let body =
      #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#
    try await store.publish(body: Data(body.utf8), of: HeroAPI.HeroQuery())
  }

  @Test(arguments: [true, false], [true, false])
  func dataOfTheFutureCountsAsUnknown(isFile: Bool, isReadBefore: Bool) async throws {
    var store = try store(isFile)
    time.withLock { $0 += 365 * 86_400 }
    try await write(to: store)
    // The age of a reading is remembered.
    if isReadBefore {
      #expect(try await store.load(HeroAPI.HeroQuery()).freshness?.containsStaleFields == false)
    }
    time.withLock { $0 -= 365 * 86_400 }
    if isFile, !isReadBefore { store = try self.store(isFile) }
    for _ in 0..<3 {
      let reading = try await store.load(HeroAPI.HeroQuery())
      #expect(reading.misses.first?.code == .expired)
      time.withLock { $0 += 30 * 86_400 }
    }
    try await write(to: store)
    let reading = try await store.load(HeroAPI.HeroQuery())
    #expect(reading.misses == [] && reading.freshness?.age == .zero)
  }

  /// The clocks of machines that share a cache differ a little.
  @Test(arguments: [true, false])
  func dataOfTheNextSecondIsNew(isFile: Bool) async throws {
    let store = try store(isFile)
    time.withLock { $0 += 1 }
    try await write(to: store)
    time.withLock { $0 -= 1 }
    let reading = try await store.load(HeroAPI.HeroQuery())
    #expect(reading.misses == [] && reading.freshness?.age == .zero)
  }
}
