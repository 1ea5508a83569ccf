import Testing

@testable import ApolloTransport

struct AlarmQueueTests {
  @Test func popsInTheOrderOfTime() {
    var queue = AlarmQueue<Int>()
    let times: [UInt64] = [50, 10, 40, 10, 30, 20, 60]
    for (value, time) in times.enumerated() { queue.insert(value, at: time) }
    var popped: [UInt64] = []
    while let value = queue.popFirst(until: 45) { popped.append(times[value]) }
    #expect(popped == [10, 10, 20, 30, 40])
    #expect(queue.first == 50)
  }

  @Test func anEarlierTimeReplacesALaterOne() {
    var queue = AlarmQueue<String>()
    queue.insert("a", at: 30)
    queue.insert("a", at: 10)
    queue.insert("a", at: 20)
    #expect(queue.popFirst(until: 15) == "a")
    #expect(queue.popFirst(until: 100) == nil)
    #expect(queue.isEmpty)
  }
}
