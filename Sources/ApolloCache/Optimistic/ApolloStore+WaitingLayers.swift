// The layer of a mutation that waits to be sent:
//
// 1. It is above all layers of mutations that have been sent, whose order is that of their numbers.
// 2. When the mutation is sent, the layer moves below the waiting ones, and takes part in the life
//    of a layer from then on.
// 3. If it was sent in vain, the layer moves back to its place among the waiting ones.
//
// So a response never waits for a mutation that may not be sent for days. Clearing the cache keeps
// waiting layers, because the server has not seen their mutations.

extension ApolloStore {
  /// Shows the layers of waiting mutations to everything that reads from now on.
  ///
  /// Watches are not notified: this is for the start of a program, before anything has been read.
  package func restoreWaitingLayers(_ waiting: [(number: Int64, update: OptimisticUpdate)]) {
    guard !waiting.isEmpty else { return }
    layers.change { stack in
      for (number, update) in waiting { stack.showWaiting(number, update) }
    }
  }

  /// Changes the layers, lets readers see the result, and notifies the watches that it concerns.
  ///
  /// - Returns: The result of `change`.
  /// - Throws: `CancellationError` if the task is cancelled before its turn to write, and
  ///   ``StoreError`` inside of a transaction.
  package nonisolated(nonsending) func changeLayers<Result>(
    _ change: (inout LayerStack) -> Result
  ) async throws -> Result {
    try ActiveTransactions.refuseReentry(into: self)
    try await writers.enter()
    let result = layers.change(change)
    await endTurn()
    // A response may have waited for a layer that was removed.
    await commitSettledIfNeeded()
    return result
  }
}
