import ApolloAPI
import Testing

@testable import ApolloWebSocket

/// Scripts of events for the life of a transport's connections, step by step.
struct TransportStateMachineTests {
  // MARK: Connecting

  @Test func connectsForTheFirstOperation() {
    let script = MachineScript()
    #expect(script.add("A") == ["report connecting", "prepare 1"])
    #expect(script.add("B") == [], "one connection serves all operations")
    #expect(script.prepared(.success(["token": "t"])) == ["connect 1"])
    #expect(script.opened() == [#"send init {"token":"t"}"#])
    #expect(
      script.received(.connectionAck(payload: nil)) == [
        "report connected", "send subscribe 1 A", "send subscribe 2 B",
      ])
    #expect(script.add("C") == ["send subscribe 3 C"])
  }

  @Test func deliversResultsAndEnds() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.add("B")
    script.connect()
    #expect(script.received(.next(id: "2", MessagePayload("{}"))) == ["deliver 2 {}"])
    #expect(script.received(.complete(id: "2")) == ["finish 2 completed"])
    #expect(
      script.received(.error(id: "1", MessagePayload("[]"))) == ["finish 1 rejected []"])
    #expect(script.received(.next(id: "1", MessagePayload("{}"))) == [])
  }

  @Test func sendsCompleteOnceWhenAnOperationIsDropped() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.add("B")
    script.connect()
    #expect(script.remove(1) == ["send complete 1"])
    #expect(script.remove(1) == [])
    #expect(script.received(.next(id: "1", MessagePayload("{}"))) == [], "late, and ignored")
    #expect(script.received(.complete(id: "2")) == ["finish 2 completed"])
    #expect(script.remove(2) == [], "the server has ended it")
  }

  @Test func sendsNothingForAnOperationThatIsDroppedBeforeItIsSent() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.add("B")
    #expect(script.remove(1) == [])
    #expect(script.connect() == ["report connected", "send subscribe 1 B"])
  }

  @Test func abandonsAnAttemptThatNothingNeedsAnyMore() {
    let script = MachineScript()
    _ = script.add("A")
    #expect(script.remove(1) == ["abandon 1", "report idle"])
    #expect(script.prepared() == [])
    _ = script.add("B")
    _ = script.prepared()
    #expect(script.remove(2) == ["abandon 2", "report idle"])
    #expect(script.opened() == ["close 2 1000"], "it was open already")
    #expect(script.add("C") == ["report connecting", "prepare 3"])
  }

  @Test func ignoresTheEventsOfEarlierAttempts() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.prepared()
    _ = script.ended(.unreachable)
    #expect(script.advanceToDeadline() == ["report connecting", "prepare 2 after unreachable"])
    #expect(script.prepared(attempt: 1) == [])
    #expect(script.ended(attempt: 1) == [])
    _ = script.prepared()
    #expect(script.opened(attempt: 1) == ["close 1 1000"])
    _ = script.opened()
    #expect(script.received(.connectionAck(payload: nil), attempt: 1) == [])
  }

  @Test func failsOnceWhenAConnectionEndsInSeveralWays() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    #expect(
      script.ended(.closed(code: 1001, reason: "")) == [
        "close 1 1000",
        "report disconnected closed 1001", "interrupt 1 closed 1001", "report waiting 1.0 seconds",
      ])
    #expect(script.ended(.lost) == [])
    #expect(script.ended(.closed(code: 1006, reason: "")) == [])
  }

  // MARK: Deadlines

  @Test func limitsTheTimeOfEachStepOfConnecting() {
    let script = MachineScript()
    _ = script.add("A")
    #expect(
      script.advanceToDeadline() == [
        "abandon 1", "report disconnected payload timeout", "interrupt 1 payload timeout unsent",
        "report waiting 1.0 seconds",
      ])
    #expect(script.now == .seconds(10))
    _ = script.advanceToDeadline()
    _ = script.prepared()
    #expect(
      script.advanceToDeadline() == [
        "abandon 2", "report disconnected connection timeout",
        "report waiting 2.0 seconds",
      ])
    _ = script.advanceToDeadline()
    _ = script.prepared()
    _ = script.opened()
    #expect(
      script.advanceToDeadline() == [
        "close 3 4504 Connection acknowledgement timeout",
        "report disconnected ack timeout", "report waiting 4.0 seconds",
      ])
  }

  @Test func detectsADeadConnection() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    #expect(script.advanceToDeadline() == ["send ping"])
    #expect(script.now == .seconds(20))
    #expect(
      script.advanceToDeadline() == [
        "close 1 4499 Terminated", "report disconnected pong timeout",
        "interrupt 1 pong timeout", "report waiting 1.0 seconds",
      ])
    #expect(script.now == .seconds(30))
  }

  @Test func pingsTheLegacyProtocolWithFrames() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect(.graphqlWS)
    #expect(script.advanceToDeadline() == ["ping frame 1"])
  }

  @Test func reportsPings() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    #expect(script.received(.pong(payload: nil)) == ["report pong"])
    #expect(script.received(.pong(payload: MessagePayload("{}"))) == ["report pong {}"])
  }

  // MARK: Connecting on request

  @Test func keepsAnAttemptThatTheProgramAsksFor() {
    let script = MachineScript()
    #expect(script.add("A") == ["report connecting", "prepare 1"])
    #expect(script.open() == [])
    #expect(script.remove(1) == [], "the attempt continues")
    script.connect()
    #expect(script.advanceToDeadline() == ["send ping"])
    _ = script.received(.pong(payload: nil))
    #expect(script.advanceToDeadline() == ["close 1 1000", "report idle"])
    #expect(script.now == .seconds(30))
  }

  @Test func endsAWaitThatTheProgramDoesNotWantToWaitFor() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.prepared()
    _ = script.ended(.unreachable)
    #expect(script.open() == ["report connecting", "prepare 2 after unreachable"])
    #expect(script.remove(1) == [], "the attempt continues")
  }

  // MARK: Idle

  @Test func closesAnUnusedConnection() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    _ = script.remove(1)
    #expect(script.advanceToDeadline() == ["send ping"])
    _ = script.received(.pong(payload: nil))
    #expect(script.advanceToDeadline() == ["close 1 1000", "report idle"])
    #expect(script.ended(.closed(code: 1000, reason: "")) == [])
    #expect(script.add("B") == ["report connecting", "prepare 2"])
  }

  @Test func keepsAConnectionThatIsUsedAgain() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    _ = script.remove(1)
    script.advance(by: .seconds(20))
    _ = script.add("B")
    #expect(script.advanceAndReport(by: .seconds(20)) == ["send ping"])
  }

  @Test func closesAtOnceOrNeverIfConfigured() {
    var settings = TransportSettings()
    settings.idleTimeout = .zero
    let script = MachineScript(settings)
    _ = script.add("A")
    script.connect(.graphqlWS)
    #expect(
      script.remove(1) == ["send complete 1", "send terminate", "close 1 1000", "report idle"])

    settings.idleTimeout = nil
    settings.keepAlive.pingInterval = nil
    let other = MachineScript(settings)
    _ = other.add("A")
    other.connect()
    _ = other.remove(1)
    #expect(other.machine.deadline == nil)
  }

  @Test func staysOpenBeforeTheFirstOperationIfAskedTo() {
    let script = MachineScript()
    #expect(script.open() == ["report connecting", "prepare 1"])
    #expect(script.open() == [])
    #expect(script.connect() == ["report connected"])
    #expect(script.machine.isConnected)
    #expect(script.advanceToDeadline() == ["send ping"])
    _ = script.received(.pong(payload: nil))
    #expect(script.advanceToDeadline() == ["close 1 1000", "report idle"])
  }

  @Test func staysOpenAsAskedThoughTheAttemptIsReplaced() {
    let script = MachineScript()
    _ = script.open()
    _ = script.prepared()
    #expect(
      script.reconnect() == [
        "abandon 1", "report disconnected replaced", "report connecting", "prepare 2",
      ])
    #expect(script.add("A") == [])
    #expect(script.remove(1) == [], "the attempt continues without operations")
    #expect(script.connect() == ["report connected"])
    #expect(script.machine.isConnected)
  }

  @Test func staysOpenWithoutOperationsThoughTheConnectionIsReplaced() {
    let script = MachineScript()
    _ = script.open()
    script.connect()
    #expect(
      script.reconnect() == [
        "close 1 1000", "report disconnected replaced", "report connecting", "prepare 2",
      ])
    #expect(script.add("A") == [])
    #expect(script.remove(1) == [], "the attempt continues without operations")
    #expect(script.connect() == ["report reconnected"])
    #expect(script.machine.isConnected)
  }

  @Test func doesNotRetryAConnectionThatNothingNeeds() {
    let script = MachineScript()
    _ = script.open()
    _ = script.prepared()
    #expect(
      script.ended(.unreachable) == ["abandon 1", "report disconnected unreachable", "report idle"])
  }

  // MARK: Queries and mutations

  @Test func endsAQueryWithItsFirstResult() {
    for subprotocol in WebSocketSubprotocol.allCases {
      let script = MachineScript()
      _ = script.add("Q", .single)
      script.connect(subprotocol)
      #expect(
        script.received(.next(id: "1", MessagePayload("{}"))) == [
          "deliver 1 {}", "finish 1 completed",
        ])
      #expect(script.received(.next(id: "1", MessagePayload("{}"))) == [])
      #expect(script.received(.complete(id: "1")) == [])
      #expect(script.remove(1) == [])
    }
  }

  @Test func endsAnIncrementalQueryWhenItIsComplete() {
    let script = MachineScript()
    _ = script.add("Q", .incremental)
    script.connect()
    #expect(script.received(.next(id: "1", MessagePayload("{}"))) == ["deliver 1 {}"])
    #expect(script.received(.next(id: "1", MessagePayload("{}"))) == ["deliver 1 {}"])
    #expect(script.received(.complete(id: "1")) == ["finish 1 completed"])
  }

  @Test func takesMorePartsThanExpectedIfTheServerAnnouncesThem() {
    for subprotocol in WebSocketSubprotocol.allCases {
      let script = MachineScript()
      _ = script.add("Q", .single)
      script.connect(subprotocol)
      let first = MessagePayload(#"{"data":{"hasNext":false},"hasNext":true}"#)
      #expect(script.received(.next(id: "1", first)) == ["deliver 1 \(first)"])
      #expect(script.received(.next(id: "1", MessagePayload("{}"))) == ["deliver 1 {}"])
      #expect(script.received(.complete(id: "1")) == ["finish 1 completed"])
    }
  }

  @Test func endsAfterOneResultThatOnlyMentionsMoreParts() {
    for text in [
      #"{"data":{"hasNext":true}}"#, #"{"data":{},"hasNext":false}"#, #"{"hasNext":null}"#,
      #"{"data":"\"hasNext\":true"}"#, #"{"data":{"a":{"b":[{"hasNext":true}]}},"extensions":{}}"#,
    ] {
      let script = MachineScript()
      _ = script.add("Q", .single)
      script.connect()
      #expect(
        script.received(.next(id: "1", MessagePayload(text))) == [
          "deliver 1 \(text)", "finish 1 completed",
        ])
    }
  }

  @Test func completesAResponseInPartsForItsConsumer() {
    for subprotocol in WebSocketSubprotocol.allCases {
      let script = MachineScript()
      _ = script.add("Q", .incremental)
      script.connect(subprotocol)
      _ = script.received(.next(id: "1", MessagePayload("{}")))
      #expect(script.complete(1) == [], "the server knows")
      #expect(script.received(.complete(id: "1")) == [])
      #expect(script.complete(1) == [])
      #expect(script.remove(1) == [])
      _ = script.advanceToDeadline()
      _ = script.received(.pong(payload: nil))
      #expect(script.advanceToDeadline().last == "report idle")
    }
  }

  @Test func failsQueriesWhenTheConnectionIsLost() {
    let script = MachineScript()
    _ = script.add("Q", .single)
    _ = script.add("S")
    script.connect()
    #expect(
      script.ended(.lost) == [
        "close 1 1000", "report disconnected lost", "finish 1 failed lost", "interrupt 2 lost",
        "report waiting 1.0 seconds",
      ])
    #expect(script.add("R", .single) == [], "waits for the next attempt")
    _ = script.advanceToDeadline()
    #expect(
      script.connect() == [
        "report reconnected", "send subscribe 3 S", "resume 2", "send subscribe 4 R",
      ])
  }

  @Test func failsQueriesWhenThereIsNoConnection() {
    let script = MachineScript()
    _ = script.add("Q", .single)
    _ = script.prepared()
    #expect(
      script.ended(.unreachable) == [
        "abandon 1", "report disconnected unreachable", "finish 1 failed unreachable",
        "report idle",
      ])
  }

  // MARK: Identifiers

  @Test func asksTheProgramForIdentifiers() {
    var settings = TransportSettings()
    settings.usesCustomIDs = true
    let script = MachineScript(settings)
    _ = script.add("A")
    _ = script.add("B")
    #expect(script.connect() == ["report connected", "request ids [1, 2]"])
    #expect(
      script.identified([1: "x", 2: "y"]) == ["send subscribe x A", "send subscribe y B"])
    #expect(script.add("C") == ["request ids [3]"])
    #expect(script.identified([3: "x"]) == ["finish 3 invalid id 'x'"], "in use")
    _ = script.add("D")
    #expect(script.identified([4: ""]) == ["finish 4 invalid id ''"])
    _ = script.remove(1)
    _ = script.add("E")
    #expect(script.remove(5) == [])
    #expect(script.identified([5: "z"]) == [], "dropped meanwhile")
  }

  // MARK: Violations

  @Test func closesAfterAViolation() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    let closing = script.received(.missingType)
    #expect(closing.first == "close 1 4400 Received a message without a 'type'")
    #expect(closing.last == "report waiting 1.0 seconds")
  }

  @Test func failsAfterThreeViolationsInARow() {
    let script = MachineScript()
    _ = script.add("A")
    for _ in 1...2 {
      script.connect()
      _ = script.received(.missingType)
      _ = script.advanceToDeadline()
    }
    script.connect()
    #expect(script.received(.missingType).last == "report idle")
    #expect(script.machine.operations.isEmpty)
  }

  @Test func failsWithoutASubprotocol() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.prepared()
    #expect(
      script.opened(nil) == [
        "close 1 4406 Subprotocol not acceptable", "report disconnected no subprotocol",
        "finish 1 failed no subprotocol", "report idle",
      ])
  }

  @Test func respondsToPings() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    #expect(
      script.received(.ping(payload: MessagePayload("{}"))) == ["send pong {}", "report ping {}"])
    #expect(script.received(.ping(payload: nil)) == ["send pong", "report ping"])
  }
}
