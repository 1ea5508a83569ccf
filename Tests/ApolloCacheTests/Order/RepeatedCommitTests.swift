import ApolloAPI
import Testing

@testable import ApolloCache

/// Two caches of the same records, of which one commits while the other is about to.
@Suite(.timeLimit(.minutes(10)))
struct RepeatedCommitTests {
  private struct DiskFull: Error {}

  /// A cache that others share, and that lets a test act before its commits.
  private final class SharedStore: RecordStore {
    enum Step: Sendable {
      /// Others commit this before the commit asks whether it is current.
      case others(@Sendable () async throws -> Void)
      /// The records that the commit builds on have changed.
      case conflict
      /// The commit fails, and may have changed the cache.
      case failure(mayHaveCommitted: Bool)
      /// Others act while the commit is under way, which fails then.
      case failing(with: any Error, after: @Sendable () async throws -> Void)
    }

    let memory: InMemoryNormalizedCache
    let sharedName: String?
    var version: UInt64? { memory.version }
    let steps = Lock<[Step]>([])

    init(_ memory: InMemoryNormalizedCache, _ name: String) {
      (self.memory, sharedName) = (memory, name)
    }

    func openSnapshot() -> any StoreSnapshot { memory.openSnapshot() }
    nonisolated(nonsending) func beginWriting() async throws -> any WriteContext {
      SharedContext(self)
    }
  }

  private final class SharedContext: WriteContext {
    private let store: SharedStore
    private var isCurrent: @Sendable () -> Bool = { true }
    private(set) var mayHaveCommitted = false

    init(_ store: SharedStore) { self.store = store }

    func snapshot() -> any StoreSnapshot { store.memory.openSnapshot() }
    func require(
      _ isCurrent: @escaping @Sendable () -> Bool, othersWrite: @escaping @Sendable () -> Bool
    ) {
      self.isCurrent = isCurrent
    }
    func end() {}

    nonisolated(nonsending) func commit(_ mutations: [CacheMutation]) async throws -> Commit {
      switch store.steps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      case .others(let act)?: try await act()
      case .conflict?: throw CommitConflict()
      case .failure(let isDoubtful)?:
        mayHaveCommitted = isDoubtful
        throw DiskFull()
      case .failing(let error, let act)?:
        try await act()
        throw error
      case nil: break
      }
      guard isCurrent() else { throw CommitConflict() }
      return Commit(changes: store.memory.apply(mutations), version: store.version)
    }

