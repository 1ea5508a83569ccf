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

/// A transport on scripted connections and a clock that the tests set.
@Suite(.timeLimit(.minutes(10)))
struct WebSocketTransportTests {
  private let server = ScriptedServer()

  // MARK: Subscriptions

  @Test func sendsASubscriptionAndDeliversItsEvents() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let attempt = try await server.connector.nextAttempt()
    #expect(attempt.subprotocols == ["graphql-transport-ws", "graphql-ws"])
    let connection = attempt.accept("graphql-transport-ws")
    #expect(try await connection.nextText() == #"{"type":"connection_init"}"#)
    connection.deliver(#"{"type":"connection_ack"}"#)
    #expect(
      try await connection.nextText()
        == #"{"id":"1","type":"subscribe","payload":{"operationName":"HeroChanged","query":"subscription HeroChanged { heroChanged { __typename id name } }","extensions":{"clientLibrary":{"name":"apollo-swift","version":"0.1.0"}}}}"#
    )
    connection.deliverHero("Luke", id: "1")
    connection.deliverHero("Leia", id: "1")
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    #expect(try await results.nextText() == "Luke")
    #expect(try await results.nextText() == "Leia")
    #expect(try await results.nextText() == nil)
    #expect(try await results.nextText() == nil)
  }

  @Test func speaksTheProtocolThatTheServerSelects() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.connector.nextAttempt().accept("graphql-ws")
    #expect(try await connection.nextText() == #"{"type":"connection_init","payload":{}}"#)
    connection.deliver(#"{"type":"connection_ack"}"#)
    #expect(try await connection.nextEnvelope() == "start 1")
    connection.deliver(
      #"{"id":"1","type":"data","payload":{"data":{"heroChanged":{"name":"Han"}}}}"#)
    #expect(try await results.nextText() == "Han")
    transport.closeConnection()
    #expect(try await connection.nextEnvelope() == "connection_terminate")
    #expect(try await connection.nextText() == "close 1000 ")
  }

  @Test func completesASubscriptionOnceWhenItIsDropped() async throws {
    let transport = try server.transport()
    var first: OperationResults? = try transport.results(of: heroChanges)
    let second = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    #expect(try await connection.nextEnvelope() == "subscribe 2")
    let waiting = Task { [first] in try await first?.next() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try await connection.nextEnvelope() == "complete 1")
    first = nil
    connection.deliverHero("late", id: "1")
    connection.deliverHero("Luke", id: "2")
    #expect(try await second.nextText() == "Luke")
    transport.closeConnection()
    #expect(try await connection.nextText() == "close 1000 ", "nothing else was sent")
  }

  @Test func reportsTheErrorsOfARejectedSubscription() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliver(#"{"id":"1","type":"error","payload":[{"message":"No."}]}"#)
    connection.deliverHero("late", id: "1")
    let error = await #expect(throws: WebSocketError.self) { try await results.next() }
    #expect(error?.code == .rejected)
    #expect(error?.graphQLErrors.map(\.message) == ["No."])
    #expect(try await results.nextText() == nil)
  }

  @Test func sendsSubscriptionsAgainAfterALoss() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let first = try await server.accept()
    _ = try await first.nextText()
    first.deliverHero("Luke", id: "1")
    first.end(1012, "restart")
    await server.time.advanceToAlarm(at: .seconds(1))
    let second = try await server.accept()
    #expect(try await second.nextEnvelope() == "subscribe 2")
    second.deliverHero("Leia", id: "2")
    var texts: [String?] = []
    for _ in 1...4 { texts.append(try await results.nextText()) }
    #expect(texts == ["Luke", "interrupted", "resumed", "Leia"])
    #expect(server.connector.attemptCount == 2)
  }

  @Test func holdsTheTransportWhileResultsAreAwaited() async throws {
    var transport: WebSocketTransport? = try server.transport()
    var results = try transport?.results(of: heroChanges)
    transport = nil
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliverHero("Luke", id: "1")
    #expect(try await results?.nextText() == "Luke")
    results = nil
    #expect(try await connection.nextEnvelope() == "complete 1")
    #expect(try await connection.nextText() == "close 1000 ")
  }

  // MARK: Queries and mutations

  @Test func sendsQueriesAndMutations() async throws {
    let transport = try server.transport()
    async let response = transport.send(heroQuery)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.deliver(#"{"id":"1","type":"next","payload":{"data":{"hero":null}}}"#)
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    #expect(try await response.body == Data(#"{"data":{"hero":null}}"#.utf8))

    let call = Task { try await transport.send(renaming) }
    #expect(try await connection.nextEnvelope() == "subscribe 2")
    connection.deliver(#"{"id":"2","type":"complete"}"#)
    let error = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(error?.code == .noResult)
  }

  @Test func neverSendsAMutationAgain() async throws {
    let transport = try server.transport()
    let call = Task { try await transport.send(renaming) }
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.end(1006, origin: .network)
    let error = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(error?.code == .connectionLost)
    #expect(server.connector.attemptCount == 1)
  }

  @Test(
    arguments: [
      (4500, .retry, .connectionLost), (4400, .refreshAndRetry, .connectionLost),
      (1011, .fail, .refused),
    ]
      as [(WebSocketCloseCode, WebSocketRecovery, WebSocketError.Code)])
  func saysOfACloseCodeWhatTheProgramHasChosen(
    _ code: WebSocketCloseCode, _ recovery: WebSocketRecovery, _ expected: WebSocketError.Code
  ) async throws {
    var configuration = WebSocketTransport.Configuration()
    configuration.recoveries = [code: recovery]
    let transport = try server.transport(configuration)
    var states = transport.connectionStates.makeAsyncIterator()
    let call = Task { try await transport.send(heroQuery) }
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.end(code, origin: .peer)
    let error = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(error?.code == expected)
    while let state = await states.next() {
      guard case .disconnected(let error) = state else { continue }
      #expect(error.code == expected)
      break
    }
  }

  /// The transport connects again with another token, unless the server has rejected three.
  @Test func aMutationIsLostWhenATokenExpiresAndRefusedAfterThreeRejections() async throws {
    let transport = try server.transport()
    for number in 1...3 {
      let call = Task { try await transport.send(renaming) }
      let connection = try await server.accept()
      #expect(try await connection.nextEnvelope() == "subscribe \(number)")
      connection.end(4401, "Unauthorized")
      let error = await #expect(throws: WebSocketError.self) { try await call.value }
      #expect(error?.code == (number < 3 ? .connectionLost : .refused))
      #expect(error?.description.contains("may have carried out the operation") == true)
    }
  }

  /// The transport ends the connection, and the server has performed the operation.
  @Test func aMutationWhoseResponseIsLargerThanAMessageMayHaveBeenCarriedOut() async throws {
    let transport = try server.transport()
    let call = Task { try await transport.send(renaming) }
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.end(.messageTooLarge, origin: .violation)
    let error = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(error?.code == .refused)
    #expect(error?.description.contains("may have carried out the operation") == true)
  }

  @Test func failsAQueryWithoutAServer() async throws {
    let transport = try server.transport()
    let call = Task { try await transport.send(heroQuery) }
    try await server.connector.nextAttempt().fail(URLError(.cannotConnectToHost))
    let error = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(error?.code == .cannotConnect)
    #expect(error?.underlyingError is URLError)
  }

  @Test func cancelsAQuery() async throws {
    let transport = try server.transport()
    let call = Task { try await transport.send(heroQuery) }
    let connection = try await server.accept()
    _ = try await connection.nextText()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(try await connection.nextEnvelope() == "complete 1")
  }

  // MARK: Deadlines

  @Test func closesAConnectionWithoutAnAcknowledgement() async throws {
    let transport = try server.transport()
    let call = Task { try await transport.send(heroQuery) }
    let connection = try await server.connector.nextAttempt().accept("graphql-transport-ws")
    _ = try await connection.nextText()
    await server.time.advanceToAlarm(at: .seconds(10))
    #expect(
      try await connection.nextText() == "close 4504 Connection acknowledgement timeout")
    await #expect(throws: WebSocketError.self) { try await call.value }
  }

  @Test func replacesADeadConnection() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    await server.time.advanceToAlarm(at: .seconds(20))
    #expect(try await connection.nextEnvelope() == "ping")
    await server.time.advanceToAlarm(at: .seconds(30))
    #expect(try await connection.nextText() == "close 4499 Terminated")
    await server.time.advanceToAlarm(at: .seconds(31))
    let second = try await server.accept()
    #expect(try await second.nextEnvelope() == "subscribe 2")
    #expect(try await results.nextText() == "interrupted")
  }

  @Test func waitsForAPongBehindALargeMessage() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    await server.time.advanceToAlarm(at: .seconds(20))
    #expect(try await connection.nextEnvelope() == "ping")
    connection.deliverPart(byteCount: 1_000)
    await server.time.advanceToAlarm(at: .seconds(30))
    connection.deliverHero("Leia", id: "1")
    #expect(try await results.nextText() == "Leia")
  }

  @Test func pingsTheLegacyProtocolWithFrames() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept(.graphqlWS)
    _ = try await connection.nextText()
    await server.time.advanceToAlarm(at: .seconds(20))
    #expect(try await connection.nextText() == "ping")
    await server.time.advanceToAlarm(at: .seconds(30))
    #expect(try await connection.nextText() == "close 4499 Terminated")
    _ = results
  }

  // MARK: Credentials

  @Test func asksForAFreshPayloadWhenTheTokenExpires() async throws {
    let attempts = Lock<[Bool]>([])
    var configuration = WebSocketTransport.Configuration()
    configuration.connectingPayloadProvider = { attempt in
      attempts.withLock { attempts in
        attempts.append(attempt.isRejected)
        return ["token": .int(Int64(attempts.count))]
      }
    }
    let transport = try server.transport(configuration)
    let results = try transport.results(of: heroChanges)
    let first = try await server.connector.nextAttempt().accept("graphql-transport-ws")
    #expect(
      try await first.nextText() == #"{"type":"connection_init","payload":{"token":1}}"#)
    first.deliver(#"{"type":"connection_ack"}"#)
    _ = try await first.nextText()
    first.end(4401, "Unauthorized")
    await server.time.advanceToAlarm(at: .seconds(1))
    let second = try await server.connector.nextAttempt().accept("graphql-transport-ws")
    #expect(
      try await second.nextText() == #"{"type":"connection_init","payload":{"token":2}}"#)
    #expect(attempts.get() == [false, true])
    _ = results
  }

  @Test func limitsTheTimeOfTheProvider() async throws {
    var configuration = WebSocketTransport.Configuration()
    let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
    configuration.connectingPayloadProvider = { _ in
      try await withTaskCancellationHandler {
        try await Task.sleep(for: .seconds(86_400))
      } onCancel: {
        cancelled.yield()
      }
      return nil
    }
    let transport = try server.transport(configuration)
    let call = Task { try await transport.send(heroQuery) }
    await server.time.advanceToAlarm(at: .seconds(10))
    let error = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(error?.code == .cannotConnect)
    // The task of the provider may begin only now.
    #expect(await cancellations.first { _ in true } != nil)
  }

  @Test func sendsChangedHeadersAndPayloads() async throws {
    let transport = try server.transport(headers: ["A": "1", "B": "1"])
    let results = try transport.results(of: heroChanges)
    let first = try await server.accept()
    _ = try await first.nextText()
    transport.updateConnectingPayload(["x": 1], reconnectIfConnected: false)
    transport.updateHeaderValues(["A": "2", "B": nil])
    #expect(try await first.nextText() == "close 1000 ")
    let attempt = try await server.connector.nextAttempt()
    #expect(attempt.request.value(forHTTPHeaderField: "A") == "2")
    #expect(attempt.request.value(forHTTPHeaderField: "B") == nil)
    let second = attempt.accept("graphql-transport-ws")
    #expect(try await second.nextText() == #"{"type":"connection_init","payload":{"x":1}}"#)
    second.deliver(#"{"type":"connection_ack"}"#)
    #expect(try await second.nextEnvelope() == "subscribe 2")
    first.deliverHero("stale", id: "1")
    second.deliverHero("Luke", id: "2")
    var texts: [String?] = []
    for _ in 1...3 { texts.append(try await results.nextText()) }
    #expect(texts == ["interrupted", "resumed", "Luke"])
  }

  // MARK: Commands and states

  @Test func pausesAndResumes() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let first = try await server.accept()
    _ = try await first.nextText()
    transport.pauseWebSocketConnection()
    #expect(try await first.nextText() == "close 1001 Paused")
    #expect(!transport.isConnected())
    server.time.advance(to: .seconds(3_600))
    transport.resumeWebSocketConnection()
    let second = try await server.accept()
    #expect(try await second.nextEnvelope() == "subscribe 2")
    #expect(server.connector.attemptCount == 2)
    _ = results
  }

  @Test func endsEverythingWhenItIsClosed() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    transport.closeConnection()
    #expect(try await connection.nextText() == "close 1000 ")
    for call in [results, try transport.results(of: heroChanges)] {
      let error = await #expect(throws: WebSocketError.self) { try await call.next() }
      #expect(error?.code == .closed)
    }
    transport.initServer()
    _ = try await server.accept()
  }

  @Test func connectsBeforeTheFirstOperationIfConfigured() async throws {
    let transport = try server.transport(.init(connectOnInit: true))
    let states = transport.connectionStates
    _ = try await server.accept()
    for await state in states {
      if case .connected = state { break }
    }
    #expect(transport.isConnected())
  }

  @Test func reportsStatesAndCallsTheDelegate() async throws {
    let delegate = RecordingDelegate()
    let transport = try server.transport()
    transport.delegate = delegate
    var states = transport.connectionStates.map(\.name).makeAsyncIterator()
    let results = try transport.results(of: heroChanges)
    let first = try await server.accept()
    _ = try await first.nextText()
    first.end(1012)
    await server.time.advanceToAlarm(at: .seconds(1))
    let second = try await server.accept()
    _ = try await second.nextText()
    var names: [String?] = []
    for _ in 1...7 { names.append(await states.next()) }
    #expect(
      names == [
        "idle", "connecting", "connected", "disconnected", "waiting", "connecting", "connected",
      ])
    for event in ["connect", "disconnect", "reconnect"] {
      #expect(try await delegate.events.next() == event)
    }
    _ = results
  }

  @Test func callsTheDelegateForPingsAndPongs() async throws {
    let delegate = RecordingDelegate()
    let transport = try server.transport()
    transport.delegate = delegate
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.deliver(#"{"type":"ping"}"#)
    connection.deliver(#"{"type":"ping","payload":{"load":7}}"#)
    connection.deliver(#"{"type":"pong"}"#)
    connection.deliver(#"{"type":"pong","payload":{"load":8}}"#)
    for event in ["connect", "ping", #"ping {"load":7}"#, "pong", #"pong {"load":8}"#] {
      #expect(try await delegate.events.next() == event)
    }
    for pong in [#"{"type":"pong"}"#, #"{"type":"pong","payload":{"load":7}}"#] {
      #expect(try await connection.nextText() == pong)
    }
    withExtendedLifetime((results, transport)) {}
  }

  @Test func callsTheDelegateForTheResponseToAPingFrame() async throws {
    let delegate = RecordingDelegate()
    let transport = try server.transport()
    transport.delegate = delegate
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept(.graphqlWS)
    #expect(try await connection.nextEnvelope() == "start 1")
    await server.time.advanceToAlarm(at: .seconds(20))
    #expect(try await connection.nextText() == "ping")
    connection.pong()
    for event in ["connect", "pong"] { #expect(try await delegate.events.next() == event) }
    withExtendedLifetime((results, transport)) {}
  }

  @Test func namesTheLibraryUnlessTheProgramExcludesIt() async throws {
    var configuration = WebSocketTransport.Configuration()
    configuration.clientAwareness = .none
    let transport = try server.transport(configuration)
    let excluded = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await !connection.nextText().contains("clientLibrary"))
    var request = heroChanges
    request.clientAwareness = .mainBundle
    let named = try transport.results(of: request)
    #expect(try await connection.nextText().contains(#""clientLibrary":{"name":"apollo-swift""#))
    withExtendedLifetime((excluded, named)) {}
  }

  // MARK: Identifiers

  @Test func usesTheProgramsIdentifiers() async throws {
    let transport = try server.transport(
      .init(operationMessageIdCreator: ApolloSequencedOperationMessageIdCreator(startAt: 7)))
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 7")
    _ = results
  }

  @Test func failsAnOperationWhoseIdentifierIsInUse() async throws {
    struct SameID: OperationMessageIdCreator {
      func requestId() -> String { "\"\n" }
    }
    let transport = try server.transport(.init(operationMessageIdCreator: SameID()))
    let first = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe \"\n")
    let second = try transport.results(of: heroChanges)
    let error = await #expect(throws: WebSocketError.self) { try await second.next() }
    #expect(error?.code == .invalidOperationID)
    _ = first
  }

  // MARK: Payloads

  @Test(arguments: [false, true])
  func sendsThePayloadOfTheProgramsCreator(sendsIdentifiers: Bool) async throws {
    struct TenantCreator: RequestCreator {
      func requestBody<Operation: GraphQLOperation>(
        for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
        autoPersistQuery: Bool
      ) -> GraphQLMap {
        sendOperationIdentifiers
          ? ["id": "hash", "tenant": "north"] : ["query": "{ hero }", "tenant": "north"]
      }
    }
    var configuration = WebSocketTransport.Configuration(requestBodyCreator: TenantCreator())
    configuration.sendsOperationIdentifiers = sendsIdentifiers
    let transport = try server.transport(configuration)
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    let message = try JSONValue(jsonBytes: Data(try await connection.nextText().utf8))
    #expect(message["payload"]?["tenant"] == "north")
    #expect(message["payload"]?["query"] == (sendsIdentifiers ? nil : "{ hero }"))
    #expect(message["payload"]?["id"] == (sendsIdentifiers ? "hash" : nil))
    _ = results
  }

  @Test func refusesAPayloadWithoutTheIdentifierOfItsOperation() throws {
    struct EmptyCreator: RequestCreator {
      func requestBody<Operation: GraphQLOperation>(
        for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
        autoPersistQuery: Bool
      ) -> GraphQLMap { [:] }
    }
    var configuration = WebSocketTransport.Configuration(requestBodyCreator: EmptyCreator())
    configuration.sendsOperationIdentifiers = true
    let transport = try server.transport(configuration)
    #expect(throws: GraphQLHTTPRequestError.self) { try transport.results(of: heroChanges) }
  }

  // MARK: Closures of the program

  @Test(arguments: ["dropped", "completed", "failed", "closed"])
  func releasesTheClosuresOfAnOperationWithoutItsLock(end: String) async throws {
    /// Uses the transport when it is released.
    final class Probe: Sendable {
      let use: @Sendable () -> Void
      init(_ use: @escaping @Sendable () -> Void) { self.use = use }
      deinit { use() }
    }
    let transport = try server.transport(.init(reconnect: false))
    let (releases, continuation) = AsyncStream.makeStream(of: Void.self)
    func start() throws -> OperationResults {
      let probe = Probe { [weak transport] in
        _ = transport?.isConnected()
        continuation.yield()
      }
      var request = heroChanges
      request.facts.stateHandler = { _ in withExtendedLifetime(probe) {} }
      return try transport.results(of: request)
    }
    var results: OperationResults? = try start()
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    switch end {
    case "dropped": results = nil
    case "completed": connection.deliver(#"{"type":"complete","id":"1"}"#)
    case "failed": connection.end(.abnormal, "", origin: .network)
    default: transport.closeConnection()
    }
    var iterator = releases.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    withExtendedLifetime(results) {}
  }

  @Test func releasesAConnectionOfTheProgramWithoutItsLock() async throws {
    let (releases, continuation) = AsyncStream.makeStream(of: Void.self)
    let transport = Lock<WebSocketTransport?>(nil)
    let connector = WrappingConnector(base: server.connector) {
      _ = transport.get()?.isConnected()
      continuation.yield()
    }
    let request = URLRequest(url: try #require(URL(string: "ws://localhost/graphql")))
    transport.withLock {
      $0 = WebSocketTransport(
        request: request, connector: connector, configuration: .init(reconnect: false),
        clock: server.time)
    }
    let results = try transport.get()?.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.end(.abnormal, "", origin: .network)
    var iterator = releases.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    withExtendedLifetime(results) {}
  }

  // MARK: A server that does not read

  @Test func keepsOnePongForAServerThatDoesNotRead() async throws {
    let transport = try server.transport()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.setFull(true)
    for number in 1...1_000 {
      connection.deliver(#"{"type":"ping","payload":{"number":\#(number)}}"#)
    }
    connection.deliverHero("Luke", id: "1")
    #expect(try await results.nextText() == "Luke", "everything before it was handled")
    connection.setFull(false)
    #expect(try await connection.nextText() == #"{"type":"pong","payload":{"number":1000}}"#)
    transport.closeConnection()
    #expect(try await connection.nextText() == "close 1000 ", "nothing else was sent")
  }

  @Test func sendsNothingForSubscriptionsThatEndBeforeThereIsRoom() async throws {
    let transport = try server.transport()
    let first = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.setFull(true)
    for _ in 1...1_000 { _ = try transport.results(of: heroChanges) }
    let last = try transport.results(of: heroChanges)
    connection.setFull(false)
    #expect(try await connection.nextEnvelope() == "subscribe 1002")
    transport.closeConnection()
    #expect(try await connection.nextText() == "close 1000 ", "nothing else was sent")
    withExtendedLifetime((first, last)) {}
  }

  // MARK: Failures before anything was sent

  @Test func reportsTheFirstFailureToASubscriptionThatWaits() async throws {
    let transport = try server.transport()
    var states = transport.connectionStates.makeAsyncIterator()
    let results = try transport.results(of: heroChanges)
    let url = try #require(URL(string: "ws://localhost/graphql"))
    try await server.connector.nextAttempt()
      .fail(WebSocketHandshakeError(.refused, url: url, statusCode: 502))
    guard case .interrupted(let error)? = try await results.next() else {
      Issue.record("no state")
      return
    }
    #expect(error.code == .cannotConnect)
    #expect(error.statusCode == 502)
    #expect(error.underlyingError is WebSocketHandshakeError)
    #expect(
      error.description.hasPrefix(
        "There is no WebSocket connection to ws://localhost/graphql: the status"))
    while let state = await states.next() {
      guard case .disconnected(let error) = state else { continue }
      #expect(error.code == .cannotConnect)
      #expect(error.description.contains("Nothing was sent."))
      break
    }
    await server.time.advanceToAlarm(at: .seconds(1))
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    connection.deliverHero("Luke", id: "1")
    #expect(try await results.nextText() == "resumed")
    #expect(try await results.nextText() == "Luke")
  }

  @Test func saysOfALostSessionWhatHappenedToIt() async throws {
    let transport = try server.transport()
    var states = transport.connectionStates.makeAsyncIterator()
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.end(1006, "reset", origin: .network)
    guard case .interrupted(let error)? = try await results.next() else {
      Issue.record("no state")
      return
    }
    #expect(error.code == .connectionLost)
    #expect(error.description.contains("may have carried out the operation"))
    while let state = await states.next() {
      guard case .disconnected(let error) = state else { continue }
      #expect(error.code == .connectionLost)
      #expect(!error.description.contains("carried out"))
      break
    }
  }

  @Test func namesTheSilenceThatPrecededALoss() async throws {
    let transport = try server.transport(.init(pingInterval: nil))
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    connection.deliverHero("Luke", id: "1")
    #expect(try await results.nextText() == "Luke")
    server.time.advance(to: .seconds(61))
    connection.end(1006, origin: .network)
    guard case .interrupted(let error)? = try await results.next() else {
      Issue.record("no state")
      return
    }
    #expect(error.description.contains("after 61 seconds without a message"))
  }

  @Test func limitsTheTimeOfAQueryByDefault() async throws {
    let transport = try server.transport()
    #expect(transport.callTimeLimit == .seconds(120))
    let call = Task { try await transport.send(heroQuery) }
    let connection = try await server.accept()
    #expect(try await connection.nextEnvelope() == "subscribe 1")
    // The server responds to pings, and to nothing else.
    for second in stride(from: 20, to: 120, by: 20) {
      await server.time.advanceToAlarm(at: .seconds(second))
      #expect(try await connection.nextEnvelope() == "ping")
      connection.deliver(#"{"type":"pong"}"#)
      connection.deliver(#"{"type":"ping"}"#)
      #expect(try await connection.nextEnvelope() == "pong")
    }
    await server.time.advanceToAlarm(at: .seconds(120))
    let error = await #expect(throws: NetworkError.self) { try await call.value }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.url == "ws://localhost/graphql")
  }

  // MARK: Slow consumers

  @Test func dropsTheOldestResultsOfASlowConsumerOnly() async throws {
    let transport = try server.transport()
    let slow = try transport.results(of: heroChanges)
    let fast = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    for _ in 1...2 { _ = try await connection.nextText() }
    for number in 1...1_000 {
      connection.deliverHero("\(number)", id: "1")
      connection.deliverHero("\(number)", id: "2")
      #expect(try await fast.nextText() == "\(number)")
    }
    #expect(try await slow.nextText() == "dropped 744")
    #expect(try await slow.nextText() == "745")
  }

  @Test func failsASlowConsumerIfConfigured() async throws {
    var configuration = WebSocketTransport.Configuration()
    configuration.resultBuffer = ResultBufferPolicy(maximumCount: 2, overflow: .fail)
    let transport = try server.transport(configuration)
    let results = try transport.results(of: heroChanges)
    let connection = try await server.accept()
    _ = try await connection.nextText()
    for number in 1...3 { connection.deliverHero("\(number)", id: "1") }
    #expect(try await connection.nextEnvelope() == "complete 1")
    for _ in 1...3 { _ = try await results.nextText() }
    let error = await #expect(throws: WebSocketError.self) { try await results.next() }
    #expect(error?.code == .bufferOverflow)
  }

  /// A queue of mutations decides by this.
  @Test func aResponseThatIsTooLargeIsUnreadable() {
    #expect(ResultBufferPolicy.wholeResponse.overflowError.isUnreadable)
    #expect(!WebSocketError(.connectionLost).isUnreadable)
  }
}

private final class RecordingDelegate: WebSocketTransportDelegate {
  let events = EventQueue()

  func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport) {
    events.append("connect")
  }

  func webSocketTransportDidReconnect(_ webSocketTransport: WebSocketTransport) {
    events.append("reconnect")
  }

  func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?
  ) {
    events.append("disconnect")
  }

  func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePingData data: Data?
  ) {
    events.append("ping" + (data.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""))
  }

  func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePongData data: Data?
  ) {
    events.append("pong" + (data.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""))
  }
}

/// Makes connections that call a closure when they are released.
private struct WrappingConnector: WebSocketConnector {
  let base: ScriptedConnector
  let released: @Sendable () -> Void

  func connect(
    to request: URLRequest, subprotocols: [String]
  ) async throws -> any WebSocketConnection {
    Connection(try await base.connect(to: request, subprotocols: subprotocols), released)
  }

  private final class Connection: WebSocketConnection {
    let base: any WebSocketConnection
    let released: @Sendable () -> Void

    init(_ base: any WebSocketConnection, _ released: @escaping @Sendable () -> Void) {
      self.base = base
      self.released = released
    }

    deinit { released() }

    var subprotocol: String? { base.subprotocol }
    func enqueue(_ message: WebSocketMessage) -> Bool { base.enqueue(message) }
    func waitForRoom() async throws { try await base.waitForRoom() }
    func receive() async throws -> WebSocketEvent { try await base.receive() }
    func ping() async throws { try await base.ping() }
    func close(code: WebSocketCloseCode, reason: String) { base.close(code: code, reason: reason) }
    func cancel() { base.cancel() }
  }
}

/// Events in order, for one reader.
private final class EventQueue: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func append(_ event: String) { continuation.yield(event) }

  func next() async throws -> String? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}

extension WebSocketConnectionState {
  fileprivate var name: String {
    switch self {
    case .idle: "idle"
    case .connecting: "connecting"
    case .connected: "connected"
    case .disconnected: "disconnected"
    case .waiting: "waiting"
    case .paused: "paused"
    case .closed: "closed"
    }
  }
}
