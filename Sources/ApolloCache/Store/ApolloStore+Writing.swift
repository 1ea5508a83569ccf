package import ApolloAPI

// MARK: - Responses

extension ApolloStore {
  /// Creates the observer that turns one response to `operation`, or to a part of it, into records.
  package func normalizer<Operation: GraphQLOperation>(
    for operation: Operation, part: SelectionLayout? = nil
  ) -> ResponseNormalizer {
    let layout = part ?? Operation.Data.__layout
    let key = SelectionKey(
      layout, schema: Operation.Data.Schema.self, variables: operation.__variables)
    let (plan, recycle) = plans.take(
      layout, schema: Operation.Data.Schema.self, variables: operation.__variables, key: key)
    return ResponseNormalizer(
      plan, key: .root(of: operation), keepsRoot: Operation.operationType == .query,
      eventKey: Operation.operationType == .subscription ? key : nil, records: records,
      receipt: freshness.isTracked(for: Operation.Data.Schema.self)
        ? ResponseReceipt(selection: key, operationName: Operation.operationName) : nil,
      listEdits: operation.listEdits, recycle: recycle)
  }

  /// Merges the records of a response that was decoded with ``normalizer(for:)``.
  ///
  /// - Parameters:
  ///   - response: The records.
  ///   - origin: The origin of the write, which is delivered with the change.
  ///   - position: The position of the response among the optimistic layers.
  ///   - update: The closure that changes other records because of the response.
  /// - Returns: The dependencies of the response.
  /// - Throws: The errors of the cache, `CancellationError`, and ``StoreError`` inside of a
  ///   transaction.
  @discardableResult
  package nonisolated(nonsending) func publish(
    _ response: NormalizedResponse, origin: ChangeOrigin? = nil,
    at position: ResponsePosition = .newest, update: OptimisticUpdate? = nil
  ) async throws -> ReadingTrace {
    try await publish(response, in: nil, origin: origin, at: position, update)
  }

  /// Does the same as ``publish(_:origin:at:update:)``, unless it had to wait for another writer.
  ///
  /// - Returns: The dependencies of the response, or `nil` if another writer is writing. Nothing is
  ///   written then.
  package nonisolated(nonsending) func publishAtOnce(
    _ response: NormalizedResponse, origin: ChangeOrigin? = nil,
    at position: ResponsePosition = .newest, update: OptimisticUpdate? = nil
  ) async throws -> ReadingTrace? {
    try ActiveTransactions.refuseReentry(into: self)
    guard let context = try beginWritingAtOnce() else { return nil }
    return try await publish(response, in: context, origin: origin, at: position, update)
  }

