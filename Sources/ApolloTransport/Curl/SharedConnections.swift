#if CURL
  /// The connections of HTTP/2 on which requests wait and nothing arrives.
  ///
  /// The path to a server can break without notice, such as at a failover of a load balancer. The
  /// system ends such a connection after a quarter of an hour. Until then, each new request on it
  /// waits in vain. So a connection is given up when a request on it ends without a response, and
  /// requests have waited there for long while nothing arrived for any of them. No further request
  /// begins on it, until bytes arrive.
  struct SharedConnections {
    private struct Wait {
      let connection: ConnectionAddress
      /// The time since which requests wait, or `nil` while there is none.
      var start: UInt64?
      /// The time for which earlier requests have waited since bytes arrived, in nanoseconds. The
      /// time between requests does not count.
      var silence: UInt64 = 0
      var isGivenUp = false
    }

    /// The silence after which no request is worth waiting for, in nanoseconds.
    private static let longSilence: UInt64 = 10_000_000_000

    /// In the order of their beginning.
    private var waits: [Wait] = []

    /// Notes that a request was sent at this time.
    mutating func hasRequest(_ connection: ConnectionAddress, at now: UInt64) {
      if let index = waits.firstIndex(where: { $0.connection == connection }) {
        if waits[index].start == nil { waits[index].start = now }
        return
      }
      // Nothing tells when libcurl closes a connection.
      if waits.count >= 256 { waits.removeFirst() }
      waits.append(Wait(connection: connection, start: now))
    }

    /// Forgets a connection on which bytes have arrived, or which has ended. Another one may get
    /// its ports.
    mutating func forget(_ connection: ConnectionAddress) {
      if !waits.isEmpty { waits.removeAll { $0.connection == connection } }
    }

    /// Handles the end of a request without a response.
    ///
    /// - Parameters:
    ///   - connection: The connection on which it has waited.
    ///   - idleTimeout: The silence that it would have allowed, in nanoseconds.
    ///   - isLast: Whether no other request waits there.
    ///   - now: The time, in nanoseconds.
    /// - Returns: Whether the connection is given up.
    mutating func lostRequest(
      _ connection: ConnectionAddress, idleTimeout: UInt64, isLast: Bool, at now: UInt64
    ) -> Bool {
      guard let index = waits.firstIndex(where: { $0.connection == connection }) else {
        return false
      }
      let silence = waits[index].silence &+ (waits[index].start.map { now &- $0 } ?? 0)
      if silence >= min(idleTimeout / 2, Self.longSilence) { waits[index].isGivenUp = true }
      if isLast { (waits[index].silence, waits[index].start) = (silence, nil) }
      return waits[index].isGivenUp
    }

    /// Returns whether no further request is to begin on a connection.
    func isGivenUp(_ connection: ConnectionAddress) -> Bool {
      waits.contains { $0.isGivenUp && $0.connection == connection }
    }
  }
#endif
