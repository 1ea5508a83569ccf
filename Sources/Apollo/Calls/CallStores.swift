import ApolloAPI
import ApolloCache

/// The store of a client, and the other ones that steps of its calls have used.
///
/// Isolation: `references` is guarded by a lock. Stores are released outside of it.
final class CallStores: Sendable {
  private struct Reference: Sendable {
    weak var store: ApolloStore?
  }

  let client: ApolloStore
  private let references = Lock<[Reference]>([])

  init(client: ApolloStore) { self.client = client }

  /// Remembers the store of a step for as long as the program has it.
  func note(_ store: ApolloStore) {
    let known = references.withLock { references -> [ApolloStore] in
      let known = references.compactMap(\.store)
      if !known.contains(where: { $0 === store }) {
        references = (known + [store]).map { Reference(store: $0) }
      }
      return known
    }
    withExtendedLifetime(known) {}
  }

  /// The stores that steps have used besides that of the client.
  var others: [ApolloStore] { references.get().compactMap(\.store) }
}
