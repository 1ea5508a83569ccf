extension ApolloStore {
  /// Runs `body` with a view of the records that does not change meanwhile.
  ///
  /// ```swift
  /// let hero = try await store.withinReadTransaction { try $0.read(query: HeroQuery()).hero }
  /// ```
  ///
  /// - Parameter body: The closure that reads. The transaction ends when it returns.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `body` and of the cache, and ``StoreError`` inside of a transaction.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public nonisolated(nonsending) func withinReadTransaction<Result>(
    _ body: (ReadTransaction) async throws -> Result
  ) async throws -> Result {
    try ActiveTransactions.refuseReading(of: self)
    let generation = registry.generation
    let snapshot = try await openVisibleWaiting()
    if snapshot.isStable {
      return try await read(snapshot, at: generation, isExclusive: false, body)
    }
    try ActiveTransactions.refuseReentry(into: self)
    try await writers.enter()
    defer { writers.leave() }
    return try await read(
      try openVisibleAsWriter(), at: registry.generation, isExclusive: true, body)
  }

  /// Not specialized, like the functions around it: the parts of a transaction would be copied for
  /// each type of results.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private nonisolated(nonsending) func read<Result>(
    _ snapshot: any StoreSnapshot, at generation: Generation, isExclusive: Bool,
    _ body: (ReadTransaction) async throws -> Result
  ) async throws -> Result {
    try await repeating(whileLoading: snapshot) {
      let transaction = ReadTransaction(snapshot, generation: generation, plans: plans)
      defer { transaction.end() }
      return try await ActiveTransactions.within(self, isExclusive: isExclusive) {
        try await body(transaction)
      }
    }
  }

  /// Runs a body again for as long as it asks for records that are not loaded. So the body of a
  /// transaction reads synchronously from a cache on another machine. What the body returned or
  /// threw before counts only if all records were loaded.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  nonisolated(nonsending) func repeating<Result>(
    whileLoading snapshot: any StoreSnapshot, _ body: () async throws -> Result
  ) async throws -> Result {
    while true {
      let result: Swift.Result<Result, any Error>
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      // A body may ignore the error of a reading, or throw one of its own instead.
      if try await !snapshot.loadRequested() { return try result.get() }
    }
  }

  /// Runs `body` as the only writer. Its changes become visible together when it returns. If it
  /// throws, nothing changes.
  ///
  /// ```swift
  /// try await store.withinReadWriteTransaction { transaction in
  ///   try transaction.removeObject(for: "Droid:2001")
  ///   try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
  /// }
  /// ```
  ///
  /// Work that the body starts without awaiting it, such as a call with a callback, takes effect
  /// after the transaction. A body that waits for such a callback never ends. A task that the body
  /// starts may read, and sees the records as they were before the transaction. It may write when
  /// the transaction has ended.
  ///
  /// With a cache on another machine, the body may run more than once: when records that it reads
  /// have to be loaded first, and when another process has changed what it has read.
  ///
  /// - Parameters:
  ///   - origin: The origin of the write, which is delivered with the change.
  ///   - body: The closure that reads and writes. The transaction ends when it returns.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `body` and of the cache; `CancellationError` if the task is cancelled
  ///   before its turn; ``StoreError`` inside of a transaction.
  public nonisolated(nonsending) func withinReadWriteTransaction<Result>(
    origin: ChangeOrigin? = nil,
    _ body: (ReadWriteTransaction) async throws -> Result
  ) async throws -> Result {
    try await resultOfWriting(origin: origin) { context async throws in
      let snapshot = try context.snapshot()
      return try await repeating(whileLoading: snapshot) {
        let transaction = ReadWriteTransaction(
          snapshot, generation: registry.generation, plans: plans)
        defer { transaction.end() }
        let result = try await ActiveTransactions.within(self, isExclusive: true) {
          try await body(transaction)
        }
        return (result, .mutations(transaction.overlay.mutations))
      }
    }
  }
}
