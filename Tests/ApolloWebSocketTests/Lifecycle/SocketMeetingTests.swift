import ApolloAPI
import ApolloTransport
import Foundation
import ScriptedSocket
import TestOperations
import Testing

@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The facts that one part of a socket has learned and another one needs.
@Suite(.timeLimit(.minutes(10)))
struct SocketMeetingTests {
  // MARK: Counters

  /// The ways in which a session ends that the server has not ended.
  enum Closing: CaseIterable, Sendable { case unused, byTheProgram }

  private func close(_ script: MachineScript, _ closing: Closing) {
    switch closing {
    case .unused:
      _ = script.remove(1)
      _ = script.advanceToDeadline()
      _ = script.received(.pong(payload: nil))
      #expect(script.advanceToDeadline().last == "report idle")
    case .byTheProgram:
      _ = script.close()
      _ = script.open()
    }
  }

  /// A session that has delivered resets the count of rejections, also if the client closes it.
  @Test(arguments: Closing.allCases)
  func aSessionThatDeliveredForgetsRejectionsAlsoIfItIsClosed(_ closing: Closing) {
    let script = MachineScript()
    _ = script.add("A")
    for _ in 1...2 {
      script.connect()
      _ = script.ended(.closed(code: 4403, reason: "expired"))
      _ = script.advanceToDeadline()
    }
    script.connect()
    #expect(script.received(.next(id: "3", MessagePayload("{}"))) == ["deliver 1 {}"])
    close(script, closing)
    _ = script.add("B")
    script.connect()
    let last = script.ended(.closed(code: 4403, reason: "expired")).last
    #expect(last?.hasPrefix("report waiting") == true, "it is the first one in a row")
  }

  /// A connection that lasted resets the delays, also if it is closed because it is unused.
  @Test func aConnectionThatLastedForgetsFailuresAlsoIfItIsUnused() {
    let script = MachineScript()
    _ = script.add("A")
    script.failToConnect(times: 4)
    script.connect()
    close(script, .unused)
    _ = script.add("B")
    _ = script.prepared()
    #expect(script.ended(.unreachable).last == "report waiting 1.0 seconds")
  }

  // MARK: Credentials

  /// A refresh that fails leaves the rejected token in place.
  @Test func aTokenStaysRejectedUntilTheProviderHasAnotherOne() async throws {
    struct Offline: Error {}
    let attempts = Lock<[Bool]>([])
    var configuration = WebSocketTransport.Configuration()
    configuration.connectingPayloadProvider = { attempt in
      let number = attempts.withLock { attempts in
        attempts.append(attempt.isRejected)
        return attempts.count
      }
      if number == 2 { throw Offline() }
      return ["token": .int(Int64(number))]
    }
    let server = ScriptedServer()
    let transport = try server.transport(configuration)
    let results = try transport.results(of: heroChanges)
    let first = try await server.connector.nextAttempt().accept("graphql-transport-ws")
    _ = try await first.nextText()
    first.end(4403, "Forbidden")
    await server.time.advanceToAlarm(at: .seconds(1))
    await server.time.advanceToAlarm(at: .seconds(3))
    let second = try await server.connector.nextAttempt().accept("graphql-transport-ws")
    #expect(
      try await second.nextText() == #"{"type":"connection_init","payload":{"token":3}}"#)
    #expect(attempts.get() == [false, true, true])
    _ = results
  }

  /// 3000 is "Unauthorized" and 3003 "Forbidden" in the registry of close codes, as 4401 and 4403
  /// are in graphql-ws.
  @Test func theRegisteredCodesForCredentialsAreRejections() {
    #expect(WebSocketRecovery(after: 3000) == .refreshAndRetry)
    #expect(WebSocketRecovery(after: 3003) == .refreshAndRetry)
    let script = MachineScript()
    _ = script.add("A")
    for attempt in 1...3 {
      script.connect()
      let last = script.ended(.closed(code: 3003, reason: "Forbidden")).last
      #expect(last?.hasPrefix(attempt < 3 ? "report waiting" : "report idle") == true)
      _ = script.advanceToDeadline()
    }
  }

