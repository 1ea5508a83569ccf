import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// Random pages, removals and edits against a second implementation of the rules.
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
    for step in 0..<Self.stepCount {
      try await perform(&model, &random, on: store)
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

  private func perform(
    _ model: inout ListModel, _ random: inout Random, on store: ApolloStore
  ) async throws {
    let category = ListModel.categories[random.next(2)]
    switch random.next(10) {
    case 0:
      let item = ListModel.items[random.next(ListModel.items.count)]
      model.missing.insert(item)
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
    default:
      let cursor =
        random.next(3) == 0 ? nil : ListModel.items[random.next(ListModel.items.count)]
      var page = ShopPage("", hasNext: random.next(5) > 0)
      page.items = Array(ListModel.items.shuffled(using: &random).prefix(random.next(4)))
      let query = Query(
        first: .some(1 + random.next(5)), after: cursor.map { .some($0) } ?? nil,
        category: .some(category))
      try await store.publish(body: Array(#"{"data":{"products":\#(page.json)}}"#.utf8), of: query)
      model.publish(page, behind: cursor, category)
    }
  }
}

/// The rules of the article, written down once more.
private struct ListModel {
  static let items = "abcdefghijkl".map(String.init)
  static let categories = ["toys", "food"]

  private var pages: [String: [String?: ShopPage]] = [:]
  /// The items that the cache does not have.
  var missing: Set<String> = []

  mutating func publish(_ page: ShopPage, behind cursor: String?, _ category: String) {
    pages[category, default: [:]][cursor] = page
    missing.subtract(page.items)
  }

  /// The list of a category, or `nil` if its first page is not whole.
  func list(_ category: String) -> (items: [String], end: String?, hasNext: Bool)? {
    guard let pages = pages[category], var page = pages[nil], missing.isDisjoint(with: page.items)
    else { return nil }
    var items = page.items
    var seen: Set<String> = []
    while page.hasNext, let end = page.end ?? page.items.last, seen.insert(end).inserted,
      let next = pages[end], missing.isDisjoint(with: next.items)
    {
      items += next.items.filter { !items.contains($0) }
      page = next
    }
    return (items, page.end ?? page.items.last, page.hasNext)
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
