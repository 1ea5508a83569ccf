/// The times at which a server removes cells.
///
/// A binary heap with the earliest time first. A cell whose time changes is added again; its
/// earlier entry is ignored when its turn comes, because `latest` has another time. When most
/// entries are such earlier ones, the heap is built again without them.
struct CellExpiries: Sendable {
  /// The number of entries, with the outdated ones. For tests.
  var entryCount: Int { heap.count }

  private typealias Entry = (time: ContinuousClock.Instant, cell: Cell)

  private var heap: [Entry] = []
  private var latest: [Cell: ContinuousClock.Instant] = [:]

  /// Indicates whether no cell has a time.
  var isEmpty: Bool { latest.isEmpty }

  subscript(cell: Cell) -> ContinuousClock.Instant? { latest[cell] }

  /// Sets the time of a cell, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) on average.
  mutating func set(_ time: ContinuousClock.Instant?, of cell: Cell) {
    guard let time else {
      if !latest.isEmpty { latest[cell] = nil }
      return
    }
    latest[cell] = time
    if heap.count > 2 * latest.count + 64 {
      // Entries in the order of their times are a heap.
      heap = latest.map { (time: $0.value, cell: $0.key) }.sorted { $0.time < $1.time }
      return
    }
    heap.append((time, cell))
    var index = heap.count - 1
    while index > 0, heap[index].time < heap[(index - 1) / 2].time {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the cells whose time has come, and returns them.
  mutating func takeExpired(at now: ContinuousClock.Instant) -> [Cell] {
    var expired: [Cell] = []
    while let first = heap.first, first.time <= now {
      removeFirst()
      guard latest[first.cell] == first.time else { continue }
      latest[first.cell] = nil
      expired.append(first.cell)
    }
    return expired
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child].time < heap[least].time { least = child }
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
