import ApolloAPI
package import ApolloCache
import SeededRandom
import TestOperations

/// Random changes of lists in a cache, each of which is compared with a second implementation of
/// the rules.
///
/// The changes are pages of any order, late responses, removals, the directives of mutations,
/// optimistic layers with pages and with directives, what the server responds to these, and changes
/// by a second store and by another program.
///
/// 1. After each step, both lists are read. They are those of ``ListModel``.
/// 2. A watch of a list that has changed was notified.
/// 3. The second store sees no optimistic data, and everything else.
package struct ListSimulation {
  private typealias Query = ShopAPI.ProductsQuery

  private let store: ApolloStore
  private let otherStore: ApolloStore
  private let foreignStore: ApolloStore?
  private var random: SeededGenerator
  private var model = ListModel()
  private var layers: [LayerID] = []
  private var requests: [Request] = []
  private var watches: [String: ListWatch] = [:]
  /// Indicates whether another program has made the latest change. Its watches are notified later.
  private var isForeign = false
  private var latestStep = ""

  /// A request for a page, whose response comes later.
  private struct Request {
    let sent: SentRequest
    let query: Query
    let cursor: String?
    let category: String
    /// When it was sent, in the time of the model.
    let time: Int
  }

  private struct ListWatch {
    let watch: StoreWatch
    let isNotified: Lock<Bool>
    /// The pages that the next reading takes over, and those of the other store.
    let pages = PageMemory()
    let otherPages = PageMemory()
    var list: ListModel.List?
  }

  /// Creates a simulation.
  ///
  /// - Parameters:
  ///   - cache: An empty cache.
  ///   - foreign: Another cache of the same records, as another program has it.
  ///   - seed: The number from which the steps follow.
  package init(_ cache: any NormalizedCache, foreign: (any NormalizedCache)? = nil, seed: UInt64) {
    store = ApolloStore(cache: cache)
    otherStore = ApolloStore(cache: cache)
    foreignStore = foreign.map { ApolloStore(cache: $0) }
    random = SeededGenerator(seed: seed)
    for category in ListModel.categories {
      let isNotified = Lock(false)
      let watch = store.watch { _ in isNotified.withLock { $0 = true } }
      watches[category] = ListWatch(watch: watch, isNotified: isNotified)
    }
  }

  /// Takes a step.
  ///
  /// - Returns: What is wrong after it, or `nil`.
  /// - Throws: The errors of the cache.
  package mutating func step() async throws -> String? {
    model.time += 1
    isForeign = false
    try await perform()
    for category in ListModel.categories {
      if let failure = try await failure(category) { return "\(latestStep): \(failure)" }
    }
    return nil
  }

  // MARK: - Comparing

  private mutating func failure(_ category: String) async throws -> String? {
    let query = Query(first: 2, category: .some(category))
    let reading = try await store.load(
      query, takingOver: watches[category]?.pages, demanding: FreshnessDemand())
    let (read, expected) = (Self.list(reading.data), model.list(category))
    guard read == expected else {
      return "\(category): \(Self.text(read)) is not \(Self.text(expected))"
    }
    if let failure = failureOfWatch(read, reading.trace, category) { return failure }
    guard model.time % 4 == 0 else { return nil }
    let base = Self.list(
      try await otherStore.load(
        query, takingOver: watches[category]?.otherPages, demanding: FreshnessDemand()
      ).data)
    let expectedBase = model.listInCache(category)
    guard base != expectedBase else { return nil }
    return "\(category), other store: \(Self.text(base)) is not \(Self.text(expectedBase))"
  }

  private mutating func failureOfWatch(
    _ list: ListModel.List?, _ trace: ReadingTrace, _ category: String
  ) -> String? {
    guard let known = watches[category] else { return nil }
    let wasNotified = known.isNotified.withLock { isNotified in
      defer { isNotified = false }
      return isNotified
    }
    watches[category]?.list = list
    _ = known.watch.depend(on: trace)  // nothing else writes
    guard model.time > 1, known.list != list, !wasNotified, !isForeign else { return nil }
    return
      "\(category): the watch of \(Self.text(known.list)) was not notified of \(Self.text(list))"
  }

  private static func list(_ data: Query.Data?) -> ListModel.List? {
    data.map {
      ListModel.List(
        items: $0.ids, end: $0.products.pageInfo.endCursor,
        hasNext: $0.products.pageInfo.hasNextPage)
    }
  }

  private static func text(_ list: ListModel.List?) -> String {
    list.map { "\($0.items.joined()) (\($0.end ?? "-"), \($0.hasNext))" } ?? "nothing"
  }

  // MARK: - Steps

  private mutating func perform() async throws {
    let category = ListModel.categories.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<34, using: &random) {
    case 0: try await removeItem()
    case 1: try await writeBack(category)
    case 2: try await bringItems()
    case 3...4 where layers.count < 4: try await showPage(category)
    case 5...6 where layers.count < 4: try await showEdit(category)
    case 7 where !layers.isEmpty: await removeLayer()
    case 8 where !layers.isEmpty: try await settleLayer(category)
    case 9...11 where requests.count < 6: sendRequest(category)
    case 12...14 where !requests.isEmpty: try await receiveResponse()
    // Of an item that another program removes, a late response brings what no newer one has.
    case 15 where foreignStore != nil && requests.isEmpty: try await changeElsewhere()
    case 16..<22: try await edit(category)
    default: try await publishPage(category)
    }
  }

  /// The store of a step: the second one makes some of the changes.
  private mutating func anyStore() -> ApolloStore {
    Int.random(in: 0..<4, using: &random) == 0 ? otherStore : store
  }

  private mutating func removeItem() async throws {
    let item = randomItem()
    latestStep = "remove \(item)"
    model.remove(item)
    try await anyStore().removeObject(for: RecordKey("Product:\(item)"))
  }

  /// Writes the list back without one of its items.
  private mutating func writeBack(_ category: String) async throws {
    latestStep = "write \(category) back"
    guard let list = model.list(category) else { return }
    var page = ShopPage("", hasNext: list.hasNext, end: list.end)
    page.items = list.items
    if !page.items.isEmpty {
      page.items.remove(at: Int.random(in: 0..<page.items.count, using: &random))
    }
    let data = try data(page)
    try await store.withinReadWriteTransaction {
      try $0.write(data: data, for: Query(first: 2, category: .some(category)))
    }
    model.publish(page, behind: nil, category)
  }

  /// A query that selects no cursor brings items, and no page.
  private mutating func bringItems() async throws {
    let page = randomPage()
    latestStep = "bring \(page.items.joined())"
    try await anyStore().publish(body: body(page), of: ShopAPI.ItemsOnlyQuery())
    model.bring(page.items, askedFor: model.time)
  }

  private mutating func publishPage(_ category: String) async throws {
    let (cursor, page) = (randomCursor(), randomPage())
    latestStep = "page \(page.items.joined()) behind \(cursor ?? "-") of \(category)"
    let query = query(behind: cursor, category)
    try await anyStore().publish(body: body(page), of: query)
    model.publish(page, behind: cursor, category)
  }

  // MARK: Late responses

  private mutating func sendRequest(_ category: String) {
    latestStep = "send a request"
    let cursor = randomCursor()
    requests.append(
      Request(
        sent: store.begin(.query), query: query(behind: cursor, category), cursor: cursor,
        category: category, time: model.time))
  }

  /// Receives the response to any of the requests.
  private mutating func receiveResponse() async throws {
    let request = requests.remove(at: Int.random(in: 0..<requests.count, using: &random))
    let page = randomPage()
    latestStep =
      "response of step \(request.time): \(page.items.joined()) behind \(request.cursor ?? "-") of "
      + request.category
    let normalizer = store.normalizer(for: request.query)
    _ = try ResponseDecoder().decode(body(page), as: request.query, observer: normalizer)
    var response = normalizer.finish()
    response.sent = request.sent
    _ = try await store.publish(response)
    request.sent.end()
    model.publish(page, behind: request.cursor, request.category, askedFor: request.time)
  }

  // MARK: Directives

  private mutating func edit(_ category: String) async throws {
    let edit = randomEdit()
    latestStep = "\(edit) in \(category)"
    let (mutation, data) = mutation(edit, category)
    try await Self.publish(mutation, data, at: .newest, in: anyStore())
    model.apply(edit, category)
  }

  private static func publish(
    _ mutation: some ListMutation, _ data: String, at position: ResponsePosition,
    in store: ApolloStore
  ) async throws {
    let normalizer = store.normalizer(for: mutation)
    _ = try ResponseDecoder().decode(
      Array(#"{"data":\#(data)}"#.utf8), as: mutation, observer: normalizer)
    try await store.publish(normalizer.finish(), at: position)
  }

  /// Another program changes the records.
  private mutating func changeElsewhere() async throws {
    guard let foreignStore else { return }
    isForeign = true
    let item = randomItem()
    latestStep = "another program removes \(item)"
    try await foreignStore.removeObject(for: RecordKey("Product:\(item)"))
    model.remove(item, byAnotherProgram: true)
  }

  // MARK: Layers

  private mutating func showPage(_ category: String) async throws {
    let (cursor, page) = (randomCursor(), randomPage())
    latestStep = "optimistic page \(page.items.joined()) behind \(cursor ?? "-") of \(category)"
    let (query, data) = (query(behind: cursor, category), try data(page))
    let layer = store.layers.reserve()
    layers.append(layer)
    try await store.showLayer(layer) { try $0.write(data: data, for: query) }
    model.layers.append(.page(page, behind: cursor, category: category))
  }

  private mutating func showEdit(_ category: String) async throws {
    let edit = randomEdit()
    latestStep = "optimistic \(edit) in \(category)"
    let layer = store.layers.reserve()
    layers.append(layer)
    let (mutation, data) = mutation(edit, category)
    try await Self.show(mutation, data, in: layer, of: store)
    model.layers.append(.edit(edit, category: category))
  }

  private static func show<Mutation: ListMutation>(
    _ mutation: Mutation, _ text: String, in layer: LayerID, of store: ApolloStore
  ) async throws {
    let data = try Mutation.Data(jsonBytes: Array(text.utf8))
    try await store.showLayer(layer) { try $0.write(data: data, for: mutation) }
  }

  private mutating func removeLayer() async {
    let index = Int.random(in: 0..<layers.count, using: &random)
    latestStep = "remove layer \(index)"
    await store.removeLayer(layers.remove(at: index))
    model.layers.remove(at: index)
  }

  /// The server responds to the oldest mutation, perhaps not as expected.
  private mutating func settleLayer(_ category: String) async throws {
    let edit = randomEdit()
    latestStep = "response to the oldest layer: \(edit) in \(category)"
    let layer = layers.removeFirst()
    model.layers.removeFirst()
    let (mutation, data) = mutation(edit, category)
    try await Self.publish(mutation, data, at: .layer(layer), in: store)
    model.apply(edit, category)
  }

  // MARK: - Random values

  private mutating func randomItem() -> String {
    ListModel.items.randomElement(using: &random) ?? ""
  }

  private mutating func randomCursor() -> String? {
    Int.random(in: 0..<3, using: &random) == 0 ? nil : randomItem()
  }

  private mutating func randomPage() -> ShopPage {
    var page = ShopPage("", hasNext: Int.random(in: 0..<5, using: &random) > 0)
    let count = Int.random(in: 0..<4, using: &random)
    page.items = Array(ListModel.items.shuffled(using: &random).prefix(count))
    return page
  }

  private mutating func query(behind cursor: String?, _ category: String) -> Query {
    Query(
      first: .some(Int.random(in: 1...5, using: &random)), after: cursor.map { .some($0) } ?? nil,
      category: .some(category))
  }

  private mutating func randomEdit() -> ListModel.Edit {
    let item = randomItem()
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .deleteEdges([item])
    case 1: return .deleteEdges([item, randomItem()])
    case 2: return .deleteRecord(item, isListed: Bool.random(using: &random))
    case 3: return .insert(item, atEnd: Bool.random(using: &random), isWhole: false)
    default: return .insert(item, atEnd: Bool.random(using: &random), isWhole: true)
    }
  }

  /// Returns a mutation that makes an edit, with its data.
  private mutating func mutation(_ edit: ListModel.Edit, _ category: String)
    -> (any ListMutation, data: String)
  {
    let list = ListID(field: "products", arguments: ["category": .string(category)]).rawValue
    switch edit {
    case .insert(let item, let atEnd, true) where Bool.random(using: &random):
      let data = ShopPage.edge(item)
      return atEnd
        ? (AppendEdge(lists: [list]), data)
        : (PrependEdge(lists: [list]), data)
    case .insert(let item, let atEnd, true):
      let data = #"{"add":\#(ShopPage.product(item))}"#
      return atEnd
        ? (AppendNode(lists: [list]), data)
        : (PrependNode(lists: [list]), data)
    case .insert(let item, let atEnd, false):
      let data = #"{"add":{"__typename":"Product","id":"\#(item)"}}"#
      return atEnd
        ? (AppendIdentifier(lists: [list]), data)
        : (PrependIdentifier(lists: [list]), data)
    case .deleteEdges(let items):
      let ids = items.map { "\"\($0)\"" }.joined(separator: ",")
      return (DeleteEdge(lists: [list]), #"{"delete":[\#(ids)]}"#)
    case .deleteRecord(let item, let isListed):
      return (
        DeleteRecord(lists: isListed ? [list] : []), #"{"delete":\#(ShopPage.product(item))}"#
      )
    }
  }

  private func body(_ page: ShopPage) -> [UInt8] {
    Array(#"{"data":{"products":\#(page.json)}}"#.utf8)
  }

  private func data(_ page: ShopPage) throws -> Query.Data {
    try Query.Data(jsonBytes: Array(#"{"products":\#(page.json)}"#.utf8))
  }
}