  /// Another user's payload is set right after the former one was read.
  @Test func noSessionBeginsWithAPayloadThatWasReplacedWhileItWasRead() async throws {
    let url = try #require(URL(string: "ws://localhost/graphql"))
    let (connector, clock) = (ScriptedConnector(), InterruptedClock())
    let token = Lock("former")
    let owner = Lock<TransportDriver?>(nil)
    let driver = TransportDriver(
      TransportSettings(),
      TransportDriver.Environment(
        connector: connector, subprotocols: [.graphqlTransportWS], clock: clock,
        handshake: { URLRequest(url: url) },
        payload: .value {
          let current = token.get()
          if current == "former" {
            clock.interruptNextReading {
              _ = token.exchange("new")
              owner.get()?.reconnect()
            }
          }
          return ["token": .string(current)]
        },
        encode: { _ in [] }, report: { _ in }))
    _ = owner.exchange(driver)
    defer {
      driver.shutDown()
      _ = owner.exchange(nil)
    }
    driver.open()
    var connection = try await connector.nextAttempt().accept("graphql-transport-ws")
    var first = try await connection.nextSent()
    // An attempt that has read the former payload may connect, and is closed at once.
    if case .close = first {
      connection = try await connector.nextAttempt().accept("graphql-transport-ws")
      first = try await connection.nextSent()
    }
    #expect(
      first == .message(.text(#"{"type":"connection_init","payload":{"token":"new"}}"#)))
  }

  // MARK: Errors

  /// Over HTTP, an entry without a message keeps its code, by which programs decide.
  @Test(arguments: [
    #"[{"extensions":{"code":"UNAUTHENTICATED"}}]"#,
    #"[{"message":null,"extensions":{"code":"UNAUTHENTICATED"}}]"#,
    #"{"errors":[{"extensions":{"code":"UNAUTHENTICATED"}}]}"#,
    #"{"extensions":{"code":"UNAUTHENTICATED"}}"#,
  ])
  func anErrorWithoutAMessageKeepsItsExtensions(_ payload: String) {
    #expect(MessagePayload(payload).errors.first?.extensions?["code"] == "UNAUTHENTICATED")
  }

  @Test(arguments: [
    (#"{"errors":{"message":"no"}}"#, "no"), (#"{"errors":"no"}"#, "no"),
    (#"{"errors":["no"]}"#, "no"),
  ])
  func theErrorsOfAMessageAreThoseOfAResponse(_ payload: String, _ message: String) {
    #expect(MessagePayload(payload).errors.map(\.message) == [message])
  }

  @Test func aRejectionWithoutErrorsIsASentence() {
    let error = WebSocketError(.rejected, graphQLErrors: [])
    #expect(!error.description.contains(": ."), "\(error)")
  }

  /// One character can have any number of combining marks.
  @Test func aTextQuotesFewBytesOfAMessage() {
    let long = "e" + String(repeating: "\u{301}", count: 100_000)
    for failure in [
      ConnectionFailure.invalidMessage(.unknownType(long)), .rejected(reason: long),
    ] {
      let error = WebSocketError(failure, nil, .connected, url: nil, [:])
      #expect(error.description.utf8.count < 3_000)
    }
  }

  // MARK: Queues

  /// The states of a connection that comes and goes while a consumer reads nothing.
  @Test func aSlowConsumerHasAFewStatesOnly() async throws {
    let buffer = ResultBuffer(ResultBufferPolicy())
    for _ in 1...10_000 {
      _ = buffer.append(.interrupted(WebSocketError(.connectionLost)))
      _ = buffer.append(.resumed)
    }
    buffer.finish(.success(()))
    var count = 0
    while try await buffer.next() != nil { count += 1 }
    #expect(count <= 1_000, "a slow consumer costs a bounded amount of memory")
    #expect(count >= 1, "the gap is reported")
  }

  /// The results between interruptions are dropped, and the interruptions are merged then.
  @Test func theLastInterruptionStaysBesideTheResultsThatAreKept() async throws {
    var policy = ResultBufferPolicy()
    policy.maximumCount = 2
    let buffer = ResultBuffer(policy)
    _ = buffer.append(.resumed)
    for number in 1...1_000 {
      _ = buffer.append(.interrupted(WebSocketError(.connectionLost, detail: "\(number)")))
      _ = buffer.append(.resumed)
      _ = buffer.append(.result(MessagePayload("\(number)")))
    }
    buffer.finish(.success(()))
    var elements: [String] = []
    while let element = try await buffer.next() {
      let text =
        switch element {
        case .result(let payload, _): payload.description
        case .interrupted(let error): "interrupted \(error.detail)"
        case .resumed: "resumed"
        case .dropped(let count): "dropped \(count)"
        }
      elements.append(text)
    }
    #expect(
      elements == [
        "dropped 998", "resumed", "interrupted 999", "resumed", "999", "interrupted 1000",
        "resumed", "1000",
      ])
  }
}

/// A clock that is interrupted by another event, once, when it is read.
private final class InterruptedClock: AlarmClock {
  private let base = ManualTime()
  private let interruption = Lock<(@Sendable () -> Void)?>(nil)

  func interruptNextReading(_ body: @escaping @Sendable () -> Void) {
    _ = interruption.exchange(body)
  }

  var now: Duration {
    interruption.exchange(nil)?()
    return base.now
  }

  func setAlarm(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
    base.setAlarm(after: delay, action)
  }

  func removeAlarm(_ id: Alarm.ID) { base.removeAlarm(id) }
}
