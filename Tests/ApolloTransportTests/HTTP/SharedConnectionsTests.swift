#if CURL
  import Testing

  @testable import ApolloTransport

  /// The silence after which a connection of HTTP/2 is given up.
  struct SharedConnectionsTests {
    private var connections = SharedConnections()
    private let connection = ConnectionAddress(localPort: 1, port: 443, address: "::1")

    private static let second: UInt64 = 1_000_000_000

    private mutating func send(_ second: UInt64) {
      connections.hasRequest(connection, at: second * Self.second)
    }

    /// Ends a request that would allow a minute of silence. Returns whether the connection is given
    /// up.
    private mutating func lose(_ second: UInt64, isLast: Bool = true) -> Bool {
      connections.lostRequest(
        connection, idleTimeout: 60 * Self.second, isLast: isLast, at: second * Self.second)
    }

    @Test mutating func aRequestThatHasWaitedForLongGivesItUp() {
      send(0)
      let isGivenUp = lose(10)
      #expect(isGivenUp && connections.isGivenUp(connection))
    }

    @Test mutating func aRequestThatIsCancelledSoonDoesNot() {
      send(0)
      let isGivenUp = lose(9)
      #expect(!isGivenUp && !connections.isGivenUp(connection))
    }

    /// Each call may have a short deadline.
    @Test mutating func theWaitsOfRequestsAddUp() {
      for start in [0, 100] as [UInt64] {
        send(start)
        let isGivenUp = lose(start + 4)
        #expect(!isGivenUp)
      }
      send(200)
      let isGivenUp = lose(202)
      #expect(isGivenUp)
    }

    @Test mutating func theTimeBetweenRequestsDoesNotCount() {
      send(0)
      _ = lose(1)
      send(100)
      let isGivenUp = lose(101)
      #expect(!isGivenUp)
    }

    @Test mutating func aRequestThatGoesOnWaitingKeepsTheTime() {
      send(0)
      send(4)
      let isGivenUp = lose(5, isLast: false)
      #expect(!isGivenUp)
      let isGivenUpLater = lose(10)
      #expect(isGivenUpLater)
    }

    @Test mutating func bytesShowThatItIsAlive() {
      send(0)
      _ = lose(60)
      connections.forget(connection)
      #expect(!connections.isGivenUp(connection))
      let isGivenUp = lose(61)
      #expect(!isGivenUp)
    }
  }
#endif
