// The layer of a mutation that waits to be sent:
//
// 1. It is above all layers of mutations that have been sent, whose order is that of their numbers.
// 2. When the mutation is sent, the layer moves below the waiting ones, and takes part in the life
//    of a layer from then on.
// 3. If it was sent in vain, the layer moves back to its place among the waiting ones.
//
// So a response never waits for a mutation that may not be sent for days. If it waits for an older
// mutation, such as one that is not in a queue, it is in the cache all the same: the queue removes
// the mutation from its file, and a restarted program has no layers of the former run.
//
// Clearing the cache keeps waiting layers and those of requests without a response, because their
// mutations are still to be performed.

extension ApolloStore {
  /// Shows the layers of waiting mutations to everything that reads from now on.
  ///
  /// Watches are not notified: this is for the start of a program, before anything has been read.
  package func restoreWaitingLayers(_ waiting: [(number: Int64, update: OptimisticUpdate)]) {
    guard !waiting.isEmpty else { return }
    layers.restore { stack in
      for (number, update) in waiting { stack.showWaiting(number, update) }
    }
  }

  /// Returns the first number for the waiting mutations of a queue. Those of other queues have
  /// others.
  package func addWaitingQueue() -> Int64 { layers.change { $0.addQueue() } }

  /// Removes the layers of waiting mutations, which nothing will send through this store.
  ///
  /// Readers see the result at the next write or when they find the effects outdated.
  ///
  /// - Parameter queue: The first number of their queue.
  package func removeWaitingLayers(of queue: Int64) {
    let removed = layers.change { $0.removeWaiting(of: queue) }
    withExtendedLifetime(removed) {}  // released without a lock
  }

  /// Changes the layers, lets readers see the result, and notifies the watches that it concerns.
  ///
  /// Cancelling the task does not cancel the change. A task inside of a transaction does not wait
  /// for it, because the change waits for the end of the transaction.
  package nonisolated(nonsending) func changeLayers(
    _ change: @escaping @Sendable (inout LayerStack) -> Void
  ) async {
    let work = ApolloStore.task { [self] in
      guard (try? await writers.enter()) != nil else { return }  // fails only in a cancelled task
      layers.change(change)
      await endTurn()
      // A response may have waited for a layer that was removed.
      await commitSettledIfNeeded()
    }
    if !isKeptFromWriting { await work.value }
  }

  /// Moves the layer of a waiting mutation below those that wait, in one change for readers.
  ///
  /// - Returns: The layer among those that have been sent.
  /// - Throws: `CancellationError` if the task is cancelled before its turn to write, and
  ///   ``StoreError`` inside of a transaction.
  package nonisolated(nonsending) func beginSending(
    _ number: Int64, _ update: OptimisticUpdate?
  ) async throws -> LayerID {
    try ActiveTransactions.refuseReentry(into: self)
    try await writers.enter()
    let id = layers.change { $0.beginSending(number, update) }
    await endTurn()
    return id
  }
}
