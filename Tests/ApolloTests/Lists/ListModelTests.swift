import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// Random pages, removals, edits, directives of mutations, optimistic layers and late responses
/// against a second implementation of the rules.
///
/// `LIST_STEPS` and `LIST_SEED` choose the schedule. A failure prints its seed.
@Suite(.timeLimit(.minutes(30)))
struct ListModelTests {
  private typealias Query = ShopAPI.ProductsQuery
  private static let environment = ProcessInfo.processInfo.environment
  private static let stepCount = environment["LIST_STEPS"].flatMap { Int($0) } ?? 300
  private static let seed =
    environment["LIST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...999_999)

  @Test(arguments: CacheKind.allCases)
  func randomStepsFollowTheRules(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    var random = Random(state: Self.seed)
    var model = ListModel()
    var layers: [LayerID] = []
    var requests: [Request] = []
    for step in 0..<Self.stepCount {
      try await perform(&model, &layers, &requests, &random, on: store)
      for category in ListModel.categories {
        let read = try await store.load(Query(first: 2, category: .some(category))).data
        let expected = model.list(category)
        let isEqual =
          read?.ids.joined() == expected?.items.joined()
          && read?.products.pageInfo.endCursor == expected?.end
          && read?.products.pageInfo.hasNextPage == expected?.hasNext
        #expect(
          isEqual,
          "seed \(Self.seed), step \(step): \(read?.ids ?? []) is not \(expected?.items ?? [])")
        guard isEqual else { return }
      }
    }
    withExtendedLifetime(owner) {}
  }

  /// A request for a page, whose response comes later.
  private struct Request {
    let sent: SentRequest
    let query: Query
    let cursor: String?
    let category: String
    /// When it was sent, in the time of the model.
    let time: Int
  }

