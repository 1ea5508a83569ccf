internal import ApolloAPI
public import Foundation

/// What a store tells of a write.
public struct StoreChange: Sendable {
  /// What the write changed.
  public var changes: ChangeSet
  /// What was given to the write as its origin, so that a watcher knows its own writes.
  public var origin: ChangeOrigin?
}

/// Tells writes apart by who made them. Each new value is different from all others.
public struct ChangeOrigin: Hashable, Sendable {
  /// What the origin is known by outside, as the `contextIdentifier` of a call.
  public let identifier: UUID

  /// How many fetches led to the write of which each was made only because the one before it took something away from a watcher;
  /// 0 for what a program does of its own accord.
  package let refetchCount: Int

  /// Makes an origin different from all others.
  public init() { self.init(UUID()) }

  /// Makes the origin that is known by an identifier.
  public init(_ identifier: UUID) { self.init(identifier, refetchCount: 0) }

  private init(_ identifier: UUID, refetchCount: Int) {
    self.identifier = identifier
    self.refetchCount = refetchCount
  }

  /// The same origin, after so many fetches.
  package func after(refetchCount: Int) -> ChangeOrigin {
    ChangeOrigin(identifier, refetchCount: refetchCount)
  }

  /// Whether both have the same identifier.
  public static func == (left: ChangeOrigin, right: ChangeOrigin) -> Bool {
    left.identifier == right.identifier
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// A registration with a store, which ends when its last reference goes, or with ``cancel()``.
///
/// The store does not keep it alive. Its callback is called on the thread of whoever wrote, without
/// a lock held, and must be short.
public final class StoreWatch: Sendable {
  package struct ID: Hashable, Sendable {
    fileprivate let number: UInt64

    private static let last = Lock<UInt64>(0)

    package static func next() -> ID {
      last.withLock {
        $0 += 1
        return ID(number: $0)
      }
    }
  }

  private let id = ID.next()
  private let board: WatchRegistry

  package init(
    board: WatchRegistry, toEverything: Bool, onChange: @escaping @Sendable (StoreChange) -> Void
  ) {
    self.board = board
    board.add(id, toEverything: toEverything, onChange: onChange)
  }

  /// Says what to watch from now on: what `reading` was read from.
  ///
  /// - Returns: whether the reading still holds. If not, something changed between reading and
  ///   watching, of which the callback was not told: read again.
  public func depend(on reading: ReadingTrace) -> Bool {
    board.setDependencies(reading, of: id)
  }

  /// Ends the registration. A callback that is under way on another thread may still finish.
  public func cancel() {
    board.remove(id)
  }

  deinit {
    cancel()
  }
}

/// What a result was read from, and when.
public struct ReadingTrace: Sendable {
  /// The fields that were read.
  public internal(set) var dependencies: Dependencies
  package var generation: Generation

  package init(dependencies: Dependencies, generation: Generation) {
    self.dependencies = dependencies
    self.generation = generation
  }
}

/// What a store and its watches share: who watches what, and what changed lately.
package final class WatchRegistry: Sendable {
  private struct State: Sendable {
    var index = WatchIndex()
    var log: ChangeLog
  }
  private let state: Lock<State>

  /// Makes a board that nobody watches yet.
  ///
  /// - Parameter version: the cache's own count of writes, if it counts.
  package init(version: UInt64 = 0) {
    state = Lock(State(log: ChangeLog(version: version)))
  }

  package var generation: Generation { state.withLock { $0.log.current } }

  /// The generation, and the cache's own count of writes that it belongs to.
  package var counts: (generation: Generation, version: UInt64) {
    state.withLock { ($0.log.current, $0.log.version) }
  }

  package func add(
    _ id: StoreWatch.ID, toEverything: Bool, onChange: @escaping @Sendable (StoreChange) -> Void
  ) {
    state.withLock { $0.index.add(id, toEverything: toEverything, onChange: onChange) }
  }

  package func remove(_ id: StoreWatch.ID) {
    let callback = state.withLock { $0.index.remove(id) }
    withExtendedLifetime(callback) {}  // released here, outside the lock
  }

  package func setDependencies(_ trace: ReadingTrace, of id: StoreWatch.ID) -> Bool {
    state.withLock { state in
      state.index.replaceDependencies(of: id, with: trace.dependencies.entries)
      guard trace.generation < state.log.current else { return true }
      guard let missed = state.log.changes(since: trace.generation) else { return false }
      let index = DependencyIndex(trace.dependencies)
      return !missed.contains(where: index.intersects)
    }
  }

  /// What changed after `generation`, or nil where that is forgotten.
  package func changes(since generation: Generation) -> ArraySlice<ChangeSet>? {
    state.withLock { $0.log.changes(since: generation) }
  }

  /// Notes a write that is now visible to readers.
  ///
  /// - Parameters:
  ///   - changes: what the write changed.
  ///   - version: the cache's own count of writes, if it counts.
  /// - Returns: whom to tell.
  package func note(_ changes: ChangeSet, version: UInt64?) -> [@Sendable (StoreChange) -> Void] {
    guard !changes.isEmpty else { return [] }
    return state.withLock { state in
      state.log.append(changes, version: version)
      return state.index.watches(concernedBy: changes)
    }
  }
}
