public import Foundation

/// The report of one write to a store.
///
/// ```swift
/// let watch = store.subscribe { change in
///   print(change.changes.records.count, "records changed")
/// }
/// ```
public struct StoreChange: Sendable {
  /// The changes of the write.
  public var changes: ChangeSet
  /// The origin that the write was given, by which a watcher recognizes its own writes.
  public var origin: ChangeOrigin?
}

/// The origin of a write. Each new value is different from all others.
public struct ChangeOrigin: Hashable, Sendable {
  /// The identifier of the origin outside of the store, such as the `contextIdentifier` of a call.
  public let identifier: UUID

  /// The number of consecutive fetches that led to the write, each made only because the one before
  /// it evicted data of a watcher. 0 for the writes of a program.
  package let refetchCount: Int

  /// Creates an origin that is different from all others.
  public init() { self.init(UUID()) }

  /// Creates the origin with this identifier.
  public init(_ identifier: UUID) { self.init(identifier, refetchCount: 0) }

  private init(_ identifier: UUID, refetchCount: Int) {
    self.identifier = identifier
    self.refetchCount = refetchCount
  }

  /// Returns the same origin with another number of fetches.
  package func after(refetchCount: Int) -> ChangeOrigin {
    ChangeOrigin(identifier, refetchCount: refetchCount)
  }

  /// Returns whether both have the same identifier.
  public static func == (left: ChangeOrigin, right: ChangeOrigin) -> Bool {
    left.identifier == right.identifier
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
