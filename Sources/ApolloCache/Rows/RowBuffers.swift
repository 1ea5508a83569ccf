internal import ApolloAPI

/// Memory for rows, kept from one reading for the next: new memory of some size has to be asked for
/// from the system, page by page, which takes longer than to fill it.
final class RowBuffers: Sendable {
  /// - Note: `@unchecked Sendable` because a buffer is either here, behind the lock, or with one reading.
  private struct Pool: @unchecked Sendable {
    var buffers: [RowBuffer] = []
  }
  private let shelf = Lock(Pool())

  /// No more memory is kept than most readings need.
  private static let mostBuffers = 8
  private static let largestBuffer = 1 << 20

  /// Lends what there is. Who has read gives it back, with what was added.
  func take() -> [RowBuffer] {
    shelf.withLock { shelf in
      defer { shelf.buffers = [] }
      return shelf.buffers
    }
  }

  func recycle(_ buffers: [RowBuffer]) {
    let kept = buffers.filter { $0.capacity <= Self.largestBuffer }
    shelf.withLock { shelf in
      shelf.buffers += kept.prefix(max(0, Self.mostBuffers - shelf.buffers.count))
    }
  }
}
