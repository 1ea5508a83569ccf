internal import ApolloAPI

// The life of an optimistic layer:
//
// 1. A call that performs a mutation reserves a layer. The order of these calls is that of the
//    layers, whichever response arrives first.
// 2. ``showLayer(_:_:)`` runs the closure over the layers below. Watches are notified.
// 3. The mutation is sent.
// 4. When its response is published, the layer is settled. If it is the oldest, the response is
//    committed, and then those of the settled layers above it. Otherwise it takes the place of the
//    optimistic data, and is committed when all older mutations have ended.
// 5. A call that fails, or has no data, removes its layer.
//
// After each commit and each change of a layer, those closures run again that have read something
// that has changed.

extension ApolloStore {
  /// Makes the changes of a closure visible in a layer, and notifies the watches that they concern.
  ///
  /// A closure that throws changes nothing. It runs again when the records below change that it has
  /// read.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before its turn to write, and
  ///   ``StoreError`` inside of a transaction. The layer shows nothing then.
  package nonisolated(nonsending) func showLayer(
    _ id: LayerID, _ update: @escaping OptimisticUpdate
  ) async throws {
    try ActiveTransactions.refuseReentry(into: self)
    try await writers.enter()
    _ = layers.change { $0.set(id, to: .optimistic(update)) }
    await endTurn(reportingErrorsOf: id)
  }

  /// Removes a layer, as if it had never been. Has no effect on one that was settled or removed.
  ///
  /// Responses that waited for this mutation alone are committed. If that fails, the error is
  /// reported. Cancelling the task does not cancel the removal.
  package nonisolated(nonsending) func removeLayer(_ id: LayerID) async {
    guard layers.isPending(id) else { return }
    let (isRemoved, leavesSettled) = layers.removeReserved(id)
    if isRemoved, !leavesSettled { return }
    let removal = ApolloStore.task { [self] in await commitSettled(removing: id) }
    // The call may have been refused because it is inside of a transaction, whose end this awaits.
    if !isKeptFromWriting { await removal.value }
  }

  /// Commits the responses that wait for no other mutation, each as a write of its own.
  ///
  /// - Parameter id: A layer that readers may see, which is removed before.
  private nonisolated(nonsending) func commitSettled(removing id: LayerID? = nil) async {
    var id = id
    repeat {
      guard (try? await writers.enter()) != nil else { return }  // fails only in a cancelled task
      let (removed, response) = layers.change { stack in
        (id.flatMap { stack.remove($0) }, stack.takeFirstSettled())
      }
      id = nil
      var (followed, leftOut) = (FollowedCommit.nothing, LeftOutValues())
      if let response { (followed, leftOut) = await committed(response) }
      await endTurn(followed)
      withExtendedLifetime(removed) {}  // its closure is released without a lock
      if let response { writeIfOthersFail(leftOut, of: response) }
    } while layers.isFirstSettled
  }

  /// Commits a response that has waited for older ones, but leaves out what others are about to
  /// replace. An error is reported after the turn. The order forgets a response that is not
  /// committed: nothing else has its values.
  ///
  /// The caller is the only writer, and ends the turn.
  nonisolated(nonsending) func committed(
    _ response: SettledResponse
  ) async -> (FollowedCommit, LeftOutValues) {
    var number: UInt64?
    do {
      var leftOut = LeftOutValues()
      let context = try await beginWriting()
      defer { context.end() }
      layers.begin()
      number = beginCommit()
      func pending() async throws -> PendingCommit {
        leftOut = LeftOutValues()
        guard !response.isExcluded(by: siblings.order, for: .writing) else { return .mutations([]) }
        var remaining = response
        remaining.removeOvertaken(by: siblings.order)
        let pending = try await updated(remaining, in: context)
        leftOut = leftOutValues(of: remaining.leftOut, beside: pending)
        return pending
      }
      let record = try await commitRepeatedly(pending(), in: context) { try await pending() }
      var followed = follow(.success(record))
      followed.number = number
      return (followed, leftOut)
    } catch {
      if let position = response.moment?.visibility {
        siblings.order.forgetWaiting(at: position, in: identity)
      }
      var followed = follow(.failure(error))
      followed.failure = error
      followed.number = number
      return (followed, LeftOutValues())
    }
  }

