import Testing

@testable import ApolloTransport

struct AlarmQueueTests {
  @Test func popsInTheOrderOfTime() {
    var queue = AlarmQueue()
    let times: [UInt64] = [50, 10, 40, 10, 30, 20, 60]
    for (value, time) in times.enumerated() { queue.insert(value, at: time) }
    var popped: [UInt64] = []
    while let value = queue.popFirst(until: 45) { popped.append(times[value]) }
    #expect(popped == [10, 10, 20, 30, 40])
    #expect(queue.first == 50)
  }

  @Test func anEarlierTimeReplacesALaterOne() {
    var queue = AlarmQueue()
    queue.insert(5, at: 30)
    queue.insert(5, at: 10)
    queue.insert(5, at: 20)
    #expect(queue.popFirst(until: 15) == 5)
    #expect(queue.popFirst(until: 100) == nil)
    #expect(queue.first == nil)
  }

  @Test func aRemovedValueIsNotPopped() {
    var queue = AlarmQueue()
    for value in 0..<10 { queue.insert(value, at: UInt64(value)) }
    for value in stride(from: 0, to: 10, by: 2) { queue.remove(value) }
    queue.remove(77)
    var popped: [Int] = []
    while let value = queue.popFirst(until: 100) { popped.append(value) }
    #expect(popped == [1, 3, 5, 7, 9])
  }

  @Test func removedValuesFreeTheirMemory() {
    var queue = AlarmQueue()
    for value in 0..<10_000 {
      queue.insert(value, at: UInt64(1_000_000 - value))
      queue.remove(value)
    }
    #expect(queue.count < 200)
  }

  /// As for a connection whose every request has a timeout and an earlier event.
  @Test func replacedTimesFreeTheirMemory() {
    var queue = AlarmQueue()
    for time: UInt64 in 0..<10_000 {
      queue.insert(7, at: time + 1_000_000)
      queue.insert(7, at: time)
      #expect(queue.popFirst(until: time) == 7)
    }
    #expect(queue.count < 200)
  }
}
