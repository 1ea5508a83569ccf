/// Times with a value each, the earliest first.
///
/// A value has at most one time: a later time than the one that is queued is ignored, because
/// whoever is woken too early asks again.
///
/// Values are numbers. A generic queue takes as long as sending a request when it is first used,
/// because the runtime looks for the conformance of its values.
struct AlarmQueue {
  private struct Alarm {
    var time: UInt64
    var value: Int
  }

  /// A binary heap: no alarm is earlier than its parent, at half its index.
  private var heap: [Alarm] = []
  private var times: [Int: UInt64] = [:]

  /// The earliest time, which may be that of an alarm that was removed.
  var first: UInt64? { heap.first?.time }

  /// The number of queued alarms, with those that an earlier one has replaced. For tests.
  var count: Int { heap.count }

  /// - Complexity: O(log *n*) on average.
  mutating func insert(_ value: Int, at time: UInt64) {
    if let queued = times[value], queued <= time { return }
    times[value] = time
    heap.append(Alarm(time: time, value: value))
    rise(heap.count - 1)
    removeReplaced()
  }

  /// Removes and returns the value with the earliest time, if that is not after `now`.
  ///
  /// - Complexity: O(log *n*).
  mutating func popFirst(until now: UInt64) -> Int? {
    while let alarm = heap.first, alarm.time <= now {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      sink(0)
      // Else it was replaced by an earlier one.
      if times[alarm.value] == alarm.time {
        times[alarm.value] = nil
        return alarm.value
      }
    }
    return nil
  }

  /// Removes a value. Its place in the heap is freed later, together with others.
  ///
  /// - Complexity: O(1) on average.
  mutating func remove(_ value: Int) {
    if times.removeValue(forKey: value) != nil { removeReplaced() }
  }

  /// Frees the places of alarms that were removed or replaced, when they are the greater part.
  /// Those of a connection that is used again and again would otherwise stay for its whole timeout.
  private mutating func removeReplaced() {
    guard heap.count > 2 * times.count + Self.slack else { return }
    let alarms = times.map { Alarm(time: $0.value, value: $0.key) }
    // A sorted array is a heap.
    heap = alarms.sorted { $0.time < $1.time }
  }

  /// The number of removed alarms that the heap keeps in any case.
  private static var slack: Int { 64 }

  private mutating func rise(_ index: Int) {
    var index = index
    while index > 0, heap[index].time < heap[(index - 1) / 2].time {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(_ index: Int) {
    var index = index
    while true {
      let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
      guard let child = children.min(by: { heap[$0].time < heap[$1].time }),
        heap[child].time < heap[index].time
      else { return }
      heap.swapAt(index, child)
      index = child
    }
  }
}
