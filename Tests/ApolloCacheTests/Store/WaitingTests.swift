import ApolloAPI
import ApolloCache
import Testing

/// Many that wait, and many selections.
@Suite(.timeLimit(.minutes(10)))
struct WaitingTests {
  @Test func cancelledWritersLeaveTheOrderOfTheOthers() {
    var line = WriteLine<Int>()
    #expect(line.enter() == nil)
    let tickets = (0..<1_000).map { number -> WriteLine<Int>.Ticket? in
      let ticket = line.enter()
      if let ticket { #expect(line.wait(ticket, number) == .waits) }
      return ticket
    }
    for number in 0..<1_000 where !number.isMultiple(of: 10) {
      #expect(tickets[number].flatMap { line.cancel($0) } == number)
    }
    for number in stride(from: 0, to: 1_000, by: 10) { #expect(line.leave() == number) }
    #expect(line.leave() == nil)
    #expect(line.isIdle)
  }

  @Test func aWriterThatDoesNotWaitLeavesTheOrderAlone() async throws {
    let queue = WriteQueue()
    #expect(try queue.enterAtOnce())
    #expect(try !queue.enterAtOnce())
    let second = Task {
      try await queue.enter()
      queue.leave()
    }
    while queue.waitingCount == 0 { await Task.yield() }
    #expect(try !queue.enterAtOnce())
    queue.leave()
    try await second.value
    let isCancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try queue.enterAtOnce()
    }
    await #expect(throws: CancellationError.self) { try await isCancelled.value }
    #expect(try queue.enterAtOnce())
    queue.leave()
    #expect(try queue.enterAtOnce())
  }

  @Test func aPoolKeepsThePlansThatAreUsed() {
    let pool = NormalizationPlanPool(cacheKeyForObject: nil)
    typealias Data = LibraryQuery<BookTitle>.Data
    func plan(_ id: String) -> NormalizationPlan {
      let (plan, recycle) = pool.take(
        Data.__layout, schema: Data.Schema.self, variables: ["id": id])
      recycle()
      return plan
    }
    let frequent = plan("frequent")
    for number in 0..<1_000 {
      _ = plan("\(number)")
      #expect(plan("frequent") === frequent)
    }
  }

  /// A cache whose file is locked. It notes until when each writer would wait.
  private final class LockedStore: RecordStore {
    struct IsBusy: Error {}
    let memory = InMemoryNormalizedCache()
    let deadlines = Lock<[ContinuousClock.Instant]>([])
    let (opened, opener) = AsyncStream<Void>.makeStream()

    var writeTimeout: Duration { .seconds(1_000) }
    func openSnapshot() -> any StoreSnapshot { memory.openSnapshot() }
    nonisolated(nonsending) func beginWriting() async throws -> any WriteContext { throw IsBusy() }
    nonisolated(nonsending) func beginWriting(
      until deadline: ContinuousClock.Instant
    ) async throws -> any WriteContext {
      let isFirst = deadlines.withLock { deadlines in
        deadlines.append(deadline)
        return deadlines.count == 1
      }
      if isFirst { for await _ in opened { break } }
      throw IsBusy()
    }
  }

  @Test func theDeadlineOfAWriterIncludesItsWaitBehindOthers() async throws {
    let records = LockedStore()
    let store = ApolloStore(records: records)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await #expect(throws: LockedStore.IsBusy.self) { try await store.publish(["A": [:]]) }
        }
      }
      while store.writers.waitingCount < 19 { await Task.yield() }
      let latest = ContinuousClock.now + records.writeTimeout
      records.opener.yield()
      await group.waitForAll()
      for deadline in records.deadlines.get() { #expect(deadline <= latest) }
    }
    #expect(records.deadlines.get().count == 20)
  }
}
