internal import ApolloAPI

// How a response changes other records:
//
// 1. The response is merged into an overlay of the transaction that commits it, and the lists
//    change that its directives name.
// 2. Its closure runs over that, in an overlay of its own. What it changes is added.
// 3. All of it is one commit. Readers and watches see the response with the changes.
//
// A response that waits for an older mutation is a layer until then, and its closure runs again
// over each new state of the layers below: what it reads there may be optimistic.

extension ApolloStore {
  /// Returns what to commit, after the closure of a response has run.
  nonisolated(nonsending) func updated(
    _ pending: PendingCommit, in context: any WriteContext
  ) async throws -> PendingCommit {
    guard case .updating(let response) = pending else { return pending }
    return try await updated(response, in: context)
  }

  /// Returns what to commit for a response, after its closure has run.
  ///
  /// A closure that throws changes nothing. Its error is reported with the commit, unless data is
  /// missing.
  nonisolated(nonsending) func updated(
    _ response: SettledResponse, in context: any WriteContext
  ) async throws -> PendingCommit {
    guard response.update != nil || !response.listChanges.isEmpty else {
      return .updated(response, [.merge(response.records)])
    }
    let snapshot = try context.snapshot()
    let chains = knownChains(in: snapshot, for: response.listChanges)
    let newer = response.newerWrites(in: siblings.order, for: .writing)
    let (response, overlay, failure) = try await repeating(whileLoading: snapshot) {
      let overlay = TransactionOverlay(snapshot)
      overlay.chains = chains
      try overlay.merge(response.records)
      var response = response
      response.listChanges = try overlay.resolved(response.listChanges)
      // What is left out is not noted as a change of this response either.
      response.listChanges = response.listChanges(after: siblings.order)
      try overlay.apply(response.listChanges, unlessIn: newer)
      var failure: (any Error)?
      guard let update = response.update else { return (response, overlay, failure) }
      do {
        try overlay.apply(changes(over: overlay, update))
      } catch let error as StoreError where error.code == .requiresAsynchronousReading {
        throw error
      } catch {
        failure = error
      }
      return (response, overlay, failure)
    }
    var updated = response
    updated.edited = overlay.edited
    updated.confirmed = overlay.confirmed
    return .updated(updated, overlay.mutations, failure: failure is CacheMiss ? nil : failure)
  }

  /// Returns the chains of pages for changes of lists, or `nil` if the cache is elsewhere, where
  /// others may change them without notice.
  private func knownChains(
    in snapshot: any StoreSnapshot, for changes: [ListChange]
  ) -> KnownChains? {
    guard !changes.isEmpty, records is any LocalRecordStore,
      let count = try? records.foreignCommitCount()
    else { return nil }
    return KnownChains(
      ends: siblings.listEnds,
      state: ListEnds.State(version: snapshot.version, foreignCommitCount: count))
  }

  /// Returns the changes of a closure, which has them until it ends.
  private func changes(
    over overlay: TransactionOverlay, _ update: OptimisticUpdate
  ) throws -> [CacheMutation] {
    let transaction = ReadWriteTransaction(overlay, generation: registry.generation, plans: plans)
    defer { transaction.end() }
    try update(transaction)
    return transaction.overlay.mutations
  }
}

extension TransactionOverlay {
  /// Makes the changes of another overlay.
  fileprivate func apply(_ mutations: [CacheMutation]) throws {
    for mutation in mutations {
      switch mutation {
      case .merge(let records): try merge(records)
      case .remove(let key): remove(key)
      case .removeMatching(let pattern): remove(matching: pattern)
      case .clear: clear()
      }
    }
  }
}
