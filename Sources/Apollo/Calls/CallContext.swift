import ApolloAPI
import ApolloCache
import ApolloTransport

/// The means of every call of a client: its transport, its store, its clock and its observers.
///
/// Reading the cache, sending, decoding and writing are in a file each. The steps of a call use
/// them, and so do those of a ``RequestChain``.
struct CallContext: Sendable {
  let transport: any NetworkTransport
  let store: ApolloStore
  let clock: any AlarmClock
  let observers: [any CallEventObserver]

  init(
    transport: any NetworkTransport, store: ApolloStore, observers: [any CallEventObserver],
    clock: any AlarmClock
  ) {
    self.transport = transport
    self.store = store
    self.observers = observers
    self.clock = clock
  }

  /// The same context with another store, unless that is `nil`.
  func using(_ store: ApolloStore?) -> CallContext {
    guard let store, store !== self.store else { return self }
    return CallContext(transport: transport, store: store, observers: observers, clock: clock)
  }
}
