import SeededRandom
import Testing

@testable import ApolloWebSocket

/// Losses of connections, and the attempts that follow, on a clock that the tests set.
struct ReconnectionTests {
  // MARK: Delays

  @Test func doublesTheDelayUpToItsLimit() {
    let script = MachineScript()
    _ = script.add("A")
    var delays: [Int64] = []
    for _ in 1...10 {
      _ = script.prepared()
      _ = script.ended(.unreachable)
      let start = script.now
      _ = script.advanceToDeadline()
      delays.append((script.now - start).components.seconds)
    }
    #expect(delays == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30])
  }

  @Test func spreadsTheWaitOverTheWholeDelay() {
    let policy = ReconnectionPolicy()
    #expect(policy.delay(beforeAttempt: 3, jitter: 0) == .zero)
    #expect(policy.delay(beforeAttempt: 3, jitter: 0.5) == .seconds(2))
    #expect(policy.delay(beforeAttempt: 3, jitter: 1) == .seconds(4))
    #expect(policy.delay(beforeAttempt: .max, jitter: 1) == .seconds(30))
  }

  @Test(arguments: [1, 5, 100])
  func triesAsOftenForManySubscriptionsAsForOne(_ count: Int) {
    let script = MachineScript()
    for index in 1...count { _ = script.add("\(index)") }
    var attempts = 1
    while script.now < .seconds(600) {
      _ = script.prepared()
      _ = script.ended(.unreachable)
      _ = script.advanceToDeadline()
      attempts += 1
    }
    #expect(attempts == 25, "ten minutes without a server")
  }

  @Test func startsAgainWithTheShortestDelayAfterAStableConnection() {
    let script = MachineScript()
    _ = script.add("A")
    script.failToConnect(times: 4)
    script.connect()
    script.advance(by: .milliseconds(15_999))
    #expect(script.ended(.lost).last == "report waiting 16.0 seconds", "not stable yet")
    _ = script.advanceToDeadline()
    script.connect()
    script.advance(by: .seconds(30))
    #expect(script.ended(.lost).last == "report waiting 1.0 seconds", "longer than the delay")
  }

  @Test func restoresAConnectionThatAProxyCutsAgainAndAgainAtOnce() {
    let script = MachineScript()
    _ = script.add("A")
    for _ in 1...20 {
      script.connect()
      script.advance(by: .seconds(30))
      #expect(script.ended(.lost).last == "report waiting 1.0 seconds")
      _ = script.advanceToDeadline()
    }
  }

  @Test func countsNoTimeBeforeTheAcknowledgement() {
    let script = MachineScript()
    _ = script.add("A")
    for delay in [1, 2, 4, 8] {
      _ = script.prepared()
      _ = script.opened()
      script.advance(by: .seconds(9))
      #expect(script.ended(.lost).last == "report waiting \(Double(delay)) seconds")
      _ = script.advanceToDeadline()
    }
  }

