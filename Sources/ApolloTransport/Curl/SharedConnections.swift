#if CURL
  /// The connections of HTTP/2 on which requests wait and nothing arrives.
  ///
  /// The path to a server can break without notice, such as at a failover of a load balancer. The
  /// system ends such a connection after a quarter of an hour. Until then, each new request on it
  /// waits in vain. So a connection is given up when a request on it ends without a response, and
  /// requests have waited there for long while nothing arrived for any of them. No further request
  /// begins on it, until bytes arrive.
  ///
  /// The wait of a request begins with the request, or with the latest bytes of any response on its
  /// connection. The waits of several requests add up where they do not overlap; the time between
  /// requests does not count.
  struct SharedConnections {
    private struct Silence {
      let connection: ConnectionAddress
      /// The time of the latest bytes, or 0 before the first ones.
      var start: UInt64 = 0
      /// The time until which waits are part of `duration`.
      var end: UInt64 = 0
      /// The time for which requests have waited in vain since `start`, in nanoseconds.
      var duration: UInt64 = 0
      var isGivenUp = false
    }

    /// The silence after which no request is worth waiting for, in nanoseconds.
    private static let longSilence: UInt64 = 10_000_000_000

    /// In the order of their connections' first use.
    private var silences: [Silence] = []

    /// Returns the index of a connection, which is added if it is unknown.
    private mutating func index(of connection: ConnectionAddress) -> Int {
      // It is most often one of the latest.
      if let known = silences.lastIndex(where: { $0.connection == connection }) { return known }
      // Nothing tells when libcurl closes a connection.
      if silences.count >= 256 { silences.removeFirst() }
      silences.append(Silence(connection: connection))
      return silences.count - 1
    }

    /// Notes that bytes have arrived at this time.
    mutating func hasBytes(_ connection: ConnectionAddress, at now: UInt64) {
      let position = index(of: connection)
      silences[position] = Silence(connection: connection, start: now, end: now)
    }

    /// Forgets a connection that has ended. Another one may get its ports.
    mutating func forget(_ connection: ConnectionAddress) {
      silences.removeAll { $0.connection == connection }
    }

    /// Handles the end of a request without a response.
    ///
    /// - Parameters:
    ///   - connection: The connection on which it has waited.
    ///   - sendingTime: The time at which it was sent, in nanoseconds.
    ///   - idleTimeout: The silence that it would have allowed, in nanoseconds.
    ///   - now: The time, in nanoseconds.
    /// - Returns: Whether the connection is given up.
    mutating func lostRequest(
      _ connection: ConnectionAddress, sentAt sendingTime: UInt64, idleTimeout: UInt64,
      at now: UInt64
    ) -> Bool {
      let position = index(of: connection)
      var silence = silences[position]
      // A request that was lost before may have been sent after this one.
      silence.duration = max(
        silence.duration &+ (now &- max(silence.end, sendingTime)),
        now &- max(silence.start, sendingTime))
      silence.end = now
      if silence.duration >= min(idleTimeout / 2, Self.longSilence) { silence.isGivenUp = true }
      silences[position] = silence
      return silence.isGivenUp
    }

    /// Returns whether no further request is to begin on a connection.
    func isGivenUp(_ connection: ConnectionAddress) -> Bool {
      silences.contains { $0.isGivenUp && $0.connection == connection }
    }
  }
#endif
