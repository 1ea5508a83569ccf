import Apollo
import ApolloAPI
package import ApolloCache
import Foundation
import SeededRandom
import TestOperations

/// Random schedules of pages, refreshes, and mutations that change one list, against the law of
/// order: an item that a mutation has removed does not come back because of an older response, and
/// one that a mutation has added is not lost.
///
/// The server has one list, whose items never change their places. One that was deleted and is
/// inserted again is at the end. A response has what the server read at any moment between its
/// request and its delivery. Two clients with stores of their own share a cache.
///
/// 1. A step happens, and what follows from it inside of the clients comes to an end.
/// 2. No store shows an item of which it has seen that a mutation has deleted it, until one that
///    was sent later inserts it again, or a response has what the server has inserted again. (Pages
///    that were no part of the list at that time have it still, which is documented.)
/// 3. An item of an append or a prepend is on a page until a query replaces that page that was sent
///    later, or a mutation that was sent after the one that has added the item deletes it, or
///    returns the page. A mutation that was sent before does not delete it. (One that returns the
///    page also brings back those of its items that one that was sent before has deleted. Its page
///    may wait in a layer. Then it is above the events that have arrived before it, whenever these
///    are read.)
/// 4. Optimistic items are shown while their mutation is under way, and never afterwards.
/// 5. A watch shows what the cache shows.
/// 6. At the end all pages are fetched. Then both stores show the list of the server, and nothing
///    is left of the order.
@MainActor package final class ListOrderSimulation {
  private enum Step: CaseIterable {
    case fetchFirst, fetchNext, fetchAny, refetchWatch
    case append, prepend, appendAgain, deleteEdge, deleteRecord, returnPage
    case appendOptimistically, deleteOptimistically
    case read, deliver, fail, changeElsewhere, event
    /// The reader of the subscription becomes slow, and goes on.
    case delayReader, resumeReader
  }

  /// The change that a mutation makes on the server.
  private enum Change {
    case insert(String, atEnd: Bool)
    case delete(String)
    /// The first page is returned as it is.
    case nothing
  }

  private struct Item {
    let id: String
    let rank: Int
  }

  private typealias Query = RelatedQuery
  private let query = Query()
  private let list = ListID(in: RecordKey(RelatedQuery.key), field: "related").rawValue

  private let tasks: SimulatedTasks
  private let seed: UInt64
  private var random: SeededGenerator
  private let server = OrderServer()
  private let read: @Sendable (RecordKey) async throws -> FieldMap?
  private let stores: [ApolloStore]
  private let clients: [ApolloClient]
  private var watchers: [GraphQLQueryWatcher<Query>] = []
  private let shown: [Lock<[String]?>] = [Lock(nil), Lock(nil)]
  private var subscription: Task<Void, Never>?
  private let gate = ReaderGate()
  /// The items of the events that wait for their reader, with the number of calls until then.
  private var unread: [(item: String, callCount: Int)] = []
  /// Those of them that a page in a layer may replace.
  private var replaceable: Set<String> = []
  private var steps: [String] = []

  private var truth: [Item] = []
  private var deletedByServer: Set<String> = []
  private var itemCount = 0
  private var changes: [Int: Change] = [:]
  /// The clients that have sent the mutations.
  private var senders: [Int: Int] = [:]
  /// The bodies of the calls that the server has read.
  private var bodies: [Int: String] = [:]
  private var answered: Set<Int> = []

  /// The items that delivered mutations have deleted in the cache, with the latest of these calls.
  private var deleted: [String: Int] = [:]
  /// Those whose deletion may wait in a layer of a store, which only its own readers see.
  private var deletedInLayers: [[String: Int]] = [[:], [:]]
  /// Those of them that a store has ceased to show.
  private var gone: [Set<String>] = [[], []]
  /// Those of them that were on a page that was no part of the list.
  private var hidden: Set<String> = []
  /// The items that delivered mutations and events have added, with the number of calls until then,
  /// and until the mutation was sent.
  private var added: [String: (queries: Int, mutations: Int)] = [:]
  /// The latest delivered mutations that have inserted and deleted items.
  private var inserted: [String: Int] = [:]
  private var latestDeletions: [String: Int] = [:]
  /// The items that the server has inserted again, and those of them that responses have.
  private var restored: Set<String> = []
  private var restoredItems: [Int: Set<String>] = [:]
  /// The latest delivered mutation that has returned the page. Of two mutations, the values of the
  /// one that was sent later are newer, although the server may have executed it first.
  private var returnedPage = -1
  /// The optimistic items of calls, and those whose call has ended.
  private var optimistic: [Int: String] = [:]
  private var ended: Set<String> = []

  /// Prepares a schedule on two stores of one cache, which is empty.
  ///
  /// - Parameters:
  ///   - seed: The number from which the schedule follows.
  ///   - tasks: The tasks of the process.
  ///   - makeStore: A closure that makes a store of the cache.
  ///   - read: A closure that reads a record from the cache, without optimistic data.
  package init(
    seed: UInt64, tasks: SimulatedTasks, makeStore: () -> ApolloStore,
    read: @escaping @Sendable (RecordKey) async throws -> FieldMap?
  ) {
    self.seed = seed
    self.tasks = tasks
    self.read = read
    random = SeededGenerator(seed: seed)
    let stores = [makeStore(), makeStore()]
    self.stores = stores
    clients = stores.map { [server] in ApolloClient(networkTransport: server, store: $0) }
  }

  // MARK: - The run

  /// Runs the schedule.
  ///
  /// - Parameter stepCount: The number of steps before the end.
  /// - Throws: ``OrderViolation``
  package func run(stepCount: Int) async throws {
    tasks.seed(seed)
    tasks.describe("lists, seed \(seed)")
    for _ in 0..<Int.random(in: 2..<8, using: &random) { insert(newItem(), atEnd: true) }
    await start()
    for _ in 0..<stepCount {
      guard let step = Step.allCases.randomElement(using: &random), await perform(step) else {
        continue
      }
      try await check()
    }
    try await finish()
  }

  private func start() async {
    for (index, client) in clients.enumerated() {
      let shown = shown[index]
      watchers.append(
        client.watch(
          query: query, cachePolicy: index == 0 ? .fetchIgnoringCacheData : .default,
          callbackQueue: tasks.queue
        ) { result in
          if let data = (try? result.get())?.data { shown.withLock { $0 = data.ids } }
        })
    }
    subscription = Task { [client = clients[0], list, gate] in
      var events = client.subscribe(subscription: Added(lists: [list])).makeAsyncIterator()
      repeat { await gate.pass() } while (try? await events.next()) != nil
    }
    await tasks.rest()
  }

  private func finish() async throws {
    steps.append("end")
    await resumeReader()
    await tasks.rest()
    try await check()
    for _ in 0..<60 {
      guard let open = openCalls().first else { break }
      await deliver(open)
      try await check()
    }
    if let layered = stores.first(where: { !$0.layers.isIdle }) {
      throw violation("a layer is left: \(layered.layers.stack.layers.map(\.id))")
    }
    var cursor: String?
    for _ in 0...(truth.count) {
      await fetch(behind: cursor, clients[0], "fetch the rest")
      for open in openCalls() { await deliver(open) }
      guard let next = page(behind: cursor).end, page(behind: cursor).hasNext else { break }
      cursor = next
    }
    for index in stores.indices {
      let list = await visible(index)
      guard list != truth.map(\.id) else { continue }
      throw violation("store \(index) has \(text(list)), the server \(text(truth.map(\.id)))")
    }
    try await check()
    if stores[0].order.noteCount != 0 { throw violation("notes remain without a request") }
    for watcher in watchers { watcher.cancel() }
    subscription?.cancel()
  }

  // MARK: - Steps

  private func perform(_ step: Step) async -> Bool {
    let sender = Int.random(in: 0..<clients.count, using: &random)
    let client = clients[sender]
    let open = openCalls()
    let mayCall = open.count < 5
    switch step {
    case .fetchFirst where mayCall: await fetch(behind: nil, client, "fetch the first page")
    case .fetchNext where mayCall:
      guard let info = try? await stores[sender].load(query).data?.product.related.pageInfo,
        info.hasNextPage, let end = info.endCursor
      else { return false }
      await fetch(behind: end, client, "fetch the next page")
    case .fetchAny where mayCall:
      guard let item = truth.randomElement(using: &random) else { return false }
      await fetch(behind: "\(item.rank)", client, "fetch a page")
    case .refetchWatch where mayCall:
      steps.append("refetch watch \(sender)")
      watchers[sender].refetch()
    case .append where mayCall: await insert(atEnd: true, sender)
    case .prepend where mayCall: await insert(atEnd: false, sender)
    case .appendAgain where mayCall: return await insertAgain(sender)
    case .appendOptimistically where mayCall: await insert(atEnd: true, sender, isOptimistic: true)
    case .deleteEdge where mayCall: return await delete(sender, isRecord: false)
    case .deleteRecord where mayCall: return await delete(sender, isRecord: true)
    case .deleteOptimistically where mayCall:
      return await delete(sender, isRecord: Bool.random(using: &random), isOptimistic: true)
    case .returnPage where mayCall:
      let number = server.calls.count
      steps.append("call \(number): return the first page in store \(sender)")
      changes[number] = .nothing
      senders[number] = sender
      Task { _ = try? await client.perform(mutation: ReturnRelated()) }
    case .read:
      guard let index = open.randomElement(using: &random) else { return false }
      read(index)
    case .deliver:
      guard let index = open.randomElement(using: &random) else { return false }
      await deliver(index)
    case .fail:
      guard let index = open.randomElement(using: &random), !read(isMutation: index) else {
        return false
      }
      steps.append("call \(index) fails")
      answered.insert(index)
      if let item = optimistic[index] { ended.insert(item) }
      server.calls[index].fail(URLError(.timedOut))
    case .changeElsewhere:
      if Bool.random(using: &random), let item = truth.randomElement(using: &random) {
        truth.removeAll { $0.id == item.id }
        steps.append("another user deletes \(item.id)")
      } else {
        insert(newItem(), atEnd: Bool.random(using: &random))
        steps.append("another user adds: \(text(truth.map(\.id)))")
      }
    case .event:
      guard
        let index = server.calls.lastIndex(where: { $0.operation is Added && !$0.hasEnded.get() })
      else { return false }
      let item = newItem()
      insert(item, atEnd: true)
      steps.append("event \(item)\(gate.holdsReader ? ", which waits for its reader" : "")")
      unread.append((item, server.calls.count))
      server.calls[index].send(#"{"data":\#(ShopPage.edge(item))}"#)
      if !gate.holdsReader { await noteRead() }
    case .delayReader where !gate.isClosed:
      steps.append("delay the reader of the subscription")
      gate.close()
    case .resumeReader where gate.isClosed: await resumeReader()
    default: return false
    }
    await tasks.rest()
    return true
  }

  private func resumeReader() async {
    guard gate.isClosed else { return }
    steps.append("the reader of the subscription goes on")
    gate.open()
    await noteRead()
  }

  /// Notes the items of the events that are read now.
  private func noteRead() async {
    await tasks.rest()
    for event in unread where !replaceable.contains(event.item) {
      await noteAdded(event.item, since: (event.callCount, event.callCount))
    }
    unread = []
  }

  private func fetch(behind cursor: String?, _ client: ApolloClient, _ name: String) async {
    steps.append("call \(server.calls.count): \(name), behind \(cursor ?? "nothing")")
    let query = Query(after: cursor)
    Task { _ = try? await client.fetch(query: query, cachePolicy: .networkOnly) }
    await tasks.rest()
  }

  private func insert(atEnd: Bool, _ sender: Int, isOptimistic: Bool = false) async {
    let number = server.calls.count
    let item = newItem()
    let name = atEnd ? "append" : "prepend"
    steps.append(
      "call \(number): \(name) \(item)\(isOptimistic ? " optimistically" : "") in store \(sender)")
    changes[number] = .insert(item, atEnd: atEnd)
    senders[number] = sender
    if isOptimistic { optimistic[number] = "o\(number)" }
    let data = isOptimistic ? ShopPage.edge("o\(number)") : nil
    if atEnd {
      perform(AppendEdge(lists: [list]), data, sender)
    } else {
      perform(PrependEdge(lists: [list]), data, sender)
    }
    await tasks.rest()
  }

  /// Inserts an item that another mutation has deleted, or is to delete.
  private func insertAgain(_ sender: Int) async -> Bool {
    let items = changes.sorted { $0.key < $1.key }.compactMap { _, change in
      if case .delete(let item) = change { item } else { nil }
    }
    guard let item = items.suffix(3).randomElement(using: &random) else { return false }
    let number = server.calls.count
    steps.append("call \(number): append \(item) again in store \(sender)")
    changes[number] = .insert(item, atEnd: true)
    senders[number] = sender
    perform(AppendEdge(lists: [list]), nil, sender)
    await tasks.rest()
    return true
  }

  private func delete(_ sender: Int, isRecord: Bool, isOptimistic: Bool = false) async -> Bool {
    guard
      let item = await visible(sender)?.filter({ !$0.hasPrefix("o") }).randomElement(
        using: &random)
    else { return false }
    let number = server.calls.count
    steps.append(
      "call \(number): delete \(isRecord ? "record" : "edge") \(item)"
        + "\(isOptimistic ? " optimistically" : "") in store \(sender)")
    changes[number] = .delete(item)
    senders[number] = sender
    if isRecord {
      let data = isOptimistic ? #"{"delete":\#(ShopPage.product(item))}"# : nil
      perform(DeleteRecord(lists: [list]), data, sender)
    } else {
      perform(DeleteEdge(lists: [list]), isOptimistic ? #"{"delete":["\#(item)"]}"# : nil, sender)
    }
    await tasks.rest()
    return true
  }

  private func perform<Mutation: ListMutation>(
    _ mutation: Mutation, _ optimistic: String?, _ sender: Int
  ) {
    let client = clients[sender]
    guard let optimistic, let data = try? Mutation.Data(jsonBytes: Array(optimistic.utf8)) else {
      Task { _ = try? await client.perform(mutation: mutation) }
      return
    }
    Task { _ = try? await client.perform(mutation: mutation, optimistic: data) }
  }

  // MARK: - The server

  private func newItem() -> String {
    itemCount += 1
    return "s\(itemCount)"
  }

  private func insert(_ item: String, atEnd: Bool) {
    let rank = atEnd ? (truth.last?.rank ?? 0) + 1 : (truth.first?.rank ?? 0) - 1
    truth.insert(Item(id: item, rank: rank), at: atEnd ? truth.count : 0)
  }

  private func page(behind cursor: String?) -> ShopPage {
    let rest = truth.filter { item in cursor.flatMap { Int($0) }.map { item.rank > $0 } ?? true }
    let items = rest.prefix(2)
    var page = ShopPage("", hasNext: rest.count > 2, end: items.last.map { "\($0.rank)" })
    page.items = items.map(\.id)
    return page
  }

  /// Returns whether the server has executed the mutation of a call.
  private func read(isMutation index: Int) -> Bool {
    changes[index] != nil && bodies[index] != nil
  }

  private func read(_ index: Int) {
    guard bodies[index] == nil else { return }
    switch changes[index] {
    case .insert(let item, let atEnd):
      if deletedByServer.contains(item) { restored.insert(item) }
      if !truth.contains(where: { $0.id == item }) { insert(item, atEnd: atEnd) }
      bodies[index] = #"{"data":\#(ShopPage.edge(item))}"#
    case .delete(let item):
      truth.removeAll { $0.id == item }
      deletedByServer.insert(item)
      let isRecord = server.calls[index].operation is DeleteRecord
      bodies[index] =
        isRecord
        ? #"{"data":{"delete":\#(ShopPage.product(item))}}"# : #"{"data":{"delete":["\#(item)"]}}"#
    case .nothing?, nil:
      let page = page(behind: (server.calls[index].operation as? Query)?.after)
      bodies[index] = RelatedQuery.body(page)
      restoredItems[index] = restored.intersection(page.items)
      steps.append("call \(index) is to have \(text(page.items)), next: \(page.hasNext)")
      return
    }
    steps.append("the server has executed call \(index): \(text(truth.map(\.id)))")
  }

  private func deliver(_ index: Int) async {
    read(index)
    guard let body = bodies[index] else { return }
    steps.append("deliver call \(index)")
    answered.insert(index)
    let count = server.calls.count
    let isOvertaken = isOvertaken(index)
    for item in restoredItems[index] ?? [] { forgetDeletion(of: item, before: .max) }
    switch changes[index] {
    case .delete(let item)? where !isOvertaken:
      latestDeletions[item] = max(index, latestDeletions[item] ?? 0)
      if let known = added[item], known.mutations <= index { added[item] = nil }
      guard index > returnedPage else { break }
      if let sender = senders[index] {
        deletedInLayers[sender][item] = max(index, deletedInLayers[sender][item] ?? 0)
      }
      hidden.formUnion(await hiddenItems())
    case .nothing?:
      returnedPage = max(returnedPage, index)
      if stores.contains(where: { !$0.layers.isEmpty }) {
        replaceable.formUnion(unread.map(\.item))
      }
      added = added.filter { $0.value.mutations > index }
      // What the returned page does not have stays deleted.
      func isDeleted(_ item: String, by call: Int) -> Bool {
        call > index || !body.contains(#""\#(item)""#)
      }
      deleted = deleted.filter { isDeleted($0.key, by: $0.value) }
      for store in stores.indices {
        deletedInLayers[store] = deletedInLayers[store].filter {
          isDeleted($0.key, by: $0.value)
        }
        // A store does not see yet what waits in a layer of another one.
        gone[store].formIntersection([String](deleted.keys) + deletedInLayers[store].keys)
      }
    case nil:
      // A page that was requested later may lack what was added. If it has the item, that stays.
      added = added.filter { $0.value.queries > index || body.contains(#""\#($0.key)""#) }
    case .insert(let item, _)? where !isOvertaken:
      inserted[item] = max(index, inserted[item] ?? 0)
      forgetDeletion(of: item, before: index)
    case .insert?, .delete?: break
    }
    if let item = optimistic[index] { ended.insert(item) }
    server.calls[index].end(body)
    await tasks.rest()
    switch changes[index] {
    case .insert(let item, _)? where index > returnedPage && !isOvertaken:
      // A later deletion may wait in a layer, or be forgotten.
      if (latestDeletions[item] ?? 0) > index { break }
      await noteAdded(item, since: (count, index))
    case .delete(let item)? where index > returnedPage && !isOvertaken:
      if let sender = senders[index] { gone[sender].insert(item) }
    default: break
    }
  }

  /// Returns whether a mutation that was sent later has deleted or inserted the same item, and was
  /// delivered.
  private func isOvertaken(_ index: Int) -> Bool {
    switch changes[index] {
    case .delete(let item)?: (inserted[item] ?? 0) > index
    case .insert(let item, _)?: (deleted[item] ?? 0) > index
    case .nothing?, nil: false
    }
  }

  /// Forgets that mutations which were sent before another one have deleted an item.
  private func forgetDeletion(of item: String, before index: Int) {
    if (deleted[item] ?? 0) <= index { deleted[item] = nil }
    for store in stores.indices {
      if (deletedInLayers[store][item] ?? 0) <= index { deletedInLayers[store][item] = nil }
      if deleted[item] == nil, deletedInLayers[store][item] == nil { gone[store].remove(item) }
    }
  }

  /// Notes an item that was added when so many calls had been sent, by a mutation that was sent
  /// when so many had. A list that is not in the cache stays unknown.
  private func noteAdded(
    _ item: String, since callCounts: (queries: Int, mutations: Int)
  ) async {
    var known = Set(await pages().values.flatMap(\.items))
    for index in stores.indices { known.formUnion(await visible(index) ?? []) }
    if known.contains(item) { added[item] = callCounts }
  }

  private func openCalls() -> [Int] {
    server.calls.enumerated().filter { index, call in
      !answered.contains(index) && !call.hasEnded.get() && !(call.operation is Added)
    }.map(\.offset)
  }

  // MARK: - Checking

  private func visible(_ store: Int) async -> [String]? {
    try? await stores[store].load(query).data?.ids
  }

  /// The items of all pages in the cache, whether or not they are a part of the list.
  private func pages() async -> [String: (items: [String], next: String?)] {
    guard let record = try? await read(RecordKey(RelatedQuery.key)) else { return [:] }
    var pages: [String: (items: [String], next: String?)] = [:]
    for (field, value) in record {
      guard case .object(let page) = value, case .list(let edges)? = page["edges"],
        case .object(let info)? = page["pageInfo"]
      else { continue }
      let items = edges.compactMap { edge -> String? in
        guard case .object(let fields) = edge, case .reference(let key)? = fields["node"] else {
          return nil
        }
        return String(key.rawValue.dropFirst("Product:".count))
      }
      var next: String?
      if info["hasNextPage"] == .bool(true), case .string(let end)? = info["endCursor"] {
        next = #"related(after:"\#(end)")"#
      }
      pages["\(field)"] = (items, next)
    }
    return pages
  }

  /// The items of pages that are no part of the list.
  private func hiddenItems() async -> Set<String> {
    var pages = await pages()
    var next: String? = "related"
    while let page = next.flatMap({ pages.removeValue(forKey: $0) }) { next = page.next }
    return Set(pages.values.flatMap(\.items))
  }

  private func check() async throws {
    let hasLayers = stores.contains { !$0.layers.isEmpty }
    // A response that waits is not committed yet.
    if hasLayers { hidden.formUnion(await hiddenItems()) }
    let onPages = Set(await pages().values.flatMap(\.items))
    for index in stores.indices where stores[index].layers.isEmpty {
      deleted.merge(deletedInLayers[index], uniquingKeysWith: max)
      deletedInLayers[index] = [:]
    }
    for index in stores.indices {
      guard let list = await visible(index) else { continue }
      let visible = Set(list)
      if visible.count < list.count { throw violation("store \(index) repeats: \(text(list))") }
      if let item = visible.intersection(ended).first {
        throw violation("store \(index) shows the optimistic '\(item)': \(text(list))")
      }
      let returned = visible.intersection(gone[index]).subtracting(hidden)
      if let item = returned.first {
        throw violation("store \(index) shows the deleted '\(item)' again: \(text(list))")
      }
      // Optimistic data may hide an item whose deletion waits in the other store.
      if stores[index].layers.isEmpty {
        gone[index].formUnion(Set(deleted.keys).subtracting(visible))
      }
      try checkAdded(visible.union(onPages), in: index, list)
      if let shown = shown[index].get(), shown != list {
        throw violation("watch \(index) shows \(text(shown)), the cache \(text(list))")
      }
    }
  }

  /// `known`: The items that the store shows or the cache has on any page.
  private func checkAdded(_ known: Set<String>, in store: Int, _ list: [String]) throws {
    guard stores.allSatisfy(\.layers.isEmpty) else { return }
    let present = Set(truth.map(\.id))
    for item in added.keys where present.contains(item) && !known.contains(item) {
      throw violation("store \(store) has lost the added '\(item)': \(text(list))")
    }
  }

  private func text(_ items: [String]?) -> String { items?.joined(separator: " ") ?? "nothing" }

  private func violation(_ reason: String) -> OrderViolation {
    OrderViolation(seed: seed, reason: reason, steps: steps)
  }
}