  /// Does the same in a write that has begun, or in one that waits for its turn.
  ///
  /// Not inlined: each of its callers would have a copy of all parts of the write.
  @inline(never)
  private nonisolated(nonsending) func publish(
    _ response: NormalizedResponse, in context: sending (any WriteContext)?, origin: ChangeOrigin?,
    at position: ResponsePosition, _ update: OptimisticUpdate?
  ) async throws -> ReadingTrace {
    let response = response.known(to: siblings.order)
    // Before the commit, so that a trimming in between does not take the records for unused ones.
    let used = uses?.note(response: response.dependencies)
    // Asked in the first attempt, which settles the layer. A conflict with others repeats it.
    var hasLayer: Bool?
    var position = position
    var earlier: SettledResponse?
    var standing = ResponseStanding.written
    var leftOut = LeftOutValues()
    func pending(in context: any WriteContext) async throws -> (Void, PendingCommit) {
      var remaining = response
      if hasLayer == nil {
        hasLayer = if case .layer(let id) = position { layers.isOptimistic(id) } else { false }
      }
      standing = remaining.removeKnown(
        by: siblings.order, in: identity, hasLayer: hasLayer == true)
      leftOut = remaining.leftOut
      guard standing != .excluded else { return ((), .mutations([])) }
      // In the turn of this write, so that a clearing that follows it forgets the event.
      if let event = response.event {
        try forgetEventsOfOthers()
        events.remember(
          event.root, response.receipt?.facts(at: freshness.currentTime), of: event.selection,
          arrivedAt: response.moment?.number)
      }
      var pending = pendingCommit(of: remaining, at: &position, after: &earlier, update)
      if pending.isUpdating {
        pending = try await updated(pending, in: context)
        leftOut = leftOutValues(of: leftOut, beside: pending)
      }
      return ((), pending)
    }
    let write: CommittedWrite
    do {
      let context = if let context { context } else { try await beginWritingInTurn() }
      write = try await self.write(in: context, origin: origin, pending).write
    } catch {
      await commitSettledIfNeeded()
      throw error
    }
    if let used { uses?.noteCommit(of: used) }
    await commitSettledIfNeeded()
    if !leftOut.records.isEmpty, let position = position.amongRequests {
      var rest = settled(response, nil, at: position)
      rest.moment?.store = identity
      // Readers have seen the response since its write.
      if hasLayer == true {
        rest.moment?.visibility = write.position
      } else {
        rest.moment?.arrival = write.position
      }
      writeIfOthersFail(leftOut, of: rest)
    }
    return ReadingTrace(
      dependencies: response.dependencies, generation: write.generation, version: write.version,
      standing: standing)
  }

  /// `true` if the cache is in memory: reading it waits for nothing, and writing only for other
  /// writers of this process.
  package var isInMemory: Bool { records is InMemoryNormalizedCache }

  /// Returns the dependencies of a response that is not in the cache, because it could not be
  /// written or is not whole, and whether the cache has newer values.
  package func trace(ofUnwritten response: NormalizedResponse) -> ReadingTrace {
    // A write is noted in the order before its generation is known: none is missed in between.
    let generation = registry.generation
    let response = response.known(to: siblings.order)
    var trace = ReadingTrace(
      dependencies: response.dependencies, generation: generation,
      standing: response.standing(in: siblings.order, of: identity))
    trace.isUnwritten = true
    return trace
  }
}

// MARK: - Records

extension ApolloStore {
  /// Merges records, all or none, and notifies the watches that the changes concern.
  ///
  /// - Parameters:
  ///   - records: The records, in the order in which to merge them.
  ///   - origin: The origin of the write, which is delivered with the change.
  /// - Returns: The changes.
  /// - Throws: The errors of the cache, ``StoreError/Code/reentrantTransaction`` inside of a
  ///   transaction on the same store, and `CancellationError` if the task is cancelled before its
  ///   turn.
  @discardableResult
  public nonisolated(nonsending) func publish(
    _ records: RecordSet, origin: ChangeOrigin? = nil
  ) async throws -> ChangeSet {
    try await commit([.merge(records)], origin: origin)
  }

  /// Removes one record, and notifies the watches of its fields. References to it become misses.
  ///
  /// - Parameter key: The key of the record. A key without a record changes nothing.
  /// - Throws: The errors of the cache, ``StoreError/Code/reentrantTransaction`` inside of a
  ///   transaction on the same store, and `CancellationError` if the task is cancelled before its
  ///   turn.
  public nonisolated(nonsending) func removeObject(for key: RecordKey) async throws {
    _ = try await commit([.remove(key)])
  }

  /// Removes every record whose key contains `pattern`, ignoring the case of ASCII letters.
  ///
  /// - Parameter pattern: A part of the keys, such as `human:`. An empty text matches nothing.
  /// - Throws: The errors of the cache, ``StoreError/Code/reentrantTransaction`` inside of a
  ///   transaction on the same store, and `CancellationError` if the task is cancelled before its
  ///   turn.
  public nonisolated(nonsending) func removeObjects(matching pattern: String) async throws {
    _ = try await commit(pattern.isEmpty ? [] : [.removeMatching(pattern)])
  }

