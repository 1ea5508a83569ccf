#if WebSocket
  import ApolloAPI
  import ApolloTransport

  /// The routes over which subscriptions reached their servers, by host.
  ///
  /// A ``FallbackNetworkTransport`` begins with the route that worked for the host before, so that
  /// only the first subscription behind a proxy waits for the routes that the proxy blocks. A route
  /// is remembered for an hour, then the preferred one gets another chance.
  ///
  /// Each transport has a memory of its own. Several transports, such as one for each user of a
  /// program, remember together if they are given the same one:
  ///
  /// ```swift
  /// let transport = FallbackNetworkTransport(endpointURL: endpoint, memory: .shared)
  /// ```
  ///
  /// Isolation: everything is behind one lock.
  public final class SubscriptionRouteMemory: Sendable {
    /// A memory for all transports of the process to which it is given.
    public static let shared = SubscriptionRouteMemory()

    private struct Entry {
      let name: String
      let end: Duration
    }

    private let lifetime: Duration
    private let clock: any AlarmClock
    private let entries = Lock<[String: Entry]>([:])

    /// Creates a memory.
    ///
    /// - Parameter lifetime: The time for which a route is remembered after it worked.
    public convenience init(lifetime: Duration = .seconds(3_600)) {
      self.init(lifetime: lifetime, clock: SystemAlarmClock.shared)
    }

    init(lifetime: Duration, clock: any AlarmClock) {
      self.lifetime = lifetime
      self.clock = clock
    }

    /// Forgets all routes, for example because the device has joined another network.
    public func forgetAll() { entries.withLock { $0 = [:] } }

    /// Returns the name of the route that works for a host, or `nil` if none is known.
    ///
    /// The host has a port, as in `example.com:8080`, if the URL of the endpoint has one.
    public func route(for host: String) -> String? {
      let now = clock.now
      return entries.withLock { entries in
        guard let entry = entries[host] else { return nil }
        if entry.end > now { return entry.name }
        entries[host] = nil
        return nil
      }
    }

    func remember(_ name: String, for host: String) {
      let end = clock.now + lifetime
      entries.withLock { $0[host] = Entry(name: name, end: end) }
    }

    /// Forgets a route that has failed, unless another one has worked since.
    func forget(_ name: String, for host: String) {
      entries.withLock { entries in
        if entries[host]?.name == name { entries[host] = nil }
      }
    }
  }
#endif
