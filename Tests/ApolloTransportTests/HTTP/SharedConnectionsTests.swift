#if CURL
  import Testing

  @testable import ApolloTransport

  /// The silence after which a connection of HTTP/2 is given up.
  struct SharedConnectionsTests {
    private var connections = SharedConnections()
    private let connection = ConnectionAddress(localPort: 1, port: 443, address: "::1")

    private static let second: UInt64 = 1_000_000_000

    private mutating func receive(_ second: UInt64) {
      connections.hasBytes(connection, at: second * Self.second)
    }

    /// Ends a request that would allow a minute of silence. Returns whether the connection is given
    /// up.
    private mutating func lose(_ second: UInt64, sentAt sendingSecond: UInt64) -> Bool {
      connections.lostRequest(
        connection, sentAt: sendingSecond * Self.second, idleTimeout: 60 * Self.second,
        at: second * Self.second)
    }

    @Test mutating func aRequestThatHasWaitedForLongGivesItUp() {
      let isGivenUp = lose(10, sentAt: 0)
      #expect(isGivenUp && connections.isGivenUp(connection))
    }

    @Test mutating func aRequestThatIsCancelledSoonDoesNot() {
      let isGivenUp = lose(9, sentAt: 0)
      #expect(!isGivenUp && !connections.isGivenUp(connection))
    }

    /// Each call may have a short deadline.
    @Test mutating func theWaitsOfRequestsAddUp() {
      for start in [0, 100] as [UInt64] {
        let isGivenUp = lose(start + 4, sentAt: start)
        #expect(!isGivenUp)
      }
      let isGivenUp = lose(202, sentAt: 200)
      #expect(isGivenUp)
    }

    @Test mutating func theTimeBetweenRequestsDoesNotCount() {
      _ = lose(1, sentAt: 0)
      let isGivenUp = lose(101, sentAt: 100)
      #expect(!isGivenUp)
    }

    @Test mutating func waitsThatOverlapCountOnce() {
      _ = lose(6, sentAt: 0)
      let isGivenUp = lose(7, sentAt: 3)
      #expect(!isGivenUp)
      let isGivenUpLater = lose(10, sentAt: 4)
      #expect(isGivenUpLater)
    }

    @Test mutating func aShortRequestDoesNotShortenTheWaitOfALongOne() {
      _ = lose(9, sentAt: 8)
      let isGivenUp = lose(10, sentAt: 0)
      #expect(isGivenUp)
    }

    @Test mutating func bytesShowThatItIsAlive() {
      _ = lose(60, sentAt: 0)
      receive(60)
      #expect(!connections.isGivenUp(connection))
      let isGivenUp = lose(61, sentAt: 0)
      #expect(!isGivenUp)
    }

    /// They may be the response to another request.
    @Test mutating func aRequestGoesOnWaitingAfterBytes() {
      receive(1)
      let isGivenUp = lose(10, sentAt: 0)
      #expect(!isGivenUp)
      receive(20)
      let isGivenUpLater = lose(30, sentAt: 0)
      #expect(isGivenUpLater)
    }
  }
#endif
