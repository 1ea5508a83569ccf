import ApolloAPI
import ApolloCache
import ApolloTransport

/// The means of every call of a client: its transport, its store, its clock and its observers.
///
/// Reading the cache, sending, decoding and writing are in a file each. The steps of a call use
/// them, and so do those of a ``RequestChain``.
struct CallContext: Sendable {
  let transport: any NetworkTransport
  /// The store that is read and written: that of the client, or of a step.
  private(set) var store: ApolloStore
  let clock: any AlarmClock
  let observers: [any CallEventObserver]
  let stores: CallStores

  init(
    transport: any NetworkTransport, store: ApolloStore, observers: [any CallEventObserver],
    clock: any AlarmClock
  ) {
    self.transport = transport
    self.store = store
    self.observers = observers
    self.clock = clock
    stores = CallStores(client: store)
  }
}

// MARK: - Steps with another store

// The call and its watch belong to the client's store, and so do their generations and layers. They
// say nothing in another store, even if that has the same cache.

extension CallContext {
  /// The same context with another store, unless that is `nil`.
  func using(_ store: ApolloStore?) -> CallContext {
    guard let store, store !== self.store else { return self }
    var context = self
    context.store = store
    if !context.usesClientStore { stores.note(store) }
    return context
  }

  private var usesClientStore: Bool { store === stores.client }

  /// The generation of the client's store.
  var clientGeneration: Generation { stores.client.registry.generation }

  /// Returns a trace in the generations of the client's store.
  ///
  /// - Parameters:
  ///   - trace: The trace of a reading or a response.
  ///   - start: The ``clientGeneration`` before that. If the client's store has noticed a change
  ///     since then, such as the write of the response to its cache, the trace is outdated.
  /// - Returns: The trace as a watch of the client compares it.
  func clientTrace(_ trace: ReadingTrace, since start: Generation) -> ReadingTrace {
    guard !usesClientStore else { return trace }
    var trace = trace
    trace.generation = start
    trace.version = nil
    return trace
  }

  /// Returns the position of the response to a request among the layers of the store.
  func position<Operation: GraphQLOperation>(
    of request: GraphQLRequest<Operation>
  ) -> ResponsePosition {
    usesClientStore ? request.position : .newest
  }
}
