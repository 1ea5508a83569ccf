internal import ApolloAPI

/// A pool of row buffers. Large memory comes from the system page by page, which takes longer than
/// filling it.
final class RowBuffers: Sendable {
  /// - Note: `@unchecked Sendable` because a buffer is either here, behind the lock, or has one
  ///   reader.
  private struct Pool: @unchecked Sendable {
    var buffers: [RowBuffer] = []
  }
  private let pool = Lock(Pool())

  /// The limits of the pool. Most readings need less.
  private static let mostBuffers = 8
  private static let largestBuffer = 1 << 20

  /// Takes all buffers. The caller recycles them, with those that it has added.
  func take() -> [RowBuffer] {
    pool.withLock { pool in
      defer { pool.buffers = [] }
      return pool.buffers
    }
  }

  func recycle(_ buffers: [RowBuffer]) {
    let kept = buffers.filter { $0.capacity <= Self.largestBuffer }
    pool.withLock { pool in
      pool.buffers += kept.prefix(max(0, Self.mostBuffers - pool.buffers.count))
    }
  }
}
