#if CURL
  import Testing

  @testable import ApolloTransport

  /// The events of a stream, and whether its request may be sent again.
  struct StreamStateTests {
    @Test func aRefusedStreamIsRetriedByLibcurl() {
      var stream = StreamState()
      stream.opened(1)
      stream.isRetried(hasNotedFailure: false)
      // libcurl reports the reason and the retry.
      stream.isRetried(hasNotedFailure: false)
      let isTaken = [stream.takesRetry(), stream.takesRetry()]
      #expect(isTaken == [true, false], "each retry has a reason of its own")
    }

    @Test func aLostStreamIsNotRetried() {
      var stream = StreamState()
      stream.opened(3)
      stream.isRetried(hasNotedFailure: true)
      let isTaken = stream.takesRetry()
      #expect(!isTaken)
      #expect(!stream.isRefused)
    }

    /// A connection that was used before can fail before there is a stream. The gate knows whether
    /// the request was sent.
    @Test func aRequestWithoutAStreamIsNotRetried() {
      var stream = StreamState()
      stream.isRetried(hasNotedFailure: false)
      let isTaken = stream.takesRetry()
      #expect(!isTaken)
    }

    @Test(
      arguments: [
        (0, true), (3, true), (4, true), (5, false), (7, false), (0x7FFF_FFFF, false),
      ] as [(UInt32, Bool)])
    func onlyStreamsAfterTheLastOneAreRefused(_ last: UInt32, isRefused: Bool) {
      var stream = StreamState()
      stream.goesAway(last: 0)
      #expect(!stream.isRefused, "it is not on that connection yet")
      stream.opened(5)
      stream.goesAway(last: last)
      #expect(stream.isRefused == isRefused)
    }

    /// The second announcement has the number.
    @Test func theLowestNumberCounts() {
      var stream = StreamState()
      stream.opened(5)
      for last in [0x7FFF_FFFF, 3] as [UInt32] { stream.goesAway(last: last) }
      #expect(stream.isRefused)
    }

    @Test func aRefusedStreamMayBeRetriedWhateverLibcurlHasNoted() {
      var stream = StreamState()
      stream.opened(5)
      stream.goesAway(last: 3)
      stream.isRetried(hasNotedFailure: true)
      let isTaken = stream.takesRetry()
      #expect(isTaken)
    }

    @Test func aRequestIsRefusedFiveTimes() {
      var stream = StreamState()
      for _ in 1...5 {
        stream.opened(1)
        stream.goesAway(last: 0)
        #expect(stream.isRefused)
        stream.startsAgain()
        #expect(!stream.isOpen)
      }
      stream.opened(1)
      stream.goesAway(last: 0)
      #expect(!stream.isRefused)
    }
  }
#endif
