import Testing

@testable import ApolloWebSocket

struct SessionStateMachineTests {
  private typealias Effect = SessionStateMachine.Effect

  // MARK: Acknowledgement

  @Test func startsWithTheAcknowledgement() {
    var session = session()
    #expect(
      session.received(.success(.connectionAck(payload: nil)), now: .seconds(1)) == .acknowledged)
    #expect(session.acknowledgementTime == .seconds(1))
    #expect(session.received(.success(.connectionAck(payload: nil)), now: .seconds(2)) == nil)
    #expect(session.acknowledgementTime == .seconds(1), "a second one changes nothing")
  }

  @Test(arguments: WebSocketSubprotocol.allCases)
  func failsWithoutAnAcknowledgement(_ subprotocol: WebSocketSubprotocol) {
    var session = session(subprotocol)
    #expect(session.deadline == .seconds(10))
    // Signs of life are not an acknowledgement.
    _ = session.received(.success(.keepAlive), now: .seconds(9))
    #expect(session.timePassed(now: .milliseconds(9_999)) == nil)
    #expect(session.timePassed(now: .seconds(10)) == .fail(.timedOut(.acknowledgement)))
  }

  @Test func respondsToPingsBeforeTheAcknowledgement() {
    var session = session()
    #expect(session.received(.success(.ping(payload: nil)), now: .zero) == .reply(pong: nil))
    let payload = MessagePayload(#"{"a":1}"#)
    #expect(
      session.received(.success(.ping(payload: payload)), now: .zero) == .reply(pong: payload))
  }

  @Test func isRejectedBeforeTheAcknowledgementOnly() {
    let rejection = ServerMessage.connectionError(payload: MessagePayload(#"{"message":"no"}"#))
    var session = session(.graphqlWS)
    #expect(
      session.received(.success(rejection), now: .zero) == .fail(.rejected(reason: "no")))
    session = acknowledged(.graphqlWS)
    #expect(session.received(.success(rejection), now: .zero) == nil)
  }

  // MARK: Operations

  @Test func deliversResultsUntilTheOperationEnds() {
    var session = acknowledged()
    let payload = MessagePayload("{}")
    #expect(session.start(key(1), id: "a") == true)
    #expect(session.start(key(2), id: "b") == true)
    #expect(
      session.received(.success(.next(id: "b", payload)), now: .zero) == .next(key(2), payload))
    #expect(session.received(.success(.complete(id: "b")), now: .zero) == .completed(key(2)))
    #expect(session.received(.success(.next(id: "b", payload)), now: .zero) == nil)
    #expect(session.received(.success(.complete(id: "b")), now: .zero) == nil)
    #expect(
      session.received(.success(.error(id: "a", payload)), now: .zero) == .failed(key(1), payload))
    #expect(session.received(.success(.error(id: "a", payload)), now: .zero) == nil)
  }

  @Test func ignoresMessagesForStoppedAndUnknownOperations() {
    var session = acknowledged()
    _ = session.start(key(1), id: "a")
    session.stop(id: "a")
    for id in ["a", "z"] {
      for message: ServerMessage in [
        .next(id: id, MessagePayload("{}")), .error(id: id, MessagePayload("[]")),
        .complete(id: id),
      ] {
        #expect(session.received(.success(message), now: .zero) == nil)
      }
    }
  }

  @Test func rejectsEmptyAndDuplicateIdentifiers() {
    var session = acknowledged()
    #expect(session.start(key(1), id: "") == false)
    #expect(session.start(key(1), id: "a") == true)
    #expect(session.start(key(2), id: "a") == false)
  }

  @Test func failsWithEachViolation() {
    for violation: MessageViolation in [.binary, .missingType, .unknownType("x")] {
      var session = acknowledged()
      #expect(
        session.received(.failure(violation), now: .zero) == .fail(.invalidMessage(violation)))
    }
  }

  // MARK: Silence

  @Test func pingsAfterSilenceAndFailsWithoutAPong() {
    var session = acknowledged()
    #expect(session.deadline == .seconds(20))
    _ = session.received(.success(.ignored), now: .seconds(10))
    session.sent(now: .seconds(12))
    #expect(session.timePassed(now: .seconds(20)) == nil, "the silence began anew")
    #expect(session.deadline == .seconds(30))
    #expect(session.timePassed(now: .seconds(30)) == .sendPing)
    #expect(session.deadline == .seconds(40))
    #expect(session.timePassed(now: .seconds(39)) == nil)
    #expect(session.timePassed(now: .seconds(40)) == .fail(.timedOut(.pong)))
  }

  @Test func pingsWhenOnlyTheServerSends() {
    var session = acknowledged()
    for second in 1...19 { _ = session.received(.success(.ignored), now: .seconds(second)) }
    #expect(session.deadline == .seconds(20))
    #expect(session.timePassed(now: .seconds(20)) == .sendPing)
    for second in 20...39 { _ = session.received(.success(.ignored), now: .seconds(second)) }
    #expect(session.deadline == .seconds(40), "a ping ends the silence of this side")
    session.sent(now: .seconds(39))
    #expect(session.deadline == .seconds(59))
  }

  @Test func continuesAfterAPongOrAnyOtherMessage() {
    for isPongFrame in [true, false] {
      var session = acknowledged()
      #expect(session.timePassed(now: .seconds(20)) == .sendPing)
      if isPongFrame {
        session.receivedPong(now: .seconds(25))
      } else {
        _ = session.received(.success(.pong(payload: nil)), now: .seconds(25))
      }
      #expect(session.deadline == .seconds(40), "this side was silent since its ping")
      #expect(session.timePassed(now: .seconds(40)) == .sendPing)
    }
  }

  @Test func waitsForAPongWhileBytesOfAMessageArrive() {
    var session = acknowledged()
    #expect(session.timePassed(now: .seconds(20), receivedByteCount: 100) == .sendPing)
    #expect(session.timePassed(now: .seconds(25), receivedByteCount: 150) == nil)
    #expect(session.deadline == .seconds(30), "an early look changes nothing")
    #expect(session.timePassed(now: .seconds(30), receivedByteCount: 200) == nil)
    #expect(session.deadline == .seconds(40))
    #expect(
      session.timePassed(now: .seconds(40), receivedByteCount: 200) == .fail(.timedOut(.pong)))
  }

  @Test func bytesFromBeforeAPingAreNoSignOfLife() {
    var session = acknowledged()
    #expect(session.probe(now: .seconds(1), receivedByteCount: 100) == .sendPing)
    #expect(
      session.timePassed(now: .seconds(11), receivedByteCount: 100) == .fail(.timedOut(.pong)))
  }

  @Test func waitsForAKeepAliveMessageWhileBytesOfAMessageArrive() {
    var session = acknowledged(.graphqlWS)
    for second in [0, 5] { _ = session.received(.success(.keepAlive), now: .seconds(second)) }
    #expect(session.timePassed(now: .seconds(20), receivedByteCount: 0) == .sendPing)
    #expect(session.timePassed(now: .seconds(30), receivedByteCount: 1) == nil)
    #expect(session.deadline == .seconds(40))
    #expect(session.timePassed(now: .seconds(40), receivedByteCount: 2) == nil)
    #expect(session.deadline == .seconds(50))
  }

  @Test func probesAtOnceButNotTwice() {
    var session = session()
    #expect(session.probe(now: .zero) == nil, "the acknowledgement has a deadline of its own")
    session = acknowledged()
    #expect(session.probe(now: .seconds(1)) == .sendPing)
    #expect(session.probe(now: .seconds(2)) == nil)
    #expect(session.timePassed(now: .seconds(11)) == .fail(.timedOut(.pong)))
  }

  @Test func sendsNoPingsWithoutAnInterval() {
    var session = acknowledged(keepAlive: KeepAlivePolicy(pingInterval: nil))
    #expect(session.deadline == nil)
    #expect(session.timePassed(now: .seconds(1_000_000)) == nil)
  }

  @Test func failsWhenKeepAliveMessagesStop() {
    var session = acknowledged(.graphqlWS, keepAlive: KeepAlivePolicy(pingInterval: nil))
    _ = session.received(.success(.keepAlive), now: .seconds(1))
    #expect(session.deadline == nil, "one message is no rhythm")
    _ = session.received(.success(.keepAlive), now: .seconds(6))
    #expect(session.deadline == .seconds(36))
    #expect(session.timePassed(now: .seconds(36)) == .fail(.timedOut(.keepAlive)))
  }

  @Test func waitsLongerForASlowRhythm() {
    var session = acknowledged(.graphqlWS, keepAlive: KeepAlivePolicy(pingInterval: nil))
    _ = session.received(.success(.keepAlive), now: .seconds(0))
    _ = session.received(.success(.keepAlive), now: .seconds(60))
    _ = session.received(.success(.keepAlive), now: .seconds(100))
    #expect(session.deadline == .seconds(280))
  }

  // MARK: Support

  private func key(_ number: Int) -> OperationKey { OperationKey(number: number) }

  private func session(
    _ subprotocol: WebSocketSubprotocol = .graphqlTransportWS,
    keepAlive: KeepAlivePolicy = KeepAlivePolicy()
  ) -> SessionStateMachine {
    SessionStateMachine(
      subprotocol, acknowledgementTimeout: .seconds(10), keepAlive: keepAlive, now: .zero)
  }

  private func acknowledged(
    _ subprotocol: WebSocketSubprotocol = .graphqlTransportWS,
    keepAlive: KeepAlivePolicy = KeepAlivePolicy()
  ) -> SessionStateMachine {
    var session = session(subprotocol, keepAlive: keepAlive)
    _ = session.received(.success(.connectionAck(payload: nil)), now: .zero)
    return session
  }
}