  /// Commits the settled layers at the front of the stack, if any. Cancelling the task does not
  /// cancel this.
  nonisolated(nonsending) func commitSettledIfNeeded() async {
    guard layers.isFirstSettled else { return }
    await ApolloStore.task { [self] in await commitSettled() }.value
  }

  /// Returns what to commit for a response, and settles its layer. The caller is the only writer,
  /// and calls ``commitSettledIfNeeded()`` afterwards.
  ///
  /// `position` is where the response is among the layers, and `earlier` has its earlier parts if
  /// these have waited, also in a further attempt to commit it.
  func pendingCommit(
    of response: NormalizedResponse, at position: inout ResponsePosition,
    after earlier: inout SettledResponse?, _ update: OptimisticUpdate?
  ) -> PendingCommit {
    func single(at place: ResponsePosition? = nil) -> PendingCommit {
      let isAlone = update == nil && response.listChanges.isEmpty
      return isAlone
        ? .response(response, at: place) : .updating(settled(response, update, at: place))
    }
    guard case .layer(let id) = position, layers.contains(id) else {
      // The layer was removed, such as by clearing the cache. Later mutations are newer.
      if case .layer(let id) = position { position = .requested(after: id) }
      let place = layers.isEmpty ? nil : position
      guard var earlier else { return single(at: place) }
      earlier.removeOvertaken(by: siblings.order)
      return .updating(earlier.followed(by: settled(response, update, at: place)))
    }
    // Others may be first: a mutation that has shown nothing ends without waiting for a writer.
    var new = settled(response, update)
    let number = siblings.order.beginWrite()
    new.moment?.visibility = number
    new.moment?.store = identity
    // A request that is sent again brings all of its parts again.
    if earlier == nil, let known = layers.response(of: id),
      known.moment?.number == new.moment?.number
    {
      earlier = known
    }
    var waiting = earlier?.followed(by: new) ?? new
    // Committed at once, if not from the layer: see below.
    if update == nil, layers.stack.isQueued(id) {
      waiting.listChanges = earlier?.listChanges ?? []
    }
    let (old, isFirst) = layers.change { stack in
      (stack.set(id, to: .settled(waiting)), stack.takeFirstSettled(id) != nil)
    }
    withExtendedLifetime(old) {}  // its closure is released without a lock
    guard isFirst else {
      // Its queue forgets the mutation now, so the response must be in the cache at once. It stays
      // in the layer as well, above the older mutations.
      if update == nil, layers.stack.isQueued(id) { return single() }
      // Readers see the response from now on, so it overtakes as if it were committed.
      if let number {
        siblings.order.note(waiting: response.write(at: number, isWaiting: true), in: identity)
      }
      return .mutations([])
    }
    position = .requested(after: id)
    guard var earlier else { return single() }
    earlier.removeOvertaken(by: siblings.order)
    return .updating(earlier.followed(by: new))
  }

  /// Returns a response as one that is committed with its closure.
  func settled(
    _ response: NormalizedResponse, _ update: OptimisticUpdate?,
    at position: ResponsePosition? = nil
  ) -> SettledResponse {
    var settled = SettledResponse(
      response.records, update: update,
      facts: response.receipt?.facts(at: freshness.currentTime), sent: response.sent,
      attempt: response.attempt)
    settled.check = response.check
    settled.replacesLayer = response.replacesLayer
    settled.listChanges = response.listChanges
    settled.position = position
    return settled
  }

