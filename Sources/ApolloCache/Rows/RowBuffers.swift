internal import ApolloAPI

/// A pool of row buffers. Large memory comes from the system page by page, which takes longer than
/// filling it.
final class RowBuffers: Sendable {
  /// - Note: `@unchecked Sendable` because a buffer is either here, behind the lock, or has one
  ///   reader.
  private struct Pool: @unchecked Sendable {
    var buffers: [RowBuffer] = []
  }
  private let shelf = Lock(Pool())

  /// The limits of the pool. Most readings need less.
  private static let mostBuffers = 8
  private static let largestBuffer = 1 << 20

  /// Takes all buffers. The caller recycles them, with those that it has added.
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
