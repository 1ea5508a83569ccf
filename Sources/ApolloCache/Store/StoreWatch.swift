internal import ApolloAPI

extension ApolloStore {
  /// Registers a callback for the writes that change the data of one reading.
  ///
  /// ```swift
  /// let watch = store.watch { _ in print("The hero has changed.") }
  /// var reading = try await store.load(HeroQuery())
  /// while !watch.depend(on: reading.trace) { reading = try await store.load(HeroQuery()) }
  /// ```
  ///
  /// The watch depends on nothing until ``StoreWatch/depend(on:)``. It ends when its last reference
  /// is released. Clearing the cache notifies it too.
  ///
  /// - Parameter onChange: Called after each such write, on the writer's thread, with no lock held.
  ///   It must be short.
  /// - Returns: The watch, which the caller must keep.
  public func watch(onChange: @escaping @Sendable (StoreChange) -> Void) -> StoreWatch {
    StoreWatch(registry, toEverything: false, onChange: onChange)
  }

  /// Registers a callback for every write that changes anything.
  ///
  /// - Parameter onChange: Called after each such write, on the writer's thread, with no lock held.
  ///   It must be short.
  /// - Returns: The watch, which the caller must keep.
  public func subscribe(onChange: @escaping @Sendable (StoreChange) -> Void) -> StoreWatch {
    StoreWatch(registry, toEverything: true, onChange: onChange)
  }
}

/// A registration with a store. It ends with ``cancel()``, or when its last reference is released.
///
/// ```swift
/// let watch = store.subscribe { change in print(change.changes.records) }
/// watch.cancel()
/// ```
///
/// The store does not keep it alive.
public final class StoreWatch: Sendable {
  package struct ID: Hashable, Sendable {
    let number: UInt64

    private static let last = Lock<UInt64>(0)

    package static func next() -> ID {
      last.withLock {
        $0 += 1
        return ID(number: $0)
      }
    }
  }

  private let id = ID.next()
  private let registry: WatchRegistry

  /// Registers a watch.
  ///
  /// - Parameters:
  ///   - registry: The watches of a store.
  ///   - toEverything: Whether every write calls `onChange`.
  ///   - subject: The type of the data that is watched, for tools that show the watch.
  ///   - onSessionEnd: Called when the session of a user ends.
  ///   - onChange: Called after each write that changes what the watch depends on.
  package init(
    _ registry: WatchRegistry, toEverything: Bool, subject: Any.Type? = nil,
    onSessionEnd: (@Sendable (SessionEnd) -> Void)? = nil,
    onChange: @escaping @Sendable (StoreChange) -> Void
  ) {
    self.registry = registry
    registry.add(
      id, toEverything: toEverything, subject: subject, onSessionEnd: onSessionEnd,
      onChange: onChange)
  }

  /// Watches the data of a reading from now on, in place of the reading before.
  ///
  /// - Returns: `true` if the reading is still current. If `false`, the data changed between
  ///   reading and watching, and the callback was not called: read again.
  public func depend(on reading: ReadingTrace) -> Bool {
    registry.setDependencies(reading, of: id)
  }

  /// Watches everything until the next call of ``depend(on:)``, because a reading failed and its
  /// dependencies are unknown.
  ///
  /// - Parameter generation: The generation at which the reading started.
  /// - Returns: `true` if nothing was written since. If `false`, the callback was not called: read
  ///   again.
  package func dependOnEverything(since generation: Generation) -> Bool {
    registry.dependOnEverything(id, since: generation)
  }

  /// Ends the registration. A callback that is running on another thread may still finish.
  public func cancel() {
    registry.remove(id)
  }

  deinit {
    cancel()
  }
}

/// The dependencies of a result and the time at which it was read, for ``StoreWatch/depend(on:)``.
public struct ReadingTrace: Sendable {
  /// The fields that were read, including those that were missing.
  package internal(set) var dependencies: Dependencies
  package var generation: Generation
  /// The cache's own count of commits, if it counts them. It tells two readings of one generation
  /// apart between a commit of another store and its notification.
  package var version: UInt64?
  /// The relation of a response to the cache. `written` for a reading.
  package var standing = ResponseStanding.written
  /// `true` for a response that was not written. The standing is that of the moment then.
  package var isUnwritten = false

  /// The fields that were read, including those that were missing.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  public var dependentKeys: Set<FieldAddress> { dependencies.addresses }

  package init(
    dependencies: Dependencies, generation: Generation, version: UInt64? = nil,
    standing: ResponseStanding = .written
  ) {
    self.dependencies = dependencies
    self.generation = generation
    self.version = version
    self.standing = standing
  }

  /// The state of the cache that was read.
  package var moment: ReadingMoment { ReadingMoment(generation: generation, version: version) }
}

/// A state of the cache, as far as a store can tell it from others.
package struct ReadingMoment: Sendable {
  fileprivate let generation: Generation
  fileprivate let version: UInt64?

  /// Returns whether this state is earlier than another one.
  package func isBefore(_ other: ReadingMoment) -> Bool {
    if generation != other.generation { return generation < other.generation }
    guard let version, let otherVersion = other.version else { return false }
    return version < otherVersion
  }
}
