import Apollo
import ApolloAPI
import ApolloCache
import ApolloSQLite
import Dispatch
import Foundation

/// Merging the pages of a long list, and changing it while it is watched.
let mergedLists: [ExperimentMaker] = [
  { _ in WrittenPages(name: "memory") { InMemoryNormalizedCache() } },
  { _ in WrittenPages(name: "SQLite") { try SQLiteNormalizedCache(fileURL: try newFile()) } },
  { _ in ChangedList(name: "memory") { InMemoryNormalizedCache() } },
  { _ in ChangedList(name: "SQLite") { try SQLiteNormalizedCache(fileURL: try newFile()) } },
]

/// The number of pages of 50 items in the lists.
private let pageCount = 1_000

/// Writing the pages of a list that the cache merges, against the same pages as separate values,
/// and against the same objects without edges.
private struct WrittenPages: Experiment {
  let name: String
  let makeCache: @Sendable () throws -> any NormalizedCache

  var title: String { "Merged lists, \(pageCount) pages of 50, \(name)" }

  private static let roundCount = 7
  /// The number of pages at the beginning and at the end whose mean is compared.
  private static let sampleCount = 20

  func table() async throws -> String {
    let pages = (0..<pageCount).map(ShopResponse.page)
    let objects = (0..<pageCount).map(ShopResponse.objects)
    var times: [[[Duration]]] = [[], [], []]
    // The first round warms up.
    for round in 0...Self.roundCount {
      // In turns, so that a slow moment of the machine affects all alike.
      let measured = [
        try await write(pages) { Shop<Merged>.ProductsQuery(after: $0) },
        try await write(pages) { Shop<Unmerged>.ProductsQuery(after: $0) },
        try await write(objects) { Shop<Unmerged>.ObjectsQuery(after: $0) },
      ]
      guard round > 0 else { continue }
      for (index, durations) in measured.enumerated() { times[index].append(durations) }
    }
    return table(times)
  }

  /// Writes all pages to an empty cache and returns the time of each.
  private func write<Query: GraphQLQuery>(
    _ bodies: [Data], _ query: (GraphQLNullable<String>) -> Query
  ) async throws -> [Duration] {
    let store = ApolloStore(cache: try makeCache())
    let clock = ContinuousClock()
    var durations: [Duration] = []
    for (page, body) in bodies.enumerated() {
      let operation = query(ShopResponse.cursor(beforePage: page))
      let start = clock.now
      keep(try await store.publish(body: body, of: operation))
      durations.append(clock.now - start)
    }
    return durations
  }

  /// `times`: The times of each page, of each round, of each kind.
  private func table(_ times: [[[Duration]]]) -> String {
    let names = [
      "pages of one merged list", "the same pages, not merged", "the same objects, without edges",
    ]
    let totals = times.map { rounds in Self.median(rounds.map(Self.sum)) }
    var rows = [
      [
        "", "all pages", "merged ÷ this", "one of the first \(Self.sampleCount)",
        "one of the last \(Self.sampleCount)", "last ÷ first",
      ]
    ]
    for (name, (rounds, total)) in zip(names, zip(times, totals)) {
      let pages = (0..<pageCount).map { page in Self.median(rounds.map { $0[page] }) }
      let first = Self.sum(pages.prefix(Self.sampleCount)) / Self.sampleCount
      let last = Self.sum(pages.suffix(Self.sampleCount)) / Self.sampleCount
      rows.append([
        name, text(total), String(format: "%.2f×", totals[0] / total), text(first), text(last),
        String(format: "%.2f×", last / first),
      ])
    }
    return markdown(rows)
  }

  private static func median(_ durations: [Duration]) -> Duration {
    durations.sorted()[durations.count / 2]
  }

  private static func sum(_ durations: some Sequence<Duration>) -> Duration {
    durations.reduce(.zero, +)
  }
}

/// Changing a list of 50,000 items that is watched, until the watch has delivered it.
private struct ChangedList: Experiment {
  let name: String
  let makeCache: @Sendable () throws -> any NormalizedCache

  var title: String { "Merged lists, a change of \(pageCount * 50) items, \(name)" }

  private static let sampleCount = 30

