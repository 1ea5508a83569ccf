internal import ApolloAPI

// How a response changes other records:
//
// 1. The response is merged into an overlay of the transaction that commits it.
// 2. Its closure runs over that, in an overlay of its own. What it changes is added.
// 3. All of it is one commit. Readers and watches see the response with the changes.
//
// A response that waits for an older mutation is a layer until then, and its closure runs again
// over each new state of the layers below: what it reads there may be optimistic.

extension ApolloStore {
  /// Returns what to commit for responses with closures.
  nonisolated(nonsending) func updated(
    _ pending: PendingCommit, in context: any WriteContext
  ) async throws -> PendingCommit {
    guard case .updating(let responses, let receipt) = pending else { return pending }
    return try await updated(responses, receipt, in: context)
  }

  /// Returns what to commit for responses, after their closures have run in order.
  ///
  /// A closure that throws changes nothing. Its error is reported, unless data is missing.
  nonisolated(nonsending) func updated(
    _ responses: [SettledResponse], _ receipt: ResponseReceipt? = nil, in context: any WriteContext
  ) async throws -> PendingCommit {
    let sets = responses.map(\.records)
    guard responses.contains(where: { $0.update != nil }) else { return .responses(sets) }
    let snapshot = try context.snapshot()
    let (mutations, failures) = try await repeating(whileLoading: snapshot) {
      let overlay = TransactionOverlay(snapshot)
      var failures: [any Error] = []
      for response in responses {
        try overlay.merge(response.records)
        guard let update = response.update else { continue }
        do {
          try overlay.apply(changes(over: overlay, update))
        } catch let error as StoreError where error.code == .requiresAsynchronousReading {
          throw error
        } catch {
          failures.append(error)
        }
      }
      return (overlay.mutations, failures)
    }
    for failure in failures where !(failure is CacheMiss) { report(failure) }
    return .updated(sets, mutations, receipt)
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
