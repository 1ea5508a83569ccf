import ApolloCache

/// A program that shows the pages of a feed, whose cache has a limit.
///
/// Each day has as many new pages as exceed the limit by a half. A watch shows the latest page.
/// Then the cache is trimmed while a writer goes on. Afterwards:
///
/// - The size is at most the limit.
/// - The records of the page that is shown are there, with their values.
/// - No field refers to a record that is gone.
struct FeedSimulation {
  private let store: ApolloStore
  private let limit: Int
  private var postCount = 0
  private var longestPause = Duration.zero
  private var removedCount = 0
  private var byteCount = 0
  private var trimming = Duration.zero

  private static let postsOnAPage = 50
  /// The approximate number of bytes of a post.
  private static let bytesOfAPost = 300

  init(_ cache: any NormalizedCache, limit: Int) {
    var configuration = ApolloStore.Configuration()
    configuration.tracksUse = true
    store = ApolloStore(cache: cache, configuration: configuration)
    self.limit = limit
  }

  /// The sizes and times of all days.
  var summary: String {
    "\(postCount) posts shown, \(removedCount) removed, \(byteCount) bytes left; "
      + "trimmed in \(trimming), and the longest write meanwhile took \(longestPause)"
  }

  /// Lives through one day, and returns what is wrong at its end.
  mutating func live(through day: Int) async throws -> String? {
    let pageCount = limit * 3 / 2 / Self.bytesOfAPost / Self.postsOnAPage
    var shown = RecordSet()
    for page in 0..<pageCount {
      shown = records(day: day, page: page)
      try await store.publish(NormalizedResponse(records: shown))
    }
    let watch = store.subscribe { _ in }
    let dependencies = Dependencies(shown)
    _ = watch.depend(
      on: ReadingTrace(dependencies: dependencies, generation: store.registry.generation))
    try await trim()
    watch.cancel()
    guard byteCount <= limit else { return "\(byteCount) bytes are left" }
    let left = try await store.readOnlyCache.loadRecords(forKeys: Set(shown.map(\.key)))
    for record in shown where record.key != .queryRoot {
      if left[record.key]?.fields != record.fields { return "\(record.key) is lost" }
    }
    let dangling = try await store.danglingReferences()
    return dangling.isEmpty ? nil : "\(dangling.count) references lead nowhere"
  }

  /// Trims, and measures the writes in the meantime.
  private mutating func trim() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let (store, limit) = (store, limit)
    // Counted from the beginning, so that its later writes do not exceed the limit.
    let counter = RecordKey("Counter")
    let retention = store.retain([counter])
    defer { withExtendedLifetime(retention) {} }
    try await store.publish([counter: ["n": .int(0)]])
    async let trimmed = store.trim(to: limit)
    let writer = Task {
      var longest = Duration.zero
      var count: Int64 = 0
      while !Task.isCancelled {
        count += 1
        let start = clock.now
        try await store.publish([counter: ["n": .int(count)]])
        longest = max(longest, clock.now - start)
        try? await Task.sleep(for: .milliseconds(1))  // throws when it is cancelled: the end
      }
      return longest
    }
    let result = try await trimmed
    trimming += clock.now - start
    writer.cancel()
    longestPause = max(longestPause, (try? await writer.value) ?? .zero)  // cancelled in a write
    removedCount += result.removedCount
    byteCount = result.byteCount ?? 0
  }

  private mutating func records(day: Int, page: Int) -> RecordSet {
    var records = RecordSet()
    var nodes: [CacheValue] = []
    for _ in 0..<Self.postsOnAPage {
      postCount += 1
      let key = RecordKey("Post:\(postCount)")
      nodes.append(.reference(key))
      records.append(
        Record(
          key: key,
          fields: [
            "title": .string("Post \(postCount)"),
            "text": .string(String(repeating: "x", count: postCount % 197)),
          ]))
    }
    let field = FieldKey("feed(day:\(day),page:\(page))")
    records.append(Record(key: .queryRoot, fields: [field: ["nodes": .list(nodes)]]))
    return records
  }
}
