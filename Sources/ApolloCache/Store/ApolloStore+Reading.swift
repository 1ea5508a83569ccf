public import ApolloAPI

extension ApolloStore {
  /// Reads the data of an operation.
  ///
  /// ```swift
  /// let reading = try await store.load(HeroQuery())
  /// if let hero = reading.data?.hero { print(hero.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The operation, with its variables.
  ///   - servesFailures: Whether a field that failed on the server reads as `null`, with its error
  ///   in
  ///     ``CacheReading/errors``. Otherwise it is a miss.
  /// - Returns: The data, or the misses.
  /// - Throws: The errors of the cache, and ``StoreError`` inside of a transaction.
  public nonisolated(nonsending) func load<Operation: GraphQLOperation>(
    _ operation: Operation, servesFailures: Bool = false
  ) async throws -> CacheReading<Operation.Data> {
    try ActiveTransactions.refuseReentry(into: self)
    let selection = SelectionKey(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: operation.__variables)
    if let reading = try readAtOnce(operation, selection, servesFailures: servesFailures) {
      return reading
    }
    return try await readWaiting(operation, selection, servesFailures: servesFailures)
  }

  /// Returns an earlier result that is still current, or reads a new one.
  ///
  /// Separate from the asynchronous reading because it is faster without suspension points.
  ///
  /// - Returns: The reading, or `nil` if it must wait for writers or for records.
  private func readAtOnce<Operation: GraphQLOperation>(
    _ operation: Operation, _ selection: SelectionKey, servesFailures: Bool
  ) throws -> CacheReading<Operation.Data>? {
    let (generation, version) = registry.counts
    // The versions differ while a write is being recorded, and after a write without this store.
    if records.version == version,
      let (object, trace) = results.result(
        of: selection, at: generation, changesSince: registry.changes(since:))
    {
      return CacheReading(
        data: Operation.Data(__object: object), misses: [], errors: [], trace: trace)
    }
    let snapshot = try records.openSnapshot()
    guard snapshot.isStable, !snapshot.loadsInBatches else { return nil }
    let (plan, recycle) = plans.take(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: operation.__variables,
      key: selection)
    defer { recycle() }
    let reading = CacheReading<Operation.Data>(
      try snapshot.readLoaded(
        ReadRequest(key: .root(of: operation), plan: plan, servesFailures: servesFailures)),
      generation: generation)
    if snapshot.version == version, reading.errors.isEmpty, let data = reading.data {
      results.remember(data.__object, reading.trace, of: selection)
    }
    return reading
  }

  /// Reads level by level. Lets no writer in meanwhile if the cache has no stable snapshots.
  private nonisolated(nonsending) func readWaiting<Operation: GraphQLOperation>(
    _ operation: Operation, _ selection: SelectionKey, servesFailures: Bool
  ) async throws -> CacheReading<Operation.Data> {
    let (plan, recycle) = plans.take(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: operation.__variables,
      key: selection)
    defer { recycle() }
    let request = ReadRequest(
      key: .root(of: operation), plan: plan, servesFailures: servesFailures)
    let generation = registry.generation
    let snapshot = try records.openSnapshot()
    if snapshot.isStable {
      return CacheReading(
        try await snapshot.readAsynchronously(request), generation: generation)
    }
    try await writers.enter()
    defer { writers.leave() }
    let current = registry.generation
    return CacheReading(
      try await records.openSnapshot().readAsynchronously(request), generation: current)
  }
}
