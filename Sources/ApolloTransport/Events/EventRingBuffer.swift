internal import ApolloAPI

/// Keeps the latest events, for tests and for reports of problems.
///
/// ```swift
/// let events = EventRingBuffer(capacity: 100)
/// let apollo = ApolloClient(networkTransport: transport, observers: [events])
/// _ = try await apollo.fetch(query: HeroNameQuery())
/// print(events.names)  // ["began", "cacheRead", "requestBuilt", "sent", …]
/// ```
public final class EventRingBuffer: CallEventObserver {
  private struct State {
    var events: [CallEvent] = []
    /// The index of the oldest event, once the buffer is full.
    var oldest = 0
  }

  /// The greatest number of events.
  public let capacity: Int
  private let state = Lock(State())

  /// Creates a buffer for at least one event.
  public init(capacity: Int = 1_000) { self.capacity = max(capacity, 1) }

  /// Keeps the event in place of the oldest one, if the buffer is full.
  public func observe(_ event: CallEvent) {
    let replaced = state.withLock { state -> CallEvent? in
      guard state.events.count >= capacity else {
        state.events.append(event)
        return nil
      }
      defer {
        state.events[state.oldest] = event
        state.oldest = (state.oldest + 1) % capacity
      }
      return state.events[state.oldest]
    }
    withExtendedLifetime(replaced) {}  // an error of the program is released outside of the lock
  }

  /// The events, the oldest first.
  public var events: [CallEvent] {
    state.withLock { Array($0.events[$0.oldest...] + $0.events[..<$0.oldest]) }
  }

  /// The names of the events' kinds, the oldest first.
  public var names: [String] { events.map(\.kind.name) }

  /// Removes all events.
  public func removeAll() {
    let old = state.exchange(State())
    withExtendedLifetime(old) {}  // as above
  }
}