    nonisolated(nonsending) func commit(_ response: NormalizedResponse) async throws -> Commit {
      try await commit([.merge(response.records)])
    }
  }

  private let caches: (SharedStore, SharedStore)
  private let store: ApolloStore
  private let other: ApolloStore

  private let errors = Lock<[any Error]>([])

  init() {
    let memory = InMemoryNormalizedCache(records: ["Me": ["field": "known"], "Shelf": ["size": 1]])
    let name = "RepeatedCommitTests \(SharedStore.self) \(ObjectIdentifier(memory))"
    caches = (SharedStore(memory, name), SharedStore(memory, name))
    var configuration = ApolloStore.Configuration()
    configuration.onCacheFailure = { [errors] error in errors.withLock { $0.append(error) } }
    store = ApolloStore(records: caches.0, configuration: configuration)
    other = ApolloStore(records: caches.1)
  }

  private func response(_ value: CacheValue, _ sent: SentRequest) -> NormalizedResponse {
    var response = NormalizedResponse(records: ["Me": ["field": value]])
    response.sent = sent
    return response
  }

  /// Lets others act before the next commit of the store asks whether it is current.
  private func first(_ act: @escaping @Sendable () async throws -> Void) {
    caches.0.steps.withLock { $0 = [.others(act)] }
  }

  private func field() async throws -> CacheValue? {
    try await store.withinReadTransaction { try $0.record(for: "Me")?["field"] }
  }

  /// Also of a response with a closure, and of one that has waited in a layer.
  @Test(arguments: [false, true], [false, true])
  func whatAnotherHasWrittenAfterTheQuestionStays(
    isMutation: Bool, hasClosure: Bool
  ) async throws {
    let type = isMutation ? GraphQLOperationType.mutation : .query
    let requests = (store.begin(type), other.begin(type))
    let new = response("new", requests.1)
    first { [other] in _ = try await other.publish(new) }
    let closure: OptimisticUpdate = { try $0.merge(["Shelf": ["size": 2]]) }
    let trace = try await store.publish(
      response("old", requests.0), update: hasClosure ? closure : nil)
    #expect(trace.standing == .overtaken)
    #expect(try await field() == "new")
    withExtendedLifetime(requests) {}
  }

  @Test func whatAnotherHasWrittenBeforeTheCommitOfAWaitingResponseStays() async throws {
    let ids = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(ids.0) { try $0.merge(["You": ["field": "?"]]) }
    let mutations = (store.begin(.mutation), other.begin(.mutation))
    try await store.publish(response("old", mutations.0), at: .layer(ids.1))
    let new = response("new", mutations.1)
    first { [other] in _ = try await other.publish(new) }
    await store.removeLayer(ids.0)
    #expect(try await field() == "new")
    withExtendedLifetime(mutations) {}
  }

  @Test func whatAnotherWritesToOtherRecordsIsNotInTheWay() async throws {
    let queries = (store.begin(.query), other.begin(.query))
    let count = Lock(0)
    first { [other] in
      count.withLock { $0 += 1 }
      _ = try await other.publish(["Shelf": ["size": 2]])
    }
    #expect(try await store.publish(response("new", queries.0)).standing == .written)
    #expect(count.get() == 1)
    #expect(try await field() == "new")
    withExtendedLifetime(queries) {}
  }

  /// A mutation that was sent later has written the field before, so that the response's own value
  /// of it would not count.
  @Test func whatAClosureHasWrittenAfterALaterMutationIsNewerThanAQueryBefore() async throws {
    let mutations = (store.begin(.mutation), store.begin(.mutation))
    try await store.publish(response("later", mutations.1))
    let query = store.begin(.query)
    var first = NormalizedResponse(records: ["Shelf": ["size": 2]])
    first.sent = mutations.0
    try await store.publish(first) { try $0.merge(["Me": ["field": "of the closure"]]) }
    let trace = try await store.publish(response("old", query))
    #expect(trace.standing == .overtaken)
    #expect(try await field() == "of the closure")
    withExtendedLifetime((mutations, query)) {}
  }

  /// A commit that fails overtakes no request, unless it may have changed the cache.
  @Test(arguments: [false, true])
  func aCommitThatFailsOvertakesNothing(mayHaveCommitted: Bool) async throws {
    let queries = (store.begin(.query), store.begin(.query))
    caches.0.steps.withLock { $0 = [.failure(mayHaveCommitted: mayHaveCommitted)] }
    await #expect(throws: DiskFull.self) { try await store.publish(response("new", queries.1)) }
    let trace = try await store.publish(response("old", queries.0))
    #expect(trace.standing == (mayHaveCommitted ? .overtaken : .written))
    #expect(try await field() == (mayHaveCommitted ? "known" : "old"))
    withExtendedLifetime(queries) {}
  }

  @Test func aClearingThatFailsExcludesNothing() async throws {
    let query = store.begin(.query)
    caches.0.steps.withLock { $0 = [.failure(mayHaveCommitted: false)] }
    await #expect(throws: DiskFull.self) { try await store.clearCache() }
    #expect(try await store.publish(response("new", query)).standing == .written)
    let another = store.begin(.query)
    try await store.clearCache()
    #expect(try await store.publish(response("old", another)).standing == .excluded)
    withExtendedLifetime((query, another)) {}
  }

  /// The closure reads what the response has brought, also in its second run.
  @Test(arguments: ["remove", "remove matching", "clear"])
  func whatAClosureRemovesDoesNotOvertakeItsOwnResponse(removal: String) async throws {
    let query = store.begin(.query)
    let mutation = store.begin(.mutation)
    caches.0.steps.withLock { $0 = [.conflict] }
    let count = Lock(0)
    try await store.publish(response("new", mutation)) { transaction in
      count.withLock { $0 += 1 }
      #expect(try transaction.record(for: "Me")?["field"] == "new")
      switch removal {
      case "remove": try transaction.removeObject(for: "Me")
      case "remove matching": try transaction.removeObjects(matching: "Me")
      default: try transaction.clear()
      }
      try transaction.merge(["Shelf": ["size": 2]])
    }
    #expect(count.get() == 2)
    #expect(try await field() == nil)
    let shelf = try await store.withinReadTransaction { try $0.record(for: "Shelf") }
    #expect(shelf?["size"] == 2)
    let trace = try await store.publish(response("old", query))
    #expect(trace.standing != .written, "It was sent before the removal.")
    #expect(try await field() == nil)
    withExtendedLifetime((query, mutation)) {}
  }

  // MARK: - Newer writes that fail

  /// Lets another cache commit a newer value, whose first attempt ends with an error after an older
  /// response was published.
  private func publish(
    _ newer: SentRequest?, failingWith error: any Error = DiskFull(),
    after older: @escaping @Sendable () async throws -> Void
  ) async throws {
    caches.1.steps.withLock { $0 = [.failing(with: error, after: older)] }
    var response = NormalizedResponse(records: ["Me": ["field": "newer"]])
    response.sent = newer
    do {
      try await other.publish(response)
      #expect(error is CommitConflict)
    } catch is DiskFull {
      #expect(error is DiskFull)
    }
  }

  /// Ends requests, and waits for the values that were left out of their responses: these keep the
  /// requests under way until they are written, or are known to stay out.
  private func end(_ requests: SentRequest..., leaving count: Int = 0) async throws {
    for request in requests { request.end() }
    while store.order.requestCount > count {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// The older value was left out for the newer one, and is the newest after all.
  @Test func aValueIsWrittenThatWasLeftOutForACommitThatFails() async throws {
    let (older, newer) = (store.begin(.query), other.begin(.query))
    try await publish(newer) {
      let trace = try await store.publish(response("older", older))
      #expect(trace.standing == .overtaken, "The caller reads again.")
    }
    try await end(older, newer)
    #expect(try await field() == "older")
    #expect(errors.get().isEmpty)
  }

  /// Also if the task of the older response is cancelled.
  @Test func aValueThatWasLeftOutIsWrittenForATaskThatIsCancelled() async throws {
    let (older, newer) = (store.begin(.query), other.begin(.query))
    first { withUnsafeCurrentTask { $0?.cancel() } }
    try await publish(newer) {
      try await Task {
        try await store.publish(response("older", older))
        #expect(Task.isCancelled)
      }.value
    }
    try await end(older, newer)
    #expect(try await field() == "older")
    #expect(errors.get().isEmpty)
  }

  /// Its request is under way until then, although its response was published.
  @Test func aValueThatWasLeftOutIsOlderThanThatOfALaterRequest() async throws {
    let older = store.begin(.query)
    try await publish(nil) {
      try await store.publish(response("older", older))
      older.end()
      let later = store.begin(.query)
      try await store.publish(response("later", later))
      later.end()
    }
    try await end()
    #expect(try await field() == "later")
  }

  /// The mutation was answered before the query was sent, so its value is older, whichever of them
  /// is written first.
  @Test(arguments: [false, true])
  func aValueThatWasLeftOutOfAMutationIsOlderThanThatOfALaterQuery(
    isAnsweredFirst: Bool
  ) async throws {
    let (older, newer) = (store.begin(.mutation), other.begin(.mutation))
    let query = Lock<SentRequest?>(nil)
    try await publish(newer) {
      try await store.publish(response("older", older))
      let sent = store.begin(.query)
      if isAnsweredFirst { try await store.publish(response("query", sent)) }
      query.withLock { $0 = sent }
    }
    let sent = try #require(query.get())
    try await end(older, newer, leaving: 1)
    if !isAnsweredFirst {
      #expect(try await field() == "older")
      #expect(try await store.publish(response("query", sent)).standing == .written)
    }
    #expect(try await field() == "query")
    withExtendedLifetime(sent) {}
  }

  /// The closure has run, and does not run again. What it has written or removed stays.
  @Test(arguments: ["another record", "the field", "the record", "all"])
  func whatWasLeftOutOfAResponseWithAClosureIsWritten(changing change: String) async throws {
    let (older, newer) = (store.begin(.mutation), other.begin(.mutation))
    let count = Lock(0)
    try await publish(newer) {
      try await store.publish(response("older", older)) { transaction in
        count.withLock { $0 += 1 }
        switch change {
        case "another record": try transaction.merge(["Shelf": ["size": 2]])
        case "the field": try transaction.merge(["Me": ["field": "of the closure"]])
        case "the record": try transaction.removeObject(for: "Me")
        default: try transaction.clear()
        }
      }
    }
    try await end(older, newer)
    let expected: CacheValue? =
      switch change {
      case "another record": "older"
      case "the field": "of the closure"
      default: nil
      }
    #expect(try await field() == expected)
    #expect(count.get() == 1 && errors.get().isEmpty)
  }

  /// An event that was written below the layer does not overtake the response, and one that comes
  /// afterwards does.
  @Test(arguments: [false, true])
  func whatWasLeftOutOfAResponseWithALayerIsAboveEventsBefore(isLater: Bool) async throws {
    let id = store.layers.reserve()
    try await store.showLayer(id) { try $0.merge(["Me": ["field": "optimistic"]]) }
    let (older, newer) = (store.begin(.mutation), other.begin(.mutation))
    if !isLater { try await other.publish(["Me": ["field": "event"]]) }
    try await publish(newer) {
      try await store.publish(response("older", older), at: .layer(id))
      if isLater { try await store.publish(["Me": ["field": "event"]]) }
    }
    try await end(older, newer)
    #expect(try await field() == (isLater ? "event" : "older"))
    #expect(errors.get().isEmpty)
  }

  /// The layer was removed with the records, before the mutation was sent.
  @Test func whatWasLeftOutOfAResponseWhoseLayerIsGoneIsWritten() async throws {
    let id = store.layers.reserve()
    try await store.clearCache()
    let (older, newer) = (store.begin(.mutation), other.begin(.mutation))
    try await publish(newer) { try await store.publish(response("older", older), at: .layer(id)) }
    try await end(older, newer)
    #expect(try await field() == "older")
  }

  @Test(arguments: [false, true])
  func aWaitingResponseIsWrittenWholeIfTheCommitOfALaterMutationFails(
    hasClosure: Bool
  ) async throws {
    let ids = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(ids.0) { try $0.merge(["You": ["field": "?"]]) }
    let mutations = (store.begin(.mutation), other.begin(.mutation))
    let closure: OptimisticUpdate = { try $0.merge(["Shelf": ["size": 2]]) }
    try await store.publish(
      response("older", mutations.0), at: .layer(ids.1), update: hasClosure ? closure : nil)
    try await publish(mutations.1) { [store] in await store.removeLayer(ids.0) }
    try await end(mutations.0, mutations.1)
    #expect(try await field() == "older")
    #expect(errors.get().isEmpty)
  }

  /// The event is committed while the response begins to wait.
  @Test func anEventIsAboveAResponseThatHasBegunToWaitBeforeItsCommit() async throws {
    let ids = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(ids.0) { try $0.merge(["You": ["field": "?"]]) }
    let mutation = store.begin(.mutation)
    let response = response("older", mutation)
    caches.1.steps.withLock {
      $0 = [.others { [store] in _ = try await store.publish(response, at: .layer(ids.1)) }]
    }
    try await other.publish(["Me": ["field": "event"]])
    #expect(try await field() == "event")
    await store.removeLayer(ids.0)
    #expect(try await field() == "event")
    withExtendedLifetime(mutation) {}
  }

  /// The newer commit is repeated, and the older value does not come after it.
  @Test func aValueThatWasLeftOutForARepeatedCommitStaysOut() async throws {
    let (older, newer) = (store.begin(.query), other.begin(.query))
    try await publish(newer, failingWith: CommitConflict()) {
      let trace = try await store.publish(response("older", older))
      #expect(trace.standing == .overtaken)
    }
    try await end(older, newer)
    #expect(try await field() == "newer")
  }

  /// Nothing has the values of a waiting response whose commit fails. Others wait in its store.
  @Test func aWaitingResponseThatIsNotCommittedOvertakesNothing() async throws {
    let query = store.begin(.query)
    let ids = (0..<4).map { _ in other.layers.reserve() }
    for id in [ids[0], ids[2]] {
      try await other.showLayer(id) { try $0.merge(["You": ["field": "?"]]) }
    }
    let mutations = (other.begin(.mutation), other.begin(.mutation))
    try await other.publish(response("waiting", mutations.0), at: .layer(ids[1]))
    var last = NormalizedResponse(records: ["Shelf": ["size": 2]])
    last.sent = mutations.1
    try await other.publish(last, at: .layer(ids[3]))
    caches.1.steps.withLock { $0 = [.failure(mayHaveCommitted: false)] }
    await other.removeLayer(ids[0])
    #expect(try await store.publish(response("query", query)).standing == .written)
    #expect(try await field() == "query")
    withExtendedLifetime((query, mutations)) {}
  }

  // MARK: - Repetitions

  @Test func aClosureThatFailsInEachAttemptReportsItsErrorOnce() async throws {
    struct Failed: Error {}
    let mutation = store.begin(.mutation)
    caches.0.steps.withLock { $0 = [.conflict, .conflict] }
    let count = Lock(0)
    try await store.publish(response("new", mutation)) { _ in
      count.withLock { $0 += 1 }
      throw Failed()
    }
    #expect(count.get() == 3)
    #expect(errors.get().count == 1 && errors.get().first is Failed)
    #expect(try await field() == "new")
    withExtendedLifetime(mutation) {}
  }

  /// The first attempt of the query has been overtaken, and leaves no trace in the layer.
  @Test func anAttemptThatConflictsChangesNoWaitingResponse() async throws {
    let ids = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(ids.0) { try $0.merge(["You": ["field": "?"]]) }
    let mutations = (other.begin(.mutation), store.begin(.mutation))
    try await store.publish(response("waiting", mutations.1), at: .layer(ids.1))
    let query = store.begin(.query)
    let earlier = response("earlier", mutations.0)
    first { [other] in _ = try await other.publish(earlier) }
    let trace = try await store.publish(response("of the query", query))
    #expect(trace.standing == .overtaken)
    #expect(try await field() == "waiting")
    await store.removeLayer(ids.0)
    #expect(try await field() == "waiting")
    withExtendedLifetime((mutations, query)) {}
  }
}