  private func perform(
    _ model: inout ListModel, _ layers: inout [LayerID], _ requests: inout [Request],
    _ random: inout Random, on store: ApolloStore
  ) async throws {
    model.time += 1
    let category = ListModel.categories[random.next(2)]
    switch random.next(21) {
    case 0:
      let item = ListModel.items[random.next(ListModel.items.count)]
      model.remove(item)
      try await store.removeObject(for: RecordKey("Product:\(item)"))
    case 1:
      // The list is written back without one of its items.
      let query = Query(first: 2, category: .some(category))
      guard let list = model.list(category) else { return }
      var page = ShopPage("", hasNext: list.hasNext, end: list.end)
      page.items = list.items
      if !page.items.isEmpty { page.items.remove(at: random.next(page.items.count)) }
      let data = try Query.Data(jsonBytes: Array(#"{"products":\#(page.json)}"#.utf8))
      try await store.withinReadWriteTransaction { try $0.write(data: data, for: query) }
      model.publish(page, behind: nil, category)
    case 2:
      // A query that selects no cursor brings items, and no page.
      let page = randomPage(&random)
      try await store.publish(
        body: body(page), of: SelectedQuery<ShopSelection.NoPageInfo>(first: 2))
      model.bring(page.items, askedFor: model.time)
    case 5, 6:
      let cursor = randomCursor(&random)
      requests.append(
        Request(
          sent: store.begin(.query), query: query(behind: cursor, category, &random),
          cursor: cursor, category: category, time: model.time))
    case 7 where !requests.isEmpty, 8 where !requests.isEmpty:
      // The server has answered in another order than that of the requests.
      let request = requests.remove(at: random.next(requests.count))
      let page = randomPage(&random)
      let normalizer = store.normalizer(for: request.query)
      _ = try ResponseDecoder().decode(body(page), as: request.query, observer: normalizer)
      var response = normalizer.finish()
      response.sent = request.sent
      _ = try await store.publish(response)
      request.sent.end()
      model.publish(page, behind: request.cursor, request.category, askedFor: request.time)
    case 3 where layers.count < 3:
      let cursor = randomCursor(&random)
      let page = randomPage(&random)
      let query = query(behind: cursor, category, &random)
      let data = try Query.Data(jsonBytes: Array(#"{"products":\#(page.json)}"#.utf8))
      layers.append(store.layers.reserve())
      try await store.showLayer(layers[layers.count - 1]) { try $0.write(data: data, for: query) }
      model.layers.append(ListModel.Layer(page: page, cursor: cursor, category: category))
    case 4 where !layers.isEmpty:
      let index = random.next(layers.count)
      await store.removeLayer(layers.remove(at: index))
      model.layers.remove(at: index)
    case 17, 18:
      try await insert(&model, category, &random, on: store)
    case 19:
      let items = Array(ListModel.items.shuffled(using: &random).prefix(2))
      let ids = items.map { "\"\($0)\"" }.joined(separator: ",")
      let list = ListID(field: "products", arguments: ["category": .string(category)])
      try await store.publish(
        body: Array(#"{"data":{"delete":[\#(ids)]}}"#.utf8), of: DeleteEdge(lists: [list.rawValue]))
      model.delete(items, category)
    default:
      let cursor = randomCursor(&random)
      let page = randomPage(&random)
      let query = query(behind: cursor, category, &random)
      try await store.publish(body: body(page), of: query)
      model.publish(page, behind: cursor, category)
    }
  }

  /// A mutation inserts an item at one end of the list.
  private func insert(
    _ model: inout ListModel, _ category: String, _ random: inout Random, on store: ApolloStore
  ) async throws {
    let item = ListModel.items[random.next(ListModel.items.count)]
    let list = ListID("products", of: Query(first: 1, category: .some(category)))?.rawValue ?? ""
    let body = Array(#"{"data":\#(ListEditTests.edge(item))}"#.utf8)
    let isAtEnd = random.next(2) == 0
    if isAtEnd {
      try await store.publish(body: body, of: AppendEdge(lists: [list]))
    } else {
      try await store.publish(body: body, of: PrependEdge(lists: [list]))
    }
    model.insert(item, atEnd: isAtEnd, category)
  }

  private func body(_ page: ShopPage) -> [UInt8] {
    Array(#"{"data":{"products":\#(page.json)}}"#.utf8)
  }

  private func randomCursor(_ random: inout Random) -> String? {
    random.next(3) == 0 ? nil : ListModel.items[random.next(ListModel.items.count)]
  }

  private func randomPage(_ random: inout Random) -> ShopPage {
    var page = ShopPage("", hasNext: random.next(5) > 0)
    page.items = Array(ListModel.items.shuffled(using: &random).prefix(random.next(4)))
    return page
  }

  private func query(
    behind cursor: String?, _ category: String, _ random: inout Random
  ) -> Query {
    Query(
      first: .some(1 + random.next(5)), after: cursor.map { .some($0) } ?? nil,
      category: .some(category))
  }
}

/// The rules of the article, written down once more.
private struct ListModel {
  static let items = "abcdefghijkl".map(String.init)
  static let categories = ["toys", "food"]

  private struct Page {
    var page: ShopPage
    var time: Int
    /// The items that a mutation has inserted. If something of them is missing, they are left out
    /// of a later page.
    var inserted: Set<String> = []
  }

  private var pages: [String: [String?: Page]] = [:]
  /// The items that the cache does not have.
  private var missing: Set<String> = []
  private var removalTimes: [String: Int] = [:]
  /// The number of the step.
  var time = 0
  /// The pages that optimistic data shows, the latest last.
  var layers: [Layer] = []

  struct Layer {
    let page: ShopPage
    let cursor: String?
    let category: String
  }

  /// Takes a page, unless a newer one is known for its place. What was asked for later is newer.
  mutating func publish(
    _ page: ShopPage, behind cursor: String?, _ category: String, askedFor time: Int? = nil
  ) {
    let time = time ?? self.time
    bring(page.items, askedFor: time)
    var page = page
    page.end = page.end ?? page.items.last
    let known = pages[category]?[cursor]
    if let known, known.time > time { return }
    // An edge of the same node at the same place is merged.
    let same = zip(page.items, known?.page.items ?? []).filter { $0 == $1 }.map(\.0)
    pages[category, default: [:]][cursor] = Page(
      page: page, time: time, inserted: known?.inserted.intersection(same) ?? [])
  }

  /// Inserts an item into the first or the last page, unless one of the pages has it. Of an item
  /// that the cache does not have, the page into which it is inserted counts alone.
  mutating func insert(_ item: String, atEnd: Bool, _ category: String) {
    let isKnown = !missing.contains(item)
    bring([item], askedFor: time)
    let chain = chain(category)
    guard let cursor = atEnd ? chain.last : chain.first, var page = pages[category]?[cursor],
      !page.page.items.contains(item)
    else { return }
    if isKnown,
      chain.contains(where: { pages[category]?[$0]?.page.items.contains(item) ?? false })
    {
      return
    }
    page.page.items.insert(item, at: atEnd ? page.page.items.count : 0)
    page.inserted.insert(item)
    page.time = time
    pages[category, default: [:]][cursor] = page
  }

  /// Removes items from all pages.
  mutating func delete(_ items: [String], _ category: String) {
    for cursor in chain(category) {
      guard var page = pages[category]?[cursor], page.page.items.contains(where: items.contains)
      else { continue }
      page.page.items.removeAll(where: items.contains)
      page.inserted.subtract(items)
      page.time = time
      pages[category, default: [:]][cursor] = page
    }
  }

  /// The cursors of the pages that follow each other, whether or not their items are there.
  private func chain(_ category: String) -> [String?] {
    guard let pages = pages[category], var page = pages[nil]?.page else { return [] }
    var cursors: [String?] = [nil]
    while page.hasNext, let end = page.end, !cursors.contains(end), let next = pages[end]?.page {
      cursors.append(end)
      page = next
    }
    return cursors
  }

  /// Takes items, unless they were removed later.
  mutating func bring(_ items: [String], askedFor time: Int) {
    missing.subtract(items.filter { (removalTimes[$0] ?? 0) <= time })
  }

  mutating func remove(_ item: String) {
    missing.insert(item)
    removalTimes[item] = time
  }

  /// The list of a category that readers see, or `nil` if its first page is not whole.
  func list(_ category: String) -> (items: [String], end: String?, hasNext: Bool)? {
    var visible = self
    visible.layers = []
    for layer in layers {
      visible.publish(layer.page, behind: layer.cursor, layer.category, askedFor: .max)
    }
    return visible.listInCache(category)
  }

  private func withoutMissing(_ page: Page) -> ShopPage {
    var rest = page.page
    rest.items.removeAll { missing.contains($0) && page.inserted.contains($0) }
    return rest
  }

  private func listInCache(_ category: String) -> (items: [String], end: String?, hasNext: Bool)? {
    guard let pages = pages[category], var page = pages[nil]?.page,
      missing.isDisjoint(with: page.items)
    else { return nil }
    var items = page.items
    var seen: Set<String> = []
    while page.hasNext, let end = page.end, seen.insert(end).inserted,
      let next = pages[end].map(withoutMissing), missing.isDisjoint(with: next.items)
    {
      items += next.items.filter { !items.contains($0) }
      page = next
    }
    return (items, page.end, page.hasNext)
  }
}

/// SplitMix64, so that a seed repeats a schedule.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