  func table() async throws -> String {
    let list = WatchedList(ApolloStore(cache: try makeCache()))
    try await list.fill()
    var rows = [["", "written", "delivered by the watch", "minimum"]]
    for isWatched in [false, true] {
      if isWatched { try await list.watch() }
      let suffix = isWatched ? ", watched" : ""
      rows.append(
        try await row("an appended item" + suffix) {
          defer { list.nextItem += 1 }
          return try await list.change(itemCount: 1) {
            try await list.publish(
              ShopResponse.added(list.nextItem), AppendProduct(lists: [list.id]))
          }
        } after: {
          _ = try await list.change(itemCount: -1) {
            try await list.publish(
              ShopResponse.deleted(list.nextItem - 1), DeleteProduct(lists: [list.id]))
          }
        })
      rows.append(
        try await row("the next page" + suffix) {
          defer { list.nextPage += 1 }
          let query = Shop<Merged>.ProductsQuery(
            after: ShopResponse.cursor(beforePage: list.nextPage))
          let body = ShopResponse.page(list.nextPage)
          return try await list.change(itemCount: 50) { try await list.publish(body, query) }
        } after: {
        })
    }
    let clock = ContinuousClock()
    var readings: [Duration] = []
    for _ in 0..<Self.sampleCount {
      let start = clock.now
      keep(
        try await list.store.withinReadTransaction {
          try $0.read(query: Shop<Merged>.ProductsQuery())
        })
      readings.append(clock.now - start)
    }
    readings.sort()
    rows.append([
      "read the list, of \(list.nextPage * 50) items", "", text(readings[readings.count / 2]),
      text(readings[0]),
    ])
    return markdown(rows)
  }

  /// Measures a change many times. `after` is not measured.
  private func row(
    _ name: String, _ change: () async throws -> WatchedList.Times, after: () async throws -> Void
  ) async throws -> [String] {
    var written: [Duration] = []
    var delivered: [Duration] = []
    for sample in -3..<Self.sampleCount {
      let times = try await change()
      try await after()
      guard sample >= 0 else { continue }  // the first ones warm up
      written.append(times.written)
      if let duration = times.delivered { delivered.append(duration) }
    }
    written.sort()
    delivered.sort()
    let median = written[written.count / 2]
    guard !delivered.isEmpty else { return [name, text(median), "", text(written[0])] }
    return [name, text(median), text(delivered[delivered.count / 2]), text(delivered[0])]
  }
}

/// A list of 1,000 pages in a store, and a watch of it.
///
/// `@unchecked Sendable` because one experiment at a time uses it, and what the handler shares is
/// touched on its queue only.
private final class WatchedList: @unchecked Sendable {
  struct Times {
    let written: Duration
    /// The time until the watch has delivered the list, if it is watched.
    let delivered: Duration?
  }

  let store: ApolloStore
  let id: ID
  var nextPage = pageCount
  /// The number of the next item that is appended, which is on no page.
  var nextItem = 1_000_000_000
  private let client: ApolloClient
  private let queue = DispatchQueue(label: "handlers")
  private var watcher: GraphQLQueryWatcher<Shop<Merged>.ProductsQuery>?
  private var itemCount = pageCount * 50
  /// The number of items that the handler has received, and the continuation that waits for them.
  private var receivedCount = 0
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  init(_ store: ApolloStore) {
    self.store = store
    id = ListID(field: "products").rawValue
    // Nothing listens on this port, so every response comes from the cache.
    client = ApolloClient(
      networkTransport: HTTPNetworkTransport(url: URL(string: "http://127.0.0.1:9/")!),  // valid
      store: store)
  }

  func fill() async throws {
    for page in 0..<pageCount {
      try await publish(
        ShopResponse.page(page),
        Shop<Merged>.ProductsQuery(after: ShopResponse.cursor(beforePage: page)))
    }
  }

  func publish<Operation: GraphQLOperation>(
    _ body: Data, _ operation: Operation
  ) async throws {
    keep(try await store.publish(body: body, of: operation))
  }

  func watch() async throws {
    watcher = client.watch(
      query: Shop<Merged>.ProductsQuery(), cachePolicy: .cacheOnly, callbackQueue: queue
    ) { [unowned self] result in
      receivedCount = (try? result.get())?.data?.products.edges.count ?? 0  // 0 is never expected
      resumeIfReceived()
    }
    await received(itemCount)
  }

  /// Makes a change that adds items to the list, and waits until the watch has delivered it.
  func change(itemCount added: Int, _ write: () async throws -> Void) async throws -> Times {
    itemCount += added
    let clock = ContinuousClock()
    let start = clock.now
    try await write()
    let written = clock.now - start
    guard watcher != nil else { return Times(written: written, delivered: nil) }
    await received(itemCount)
    return Times(written: written, delivered: clock.now - start)
  }

  private func received(_ count: Int) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        waiting = (count, continuation)
        resumeIfReceived()
      }
    }
  }

  private func resumeIfReceived() {
    guard let waiting, waiting.count == receivedCount else { return }
    self.waiting = nil
    waiting.continuation.resume()
  }
}

private func newFile() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.appendingPathComponent("cache.sqlite")
}
