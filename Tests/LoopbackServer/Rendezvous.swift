/// A place where handlers of a server wait for each other.
package final class Rendezvous: Sendable {
  private let missingCount: Guarded<Int>
  private let allAreHere = Signal()

  /// - Parameter count: The number of handlers that meet.
  package init(count: Int) { missingCount = Guarded(count) }

  /// Blocks the thread until as many threads as expected have called this.
  package func block() {
    let isLast = missingCount.withLock { count in
      count -= 1
      return count == 0
    }
    if isLast { allAreHere.fire() }
    allAreHere.block()
  }
}