  /// Removes records because they have changed elsewhere, such as at the service, which a webhook
  /// has reported.
  ///
  /// ```swift
  /// try await store.invalidate(["Product:7", "Product:8"])
  /// ```
  ///
  /// Watches that show them fetch again. With a cache that machines share, this applies to all of
  /// them.
  ///
  /// - Parameter keys: The keys of the records. Keys without a record are ignored.
  /// - Throws: The errors of the cache, ``StoreError/Code/reentrantTransaction`` inside of a
  ///   transaction on the same store, and `CancellationError` if the task is cancelled before its
  ///   turn.
  public nonisolated(nonsending) func invalidate(_ keys: some Sequence<RecordKey>) async throws {
    _ = try await commit(keys.map(CacheMutation.remove))
  }

  /// Removes every record, and notifies every watch.
  ///
  /// This includes what earlier calls with callbacks write, for which it waits.
  ///
  /// - Throws: The errors of the cache, ``StoreError/Code/reentrantTransaction`` inside of a
  ///   transaction on the same store, and `CancellationError` if the task is cancelled before its
  ///   turn.
  public nonisolated(nonsending) func clearCache() async throws {
    // First, because a write that it would wait for may have to wait for this transaction.
    try ActiveTransactions.refuseReentry(into: self)
    let number = siblings.order.askForClearing()
    try await calls.waitForWrites()
    try await clearCache(askedAt: number)
  }

  /// Removes every record. Responses of requests that were sent before `number` are not written any
  /// more.
  nonisolated(nonsending) func clearCache(askedAt number: UInt64) async throws {
    _ = try await write(origin: nil) { _ in .clearing(askedAt: number) }
    registry.noteClearing()
  }

  private nonisolated(nonsending) func commit(
    _ mutations: [CacheMutation], origin: ChangeOrigin? = nil
  ) async throws -> ChangeSet {
    try await write(origin: origin) { _ in .mutations(mutations) }.changes
  }
}

// MARK: - One writer at a time

/// The changes that the body of a write asks to be committed.
enum PendingCommit {
  case mutations([CacheMutation])
  /// The removal of all records, which the program has asked for at this position in the order of
  /// requests.
  case clearing(askedAt: UInt64)
  /// A response, and its place among the layers if there are any.
  case response(NormalizedResponse, at: ResponsePosition? = nil)
  /// A response whose closure has not run yet.
  case updating(SettledResponse)
  /// A response, and all changes to commit: its records, with what its closure changes, or the
  /// error of the closure.
  case updated(SettledResponse, [CacheMutation], failure: (any Error)? = nil)
  /// Fields that count as unknown afterwards.
  case removals([RecordKey: Set<FieldKey>])
  /// The removal of records that only saves space. It makes no response under way older.
  case collected([CacheMutation])

  /// Indicates whether closures have to run before the commit.
  fileprivate var isUpdating: Bool { if case .updating = self { true } else { false } }

  /// The keys of the records that a commit merges.
  var writtenKeys: [RecordKey] {
    switch self {
    case .response(let response, _): response.recordKeys
    case .updated(_, let mutations, _), .mutations(let mutations):
      mutations.flatMap { mutation -> [RecordKey] in
        guard case .merge(let records) = mutation else { return [] }
        return records.map(\.key)
      }
    case .updating, .removals, .collected, .clearing: []
    }
  }

  /// Indicates whether there is nothing to commit.
  var isEmpty: Bool {
    switch self {
    case .mutations(let mutations), .collected(let mutations): mutations.isEmpty
    case .removals(let fields): fields.isEmpty
    case .clearing, .response, .updating, .updated: false
    }
  }

  /// Indicates whether all records are removed.
  var clearsCache: Bool {
    switch self {
    case .clearing: true
    case .mutations(let mutations): if case .clear? = mutations.first { true } else { false }
    default: false
    }
  }

