import Apollo
import ApolloAPI
import ApolloCache
import Foundation

extension OfflineMutationQueue {
  /// Returns the closure that shows a mutation. It reads its contents from the file when it runs,
  /// so that thousands of waiting mutations need little memory.
  func layerUpdate(_ id: Int64, _ operationName: String) -> OptimisticUpdate {
    { [weak self] transaction in try self?.show(id, operationName, transaction) }
  }

  private func show(
    _ id: Int64, _ operationName: String, _ transaction: ReadWriteTransaction
  ) throws {
    guard let (bytes, identifiers) = try core.withLock({ try $0.contents(of: id) }) else { return }
    let payload = try Payload(bytes: opened(bytes)).replacingTexts(identifiers)
    let (registered, updater) = registry.withLock { registry in
      (
        registry.mutations[operationName],
        payload.update.flatMap { registry.updaters[$0.name] }
      )
    }
    if let data = payload.optimistic {
      try registered?.write(transaction, data, payload.variables)
    }
    if let updater { try updater(transaction, payload.update?.argument ?? .null) }
  }

  /// Shows or hides mutations, as their states say.
  func showLayers(of ids: [Int64]) async {
    guard !ids.isEmpty, let store = state.withLock({ $0.client })?.store else { return }
    do {
      try await showLayers(of: ids, in: store)
    } catch is CancellationError {
      // A task that is not cancelled: it cannot fail.
      await Task { try? await self.showLayers(of: ids, in: store) }.value
    } catch {
      // Inside of a transaction of the store, whose end this must not wait for. Outside of it, the
      // change cannot fail.
      Task { try? await self.showLayers(of: ids, in: store) }
    }
  }

  private func showLayers(of ids: [Int64], in store: ApolloStore) async throws {
    try await store.changeLayers { stack in
      for id in ids {
        // Looked up here, so that of two such changes the later one sees the later state.
        let name = core.withLock { core in
          core.isShown(id) ? core.entries[id]?.operationName : nil
        }
        if let name {
          stack.showWaiting(id, layerUpdate(id, name))
        } else {
          stack.remove(LayerID(waiting: id))
        }
      }
    }
  }

  /// Shows or hides mutations that have changed without an event of their lanes, and lets these
  /// lanes go on.
  func showTouchedLayers() async {
    let touched = core.withLock { $0.takeTouched() }
    guard !touched.isEmpty else { return }
    await showLayers(of: touched)
    wakeAll()
  }

  /// Shows what waits to everything that reads from now on.
  func restoreLayers(in store: ApolloStore) {
    let shown = core.withLock { core in
      core.orderedEntries.filter { core.isShown($0.id) }.map { ($0.id, $0.operationName) }
    }
    store.restoreWaitingLayers(shown.map { ($0, layerUpdate($0, $1)) })
  }
}
