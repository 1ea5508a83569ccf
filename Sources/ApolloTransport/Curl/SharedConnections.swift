#if CURL
  /// The connections of HTTP/2, which requests share, on which requests wait and nothing arrives.
  ///
  /// The path to a server may be gone without a word, as after a failover of a load balancer. The
  /// system gives such a connection up after a quarter of an hour, and each request that begins on
  /// it before waits in vain. So a connection is given up when a request ends that has waited in
  /// vain, and nothing has arrived for the others either: no further request begins on it, until
  /// bytes arrive.
  struct SharedConnections {
    private struct Wait {
      let connection: ConnectionAddress
      /// The time of the first request behind which nothing has arrived.
      let start: UInt64
      var isGivenUp = false
    }

    /// In the order of their beginning.
    private var waits: [Wait] = []

    /// Notes that a request was sent at this time.
    mutating func hasRequest(_ connection: ConnectionAddress, at now: UInt64) {
      guard !waits.contains(where: { $0.connection == connection }) else { return }
      // Nothing tells when libcurl closes a connection.
      if waits.count >= 256 { waits.removeFirst() }
      waits.append(Wait(connection: connection, start: now))
    }

    /// Forgets a connection on which bytes have arrived, or which has ended. Another one may get
    /// its ports.
    mutating func forget(_ connection: ConnectionAddress) {
      if !waits.isEmpty { waits.removeAll { $0.connection == connection } }
    }

    /// Handles the end of a request without a response that would wait for as long as `patience`,
    /// in nanoseconds, while nothing arrives.
    ///
    /// - Returns: Whether the connection is given up.
    mutating func lostRequest(
      _ connection: ConnectionAddress, patience: UInt64, at now: UInt64
    ) -> Bool {
      guard let index = waits.firstIndex(where: { $0.connection == connection }) else {
        return false
      }
      if now &- waits[index].start >= min(patience / 2, Self.longSilence) {
        waits[index].isGivenUp = true
      }
      return waits[index].isGivenUp
    }

    /// The silence after which no request is worth waiting for, in nanoseconds.
    private static let longSilence: UInt64 = 10_000_000_000

    /// Returns whether no further request is to begin on a connection.
    func isGivenUp(_ connection: ConnectionAddress) -> Bool {
      waits.contains { $0.isGivenUp && $0.connection == connection }
    }
  }
#endif
