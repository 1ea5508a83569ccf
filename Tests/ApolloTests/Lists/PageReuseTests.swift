import Apollo
import ApolloAPI
import ApolloCache
import SeededRandom
import TestOperations
import Testing

/// Reading a merged list again, of which some pages have not changed since.
@Suite(.timeLimit(.minutes(10)))
struct PageReuseTests {
  private typealias Query = ShopAPI.ProductsQuery

  private static func publish(
    _ page: ShopPage, behind cursor: String? = nil, to store: ApolloStore
  ) async throws {
    try await store.publish(
      body: Array(#"{"data":{"products":\#(page.json)}}"#.utf8),
      of: Query(first: 2, after: cursor.map { .some($0) } ?? nil))
  }

  private static func listOfFourPages(_ kind: CacheKind) async throws -> (ApolloStore, AnyObject?) {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    for (page, cursor) in [("ab", nil), ("cd", "b"), ("ef", "d"), ("gh", "f")] {
      try await publish(ShopPage(page), behind: cursor, to: store)
    }
    return (store, owner)
  }

  /// A page is read again if something in it has changed, and taken over otherwise.
  @Test(arguments: [CacheKind.memory, .disk, .sqliteInMemory])
  func pagesThatHaveNotChangedAreTakenOver(kind: CacheKind) async throws {
    let (store, owner) = try await Self.listOfFourPages(kind)
    let pages = PageMemory()
    func load() async throws -> CacheReading<Query.Data> {
      try await store.load(
        Query(first: 2), takingOver: pages, demanding: FreshnessDemand())
    }
    /// The numbers of the later pages that `change` has left as they were.
    func kept(_ list: String, after change: () async throws -> Void) async throws -> [Int] {
      let before = try await load().trace.dependencies.parts
      try await change()
      let reading = try await load()
      #expect(reading.data?.ids.joined() == list)
      let after = reading.trace.dependencies.parts
      return zip(before, after).enumerated().filter { $1.0 === $1.1 }.map(\.offset)
    }
    func publish(_ page: String, behind cursor: String?) async throws {
      try await Self.publish(ShopPage(page), behind: cursor, to: store)
    }
    // The next page, another first page, and an item of a page in between.
    #expect(try await kept("abcdefghi") { try await publish("i", behind: "h") } == [0, 1, 2])
    #expect(try await kept("xbcdefghi") { try await publish("xb", behind: nil) } == [0, 1, 2, 3])
    let renamed = RecordSet([Record(key: "Product:e", fields: ["name": .string("new")])])
    let keptWithNewItem = try await kept("xbcdefghi") {
      _ = try await store.publish(renamed)
    }
    #expect(keptWithNewItem == [0, 2, 3])
    let data = try #require(try await load().data)
    #expect(data.products.edges[4].node.name == "new")
    // An item that moves to an earlier page is not shown in the later one, and then is again.
    #expect(
      try await kept("xgbcdefhi") { try await publish("xgb", behind: nil) } == [0, 1, 2, 3])
    #expect(
      try await kept("xbcdefghi") { try await publish("xb", behind: nil) } == [0, 1, 2, 3])
    // Other pages follow.
    #expect(try await kept("xbcdz") { try await publish("cdz", behind: "b") } == [])
    withExtendedLifetime(owner) {}
  }

  /// A page is read again for an object that an earlier page shows, too.
  @Test(arguments: [CacheKind.memory, .disk, .sqliteInMemory])
  func aChangedObjectIsSeenInAllPagesThatShowIt(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    var simulation = RivalSimulation(ApolloStore(cache: cache), seed: 1)
    try await simulation.publish(page: "ab", behind: nil, rival: "x")
    try await simulation.publish(page: "cd", behind: "b", rival: "y")
    try await simulation.publish(page: "ef", behind: "d", rival: "x")
    try await simulation.publish(page: "gh", behind: "f", rival: "y")
    try await simulation.expectSameAsFirstReading()
    for item in ["x", "y", "x"] {
      try await simulation.rename(item)
      try await simulation.expectSameAsFirstReading()
    }
    withExtendedLifetime(owner) {}
  }

  /// A reading that takes over pages reads what one that does not reads.
  ///
  /// Pages, shared objects, lists in items, removals and optimistic layers change at random.
  @Test(arguments: CacheKind.allCases)
  func readingAgainIsReadingAnew(kind: CacheKind) async throws {
    let seed = freshSeed
    let (cache, owner) = try kind.make()
    var simulation = RivalSimulation(ApolloStore(cache: cache), seed: seed)
    for step in 0..<100 {
      try await simulation.step()
      try await simulation.expectSameAsFirstReading("seed \(seed), step \(step)")
    }
    withExtendedLifetime(owner) {}
  }
}

