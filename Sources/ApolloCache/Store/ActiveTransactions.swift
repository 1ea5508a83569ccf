internal import ApolloAPI

/// The transactions that the current task is in.
enum ActiveTransactions {
  /// Tasks that a body starts inherit this, but may outlive the transaction: then it is no longer
  /// open.
  private final class Scope: Sendable {
    let store: ApolloStore
    let isExclusive: Bool
    let outer: Scope?
    private let isOpen = Lock(true)

    init(_ store: ApolloStore, isExclusive: Bool, outer: Scope?) {
      self.store = store
      self.isExclusive = isExclusive
      self.outer = outer
    }

    func close() {
      isOpen.withLock { $0 = false }
    }

    func isOpen(on store: ApolloStore) -> Bool {
      self.store === store && isOpen.withLock { $0 }
    }

    /// This scope or the nearest one around it that is open, so that a task that a task started, and
    /// so on, does not remember all transactions that there were.
    var nearestOpen: Scope? {
      var scope: Scope? = self
      while let current = scope, !current.isOpen.withLock({ $0 }) { scope = current.outer }
      return scope
    }
  }

  @TaskLocal private static var innermost: Scope?

  static func refuseReentry(into store: ApolloStore) throws(StoreError) {
    if isInside(of: store, where: { _ in true }) { throw .reentrantTransaction }
  }

  /// Whether the current task is in a transaction on a store that keeps all others from writing.
  static func isInsideOfExclusive(on store: ApolloStore) -> Bool {
    isInside(of: store, where: \.isExclusive)
  }

  private static func isInside(of store: ApolloStore, where condition: (Scope) -> Bool) -> Bool {
    var scope = innermost
    while let current = scope {
      if current.isOpen(on: store), condition(current) { return true }
      scope = current.outer
    }
    return false
  }

  /// Runs what is done in a transaction on `store`. If it `isExclusive`, nobody else can write until it ends.
  nonisolated(nonsending) static func within<Result>(
    _ store: ApolloStore, isExclusive: Bool, _ body: () async throws -> Result
  ) async throws -> Result {
    let scope = Scope(store, isExclusive: isExclusive, outer: innermost?.nearestOpen)
    defer { scope.close() }
    return try await $innermost.withValue(scope) { try await body() }
  }

  /// Runs `body` as if outside of all transactions. What tasks do that it begins takes effect after
  /// the transaction that they were begun in, rather than being taken for a part of it.
  static func outside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try $innermost.withValue(nil) { try body() }
  }
}

extension ApolloStore {
  /// Throws if the current task is inside of a transaction on this store.
  ///
  /// - Throws: ``StoreError/reentrantTransaction``
  package func checkIsOutsideOfTransactions() throws(StoreError) {
    try ActiveTransactions.refuseReentry(into: self)
  }

  /// Whether the current task is inside of a transaction on this store that keeps all others from writing: who waits there for what
  /// has yet to be written waits for ever.
  package var isKeptFromWriting: Bool { ActiveTransactions.isInsideOfExclusive(on: self) }

  /// Begins a task that is no part of any transaction, wherever it is begun: a call that nobody
  /// awaits waits for the transaction that it is made in.
  package static func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    ActiveTransactions.outside { Task { await work() } }
  }
}
