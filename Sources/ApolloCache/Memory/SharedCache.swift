#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A cache that others may write to as well: another store, another process on the same file.
///
/// A store begins its writes with ``beginWriting(isLastTry:)``, so that nobody writes between what a
/// transaction reads and what it writes.
package protocol SharedCache: NormalizedCache {
  /// How long a writer waits for others before it gives up.
  var writeTimeout: Duration { get }

  /// Takes the right to write, unless somebody else has it. It never waits for them.
  ///
  /// - Parameter isLastTry: whether to throw if somebody else has the right.
  /// - Returns: the right; or why there is none.
  /// - Throws: what the cache throws.
  func beginWriting(isLastTry: Bool) throws -> WriteAttempt

  /// How often it was noticed that others had written: one more than before, if they have now. Nil at moments when that cannot be told.
  func countForeignWrites() throws -> Int?
}

/// How it went to take the right to write.
package enum WriteAttempt {
  case begun(any WriteSession)
  /// Somebody else is writing: try again a little later.
  case busy
  /// There is no such right: who writes is decided by the store alone.
  case notShared
}

/// The right to write. What is read here is the newest there is, and remains so until the end.
///
/// One task uses it at a time. It ends with ``commit(_:keeping:)`` and with ``end()``.
package protocol WriteSession: RecordSnapshot {
  /// Applies changes, all or none, and ends.
  ///
  /// - Parameters:
  ///   - changes: what to do, in this order.
  ///   - known: records of which all is known that the cache has, so that they need not be read;
  ///     where nobody keeps such, nil. Afterwards, what they have become, and others that were met.
  /// - Returns: what changed; everything, if others have written since this cache wrote last. Then
  ///   `known` is of no use any more.
  /// - Throws: what the cache throws. Then `known` is of no use either.
  func commit(_ changes: [CacheMutation], keeping known: inout RecordTable?) throws -> ChangeSet

  /// Ends without changes, if it has not ended.
  func end()
}

extension WriteSession {
  /// Applies changes, all or none, and ends.
  package func commit(_ changes: [CacheMutation]) throws -> ChangeSet {
    var nothing: RecordTable?
    return try commit(changes, keeping: &nothing)
  }
}

extension SharedCache {
  /// Takes the right to write, and waits for it without blocking a thread: whoever has it may need
  /// one to go on.
  ///
  /// - Returns: the right, or nil if there is no such right.
  /// - Throws: what the cache throws after ``writeTimeout``; `CancellationError`.
  package nonisolated(nonsending) func waitToWrite() async throws -> (any WriteSession)? {
    var waiting = Waiting(writeTimeout)
    while true {
      switch try beginWriting(isLastTry: waiting.isOver) {
      case .begun(let session): return session
      case .notShared: return nil
      case .busy: try await Task.sleep(for: waiting.nextPause())
      }
    }
  }

  /// The same for callers that cannot suspend: blocks the thread.
  package func blockToWrite() throws -> (any WriteSession)? {
    var waiting = Waiting(writeTimeout)
    while true {
      switch try beginWriting(isLastTry: waiting.isOver) {
      case .begun(let session): return session
      case .notShared: return nil
      case .busy: waiting.block()
      }
    }
  }
}

/// How long to wait for the next try.
package struct Waiting {
  private let deadline: ContinuousClock.Instant
  private var pause = Duration.milliseconds(1)

  /// Begins to wait, for so long in all.
  package init(_ writeTimeout: Duration) { deadline = .now + writeTimeout }

  /// Whether the next try is the last one.
  package var isOver: Bool { .now >= deadline }

  fileprivate mutating func nextPause() -> Duration {
    defer { pause = min(pause * 2, .milliseconds(20)) }
    return pause
  }

  /// Waits for the next try, and blocks the thread.
  ///
  /// It sleeps instead of being woken, because who is waited for may be another process, which wakes nobody.
  package mutating func block() {
    usleep(UInt32(nextPause() / .microseconds(1)))
  }
}