/// Products whose rivals are products as well, and whose orders are a merged list.
private enum Rivals: ShopSelections {
  private static let end = "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!"
  private static func orders(_ rest: String = "") -> String {
    "orders(after: $before) OrderConnection {edges [OrderEdge {node Product "
      + "{__typename String! id ID! name String! \(rest)}!}!]! \(end)}"
  }
  private static let rival = "rival Product {__typename String! id ID! name String! \(orders())}"
  private static let product =
    "Product {__typename String! id ID! name String! \(orders(rival)) \(rival)}!"
  static let selections = Selections(
    "Query {best \(product.dropLast()) products(after: $after first: $first) ProductConnection "
      + "{edges [ProductEdge {node \(product)}!]! \(end)}! last \(product.dropLast())}")
}

/// Random changes of a list in a store.
private struct RivalSimulation {
  private typealias Query = SelectedQuery<Rivals>

  private let store: ApolloStore
  private let pages = PageMemory()
  private var random: SeededGenerator
  private var layers: [LayerID] = []
  private var nameCount = 0

  private static let items = "abcdefghijkl".map(String.init)

  init(_ store: ApolloStore, seed: UInt64) {
    self.store = store
    random = SeededGenerator(seed: seed)
  }

  // MARK: - Comparing

  /// Compares a reading that may take over pages with one in a transaction, which does not.
  func expectSameAsFirstReading(_ comment: String = "") async throws {
    let query = Query(first: 2)
    let reading = try await store.load(query, takingOver: pages, demanding: FreshnessDemand())
    let anew = try await store.withinReadTransaction { try? $0.read(query: query).json }
    #expect(reading.data?.json == anew, "\(comment)")
  }

  // MARK: - Changes

  mutating func step() async throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<6:
      let count = Int.random(in: 1...3, using: &random)
      let page = Self.items.shuffled(using: &random).prefix(count).joined()
      let cursor = Int.random(in: 0..<4, using: &random) == 0 ? nil : item()
      try await publish(page: page, behind: cursor, orders: item(), rival: item())
    case 6, 7: try await rename(item())
    case 8: try await store.removeObject(for: RecordKey("Product:\(item())"))
    case 9 where layers.count < 3: try await showLayer()
    case 10 where !layers.isEmpty:
      await store.removeLayer(layers.remove(at: layers.indices.randomElement(using: &random) ?? 0))
    default: _ = try await store.load(Query(first: 2, after: .some(item())))
    }
  }

  mutating func rename(_ item: String) async throws {
    nameCount += 1
    let record = Record(
      key: RecordKey("Product:\(item)"), fields: ["name": .string("name \(nameCount)")])
    try await store.publish(RecordSet([record]))
  }

  mutating func publish(
    page: String, behind cursor: String?, orders: String? = nil, rival: String
  ) async throws {
    let before: GraphQLNullable<String> = Bool.random(using: &random) ? nil : .some(item())
    try await store.publish(
      body: Array(#"{"data":\#(data(page, orders ?? "a", rival))}"#.utf8),
      of: Query(first: 2, after: cursor.map { .some($0) } ?? nil, before: before))
  }

  private mutating func showLayer() async throws {
    let layer = store.layers.reserve()
    layers.append(layer)
    let data = try Query.Data(jsonBytes: Array(data(item() + item(), item(), item()).utf8))
    let query = Query(first: 2, after: .some(item()))
    try await store.showLayer(layer) { try $0.write(data: data, for: query) }
  }

  private mutating func item() -> String { Self.items.randomElement(using: &random) ?? "" }

  private mutating func data(_ page: String, _ orders: String, _ rival: String) -> String {
    func end(_ last: some StringProtocol) -> String {
      #""pageInfo":{"__typename":"PageInfo","hasNextPage":true,"endCursor":"\#(last)"}"#
    }
    nameCount += 1
    func product(_ item: String, _ rest: String) -> String {
      #"{"__typename":"Product","id":"\#(item)","name":"name \#(nameCount)"\#(rest)}"#
    }
    func whole(_ item: String) -> String {
      func connection(_ rest: String) -> String {
        #"{"edges":[{"node":\#(product(orders, rest))}],\#(end(orders))}"#
      }
      let rival = #","rival":\#(product(rival, #","orders":\#(connection(""))"#))"#
      return product(item, #","orders":\#(connection(rival))\#(rival)"#)
    }
    let edges = page.map { #"{"node":\#(whole(String($0)))}"# }.joined(separator: ",")
    let best = Bool.random(using: &random) ? whole(item()) : "null"
    return """
      {"best":\(best),"products":{"edges":[\(edges)],\(end(page.suffix(1)))},"last":\(whole(item()))}
      """
  }
}