  @Test func slowsDownForAServerThatAcceptsAndCloses() {
    let script = MachineScript()
    _ = script.add("A")
    var delays: [String] = []
    for _ in 1...6 {
      script.connect()
      delays.append(script.ended(.closed(code: 1000, reason: "")).last ?? "")
      _ = script.advanceToDeadline()
    }
    #expect(
      delays == [1, 2, 4, 8, 16, 30].map { "report waiting \(Double($0)) seconds" })
  }

  @Test func waitsAsLongAsTheServerAsks() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.prepared()
    let failure = ConnectionFailure.handshake(status: 503, retryAfter: .seconds(90))
    #expect(script.ended(failure).last == "report waiting 90.0 seconds")
    _ = script.advanceToDeadline()
    _ = script.prepared()
    let longer = ConnectionFailure.handshake(status: 503, retryAfter: .seconds(86_400))
    #expect(script.ended(longer).last == "report waiting 300.0 seconds")
  }

  // MARK: Giving up

  @Test func failsSubscriptionsWithoutReconnections() {
    var settings = TransportSettings()
    settings.reconnection = .never
    let script = MachineScript(settings)
    _ = script.add("A")
    script.connect()
    #expect(
      script.ended(.lost) == [
        "close 1 1000", "report disconnected lost", "interrupt 1 lost", "finish 1 failed lost",
        "report idle",
      ])
    #expect(script.add("B") == ["report connecting", "prepare 2 after lost"])
  }

  @Test func failsAfterTheLastAttempt() {
    var settings = TransportSettings()
    settings.reconnection.maximumAttemptCount = 2
    let script = MachineScript(settings)
    _ = script.add("A")
    script.failToConnect(times: 2)
    _ = script.prepared()
    #expect(script.ended(.unreachable).suffix(2) == ["finish 1 failed unreachable", "report idle"])
  }

  // MARK: Close codes

  private static let recoveries: [WebSocketRecovery: [UInt16]] = [
    .retry: [
      1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 3001, 4402, 4404, 4408, 4499, 4504, 4999,
    ],
    .refreshAndRetry: [3000, 3003, 4401, 4403],
    .fail: [
      0, 999, 1002, 1003, 1007, 1008, 1009, 1010, 1015, 2999, 4004, 4005, 4400, 4406, 4409, 4429,
      4500,
    ],
  ]

  @Test func decidesAboutEveryCloseCode() {
    for (recovery, codes) in Self.recoveries {
      for code in codes {
        let script = MachineScript()
        _ = script.add("A")
        script.connect()
        let actions = script.ended(.closed(code: WebSocketCloseCode(rawValue: code), reason: ""))
        #expect(WebSocketRecovery(after: WebSocketCloseCode(rawValue: code)) == recovery, "\(code)")
        #expect(
          actions.last == (recovery == .fail ? "report idle" : "report waiting 1.0 seconds"),
          "\(code)")
      }
    }
  }

  @Test func asksTheProgramAboutCloseCodesFirst() {
    var settings = TransportSettings()
    settings.recoveries = [4001: .fail, 4500: .retry]
    for (code, last) in [(4001, "report idle"), (4500, "report waiting 1.0 seconds")] {
      let script = MachineScript(settings)
      _ = script.add("A")
      script.connect()
      #expect(
        script.ended(.closed(code: WebSocketCloseCode(rawValue: UInt16(code)), reason: "")).last
          == last)
    }
  }

  @Test(arguments: [[WebSocketCloseCode: WebSocketRecovery].hasura, .knownServers])
  func aPresetRefreshesTheTokenOfAServerThatClosesWith4400(
    recoveries: [WebSocketCloseCode: WebSocketRecovery]
  ) {
    var settings = TransportSettings()
    settings.recoveries = recoveries
    let script = MachineScript(settings)
    _ = script.add("A")
    script.connect()
    let expired = ConnectionFailure.closed(code: 4400, reason: "JWTExpired")
    #expect(script.ended(expired).last == "report waiting 1.0 seconds")
    #expect(expired.recovery(recoveries) == .refreshAndRetry)
    #expect(ConnectionFailure.closed(code: 4500, reason: "").recovery(recoveries) == .fail)
  }

  @Test func decidesAboutEveryStatusOfTheHandshake() {
    let fatal = [200, 301, 400, 401, 403, 404, 405, 426, 501, 505]
    let temporary = [408, 425, 429, 500, 502, 503, 504, 511]
    for status in fatal + temporary {
      let script = MachineScript()
      _ = script.add("A")
      _ = script.prepared()
      let last = script.ended(.handshake(status: status, retryAfter: nil)).last
      #expect(
        last == (fatal.contains(status) ? "report idle" : "report waiting 1.0 seconds"),
        "\(status)")
    }
  }

  // MARK: Credentials

  @Test func asksForFreshCredentialsAndFailsAfterThreeRejections() {
    var settings = TransportSettings()
    settings.hasPayloadProvider = true
    let rejections: [(ConnectionFailure, name: String)] = [
      (.handshake(status: 401, retryAfter: nil), "handshake 401"),
      (.rejected(reason: "no"), "rejected"),
      (.closed(code: 4403, reason: "Forbidden"), "closed 4403 unacknowledged"),
    ]
    for (failure, name) in rejections {
      let script = MachineScript(settings)
      _ = script.add("A")
      for attempt in 2...3 {
        _ = script.prepared()
        _ = script.opened()
        _ = script.ended(failure)
        #expect(script.advanceToDeadline().last == "prepare \(attempt) after \(name)")
      }
      _ = script.prepared()
      _ = script.opened()
      #expect(script.ended(failure).last == "report idle")
    }
  }

  @Test func refreshesATokenThatExpiresAgainAndAgain() {
    let script = MachineScript()
    _ = script.add("A")
    for attempt in 1...20 {
      #expect(script.connect().suffix(1) == (attempt == 1 ? ["send subscribe 1 A"] : ["resume 1"]))
      script.advance(by: .seconds(3_600))
      let expiry = ConnectionFailure.closed(code: 4401, reason: "Unauthorized")
      #expect(script.ended(expiry).last == "report waiting 1.0 seconds")
      #expect(script.advanceToDeadline().last == "prepare \(attempt + 1) after closed 4401")
    }
  }

  @Test func forgetsRejectionsOfASessionThatDelivered() {
    let script = MachineScript()
    _ = script.add("A")
    for attempt in 1...10 {
      script.connect()
      _ = script.received(.next(id: String(attempt), MessagePayload("{}")))
      let expiry = ConnectionFailure.closed(code: 4403, reason: "expired")
      #expect(script.ended(expiry).last?.hasPrefix("report waiting") == true, "\(attempt)")
      #expect(script.advanceToDeadline().last == "prepare \(attempt + 1) after closed 4403")
    }
  }

  /// The end of a session that delivered is no rejection itself: two in a row do not end it.
  @Test func theEndOfASessionThatDeliveredIsNoRejection() {
    let script = MachineScript()
    _ = script.add("A")
    for attempt in 1...12 {
      script.connect()
      if attempt % 3 == 0 {
        _ = script.received(.next(id: String(attempt), MessagePayload("{}")))
      }
      _ = script.ended(.closed(code: 4403, reason: "expired"))
      #expect(script.advanceToDeadline().last == "prepare \(attempt + 1) after closed 4403")
    }
  }

  /// The server's ids may be those of an earlier connection.
  @Test func forgetsRejectionsOfASessionWhoseResultsAreForAnEndedOperation() {
    let script = MachineScript()
    _ = script.add("A")
    for attempt in 1...10 {
      script.connect()
      _ = script.received(.next(id: "1", MessagePayload("{}")))
      _ = script.ended(.closed(code: 4403, reason: "expired"))
      #expect(script.advanceToDeadline().last == "prepare \(attempt + 1) after closed 4403")
    }
  }

  @Test func countsRejectionsOfAServerThatSendsResultsBeforeItAcknowledges() {
    let script = MachineScript()
    _ = script.add("A")
    for attempt in 1...3 {
      _ = script.prepared()
      _ = script.opened()
      _ = script.received(.next(id: "1", MessagePayload("{}")))
      let last = script.ended(.closed(code: 4403, reason: "")).last
      #expect(last?.hasPrefix(attempt < 3 ? "report waiting" : "report idle") == true)
      if attempt < 3 { _ = script.advanceToDeadline() }
    }
  }

  /// A quiet subscription whose tokens last for a few seconds.
  @Test func forgetsRejectionsOfASessionThatLastedLongerThanTheDelay() {
    let script = MachineScript()
    _ = script.add("A")
    for attempt in 1...10 {
      script.connect()
      script.advance(by: .seconds(2))
      #expect(
        script.ended(.closed(code: 4403, reason: "expired")).last == "report waiting 1.0 seconds")
      #expect(script.advanceToDeadline().last == "prepare \(attempt + 1) after closed 4403")
    }
  }

  /// The next session would meet the same message.
  @Test func countsViolationsOfSessionsThatLastedLongerThanTheDelay() {
    let script = MachineScript()
    _ = script.add("A")
    for attempt in 1...3 {
      script.connect()
      script.advance(by: .seconds(2))
      let last = script.received(.missingType).last
      #expect(last?.hasPrefix(attempt < 3 ? "report waiting" : "report idle") == true)
      if attempt < 3 { _ = script.advanceToDeadline() }
    }
  }

  @Test func countsRejectionsOfSessionsThatDeliverNothing() {
    let script = MachineScript()
    _ = script.add("A")
    for _ in 1...2 {
      script.connect()
      _ = script.ended(.closed(code: 4403, reason: ""))
      _ = script.advanceToDeadline()
    }
    script.connect()
    #expect(script.ended(.closed(code: 4403, reason: "")).last == "report idle")
  }

  /// Queries end with their connections, so that the third rejection finds nothing to give up.
  @Test func rejectedQueriesUseUpNoAttemptsOfALaterSubscription() {
    let script = MachineScript()
    for number in 1...3 {
      _ = script.add("Q\(number)", .single)
      script.connect()
      #expect(script.ended(.closed(code: 4401, reason: "expired")).last == "report idle")
    }
    // The program has another token, and the network fails right after the acknowledgement.
    _ = script.add("A")
    script.connect()
    #expect(script.ended(.lost).last?.hasPrefix("report waiting") == true)
  }

  @Test func aLaterSubscriptionHasAllAttemptsAgain() {
    var settings = TransportSettings()
    settings.reconnection.maximumAttemptCount = 2
    settings.hasPayloadProvider = true
    let failures: [(ConnectionFailure, attemptCount: Int)] = [
      (.unreachable, 3), (.handshake(status: 401, retryAfter: nil), 3),
    ]
    for (failure, attemptCount) in failures {
      let script = MachineScript(settings)
      for key in 1...3 {
        _ = script.add("\(key)")
        var last: String?
        for attempt in 1...attemptCount {
          _ = script.prepared()
          last = script.ended(failure).last
          if attempt < attemptCount { _ = script.advanceToDeadline() }
        }
        #expect(last == "report idle", "\(failure) \(key)")
      }
    }
  }

  @Test func operationsThatAreGoneUseUpNoAttempts() {
    var settings = TransportSettings()
    settings.reconnection.maximumAttemptCount = 2
    let script = MachineScript(settings)
    for number in 1...3 {
      _ = script.add("Q\(number)", .single)
      _ = script.prepared()
      #expect(script.ended(.unreachable).last == "report idle")
    }
    // A subscription that is dropped during its wait.
    _ = script.add("A")
    _ = script.prepared()
    #expect(script.ended(.unreachable).last == "report waiting 8.0 seconds")
    #expect(script.remove(4) == ["report idle"])
    _ = script.add("B")
    for delay in [16, 30] {
      _ = script.prepared()
      #expect(script.ended(.unreachable).last == "report waiting \(delay).0 seconds")
      _ = script.advanceToDeadline()
    }
    _ = script.prepared()
    #expect(script.ended(.unreachable).suffix(2) == ["finish 5 failed unreachable", "report idle"])
  }

  @Test func operationsOfBeforeOnAnOpenConnectionUseUpNoAttempts() {
    var settings = TransportSettings()
    settings.reconnection.maximumAttemptCount = 2
    let script = MachineScript(settings)
    _ = script.add("A")
    script.failToConnect(times: 2)
    script.connect()
    _ = script.complete(1)
    _ = script.add("B")
    #expect(script.ended(.lost).last?.hasPrefix("report waiting") == true)
  }

  @Test(arguments: [false, true])
  func theNextUserIsNotRejectedYet(isPaused: Bool) {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    _ = script.ended(.closed(code: 4403, reason: "expired"))
    if isPaused { _ = script.pause() }
    _ = script.endSession()
    if isPaused { _ = script.resume() }
    #expect(script.add("B") == ["report connecting", "prepare 2"])
  }

  /// The program closes the transport at the logout, and opens it for the next user.
  @Test func theNextUserHasAllAttemptsAlsoAfterAClosing() {
    let script = MachineScript()
    _ = script.add("A")
    for _ in 1...2 {
      script.connect()
      _ = script.ended(.closed(code: 4403, reason: "expired"))
      _ = script.advanceToDeadline()
    }
    _ = script.close()
    _ = script.endSession()
    _ = script.open()
    _ = script.add("B")
    script.connect()
    let last = script.ended(.closed(code: 4403, reason: "expired")).last
    #expect(last?.hasPrefix("report waiting") == true, "it is the first one of this user")
  }

  /// Ariadne closes with 1000 when it rejects the payload.
  @Test(arguments: [1000, 1005, 1011, 3001, 4999])
  func takesACloseInsteadOfAnAcknowledgementForARejection(code: Int) {
    let script = MachineScript()
    _ = script.add("A")
    let code = WebSocketCloseCode(rawValue: UInt16(code))
    for attempt in 2...3 {
      _ = script.prepared()
      _ = script.opened()
      _ = script.ended(.closed(code: code, reason: ""))
      #expect(
        script.advanceToDeadline().last
          == "prepare \(attempt) after closed \(code.rawValue) unacknowledged")
    }
    _ = script.prepared()
    _ = script.opened()
    #expect(
      script.ended(.closed(code: code, reason: "")).suffix(2) == [
        "finish 1 failed closed \(code.rawValue) unacknowledged", "report idle",
      ])
  }

  /// 4408 says that the payload has not arrived in time, and nothing about the payload.
  @Test(arguments: [1001, 1012, 1013, 1014, 4408])
  func waitsForAServerThatRestartsBeforeItAcknowledges(code: Int) {
    let script = MachineScript()
    _ = script.add("A")
    let code = WebSocketCloseCode(rawValue: UInt16(code))
    for _ in 1...10 {
      _ = script.prepared()
      _ = script.opened()
      let last = script.ended(.closed(code: code, reason: "")).last
      #expect(last?.hasPrefix("report waiting") == true)
      _ = script.advanceToDeadline()
    }
    let failure = ConnectionFailure.closedUnacknowledged(code: code, reason: "")
    #expect(failure.recovery([:]) == .retry)
    #expect(failure.recovery([code: .fail]) == .fail, "the program decides first")
  }

  @Test func aPayloadThatHasNotArrivedInTimeIsNotRejected() {
    var settings = TransportSettings()
    settings.hasPayloadProvider = true
    let script = MachineScript(settings)
    _ = script.add("A")
    for _ in 1...4 {
      _ = script.prepared()
      _ = script.opened()
      #expect(
        script.ended(.closed(code: 4408, reason: "")).contains { $0.hasPrefix("report wait") })
      _ = script.advanceToDeadline()
    }
    // The fifth attempt is acknowledged, and the subscription is there.
    #expect(script.connect() == ["report connected", "send subscribe 1 A", "resume 1"])
  }

  @Test func triesAgainWhenThereIsNoPayload() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.add("Q", .single)
    #expect(
      script.prepared(.failure(CancellationError())) == [
        "abandon 1", "report disconnected no payload", "finish 2 failed no payload",
        "interrupt 1 no payload unsent", "report waiting 1.0 seconds",
      ])
    #expect(script.advanceToDeadline() == ["report connecting", "prepare 2 after no payload"])
  }

  // MARK: A server that restarts

  @Test func subscribesAgainWithFreshIdentifiers() {
    let script = MachineScript()
    for index in 1...100 { _ = script.add("\(index)") }
    script.connect()
    let loss = script.ended(.closed(code: 1012, reason: ""))
    #expect(loss.filter { $0.hasPrefix("interrupt") }.count == 100)
    #expect(script.add("late") == [], "one connection, also for operations during the wait")
    #expect(script.advanceToDeadline() == ["report connecting", "prepare 2 after closed 1012"])
    let actions = script.connect()
    let sent = actions.filter { $0.hasPrefix("send") }
    #expect(
      sent == (1...100).map { "send subscribe \($0 + 100) \($0)" } + ["send subscribe 201 late"])
    #expect(actions.filter { $0.hasPrefix("resume") } == (1...100).map { "resume \($0)" })
    #expect(script.received(.next(id: "1", MessagePayload("{}"))) == [], "an id of the lost one")
    #expect(script.received(.next(id: "101", MessagePayload("{}"))) == ["deliver 1 {}"])
  }

  @Test func subscribesOnceAfterManyFailures() {
    let script = MachineScript()
    for name in ["A", "B"] { _ = script.add(name) }
    script.failToConnect(times: 10)
    #expect(
      script.connect() == [
        "report connected", "send subscribe 1 A", "resume 1", "send subscribe 2 B", "resume 2",
      ])
  }

  @Test func reportsTheFirstFailureOnce() {
    let script = MachineScript()
    _ = script.add("A")
    var reports: [String] = []
    for _ in 1...10 {
      _ = script.prepared()
      reports += script.ended(.handshake(status: 502, retryAfter: nil))
      _ = script.advanceToDeadline()
    }
    #expect(reports.filter { $0.hasPrefix("interrupt") } == ["interrupt 1 handshake 502 unsent"])
  }

  /// A thousand clients lose one server at the same time. In the first second, when most of them
  /// return, none of ten equal parts has much more than its share.
  @Test func bringsAThousandClientsBackSpreadOut() {
    var random = SeededGenerator(seed: 7)
    var returns: [Duration] = []
    for _ in 1...1_000 {
      let jitter = Double.random(in: 0...1, using: &random)
      let script = MachineScript(jitter: { jitter })
      _ = script.add("A")
      script.connect()
      _ = script.ended(.closed(code: 1012, reason: ""))
      _ = script.advanceToDeadline()
      returns.append(script.now)
    }
    let parts = Dictionary(grouping: returns) { Int($0 / .milliseconds(100)) }
    #expect(parts.keys.allSatisfy { $0 <= 10 })
    for part in 0..<10 {
      #expect((60...140).contains(parts[part]?.count ?? 0), "\(part): \(parts[part]?.count ?? 0)")
    }
  }

  @Test(arguments: [(1.0, [1, 2, 4]), (20.0, [20, 30, 30]), (120.0, [120, 120, 120])])
  func waitsAsLongAsTheIntervalOfTheConfiguration(interval: Double, waits: [Int]) {
    let policy = WebSocketTransport.Configuration(reconnectionInterval: interval).reconnection
    let longest = (1...3).map { policy.wait(beforeAttempt: $0, jitter: 1) }
    #expect(longest == waits.map { Duration.seconds($0) })
  }

  @Test func takesInfiniteIntervals() throws {
    let configuration = WebSocketTransport.Configuration(
      reconnectionInterval: .infinity, pingInterval: .infinity)
    let year = Duration.seconds(365 * 86_400)
    #expect(configuration.reconnection.wait(beforeAttempt: 100, jitter: 1) > year)
    let pingInterval = try #require(configuration.keepAlive.pingInterval)
    #expect(pingInterval > year)
  }

  // MARK: Commands

  @Test func replacesAConnectionForNewHeaders() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.add("Q", .single)
    script.connect()
    #expect(
      script.reconnect() == [
        "close 1 1000", "report disconnected replaced", "interrupt 1 replaced",
        "finish 2 failed replaced", "report connecting", "prepare 2",
      ])
    _ = script.add("R", .single)
    _ = script.prepared()
    #expect(
      script.reconnect() == [
        "abandon 2", "report disconnected replaced", "report connecting", "prepare 3",
      ], "the query was not sent yet")
    #expect(script.reconnect() == [], "the headers of the next handshake are the new ones")
    #expect(
      script.connect() == [
        "report reconnected", "send subscribe 3 A", "resume 1", "send subscribe 4 R",
      ])
  }

  @Test func pausesInEveryStateAndResumesOnce() {
    let states: [(name: String, enter: (MachineScript) -> Void)] = [
      ("preparing", { _ in }),
      ("connecting", { _ = $0.prepared() }),
      (
        "awaiting acknowledgement",
        {
          _ = $0.prepared()
          _ = $0.opened()
        }
      ),
      ("connected", { $0.connect() }),
      ("waiting", { _ = $0.ended(.noPayload) }),
    ]
    for (name, enter) in states {
      let script = MachineScript()
      _ = script.add("A")
      enter(script)
      let attempt = script.machine.attempt
      #expect(script.pause().last == "report paused", "\(name)")
      #expect(script.pause() == [])
      #expect(script.machine.deadline == nil, "\(name)")
      script.advance(by: .seconds(3_600))
      #expect(script.ended(.lost) == [])
      #expect(script.prepared() == [])
      let resumption = script.resume()
      #expect(resumption.count == 2 && resumption.first == "report connecting", "\(name)")
      #expect(resumption.last?.hasPrefix("prepare \(attempt + 1)") == true, "\(name)")
      #expect(script.resume() == [])
      #expect(
        script.connect().filter { $0.hasPrefix("send") }.count == 1, "\(name)")
    }
  }

  @Test func resumesWithoutReconnectionsIfAskedTo() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    _ = script.pause()
    _ = script.resume(reconnects: false)
    script.connect()
    #expect(script.ended(.lost).suffix(2) == ["finish 1 failed lost", "report idle"])
  }

  @Test func pausesAndResumesWithoutOperations() {
    let script = MachineScript()
    #expect(script.pause() == ["report paused"])
    #expect(script.add("A") == [])
    #expect(script.remove(1) == [])
    #expect(script.resume() == ["report idle"])
  }

  @Test func closesInEveryStateAndOpensAgain() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.prepared()
    #expect(script.close() == ["abandon 1", "finish 1 closed", "report closed"])
    #expect(script.close() == [])
    #expect(script.add("B") == ["finish 2 closed"])
    #expect(script.open() == ["report connecting", "prepare 2"])
    script.connect(.graphqlWS)
    #expect(script.close() == ["send terminate", "close 2 1000", "report closed"])
  }

  @Test func endsTheSessionOfAUserInEveryState() {
    let script = MachineScript()
    #expect(script.endSession() == ["report idle"])
    _ = script.add("A")
    _ = script.prepared()
    #expect(script.endSession() == ["abandon 1", "finish 1 closed", "report idle"])
    // The connection of the next user.
    #expect(script.add("B") == ["report connecting", "prepare 2"])
    script.connect()
    #expect(script.endSession() == ["close 2 1000", "finish 2 closed", "report idle"])
    _ = script.add("C")
    script.connect()
    _ = script.ended(.lost)
    #expect(script.endSession() == ["finish 3 closed", "report idle"])
    #expect(script.advanceToDeadline() == ["no deadline"], "Nothing waits for another attempt.")
    _ = script.pause()
    #expect(script.endSession() == [])
    #expect(script.add("D") == [], "It is still paused.")
    #expect(script.resume() == ["report connecting", "prepare 4"])
    _ = script.close()
    #expect(script.endSession() == [])
  }

  // MARK: The network

  @Test func waitsForTheNetworkAndReturnsWithIt() {
    let script = MachineScript()
    _ = script.add("A")
    script.connect()
    #expect(script.networkChanged(isAvailable: false) == ["send ping"])
    #expect(script.networkChanged(isAvailable: false) == [], "one ping is enough")
    _ = script.advanceToDeadline()
    #expect(script.machine.deadline == nil, "no attempts without a network")
    #expect(script.advanceAndReport(by: .seconds(86_400)) == [])
    #expect(
      script.networkChanged(isAvailable: true).first == "report connecting")
  }

  @Test func doesNotWaitWhenTheNetworkReturns() {
    let script = MachineScript()
    _ = script.add("A")
    _ = script.ended(.noPayload)
    #expect(script.networkChanged(isAvailable: true).first == "report connecting")
    #expect(script.networkChanged(isAvailable: true) == [], "an attempt is being made")
  }
}