  nonisolated(nonsending) func commit(to context: any WriteContext) async throws
    -> Commit
  {
    if isEmpty { return .nothing }
    return switch self {
    case .mutations(let mutations), .collected(let mutations):
      try await context.commit(mutations)
    case .clearing: try await context.commit([.clear])
    case .response(let response, _): try await context.commit(response)
    case .updating: preconditionFailure("The closure of a response runs before its commit.")
    case .updated(_, let mutations, _): try await context.commit(mutations)
    case .removals(let fields): try await context.commit(removing: fields)
    }
  }
}

/// A write that has been committed and recorded.
struct CommittedWrite {
  let changes: ChangeSet
  /// The generation that includes the write.
  let generation: Generation
  /// The cache's own count of commits after the write, if it counts them.
  let version: UInt64?
  /// The position in the order of requests, if one was under way.
  let position: UInt64?
}

extension ApolloStore {
  /// Runs `body` as the only writer, commits the changes that it returns, then notifies the watches
  /// that the commit concerns.
  ///
  /// A commit that fails half way, in a cache that cannot undo it, may have changed anything: every
  /// watch is notified.
  nonisolated(nonsending) func write(
    origin: ChangeOrigin?, _ body: (any WriteContext) async throws -> PendingCommit
  ) async throws -> CommittedWrite {
    try await write(in: try await beginWritingInTurn(), origin: origin) {
      ((), try await body($0))
    }.write
  }

