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
  ///     in ``CacheReading/errors``. Otherwise it is a miss.
  /// - Returns: The data, or the misses.
  /// - Throws: The errors of the cache, and ``StoreError`` inside of a transaction.
  public nonisolated(nonsending) func load<Operation: GraphQLOperation>(
    _ operation: Operation, servesFailures: Bool = false
  ) async throws -> CacheReading<Operation.Data> {
    try ActiveTransactions.refuseReading(of: self)
    let selection = OperationSelection(operation, servesFailures: servesFailures)
    if Operation.operationType == .subscription, let root = events.root(of: selection.key) {
      return try await withinReadTransaction { try $0.reading(event: root, of: operation) }
    }
    if let (object, trace) = currentResult(of: selection) {
      return CacheReading(
        data: Operation.Data(__object: object), misses: [], errors: [], trace: trace)
    }
    if let (result, generation) = try readAtOnce(selection) {
      return CacheReading(result, generation: generation)
    }
    let (result, generation) = try await readWaiting(selection)
    return CacheReading(result, generation: generation)
  }

  // The steps of `load` are not generic: every generic type that one of them named would be looked
  // up at each call, which takes longer than the rest of a reading that is still current.

  /// Returns an earlier result of a selection, if that is still current.
  private func currentResult(of selection: OperationSelection) -> (ResponseObject, ReadingTrace)? {
    let (generation, version) = registry.counts
    // The versions differ while a write is being recorded, and after a write without this store.
    guard records.version == version else { return nil }
    return results.result(
      of: selection.key, at: generation, changesSince: { registry.changes(since: $0) })
  }

  /// Reads a selection without suspending.
  ///
  /// - Returns: The result, or `nil` if the reading must wait for writers or for records.
  private func readAtOnce(
    _ selection: OperationSelection
  ) throws -> (ObjectReadResult, Generation)? {
    let (generation, version) = registry.counts
    guard let snapshot = try openVisibleAtOnce(), snapshot.isStable,
      !snapshot.loadsInBatches
    else { return nil }
    let (plan, recycle) = selection.plan(from: plans)
    defer { recycle() }
    let result = try snapshot.readLoaded(selection.request(plan))
    if snapshot.version == version, result.errors.isEmpty, let object = result.object {
      results.remember(
        object, ReadingTrace(dependencies: result.dependencies, generation: generation),
        of: selection.key)
    }
    return (result, generation)
  }

  /// Reads level by level. Lets no writer in meanwhile if the cache has no stable snapshots.
  private nonisolated(nonsending) func readWaiting(
    _ selection: OperationSelection
  ) async throws -> (ObjectReadResult, Generation) {
    let (plan, recycle) = selection.plan(from: plans)
    defer { recycle() }
    let request = selection.request(plan)
    let generation = registry.generation
    let snapshot = try await openVisibleWaiting()
    if snapshot.isStable { return (try await snapshot.readAsynchronously(request), generation) }
    try ActiveTransactions.refuseReentry(into: self)
    try await writers.enter()
    defer { writers.leave() }
    let current = registry.generation
    return (try await openVisibleAsWriter().readAsynchronously(request), current)
  }
}

/// The selection of an operation with the values of its variables, independent of its type.
private struct OperationSelection {
  let key: SelectionKey
  private let layout: SelectionLayout
  private let schema: any SchemaMetadata.Type
  private let variables: Variables?
  private let root: RecordKey
  private let servesFailures: Bool

  init<Operation: GraphQLOperation>(_ operation: Operation, servesFailures: Bool) {
    layout = Operation.Data.__layout
    schema = Operation.Data.Schema.self
    variables = operation.__variables
    key = SelectionKey(layout, schema: schema, variables: variables)
    root = .root(of: Operation.operationType)
    self.servesFailures = servesFailures
  }

  /// Takes the plan of the selection.
  func plan(from plans: NormalizationPlanPool) -> (NormalizationPlan, recycle: () -> Void) {
    plans.take(layout, schema: schema, variables: variables, key: key)
  }

  func request(_ plan: NormalizationPlan) -> ReadRequest {
    ReadRequest(key: root, plan: plan, servesFailures: servesFailures)
  }
}
