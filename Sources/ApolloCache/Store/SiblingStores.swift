internal import ApolloAPI

/// The stores of one cache, which notify each other of their writes.
final class SiblingStores: Sendable {
  private struct WeakRegistry: Sendable {
    weak var registry: WatchRegistry?
  }
  private struct WeakSiblings: Sendable {
    weak var siblings: SiblingStores?
  }

  /// The siblings of each cache that has a store.
  private static let all = Lock<[ObjectIdentifier: WeakSiblings]>([:])

  private let registries = Lock<[WeakRegistry]>([])

  /// Returns the stores of a cache.
  static func of(_ cache: AnyObject) -> SiblingStores {
    all.withLock { all in
      if let known = all[ObjectIdentifier(cache)]?.siblings { return known }
      all = all.filter { $0.value.siblings != nil }
      let new = SiblingStores()
      all[ObjectIdentifier(cache)] = WeakSiblings(siblings: new)
      return new
    }
  }

  func add(_ registry: WatchRegistry) {
    registries.withLock { registries in
      registries.removeAll { $0.registry == nil }
      registries.append(WeakRegistry(registry: registry))
    }
  }

  /// Notifies the watches of all other stores: anything may have changed.
  ///
  /// - Parameters:
  ///   - writer: The registry of the store that has written, or `nil` if none of them has.
  ///   - version: The cache's own count of commits after the write, if it counts them.
  func notify(of writer: WatchRegistry?, version: UInt64?) {
    let others = registries.withLock { registries -> [WatchRegistry] in
      guard registries.count > 1 || writer == nil else { return [] }
      return registries.compactMap { $0.registry === writer ? nil : $0.registry }
    }
    for other in others {
      guard let recorded = other.recordForeignCommit(version: version) else { continue }
      other.onForeignCommit.get()?()
      let change = StoreChange(changes: recorded.changes, origin: nil)
      for notify in recorded.callbacks { notify(change) }
    }
  }
}