  /// Computes the effects of all layers, lets readers see them with a commit below them, and
  /// records what became visible. The caller is the only writer.
  ///
  /// Only the layers that have read something that has changed are computed again.
  nonisolated(nonsending) func publishLayers(
    after commit: Commit, reportingErrorsOf reported: LayerID? = nil
  ) async -> RecordedCommit {
    defer { layers.noteRecorded() }
    let basis = layers.basis
    if !basis.stack.hasSettled { siblings.order.forgetWaiting(in: identity) }
    guard basis.stack.hasContents || basis.effects != nil else {
      layers.publish(nil, nil, from: basis)
      return registry.record(commit.changes, of: commit)
    }
    var changes = ChangeSet.everything
    let published: OptimisticLayers.Publication
    let hasFailed = layers.failure != nil
    do {
      // Before the records, so that no commit between them is taken for an earlier one.
      let foreignCommitCount = records.hasForeignWriters ? try records.foreignCommitCount() : nil
      // Readers share the records of a cache in memory.
      let base: (any StoreSnapshot)? =
        if basis.shared != nil { try await openSnapshotOfLayers() } else { nil }
      let isKnown =
        registry.knowsAllCommits(until: base?.version, including: commit)
        && basis.isCurrent(foreignCommitCount)
      let computed: ComputedLayers
      var shared: (any StoreSnapshot & Sendable)?
      if isKnown, let known = basis.computed,
        known.isCurrent(after: commit.changes, for: basis.stack, siblings.order)
      {
        computed = known
        changes = commit.changes
        shared =
          base?.showing(
            known.effects, afterChangesOf: changes.records, since: basis.shared
          ).shareable
      } else {
        let known = isKnown ? basis.computed : nil
        let base = if let base { base } else { try await openSnapshotOfLayers() }
        let touched: Set<RecordKey>?
        (computed, touched) = try await self.computed(
          basis.stack, known, after: commit.changes, over: base, reportingErrorsOf: reported)
        // Others have committed what readers have not seen yet, if they have read the layers as
        // they were before. They may have done that after they were notified.
        let isOfOthers = known == nil && basis.effects != nil
        changes = try await computed.effects.loadingVisibleChanges(
          since: basis.effects ?? LayerEffects(),
          committed: isOfOthers ? .everything : commit.changes, touched: touched, over: base)
        if !computed.effects.isEmpty {
          let changed = touched?.union(commit.changes.records)
          let showing =
            if let changed, !commit.changes.includesEverything {
              base.showing(computed.effects, afterChangesOf: changed, since: basis.shared)
            } else {
              base.showing(computed.effects)
            }
          shared = showing.shareable
        }
      }
      published = layers.publish(
        computed, shared, from: basis, foreignCommitCount: foreignCommitCount)
    } catch {
      // Readers try again, and until then other writers see the layers as they were.
      report(error)
      published = layers.publishFailure(error)
      if hasFailed { changes = commit.changes }
    }
    // Readers are notified again, because those that were notified before may have come too early.
    if published.isOutdated { changes = .everything }
    for address in published.unexplained { changes.insert(address) }
    return registry.record(changes, of: commit)
  }

  /// Opens the records below the layers. Other calls have layers too, so the end of this one must
  /// not hide them: a task that is cancelled waits all the same, without blocking its thread.
  private nonisolated(nonsending) func openSnapshotOfLayers() async throws -> any StoreSnapshot {
    do {
      return try await records.openSnapshotWaiting()
    } catch is CancellationError {
      return try await records.openSnapshotWaiting(throughCancellation: true)
    }
  }

  /// Returns the layers of a stack with their effects, and the records of which they may show
  /// something else, or `nil` if these are not known.
  ///
  /// `known`: The layers before a commit with these changes, or `nil` if they have to be computed.
  private nonisolated(nonsending) func computed(
    _ stack: LayerStack, _ known: ComputedLayers?, after changes: ChangeSet,
    over base: any StoreSnapshot, reportingErrorsOf reported: LayerID?
  ) async throws -> (ComputedLayers, touched: Set<RecordKey>?) {
    let order = siblings.order
    var new = LayerRecomputation(of: stack, from: known, after: changes, order)
    let visible = stack.layers.lazy.filter { !$0.isReserved }
    for layer in visible.dropFirst(new.keptCount) where !new.keep(layer, order) {
      let failure = try await new.add(
        layer, of: stack, over: base, order, generation: registry.generation, plans: plans)
      if let failure, layer.id == reported, !(failure is CacheMiss) { report(failure) }
    }
    return (new.finish(), new.touched)
  }
}

// MARK: - Reading

