package import ApolloAPI

// MARK: - Responses

extension ApolloStore {
  /// Creates the observer that turns one response to `operation` into records.
  package func normalizer<Operation: GraphQLOperation>(for operation: Operation)
    -> ResponseNormalizer
  {
    let key = SelectionKey(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: operation.__variables)
    let (plan, recycle) = plans.take(
      Operation.Data.__layout, schema: Operation.Data.Schema.self,
      variables: operation.__variables, key: key)
    return ResponseNormalizer(
      plan, key: .root(of: operation), keepsRoot: Operation.operationType == .query,
      eventKey: Operation.operationType == .subscription ? key : nil, records: records,
      recycle: recycle)
  }

  /// Merges the records of a response that was decoded with ``normalizer(for:)``.
  ///
  /// - Returns: The dependencies of the response.
  @discardableResult
  package nonisolated(nonsending) func publish(
    _ response: NormalizedResponse, origin: ChangeOrigin? = nil
  ) async throws -> ReadingTrace {
    if let event = response.event { events.remember(event.root, of: event.selection) }
    let write = try await write(origin: origin) { _ in ((), .response(response)) }
    return ReadingTrace(dependencies: response.dependencies, generation: write.generation)
  }

  /// Does the same as ``publish(_:origin:)-(NormalizedResponse,_)``, unless it had to wait for
  /// another writer.
  ///
  /// - Returns: The dependencies of the response, or `nil` if another writer is writing. Nothing is
  ///   written then.
  package nonisolated(nonsending) func publishAtOnce(
    _ response: NormalizedResponse, origin: ChangeOrigin? = nil
  ) async throws -> ReadingTrace? {
    try ActiveTransactions.refuseReentry(into: self)
    guard let context = try beginWritingAtOnce() else { return nil }
    if let event = response.event { events.remember(event.root, of: event.selection) }
    let write = try await write(in: context, origin: origin) { _ in ((), .response(response)) }
    return ReadingTrace(dependencies: response.dependencies, generation: write.generation)
  }

  /// `true` if the cache is in memory: reading it waits for nothing, and writing only for other
  /// writers of this process.
  package var isInMemory: Bool { records is InMemoryNormalizedCache }

  /// The dependencies of a response that could not be written.
  package func trace(of response: NormalizedResponse) -> ReadingTrace {
    ReadingTrace(dependencies: response.dependencies, generation: registry.generation)
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

  /// Removes every record, and notifies every watch.
  ///
  /// - Throws: The errors of the cache, ``StoreError/Code/reentrantTransaction`` inside of a
  ///   transaction on the same store, and `CancellationError` if the task is cancelled before its
  ///   turn.
  public nonisolated(nonsending) func clearCache() async throws {
    _ = try await commit([.clear])
  }

  private nonisolated(nonsending) func commit(
    _ mutations: [CacheMutation], origin: ChangeOrigin? = nil
  ) async throws -> ChangeSet {
    try await write(origin: origin) { _ in ((), .mutations(mutations)) }.changes
  }
}

// MARK: - One writer at a time

/// The changes that the body of a write asks to be committed.
enum PendingCommit {
  case mutations([CacheMutation])
  case response(NormalizedResponse)

  fileprivate nonisolated(nonsending) func commit(to context: any WriteContext) async throws
    -> Commit
  {
    switch self {
    case .mutations(let mutations):
      mutations.isEmpty ? .nothing : try await context.commit(mutations)
    case .response(let response): try await context.commit(response)
    }
  }
}

/// A write that has been committed and recorded.
struct CommittedWrite<Result> {
  let result: Result
  let changes: ChangeSet
  /// The generation that includes the write.
  let generation: Generation
}

extension ApolloStore {
  /// Runs `body` as the only writer, commits the changes that it returns, then notifies the watches
  /// that the commit concerns.
  ///
  /// A commit that fails half way, in a cache that cannot undo it, may have changed anything: every
  /// watch is notified.
  nonisolated(nonsending) func write<Result>(
    origin: ChangeOrigin?, _ body: (any WriteContext) async throws -> (Result, PendingCommit)
  ) async throws -> CommittedWrite<Result> {
    try ActiveTransactions.refuseReentry(into: self)
    // One deadline, however many writers wait before this one.
    let timeout = records.writeTimeout
    let deadline = timeout > .zero ? ContinuousClock.now + timeout : nil
    try await writers.enter()
    let context: any WriteContext
    do {
      if let free = try records.beginWritingAtOnce() {
        context = free
      } else if let deadline {
        context = try await records.beginWriting(until: deadline)
      } else {
        context = try await records.beginWriting()
      }
    } catch {
      writers.leave()
      throw error
    }
    return try await write(in: context, origin: origin, body)
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

  /// The same for the only writer, which ends its turn.
  private nonisolated(nonsending) func write<Result>(
    in context: sending any WriteContext, origin: ChangeOrigin?,
    _ body: (any WriteContext) async throws -> (Result, PendingCommit)
  ) async throws -> CommittedWrite<Result> {
    let result: Result
    var commit = Commit(changes: .everything)
    var failure: (any Error)?
    let recorded: RecordedCommit
    do {
      defer { writers.leave() }
      defer { context.end() }
      let pending: PendingCommit
      (result, pending) = try await body(context)
      do {
        commit = try await pending.commit(to: context)
      } catch  where !records.isTransactional {
        failure = error
      }
      recorded = registry.record(commit.changes, version: commit.version)
    }
    notify(recorded, origin: origin, version: commit.version)
    if let failure { throw failure }
    return CommittedWrite(
      result: result, changes: commit.changes, generation: recorded.generation)
  }

  /// Releases the objects of earlier readings, none of which is current.
  private func forgetResults() {
    results.removeAll()
    events.removeAll()
  }

  /// Notifies the watches that a commit concerns, and the other stores of the same cache.
  private func notify(_ recorded: RecordedCommit, origin: ChangeOrigin?, version: UInt64?) {
    if recorded.changes.includesEverything { forgetResults() }
    let change = StoreChange(changes: recorded.changes, origin: origin)
    for notify in recorded.callbacks { notify(change) }
    if !recorded.changes.isEmpty { siblings.notify(of: registry, version: version) }
  }
}
