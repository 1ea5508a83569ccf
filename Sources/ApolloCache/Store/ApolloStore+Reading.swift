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
    try await load(operation, servesFailures: servesFailures, demanding: FreshnessDemand())
  }

  /// Reads the data of an operation, and says what happens to data that has exceeded its maximum
  /// age.
  ///
  /// ```swift
  /// let reading = try await store.load(HeroQuery(), ttlEnforcement: .permissive)
  /// if reading.freshness?.containsStaleFields == true { print("This may be outdated.") }
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The operation, with its variables.
  ///   - servesFailures: Whether a field that failed on the server reads as `null`, with its error
  ///     in ``CacheReading/errors``. Otherwise it is a miss.
  ///   - ttlEnforcement: Whether a field that has exceeded its maximum age is a miss.
  /// - Returns: The data, or the misses.
  /// - Throws: The errors of the cache, and ``StoreError`` inside of a transaction.
  public nonisolated(nonsending) func load<Operation: GraphQLOperation>(
    _ operation: Operation, servesFailures: Bool = false, ttlEnforcement: TTLEnforcement
  ) async throws -> CacheReading<Operation.Data> {
    try await load(
      operation, servesFailures: servesFailures, demanding: FreshnessDemand(ttlEnforcement))
  }

  /// Reads the data of an operation that is as fresh as demanded.
  ///
  /// With `keepsPartialData`, a miss at a place that may be null leaves it `nil`: the reading can
  /// have both data and misses. With `readsPagesAlone`, no list has the pages that follow. With
  /// `pages`, those of earlier readings that have not changed are not read again.
  package nonisolated(nonsending) func load<Operation: GraphQLOperation>(
    _ operation: Operation, servesFailures: Bool = false, keepsPartialData: Bool = false,
    readsPagesAlone: Bool = false, takingOver pages: PageMemory? = nil,
    demanding demand: FreshnessDemand
  ) async throws -> CacheReading<Operation.Data> {
    try ActiveTransactions.refuseReading(of: self)
    let selection = OperationSelection(
      operation, servesFailures: servesFailures, keepsPartialData: keepsPartialData,
      readsPagesAlone: readsPagesAlone)
    let event = Operation.operationType == .subscription ? try latestEvent(selection.key) : nil
    // Taken before the records, so that no field counts as newer than it is.
    var ledger = currentLedger(for: selection.schema)
    if let event {
      let reading = try await withinReadTransaction {
        try $0.reading(event: event.root, of: operation)
      }
      return checked(reading, ofEvent: event.facts, selection, ledger, demand)
    }
    if let current = currentReading(of: operation, selection, ledger, demand) { return current }
    if let (result, generation, version) = try readAtOnce(selection, &ledger, takingOver: pages) {
      uses?.note(reading: result.dependencies)
      let reading = CacheReading<Operation.Data>(result, generation: generation, version: version)
      return checked(
        reading, result.object, missing: result.misses, failed: result.failedFields,
        of: selection, ledger, demand)
    }
    let (result, generation, version) = try await readWaiting(selection, &ledger)
    uses?.note(reading: result.dependencies)
    let reading = CacheReading<Operation.Data>(result, generation: generation, version: version)
    return checked(
      reading, result.object, missing: result.misses, failed: result.failedFields, of: selection,
      ledger, demand)
  }

  /// Returns the data of a query or a mutation if an earlier reading of it is still current, and
  /// `nil` otherwise. Waits for nothing.
  package func currentReading<Operation: GraphQLOperation>(
    of operation: Operation, servesFailures: Bool, demanding demand: FreshnessDemand
  ) throws -> CacheReading<Operation.Data>? {
    try ActiveTransactions.refuseReading(of: self)
    let selection = OperationSelection(operation, servesFailures: servesFailures)
    return currentReading(of: operation, selection, currentLedger(for: selection.schema), demand)
  }

  private func currentReading<Operation: GraphQLOperation>(
    of operation: Operation, _ selection: OperationSelection, _ ledger: LedgerSnapshot?,
    _ demand: FreshnessDemand
  ) -> CacheReading<Operation.Data>? {
    guard let current = currentResult(of: selection, ledger) else { return nil }
    uses?.note(reading: current.trace.dependencies)
    var errors: [GraphQLError]?
    // A null that the operation does not allow is found again, as a miss.
    guard
      let object = try? current.object.containingFieldErrors(in: Operation.Data.__layout, &errors)
    else { return nil }
    let reading = CacheReading(
      data: Operation.Data(__object: object), misses: [], errors: errors ?? [],
      trace: current.trace)
    return checked(
      reading, current.object, of: selection, ledger, demand, knownReport: current.report)
  }

  // The steps of `load` are not generic: every generic type that one of them named would be looked
  // up at each call, which takes longer than the rest of a reading that is still current.

  /// Returns the root fields of the latest event of a subscription and the facts about it, unless
  /// others have committed since.
  private func latestEvent(
    _ key: SelectionKey
  ) throws -> (root: FieldMap, facts: WriteFacts?)? {
    try forgetEventsOfOthers()
    return events.event(of: key)
  }

  /// Forgets the latest events if others have committed, who may have cleared the cache.
  func forgetEventsOfOthers() throws {
    guard records.hasForeignWriters, let count = try records.foreignCommitCount() else { return }
    events.noteForeignCommits(count)
  }

  /// Returns an earlier result of a selection, if that is still current.
  private func currentResult(
    of selection: OperationSelection, _ ledger: LedgerSnapshot?
  ) -> ResultCache.Current? {
    // Layers that are shown or removed have no version. Asked first: what is recorded later was not
    // visible before this reading.
    guard layers.areRecorded, !selection.readsPagesAlone else { return nil }
    let (generation, version) = registry.counts
    // The versions differ while a write is being recorded, and after a write without this store.
    guard let recordsVersion = records.version else { return nil }
    guard recordsVersion == version else {
      // A layer changes what is read at a version.
      guard layers.isIdle,
        let result = results.result(
          of: selection.key, readAt: recordsVersion, currentAt: generation)
      else { return nil }
      // Otherwise the cache is asked for the writes of the fields.
      let isAgeKnown = ledger.map { $0.ledger.version == result.report?.version } ?? true
      return isAgeKnown ? result : nil
    }
    return results.result(
      of: selection.key, at: generation, version: version,
      changesSince: { registry.changes(since: $0) })
  }

  /// Reads a selection without suspending.
  ///
  /// - Returns: The result, or `nil` if the reading must wait for writers or for records.
  func readAtOnce(
    _ selection: OperationSelection, _ ledger: inout LedgerSnapshot?,
    takingOver pages: PageMemory? = nil
  ) throws -> (ObjectReadResult, Generation, version: UInt64?)? {
    let start = pages.map { _ in recordedState }
    let (generation, version) = registry.counts
    let epoch = layers.isIdle ? layers.epoch : nil
    guard let snapshot = try openVisibleAtOnce(), snapshot.isStable,
      !snapshot.loadsInBatches || snapshot.hasRecordsInMemory
    else { return nil }
    let (plan, recycle) = selection.plan(from: plans)
    defer { recycle() }
    var request = selection.request(plan)
    var round = 0
    if let pages, let start, hasRecorded(snapshot, since: start) {
      (request.reuse, round) = pages.take(at: generation, start.foreignCommitCount) {
        registry.changes(since: $0)
      }
    }
    guard let result = try snapshot.readIfLoaded(request) else { return nil }
    if let pages, let reuse = request.reuse, let start {
      pages.keep(reuse, of: result, readAt: generation, start.foreignCommitCount, in: round)
    }
    try addKeptWrites(of: result, for: selection, in: snapshot, to: &ledger)
    // At another version, it is current as long as that is the one of the records.
    let isKnown = snapshot.version == version || layers.isIdle && layers.epoch == epoch
    if let version = snapshot.version, isKnown, !selection.readsPagesAlone,
      result.errors.isEmpty, result.misses.isEmpty, let object = result.object
    {
      results.remember(
        object,
        ReadingTrace(
          dependencies: result.dependencies, generation: generation, version: version),
        of: selection.key)
    }
    return (result, generation, snapshot.version)
  }

  /// Reads level by level. Lets no writer in meanwhile if the cache has no stable snapshots.
  nonisolated(nonsending) func readWaiting(
    _ selection: OperationSelection, _ ledger: inout LedgerSnapshot?
  ) async throws -> (ObjectReadResult, Generation, version: UInt64?) {
    let (plan, recycle) = selection.plan(from: plans)
    defer { recycle() }
    let request = selection.request(plan)
    let generation = registry.generation
    let snapshot = try await openVisibleWaiting()
    if snapshot.isStable {
      let result = try await snapshot.readAsynchronously(request)
      try addKeptWrites(of: result, for: selection, in: snapshot, to: &ledger)
      return (result, generation, snapshot.version)
    }
    try ActiveTransactions.refuseReentry(into: self)
    try await writers.enter()
    defer { writers.leave() }
    let current = registry.generation
    let newest = try openVisibleAsWriter()
    return (try await newest.readAsynchronously(request), current, newest.version)
  }
}