extension ApolloStore {
  /// Opens what readers see now, if that needs no waiting.
  ///
  /// - Returns: The snapshot, or `nil` if ``openVisibleWaiting()`` must wait.
  func openVisibleAtOnce() throws -> (any StoreSnapshot)? {
    try noteForeignCommits()
    switch layers.front {
    case .changing: return nil
    case .nothing(let epoch):
      let snapshot = try records.openSnapshotAtOnce()
      return layers.epoch == epoch ? snapshot : nil
    case .effects(let effects, let shared, let epoch, let isOutdated):
      if isOutdated { return nil }
      if let shared {
        guard shared.version == records.version else { return nil }
        return shared
      }
      let snapshot = try records.openSnapshotAtOnce()
      return layers.epoch == epoch ? snapshot?.showing(effects) : nil
    }
  }

  /// Opens what readers see now. Waits, without blocking a thread, for a commit that is under way,
  /// and while too many snapshots are open.
  nonisolated(nonsending) func openVisibleWaiting() async throws -> any StoreSnapshot {
    while true {
      try noteForeignCommits()
      switch layers.front {
      case .changing: await layers.waitForChange()
      case .nothing(let epoch):
        let snapshot = try await records.openSnapshotWaiting()
        if layers.epoch == epoch { return snapshot }
      case .effects(let effects, let shared, let epoch, let isOutdated):
        let isCurrent = shared.map { $0.version == records.version } ?? true
        let mayBeStale = isOutdated || !isCurrent
        if mayBeStale, try await refreshLayers() { continue }
        // Layers of an earlier run show from the first reading on.
        if isOutdated, layers.areAwaited {
          let snapshot = try await openShowingRestored()
          if layers.epoch == epoch { return snapshot }
          continue
        }
        // While there is a writer, it brings the effects up to date. Until then they are as before.
        if let shared { return shared }
        let snapshot = try await records.openSnapshotWaiting()
        if layers.epoch == epoch { return snapshot.showing(effects) }
      }
    }
  }

  /// Lets the effects be computed again if others have committed since they were.
  private func noteForeignCommits() throws {
    guard records.hasForeignWriters, !layers.isIdle else { return }
    layers.noteForeignCommits(try records.foreignCommitCount())
  }

  /// Opens the records with all layers, which are computed for this reader alone.
  ///
  /// A writer is under way, and readers cannot wait for its end: its transaction may be waiting for
  /// what they read.
  private nonisolated(nonsending) func openShowingRestored() async throws -> any StoreSnapshot {
    let stack = layers.stack
    let base = try await records.openSnapshotWaiting()
    let computed = try await computed(
      stack, nil, after: Commit.nothing.changes, over: base, reportingErrorsOf: nil)
    return base.showing(computed.0.effects)
  }

  /// Opens what readers see now. The caller is the only writer.
  func openVisibleAsWriter() throws -> any StoreSnapshot {
    let snapshot = try records.openSnapshot()
    guard let effects = layers.effects else { return snapshot }
    return snapshot.showing(effects)
  }

  /// Computes the effects again, because the cache was changed without this store.
  ///
  /// - Returns: `false` if there is a writer, which will do it.
  /// - Throws: The errors of the cache.
  private nonisolated(nonsending) func refreshLayers() async throws -> Bool {
    guard try writers.enterAtOnce() else { return false }
    await endTurn()
    if let failure = layers.failure { throw failure }
    return true
  }
}

extension OptimisticLayers {
  /// Lets settled layers take over what responses and the program have changed below them, or
  /// removes all with the records.
  func follow(_ record: CommitRecord) {
    guard !isEmpty else { return }
    if record.pending.clearsCache {
      _ = change { $0.removeAll() }
      return
    }
    guard stack.hasSettled else { return }
    switch record.pending {
    case .mutations(let mutations): change { $0.update(with: mutations, at: .newest) }
    case .response(let response, let position):
      takeOver(response.records, at: position, response.receipt?.maxAge?.seconds)
    case .updated(let response, _, _):
      takeOver(response.records, at: response.position, response.facts?.maxAge)
    default: break
    }
  }

  private func takeOver(_ records: RecordSet, at position: ResponsePosition?, _ maxAge: Double?) {
    guard let position else { return }
    change { $0.update(with: [.merge(records)], at: position, maxAge: maxAge) }
  }
}
