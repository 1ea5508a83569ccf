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
    let (generation, version) = registry.counts
    let selection = SelectionKey(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: operation.__variables)
    // The versions differ while a write is being recorded, and after a write without this store.
    if records.version == version,
      let (object, trace) = results.result(
        of: selection, at: generation, changesSince: registry.changes(since:))
    {
      return CacheReading(
        data: Operation.Data(__object: object), misses: [], errors: [], trace: trace)
    }
    let (plan, recycle) = plans.take(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: operation.__variables,
      key: selection)
    defer { recycle() }
    let request = ReadRequest(
      key: .root(of: operation), plan: plan, servesFailures: servesFailures)
    let snapshot = try records.openSnapshot()
    guard snapshot.isStable else { return try await readExclusively(request) }
    let reading = CacheReading<Operation.Data>(
      try await snapshot.readAsynchronously(request), generation: generation)
    if snapshot.version == version, reading.errors.isEmpty, let data = reading.data {
      results.remember(data.__object, reading.trace, of: selection)
    }
    return reading
  }

  /// Reads from a cache without stable snapshots, and lets no writer in meanwhile.
  private nonisolated(nonsending) func readExclusively<Data: RootSelectionSet>(
    _ request: ReadRequest
  ) async throws -> CacheReading<Data> {
    try await writers.enter()
    defer { writers.leave() }
    let generation = registry.generation
    return CacheReading(
      try await records.openSnapshot().readAsynchronously(request), generation: generation)
  }
}