/// The selection of an operation with the values of its variables, independent of its type.
struct OperationSelection {
  let key: SelectionKey
  let schema: any SchemaMetadata.Type
  private let layout: SelectionLayout
  private let variables: Variables?
  private let root: RecordKey
  private let servesFailures: Bool
  private let keepsPartialData: Bool
  private let keepsGaps: Bool
  /// Indicates whether the pages of merged lists are read alone. Such results are not remembered.
  let readsPagesAlone: Bool

  init<Operation: GraphQLOperation>(
    _ operation: Operation, servesFailures: Bool, keepsPartialData: Bool = false,
    keepsGaps: Bool = false, readsPagesAlone: Bool = false
  ) {
    self.readsPagesAlone = readsPagesAlone
    self.keepsGaps = keepsGaps
    self.keepsPartialData = keepsPartialData
    layout = Operation.Data.__layout
    schema = Operation.Data.Schema.self
    variables = operation.__variables
    key = SelectionKey(layout, schema: schema, variables: variables)
    root = .root(of: Operation.operationType)
    self.servesFailures = servesFailures
  }

  /// The position of the root object.
  var rootPosition: ObjectPosition {
    layout.plan(schema: schema, variables: variables).position(showing: layout)
  }

  /// Takes the plan of the selection.
  func plan(from plans: NormalizationPlanPool) -> (NormalizationPlan, recycle: () -> Void) {
    plans.take(layout, schema: schema, variables: variables, key: key)
  }

  func request(_ plan: NormalizationPlan) -> ReadRequest {
    ReadRequest(
      key: root, plan: plan, servesFailures: servesFailures, keepsPartialData: keepsPartialData,
      keepsGaps: keepsGaps, readsPagesAlone: readsPagesAlone)
  }
}
