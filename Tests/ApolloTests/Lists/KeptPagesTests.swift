import Apollo
import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// The pages that a watch keeps of its merged lists, and the moments at which it drops them.
@Suite(.timeLimit(.minutes(10)))
struct KeptPagesTests {
  private typealias Query = ShopAPI.ProductsQuery

  private let query = Query(first: 2)
  private let interruption = Interruption()

  /// Code that runs once, in the midst of a reading.
  private final class Interruption: Sendable {
    private let code = Lock<(@Sendable () -> Void)?>(nil)

    var isOver: Bool { code.get() == nil }
    func prepare(_ code: @escaping @Sendable () -> Void) { _ = self.code.exchange(code) }
    func run() { code.exchange(nil)?() }
  }

  /// Returns a store with a list of three pages. Its readings from rows ask for keys, and so run
  /// the interruption.
  private func store(_ kind: CacheKind) async throws -> (ApolloStore, AnyObject?) {
    let (cache, owner) = try kind.make()
    var configuration = ApolloStore.Configuration()
    configuration.cacheKeyForObject = { [interruption] object in
      interruption.run()
      return object["id"]?.stringValue.map { "Product:\($0)" }
    }
    let store = ApolloStore(cache: cache, configuration: configuration)
    for (page, cursor) in [("ab", nil), ("cd", "b"), ("ef", "d")] {
      try await store.publish(
        body: Array(#"{"data":{"products":\#(ShopPage(page).json)}}"#.utf8),
        of: Query(first: 2, after: cursor.map { .some($0) } ?? nil))
    }
    return (store, owner)
  }

  private func rename(_ name: String, in store: ApolloStore) async throws {
    try await store.publish(["Product:a": ["name": .string(name)]])
  }

  /// Changes the first page, and returns what the others are read from then.
  private func parts(
    after name: String, in store: ApolloStore, _ pages: PageMemory
  ) async throws -> [DependencyPart] {
    try await rename(name, in: store)
    let reading = try await store.load(query, takingOver: pages, demanding: FreshnessDemand())
    #expect(reading.data?.ids.joined() == "abcdef")
    #expect(reading.data?.products.edges.first?.node.name == name)
    return reading.trace.dependencies.parts
  }

  private func expect(
    _ parts: [DependencyPart], areThoseOf others: [DependencyPart], _ areSame: Bool,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(parts.count == 2 && others.count == 2, sourceLocation: location)
    let same = zip(parts, others).map { $0 === $1 }
    #expect(same == [areSame, areSame], sourceLocation: location)
  }

  // MARK: - The memory of a watch

  @Test(arguments: [CacheKind.memory, .disk, .sqliteInMemory])
  func removedPagesAreReadAgain(kind: CacheKind) async throws {
    let (store, owner) = try await store(kind)
    let pages = PageMemory()
    let first = try await parts(after: "1", in: store, pages)
    let second = try await parts(after: "2", in: store, pages)
    expect(second, areThoseOf: first, true)
    pages.removeAll()
    #expect(pages.isEmpty)
    let third = try await parts(after: "3", in: store, pages)
    expect(third, areThoseOf: second, false)
    #expect(!pages.isEmpty)
    withExtendedLifetime(owner) {}
  }

  /// A reading has the pages that it takes over. They are dropped with the others.
  @Test(arguments: [CacheKind.disk, .sqliteInMemory])
  func aReadingUnderWayKeepsNoPages(kind: CacheKind) async throws {
    let (store, owner) = try await store(kind)
    let pages = PageMemory()
    _ = try await parts(after: "1", in: store, pages)
    interruption.prepare { pages.removeAll() }
    let second = try await parts(after: "2", in: store, pages)
    #expect(interruption.isOver && pages.isEmpty)
    let third = try await parts(after: "3", in: store, pages)
    expect(third, areThoseOf: second, false)
    withExtendedLifetime(owner) {}
  }

  /// The pages of an empty cache are none.
  @Test(arguments: [CacheKind.memory, .disk, .sqliteInMemory])
  func aReadingOfAClearedCacheDropsThePages(kind: CacheKind) async throws {
    let (store, owner) = try await store(kind)
    let pages = PageMemory()
    _ = try await parts(after: "1", in: store, pages)
    try await store.clearCache()
    let reading = try await store.load(query, takingOver: pages, demanding: FreshnessDemand())
    #expect(reading.data == nil && pages.isEmpty)
    withExtendedLifetime(owner) {}
  }

  // MARK: - Watches

  /// The moments at which a watch drops its pages.
  enum End: CaseIterable {
    case cancel
    case endOfSession
    case clearingTheCache

    fileprivate func occur(
      to watcher: GraphQLQueryWatcher<ShopAPI.ProductsQuery>, of client: ApolloClient
    ) async throws {
      switch self {
      case .cancel: watcher.cancel()
      case .endOfSession: try await client.endSession()
      case .clearingTheCache: try await client.clearCache()
      }
    }
  }

  /// Returns a watch that has read the list twice, and its further results.
  private func watch(
    _ client: ApolloClient
  ) async throws -> (
    watcher: GraphQLQueryWatcher<Query>, results: AsyncStream<String?>.AsyncIterator
  ) {
    let (results, result) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(query: query, cachePolicy: .cacheOnly) {
      result.yield(try? $0.get().data?.products.edges.first?.node.name)
    }
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == "a")
    try await rename("1", in: client.store)
    #expect(await iterator.next() == "1")
    return (watcher, iterator)
  }

  @Test(arguments: End.allCases, [CacheKind.memory, .disk])
  func theEndDropsThePages(end: End, kind: CacheKind) async throws {
    let (store, owner) = try await store(kind)
    let client = ApolloClient(networkTransport: HeldTransport(), store: store)
    var (watcher, results) = try await watch(client)
    #expect(watcher.pages?.isEmpty == false)
    try await end.occur(to: watcher, of: client)
    if end == .clearingTheCache { #expect(await results.next() == .some(nil)) }
    #expect(watcher.pages?.isEmpty == true)
    withExtendedLifetime((owner, watcher)) {}
  }

  /// The pages of a reading that began before the end are of the user before.
  @Test(arguments: [End.cancel, .endOfSession])
  func theEndDropsThePagesOfAReadingUnderWay(end: End) async throws {
    let (store, owner) = try await store(.disk)
    let client = ApolloClient(networkTransport: HeldTransport(), store: store)
    let (watcher, _) = try await watch(client)
    let pages = try #require(watcher.pages)
    interruption.prepare {
      // The first step of `endSession()`.
      if end == .cancel { watcher.cancel() } else { client.store.registry.report(.begun) }
    }
    // The same list for a query whose reading is not known, which the watch does not notice.
    let reading = try await store.load(
      Query(first: 3), takingOver: pages, demanding: FreshnessDemand())
    #expect(reading.data?.ids.joined() == "abcdef")
    #expect(interruption.isOver && pages.isEmpty)
    withExtendedLifetime((owner, watcher)) {}
  }
}