  /// Does the same with a body that returns a result besides its changes.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  nonisolated(nonsending) func resultOfWriting<Result>(
    origin: ChangeOrigin?, _ body: (any WriteContext) async throws -> (Result, PendingCommit)
  ) async throws -> Result {
    try await write(in: try await beginWritingInTurn(), origin: origin, body).result
  }

  /// Waits until no other task writes, and takes the right to write to the cache.
  private nonisolated(nonsending) func beginWritingInTurn() async throws -> sending any WriteContext
  {
    try ActiveTransactions.refuseReentry(into: self)
    let deadline = writeDeadline()
    try await writers.enter()
    do {
      return try await beginWriting(until: deadline)
    } catch {
      writers.leave()
      throw error
    }
  }

  /// One deadline for a write, however many writers wait before it, or `nil` if there is none.
  private func writeDeadline() -> ContinuousClock.Instant? {
    let timeout = records.writeTimeout
    return timeout > .zero ? .now + timeout : nil
  }

  /// Takes the right to write to the cache. The caller is the only writer of this store.
  nonisolated(nonsending) func beginWriting() async throws -> any WriteContext {
    try await beginWriting(until: writeDeadline())
  }

  private nonisolated(nonsending) func beginWriting(
    until deadline: ContinuousClock.Instant?
  ) async throws -> any WriteContext {
    if let free = try records.beginWritingAtOnce() { return free }
    guard let deadline else { return try await records.beginWriting() }
    return try await records.beginWriting(until: deadline)
  }

  /// Becomes the only writer, unless there is another one.
  private func beginWritingAtOnce() throws -> sending (any WriteContext)? {
    guard try writers.enterAtOnce() else { return nil }
    do {
      if let context = try records.beginWritingAtOnce() { return context }
    } catch {
      writers.leave()
      throw error
    }
    writers.leave()
    return nil
  }

  /// Runs `body` in a write that has begun, commits its changes, and ends the turn.
  ///
  /// Returns the result of the attempt that was committed. The function is not specialized: the
  /// compiler would copy all of its parts for each type of results and for each closure.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private nonisolated(nonsending) func write<Result>(
    in context: sending any WriteContext, origin: ChangeOrigin?,
    _ body: (any WriteContext) async throws -> (Result, PendingCommit)
  ) async throws -> (result: Result, write: CommittedWrite) {
    var result: Result
    let pending: PendingCommit
    do {
      (result, pending) = try await body(context)
    } catch {
      context.end()
      // A response whose closure cannot run has left its layer.
      if layers.isOutdated { await endTurn() } else { writers.leave() }
      throw error
    }
    layers.begin()
    let number = beginCommit()
    let record: Swift.Result<CommitRecord, any Error>
    do {
      // Without a commit, they would be lost: a record is noted once in a period.
      if !pending.isEmpty { try noteUses(in: context) }
      record = .success(
        try await commitRepeatedly(pending, in: context, origin: origin) {
          let pending: PendingCommit
          (result, pending) = try await body(context)
          return pending
        })
    } catch {
      record = .failure(error)
    }
    var followed = follow(record, from: origin)
    followed.number = number
    context.end()
    let recorded = await endTurn(followed, from: origin)
    let position = try record.get().position
    return (
      result,
      CommittedWrite(
        changes: followed.commit.changes, generation: recorded.generation,
        version: followed.commit.version, position: position)
    )
  }

  /// Commits changes, and those that `again` returns as long as others commit in between.
  nonisolated(nonsending) func commitRepeatedly(
    _ pending: PendingCommit, in context: any WriteContext, origin: ChangeOrigin? = nil,
    again: () async throws -> PendingCommit
  ) async throws -> CommitRecord {
    let order = siblings.order
    // Before the commit: what is sent from now on may see it.
    let position = order.beginWrite()
    var pending = pending
    var conflictCount = 0
    while true {
      do {
        if order.isShared { prepare(pending, at: position, in: context) }
        let write = try pendingWrite(of: pending)
        let number = try write.flatMap { try context.begin($0) }
        let commit = try await pending.commit(to: context)
        return CommitRecord(
          pending: pending, commit: commit, write: write, writeID: number, position: position,
          origin: origin)
      } catch let conflict as CommitConflict {
        conflictCount += 1
        // Others go on to count it until the next attempt takes its place. But a clearing would
        // exclude its own response.
        if let position, context.mayHaveCommitted || pending.clearing(at: position) != nil {
          order.end(position, wasCommitted: context.mayHaveCommitted)
        }
        do {
          guard conflictCount < Self.mostConflicts else { throw conflict }
          pending = try await again()
        } catch {
          if let position { order.withdraw(position) }
          throw error
        }
      } catch {
        if let position { order.end(position, wasCommitted: context.mayHaveCommitted) }
        throw error
      }
    }
  }

  /// Lets a cache that keeps uses know a sample of the latest ones.
  private func noteUses(in context: any WriteContext) throws {
    guard let uses, context.keepsUses else { return }
    let time = Int64(freshness.currentTime)
    let sample = uses.takeSample(at: time)
    if !sample.isEmpty { try context.note(uses: sample, at: time) }
  }

  /// Lets the other writers of an order that several caches share know of a write, and lets the
  /// commit find out whether one of them has been faster with newer data.
  private func prepare(
    _ pending: PendingCommit, at position: UInt64?, in context: any WriteContext
  ) {
    let order = siblings.order
    if let position {
      order.expect(
        pending.writes(at: position), clearing: pending.clearing(at: position), at: position)
    }
    let check = pending.check
    context.require {
      check.map { order.isCurrent($0, $1, at: position) } ?? true
    } othersWrite: {
      order.expectsOthers(than: position)
    }
  }

  /// The number of conflicts with others after which a write gives up.
  private static var mostConflicts: Int { 256 }

  /// Notifies the watches that a change concerns, and releases the objects of earlier readings if
  /// none of them is current.
  ///
  /// `mayHaveCleared`: Whether all records of the cache may have been removed. The latest events go
  /// with them, but not with what a layer hides from readers.
  func notify(_ recorded: RecordedCommit, origin: ChangeOrigin?, mayHaveCleared: Bool) {
    if recorded.changes.includesEverything { results.removeAll() }
    if mayHaveCleared { events.removeAll() }
    let change = StoreChange(changes: recorded.changes, origin: origin)
    for notify in recorded.callbacks { notify(change) }
  }
}
