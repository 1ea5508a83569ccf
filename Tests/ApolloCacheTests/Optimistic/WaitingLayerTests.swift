import ApolloCache
import Testing

/// The layers of mutations that wait to be sent.
@Suite(.timeLimit(.minutes(10)))
struct WaitingLayerTests {
  /// A closure that sets the name of the record `R`.
  private func naming(_ name: String) -> OptimisticUpdate {
    { try $0.merge(["R": ["name": .string(name)]]) }
  }

  @Test func theyAreAboveAllOthersInTheOrderOfTheirNumbers() {
    var stack = LayerStack()
    stack.showWaiting(7, naming("7"))
    stack.showWaiting(3, naming("3"))
    let sent = stack.reserve()
    stack.showWaiting(5, naming("5"))
    let later = stack.reserve()
    #expect(
      stack.layers.map(\.id) == [sent, later] + [3, 5, 7].map { LayerID(waiting: $0) })
    #expect(stack.latest == later)
  }

  @Test func aSentOneMovesBelowThoseThatWait() {
    var stack = LayerStack()
    for number: Int64 in [1, 2, 3] { stack.showWaiting(number, naming("\(number)")) }
    let sent = stack.beginSending(2, naming("2"))
    #expect(stack.layers.map(\.id) == [sent] + [1, 3].map { LayerID(waiting: $0) })
  }

  @Test func aResponseIsCommittedAlthoughOthersWait() {
    var stack = LayerStack()
    stack.showWaiting(1, naming("1"))
    let sent = stack.beginSending(2, naming("2"))
    stack.set(sent, to: .settled(SettledResponse(RecordSet())))
    #expect(stack.takeFirstSettled() != nil)
    #expect(stack.layers.map(\.id) == [LayerID(waiting: 1)])
  }

  @Test func theyCanBeRemovedTogether() {
    var stack = LayerStack()
    stack.showWaiting(1, naming("1"))
    let sent = stack.reserve()
    stack.showWaiting(2, naming("2"))
    #expect(stack.removeWaiting(of: 0).map(\.id) == [1, 2].map { LayerID(waiting: $0) })
    #expect(stack.layers.map(\.id) == [sent])
  }

  @Test func twoQueuesHaveLayersOfTheirOwn() {
    var stack = LayerStack()
    let (first, second) = (stack.addQueue(), stack.addQueue())
    stack.showWaiting(first + 1, naming("1"))
    stack.showWaiting(second + 1, naming("other"))
    stack.showWaiting(first + 2, naming("2"))
    let own = [1, 2].map { LayerID(waiting: first + $0) }
    #expect(stack.layers.map(\.id) == own + [LayerID(waiting: second + 1)])
    #expect(stack.removeWaiting(of: first).map(\.id) == own)
    #expect(stack.layers.map(\.id) == [LayerID(waiting: second + 1)])
  }

  @Test func clearingTheCacheKeepsThem() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    store.restoreWaitingLayers([(1, naming("waiting"))])
    try await store.clearCache()
    #expect(store.layers.stack.layers.map(\.id) == [LayerID(waiting: 1)])
  }
}
