internal import ApolloAPI

/// The transactions of the current task. A store is known by its identity.
enum ActiveTransactions {
  typealias Store = any AnyObject & Sendable

  /// One transaction of a task. Tasks that its body starts inherit the scope, and may outlive the
  /// transaction: the scope is closed then.
  private final class Scope: Sendable {
    let store: Store
    let isExclusive: Bool
    let outer: Scope?
    private let isOpen = Lock(true)
    /// The task that began the transaction, which runs its body.
    private let task = CurrentTask.identity

    init(_ store: Store, isExclusive: Bool, outer: Scope?) {
      self.store = store
      self.isExclusive = isExclusive
      self.outer = outer
    }

    func close() {
      isOpen.withLock { $0 = false }
    }

    func isOpen(on store: Store) -> Bool {
      self.store === store && isOpen.withLock { $0 }
    }

    /// Indicates whether the current task runs the body. Other tasks with this scope were started
    /// by the body.
    var isOfCurrentTask: Bool { task == CurrentTask.identity }

    /// The nearest open scope: this one or one around it. Skipping closed scopes keeps a chain of
    /// tasks, each started by the one before, from keeping all their transactions alive.
    var nearestOpen: Scope? {
      var scope: Scope? = self
      while let current = scope, !current.isOpen.withLock({ $0 }) { scope = current.outer }
      return scope
    }
  }

  @TaskLocal private static var innermost: Scope?

  /// Refuses a reading that waits for nothing, if it is a part of the body of a transaction.
  ///
  /// A task that the body starts may read: it sees the records as they were before the transaction.
  /// Otherwise it would depend on chance whether the task runs before the transaction ends.
  static func refuseReading(of store: Store) throws(StoreError) {
    if isInside(of: store, where: \.isOfCurrentTask) { throw .reentrantTransaction }
  }

  static func refuseReentry(into store: Store) throws(StoreError) {
    if isInside(of: store, where: { _ in true }) { throw .reentrantTransaction }
  }

  /// Returns whether the current task is inside of a transaction that keeps others from writing to
  /// `store`.
  static func isInsideOfExclusive(on store: Store) -> Bool {
    isInside(of: store, where: \.isExclusive)
  }

  private static func isInside(of store: Store, where condition: (Scope) -> Bool) -> Bool {
    var scope = innermost
    while let current = scope {
      if current.isOpen(on: store), condition(current) { return true }
      scope = current.outer
    }
    return false
  }

  /// Runs the body of a transaction on `store`.
  ///
  /// An exclusive transaction keeps others from writing until it ends.
  nonisolated(nonsending) static func within<Result>(
    _ store: Store, isExclusive: Bool, _ body: () async throws -> Result
  ) async throws -> Result {
    let scope = Scope(store, isExclusive: isExclusive, outer: innermost?.nearestOpen)
    defer { scope.close() }
    return try await $innermost.withValue(scope) { try await body() }
  }

  /// Runs `body` as if outside of all transactions. The work of tasks that it starts takes effect
  /// after the transaction, and is not refused as a part of it.
  static func outside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try $innermost.withValue(nil) { try body() }
  }
}

private enum CurrentTask {
  /// The identity of the current task among those that exist.
  static var identity: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

extension ApolloStore {
  /// Checks that the current task is outside of all transactions on this store.
  ///
  /// - Throws: ``StoreError`` with the code ``StoreError/Code/reentrantTransaction``.
  package func checkIsOutsideOfTransactions() throws(StoreError) {
    try ActiveTransactions.refuseReentry(into: self)
  }

  /// Indicates whether the current task is inside of a transaction on this store that keeps others
  /// from writing. Waiting there for another write never ends.
  package var isKeptFromWriting: Bool { ActiveTransactions.isInsideOfExclusive(on: self) }

  /// Starts a task that belongs to no transaction. A call that is not awaited runs in such a task,
  /// and so takes effect after the transaction in which it is made.
  package static func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    ActiveTransactions.outside { Task { await work() } }
  }
}
