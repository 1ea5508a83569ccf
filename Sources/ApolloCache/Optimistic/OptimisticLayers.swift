package import ApolloAPI

/// The optimistic layers of a store, and what readers see of them.
///
/// How readers see all of a commit and of the layers above it, or nothing:
///
/// 1. Only the writer, one at a time, changes the layers of mutations that have been sent. It then
///    computes the effects anew and publishes them, with the next *epoch*.
/// 2. A cache whose snapshots can be shared is read as it was when the effects were computed.
/// 3. Otherwise a reader opens a snapshot between two looks at the epoch, and tries again if they
///    differ. From a commit to its effects, readers wait (``begin()``).
///
/// A store without layers takes the lock twice for each snapshot, and does nothing else.
///
/// Isolation: `state` is guarded by a lock.
package final class OptimisticLayers: Sendable {
  private typealias Continuation = CheckedContinuation<Void, Never>

  private struct State: Sendable {
    var stack = LayerStack()
    var effects: LayerEffects?
    /// The layers as they were computed last, or `nil` if there were none.
    var computed: ComputedLayers?
    /// Indicates whether all layers must be computed again, because the cache was changed without
    /// this store since, or has failed.
    var mustComputeAll = false
    /// The number of times that the cache was changed without this store.
    var foreignChangeCount: UInt64 = 0
    /// The number of times that the layers were changed. Not only the writer does that.
    var changeCount: UInt64 = 0
    /// Indicates whether layers were restored that no reader has seen yet.
    var areAwaited = false
    /// The records that the effects were computed from, with the effects in front.
    var shared: (any StoreSnapshot & Sendable)?
    var epoch: UInt64 = 0
    /// Indicates whether a commit may be visible that the effects do not include.
    var isChanging = false
    /// Indicates whether the effects must be computed again.
    var isOutdated = false
    /// The error because of which the effects could not be computed.
    var failure: (any Error)?
    /// Indicates whether readers see effects that watches and kept results do not know of.
    var isUnrecorded = false
    /// The cache's count of commits by others when the effects were computed, if it has one.
    var foreignCommitCount: Int?
    /// The fields of watches that wait for the end of a layer.
    var explained: Set<FieldAddress> = []
    var waiters: [Continuation] = []

    /// Indicates whether a change of the records can change what the layers show.
    var mayHaveEffects: Bool { effects != nil || stack.hasContents }

    mutating func noteForeignChange() {
      isOutdated = true
      foreignChangeCount += 1
      mustComputeAll = true
    }

    mutating func takeWaiters() -> [Continuation] {
      defer { waiters = [] }
      return waiters
    }
  }
  private let state = Lock(State())

  package init() {}

  // MARK: - For readers

  /// The part of a reader's view that is in front of the cache.
  enum Front {
    /// No layer has effects.
    case nothing(epoch: UInt64)
    /// The effects, and a snapshot with them if it can be shared.
    case effects(LayerEffects, (any StoreSnapshot & Sendable)?, epoch: UInt64, isOutdated: Bool)
    /// A commit is under way.
    case changing
  }

  var front: Front {
    state.withLock { state in
      guard let effects = state.effects else {
        if state.isChanging { return .changing }
        // Closures that had no effects may have some over the new records.
        guard state.isOutdated, state.stack.hasContents else { return .nothing(epoch: state.epoch) }
        return .effects(LayerEffects(), nil, epoch: state.epoch, isOutdated: true)
      }
      if state.isChanging, state.shared == nil { return .changing }
      return .effects(
        effects, state.shared, epoch: state.epoch,
        isOutdated: state.isOutdated && !state.isChanging)
    }
  }

  /// The number of changes of what the layers show. It stays the same while there are none.
  package var epoch: UInt64 { state.withLock { $0.epoch } }

  /// Returns when no commit is under way. That takes as long as the commit.
  nonisolated(nonsending) func waitForChange() async {
    await withCheckedContinuation { continuation in
      let isChanging = state.withLock { state in
        if state.isChanging { state.waiters.append(continuation) }
        return state.isChanging
      }
      if !isChanging { continuation.resume() }
    }
  }

  /// Indicates whether layers were restored that no reader has seen yet.
  var areAwaited: Bool { state.withLock { $0.areAwaited } }

  // MARK: - For calls

  /// Adds a layer for a mutation that is about to be sent.
  package func reserve() -> LayerID { state.withLock { $0.stack.reserve() } }

  /// Adds a layer if there are others, so that the response takes its place among them.
  package func reserveIfNeeded() -> LayerID? {
    state.withLock { $0.stack.isEmpty ? nil : $0.stack.reserve() }
  }

  /// Adds a layer if there are others and the operation is a mutation.
  package func reserveIfNeeded<Operation: GraphQLOperation>(
    for operation: Operation.Type
  ) -> LayerID? {
    Operation.operationType == .mutation ? reserveIfNeeded() : nil
  }

  /// Removes a layer that has shown nothing.
  ///
  /// - Returns: Whether that was so, and whether responses now wait for no other mutation.
  func removeReserved(_ id: LayerID) -> (isRemoved: Bool, leavesSettled: Bool) {
    state.withLock { state in
      let isRemoved = state.stack.removeReserved(id)
      return (isRemoved, state.stack.isFirstSettled)
    }
  }

  /// The latest layer of all times.
  package var latest: LayerID { state.withLock { $0.stack.latest } }

  /// Indicates whether there are neither layers nor effects of earlier ones.
  package var isIdle: Bool {
    state.withLock { $0.stack.isEmpty && $0.effects == nil && !$0.isChanging }
  }

  /// Indicates whether a response waits for no other mutation.
  var isFirstSettled: Bool { state.withLock { $0.stack.isFirstSettled } }

  package var isEmpty: Bool { state.withLock { $0.stack.isEmpty } }
  func isPending(_ id: LayerID) -> Bool { state.withLock { $0.stack.isPending(id) } }
  func contains(_ id: LayerID) -> Bool { state.withLock { $0.stack.contains(id) } }

  /// Returns the response of a layer, if it has settled.
  func response(of id: LayerID) -> SettledResponse? {
    state.withLock { $0.stack.response(of: id) }
  }

  /// Indicates whether a layer shows optimistic data.
  func isOptimistic(_ id: LayerID) -> Bool { state.withLock { $0.stack.isOptimistic(id) } }

  /// Returns whether data may be missing because of a layer, and be there when the mutation ends.
  ///
  /// Watches of the missing fields are notified when no layer affects their records any more, also
  /// if that changes nothing: the data may be missing below the layers too. If a null leaves the
  /// operation without data, those are all of its fields, because the null may be anywhere.
  package func explain<Data>(_ reading: CacheReading<Data>) -> Bool {
    state.withLock { state in
      guard let effects = state.effects else { return false }
      let explained =
        reading.end == .null
        ? effects.affectedFields(of: reading.trace.dependencies)
        : reading.misses.map(\.address).filter { effects.affects($0.record) }
      state.explained.formUnion(explained)
      return !explained.isEmpty
    }
  }

  /// Notifies watches of fields when no layer affects their records any more, also if that changes
  /// nothing but their ages.
  ///
  /// - Returns: `false` if no layer affects their records.
  package func awaitEnd(of dependencies: Dependencies) -> Bool {
    state.withLock { state in
      guard let effects = state.effects else { return false }
      let affected = effects.affectedFields(of: dependencies)
      state.explained.formUnion(affected)
      return !affected.isEmpty
    }
  }

  /// Returns whether a layer affects records that data depends on.
  package func affect(_ dependencies: Dependencies) -> Bool {
    state.withLock { state in
      guard let effects = state.effects else { return false }
      return dependencies.entries.contains { effects.affects($0.record) }
    }
  }

  // MARK: - For collections

  /// The records of which closures read something when they last ran. There may be more, which
  /// ended layers have read, as long as there are other layers.
  var readRecords: [RecordKey] { state.withLock { $0.computed }?.readRecords ?? [] }

  /// Returns whether the record is one of ``readRecords``.
  func haveRead(_ key: RecordKey) -> Bool {
    state.withLock { $0.computed?.haveRead(key) ?? false }
  }

  /// Returns whether the field is one that was read of ``readRecords``.
  func haveRead(_ field: FieldKey, of key: RecordKey) -> Bool {
    state.withLock { $0.computed?.haveRead(field, of: key) ?? false }
  }

  // MARK: - For the writer

  package var stack: LayerStack { state.withLock { $0.stack } }

  /// The state from which effects are computed.
  struct Basis: Sendable {
    let stack: LayerStack
    let effects: LayerEffects?
    let shared: (any StoreSnapshot & Sendable)?
    /// The layers as they were computed last, or `nil` if all must be computed again.
    let computed: ComputedLayers?
    fileprivate let foreignChangeCount: UInt64
    fileprivate let changeCount: UInt64
    fileprivate let foreignCommitCount: Int?

    /// Returns whether others have not committed since the layers were computed.
    func isCurrent(_ foreignCommitCount: Int?) -> Bool {
      foreignCommitCount == self.foreignCommitCount
    }
  }

  var basis: Basis {
    state.withLock { state in
      Basis(
        stack: state.stack, effects: state.effects, shared: state.shared,
        computed: state.mustComputeAll ? nil : state.computed,
        foreignChangeCount: state.foreignChangeCount,
        changeCount: state.changeCount, foreignCommitCount: state.foreignCommitCount)
    }
  }

  /// The effects that readers see.
  var effects: LayerEffects? { state.withLock { $0.effects } }

  /// Indicates whether a commit or a change of the layers can change what readers see of them.
  var needPublishing: Bool {
    state.withLock { state in
      state.isOutdated || state.isChanging || state.effects != nil || !state.stack.isEmpty
    }
  }

  /// Indicates whether the effects must be computed again.
  var isOutdated: Bool { state.withLock { $0.isOutdated } }

  /// Indicates whether what readers see is what was recorded: a result that was kept is as new as
  /// one that is read now.
  var areRecorded: Bool { state.withLock { !$0.isOutdated && !$0.isUnrecorded } }

  /// Notes that the published effects were recorded.
  func noteRecorded() { state.withLock { $0.isUnrecorded = false } }

  /// Changes the layers. The effects must be published again.
  func change<Result>(_ body: (inout LayerStack) -> Result) -> Result {
    state.withLock { state in
      state.isOutdated = true
      state.changeCount += 1
      return body(&state.stack)
    }
  }

  /// Adds layers of an earlier run of the program, which nothing has shown yet: the first reader
  /// shows them, also while there is a writer.
  func restore(_ body: (inout LayerStack) -> Void) {
    change(body)
    state.withLock { $0.areAwaited = true }
  }

  /// Notes that the cache was changed without this store.
  ///
  /// - Returns: Whether that concerns any layer.
  @discardableResult
  func noteForeignCommit() -> Bool {
    state.withLock { state in
      guard state.mayHaveEffects else { return false }
      state.noteForeignChange()
      return true
    }
  }

  /// Notes how many commits others have made, as far as the cache knows.
  func noteForeignCommits(_ count: Int?) {
    state.withLock { state in
      if state.mayHaveEffects, let count, count != state.foreignCommitCount {
        state.noteForeignChange()
      }
    }
  }

  /// Keeps readers from opening snapshots until the effects are published, if there are layers.
  func begin() {
    state.withLock { state in
      guard state.effects != nil || !state.stack.isEmpty else { return }
      state.isChanging = true
      state.epoch += 1
    }
  }

  /// Lets readers see effects, and ends the change.
  ///
  /// - Parameters:
  ///   - computed: The layers with their effects, or `nil` if there are none.
  ///   - shared: The records with the effects in front, if readers can share them.
  ///   - basis: What the effects were computed from.
  ///   - foreignCommitCount: The cache's count of commits by others before that.
  /// - Returns: What follows for watches.
  @discardableResult
  func publish(
    _ computed: ComputedLayers?, _ shared: (any StoreSnapshot & Sendable)?, from basis: Basis,
    foreignCommitCount: Int? = nil
  ) -> Publication {
    let (waiters, publication, old) = state.withLock { state in
      let old = (state.effects, state.shared, state.computed)
      let effects = computed.flatMap { $0.effects.isEmpty ? nil : $0.effects }
      // Another store may have committed since, and a queue may have added or removed layers.
      let isForeign = state.foreignChangeCount != basis.foreignChangeCount
      let isOutdated = isForeign || state.changeCount != basis.changeCount
      state.effects = effects
      state.shared = shared
      state.computed = computed
      state.mustComputeAll = isForeign
      state.epoch += 1
      state.isChanging = false
      state.isOutdated = isOutdated
      state.failure = nil
      if state.changeCount == basis.changeCount { state.areAwaited = false }
      state.isUnrecorded = true
      state.foreignCommitCount = foreignCommitCount
      let unexplained =
        state.explained.isEmpty
        ? [] : state.explained.filter { !(effects?.affects($0.record) ?? false) }
      if !unexplained.isEmpty { state.explained.subtract(unexplained) }
      let publication = Publication(unexplained: Array(unexplained), isOutdated: isOutdated)
      return (state.takeWaiters(), publication, old)
    }
    withExtendedLifetime(old) {}  // released outside the lock
    for waiter in waiters { waiter.resume() }
    return publication
  }

  /// Ends a change without new effects, because the cache has failed. The next reader computes
  /// them, or fails as well.
  func publishFailure(_ error: any Error) -> Publication {
    let (waiters, old) = state.withLock { state in
      let old = state.shared
      state.shared = nil  // as the records were before
      state.mustComputeAll = true
      state.epoch += 1
      state.isChanging = false
      state.isOutdated = true
      state.isUnrecorded = true
      state.failure = error
      return (state.takeWaiters(), old)
    }
    withExtendedLifetime(old) {}  // as above
    for waiter in waiters { waiter.resume() }
    return Publication(unexplained: [], isOutdated: false)
  }

  /// The error because of which the effects could not be computed last, or `nil`.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// The result of letting readers see effects.
  struct Publication: Sendable {
    /// The fields that watches miss and no layer explains any more.
    let unexplained: [FieldAddress]
    /// Indicates whether the cache was changed without this store while the effects were computed.
    let isOutdated: Bool
  }
}

extension LayerEffects {
  /// Returns the fields that data depends on, of the records that layers affect.
  fileprivate func affectedFields(of dependencies: Dependencies) -> [FieldAddress] {
    dependencies.entries.filter { affects($0.record) }.flatMap { entry in
      entry.fields.fields.map { FieldAddress(record: entry.record, field: $0) }
    }
  }
}
