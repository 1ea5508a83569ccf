import Apollo
import ApolloAPI
import Foundation
import LoopbackServer
import ManualClock
import TestOperations
import Testing

@testable import ApolloOffline
@testable import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The fact whether a request has left, over real connections and over all attempts of a call.
@Suite(.timeLimit(.minutes(10)))
struct AttemptTests {
  /// The treatment of one HTTP attempt by a server.
  enum Treatment: String, Sendable {
    case performs, resets, cutsResponse, knowsNoHash
    case sendsPage, status404, status401, status429, status400, status500, status503
    /// The status is that of an error inside of the result.
    case status429OfResult
  }

  /// An interceptor of a program, which may throw before and after attempts, and repeat them.
  struct Interceptor: HTTPInterceptor {
    enum Kind: Sendable {
      case failsBefore, failsAfter
      /// Repeats a request that has failed or was refused, at another URL if there is one.
      case repeats(URL?)
    }
    struct NotLoggedIn: Error {}
    let kind: Kind

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      switch kind {
      case .failsBefore: throw NotLoggedIn()
      case .failsAfter:
        _ = try? await next(request)
        throw NotLoggedIn()
      case .repeats(let url):
        if let response = try? await next(request), response.response.statusCode < 400 {
          return response
        }
        var second = request
        if let url { second.url = url }
        return try await next(second)
      }
    }
  }

  private struct Provider: InterceptorProvider {
    var interceptor: Interceptor?
    var abandoning: Abandoning?
    /// `true` for a chain of 1.x.
    var hasSteps = false

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { abandoning.map { [$0] } ?? [] }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      interceptor.map { [$0] } ?? []
    }

    func interceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any ApolloInterceptor] {
      hasSteps ? DefaultInterceptorProvider().interceptors(for: operation) : []
    }
  }

  enum Expected: Sendable { case performed, waiting, uncertain, failed, dropped }

  struct Case: Sendable, CustomStringConvertible {
    let description: String
    /// `nil` for a port at which nothing listens.
    var treatments: [Treatment]?
    var interceptor: Interceptor.Kind?
    /// `true` to send the hash of the document first.
    let isPersisted: Bool
    let expected: Expected

    init(
      _ description: String, _ treatments: [Treatment]?,
      through interceptor: Interceptor.Kind? = nil, isPersisted: Bool = false, _ expected: Expected
    ) {
      self.isPersisted = isPersisted
      self.description = description
      self.treatments = treatments
      self.interceptor = interceptor
      self.expected = expected
    }
  }

  static let closedPort = Result { try ClosedPort() }

  static let cases: [Case] = [
    Case("a response", [.performs], .performed),
    Case("no connection", nil, .waiting),
    Case("a connection that ends without a response", [.resets], .uncertain),
    Case("a connection that ends in the response", [.cutsResponse], .uncertain),
    Case("a page", [.sendsPage], .uncertain),
    Case("a token that has expired", [.status401], .waiting),
    Case("a request to wait", [.status429], .waiting),
    Case("a rejection", [.status400], .dropped),
    Case("a status of something in front of the server", [.status404], .failed),
    Case("a failure of the server", [.status500], .uncertain),
    Case("an interceptor that fails before", [.performs], through: .failsBefore, .waiting),
    Case("an interceptor that fails after", [.performs], through: .failsAfter, .uncertain),
    Case(
      "an interceptor that fails after a refusal", [.status401], through: .failsAfter, .waiting),
    Case(
      "an interceptor that fails after a result with the status of a refusal",
      [.status429OfResult], through: .failsAfter, .uncertain),
    Case("an interceptor that fails without a connection", nil, through: .failsAfter, .waiting),
    Case(
      "no connection after one that was lost", [.resets],
      through: .repeats((try? closedPort.get())?.url), .uncertain),
    Case(
      "no connection after a refusal", [.status401],
      through: .repeats((try? closedPort.get())?.url), .waiting),
    Case(
      "no connection after a result with the status of a refusal", [.status429OfResult],
      through: .repeats((try? closedPort.get())?.url), .uncertain),
    Case(
      "a rejection after a lost connection", [.resets, .status400],
      through: .repeats(nil), .dropped),
    Case(
      "a refusal after a lost connection", [.resets, .status401],
      through: .repeats(nil), .uncertain),
    Case(
      "a refusal after an unknown hash", [.knowsNoHash, .status401], isPersisted: true, .waiting),
    Case(
      "a lost connection after an unknown hash", [.knowsNoHash, .resets], isPersisted: true,
      .uncertain),
    Case("a hash that stays unknown", [.knowsNoHash], isPersisted: true, .waiting),
    Case(
      "a response after a refusal", [.status401, .performs],
      through: .repeats(nil), .performed),
  ]

  private func server(_ treatments: [Treatment]) throws -> LoopbackServer {
    let rest = Lock(treatments)
    return try LoopbackServer { request, reply in
      let treatment = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      switch treatment {
      case .performs:
        reply.json(#"{"data":{"rename":{"__typename":"Hero","id":"1","name":"A"}}}"#)
      case .resets: reply.reset()
      case .knowsNoHash: reply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
      case .cutsResponse:
        reply.send(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"d")
        reply.close()
      case .sendsPage:
        reply.respond(headers: [("Content-Type", "text/html")], body: Array("<html>".utf8))
      case .status404: reply.respond(404)
      case .status401: reply.respond(401)
      case .status429: reply.respond(429)
      case .status429OfResult:
        let error = #"{"message":"later","path":["rename","name"]}"#
        reply.json(#"{"data":null,"errors":[\#(error)]}"#, status: 429)
      case .status400: reply.respond(400)
      case .status500: reply.respond(500)
      case .status503: reply.respond(503)
      }
    }
  }

  private func client(_ url: URL, _ test: Case, hasSteps: Bool = false) -> ApolloClient {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let transport = RequestChainNetworkTransport(
      interceptorProvider: Provider(
        interceptor: test.interceptor.map(Interceptor.init), hasSteps: hasSteps),
      endpointURL: url, autoPersistQueries: test.isPersisted)
    return ApolloClient(networkTransport: transport, store: store)
  }

  private func isAsExpected(_ counts: OfflineCounts, _ expected: Expected) -> Bool {
    switch expected {
    case .performed, .dropped: counts.total == 0
    case .waiting: counts.waiting == 1
    case .uncertain: counts.uncertain == 1
    case .failed: counts.failed == 1
    }
  }

  @Test(arguments: cases)
  func whatMayHaveLeftIsKnown(test: Case) async throws {
    try await check(test)
  }

  @Test(arguments: cases.filter(\.isPersisted))
  func anUnknownHashMeansTheSameInAChainOfSteps(test: Case) async throws {
    try await check(test, hasSteps: true)
  }

  /// Sends a mutation of a queue once, and compares its state with the expected one.
  private func check(_ test: Case, hasSteps: Bool = false) async throws {
    let machine = try Machine()
    let server = try test.treatments.map(server)
    defer { server?.stop() }
    let client = client(
      try server?.url() ?? Self.closedPort.get().url, test, hasSteps: hasSteps)
    let queue = try machine.queue {
      // The second attempt is never made.
      ($0.baseDelay, $0.maximumDelay) = (.seconds(86_400), .seconds(86_400))
    }
    queue.register(Rename.self)
    client.use(queue)
    var states = queue.states.makeAsyncIterator()
    _ = try await client.perform(
      mutation: Rename(id: "1", name: "A"), offline: .enqueue(conflict: .skip))
    var ended: OfflineState?
    var hasBegun = false
    while ended == nil, let event = await states.next() {
      // A rule says why it drops a mutation.
      var isReason = false
      if case .failed = event.state { isReason = test.expected == .dropped }
      if hasBegun, !isReason { ended = event.state }
      if event.state == .sending { hasBegun = true }
    }
    #expect(isAsExpected(queue.counts, test.expected), "\(String(describing: ended))")
    let isPerformed = ended == .done(.performed)
    #expect(isPerformed == (test.expected == .performed))
    if test.expected == .dropped { #expect(ended == .done(.dropped)) }
  }

  /// The form of the body with a status.
  enum Form: CaseIterable, Sendable { case none, json, graphQL }

  static let statuses: [(status: Int, expected: Expected)] = [
    (400, .dropped), (401, .waiting), (403, .dropped), (408, .uncertain), (429, .waiting),
    (500, .uncertain), (503, .uncertain), (504, .uncertain),
  ]

  /// A server that follows GraphQL over HTTP sends GraphQL errors with the status that they mean.
  @Test(arguments: statuses, Form.allCases)
  func theStatusCountsInEachForm(status: (status: Int, expected: Expected), form: Form) async throws
  {
    let machine = try Machine()
    let server = try LoopbackServer { _, reply in
      let body = #"{"errors":[{"message":"no"}]}"#
      switch form {
      case .none: reply.respond(status.status)
      case .json: reply.json(body, status: status.status)
      case .graphQL:
        reply.json(body, status: status.status, type: "application/graphql-response+json")
      }
    }
    defer { server.stop() }
    let client = client(server.url(), Case("", nil, .performed))
    let queue = try machine.queue {
      ($0.baseDelay, $0.maximumDelay) = (.seconds(86_400), .seconds(86_400))
    }
    queue.register(Rename.self)
    client.use(queue)
    var states = queue.states.makeAsyncIterator()
    _ = try await client.perform(
      mutation: Rename(id: "1", name: "A"), offline: .enqueue(conflict: .skip))
    while let event = await states.next(), event.state != .sending {}
    _ = await states.next()
    // Without GraphQL errors, 403 may be of something in front of the server.
    let expected = status.status == 403 && form == .none ? .failed : status.expected
    #expect(isAsExpected(queue.counts, expected), "\(queue.entries)")
  }

  @Test func aResponseOfAServerThatKnowsNoTokenWaits() async throws {
    let machine = try Machine()
    let count = Lock(0)
    let server = try LoopbackServer { _, reply in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      let error = #"{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}"#
      reply.json(
        isFirst
          ? #"{"data":null,"errors":[\#(error)]}"#
          : #"{"data":{"rename":{"__typename":"Hero","id":"1","name":"A"}}}"#)
    }
    defer { server.stop() }
    let client = client(server.url(), Case("", nil, .performed))
    let queue = try machine.queue {
      ($0.baseDelay, $0.maximumDelay) = (.seconds(86_400), .seconds(86_400))
    }
    queue.register(Rename.self)
    client.use(queue)
    var states = queue.states.makeAsyncIterator()
    let change = try await client.perform(
      mutation: Rename(id: "1", name: "A"), offline: .enqueue(conflict: .skip))
    while let event = await states.next(), event.state != .sending {}
    #expect(await states.next()?.state == .waiting)
    // The program has a new token.
    queue.retryNow()
    #expect(try await change.response.data?.rename?.name == "A")
  }

  /// Without a record, everything about a call may have been performed; an error of the library
  /// itself can still say that nothing was sent.
  @Test func ofATransportOfTheProgramOnlyCertainErrorsSayThatNothingWasSent() throws {
    let url = URL(string: "http://localhost/")
    struct Unknown: Error {}
    func isUncertain(
      _ error: any Error, _ change: (SendingRecord) throws -> Void
    ) rethrows -> Bool {
      let record = SendingRecord()
      try change(record)
      if case .unknown = AttemptOutcome(error, record.close()) { return true }
      return false
    }
    let handsOver: (SendingRecord) throws -> Void = { try $0.handOver() }
    #expect(try isUncertain(Unknown(), handsOver))
    #expect(try isUncertain(CancellationError(), handsOver))
    #expect(try isUncertain(NetworkError(.invalidated, url: url), handsOver))
    #expect(try isUncertain(NetworkError(.offline, url: url), handsOver))
    #expect(try !isUncertain(NetworkError(.cannotConnect, url: url), handsOver))
    #expect(try !isUncertain(NetworkError(.offline, url: url, hasSentNothing: true), handsOver))
    // Twice: nothing says what became of the first one.
    #expect(
      try isUncertain(NetworkError(.cannotConnect, url: url)) { record in
        try record.handOver()
        try record.handOver()
      })
    #expect(!isUncertain(Unknown()) { _ in }, "No transport had the request.")
    #expect(
      try !isUncertain(Unknown()) { record in
        try record.handOver()
        record.beginNoting()
      })
    // The error of another request, such as for a token, says nothing about the mutation.
    #expect(
      try isUncertain(NetworkError(.cannotConnect, url: url)) { record in
        try record.handOver()
        record.beginNoting()
        _ = try record.beginAttempt()
      })
  }

  /// The next one would be the same, and a mutation with a key would be sent again forever.
  @Test func aResponseThatCannotBeReadFailsTheMutation() throws {
    let errors: [any Error] = [
      NetworkError(.responseTooLarge, url: nil), ResponseStreamError(.malformedFraming, ""),
      ResponseStreamError(.malformedPart, ""), ResponseStreamError(.partTooLarge, ""),
      ResponseStreamError(.unexpectedPart, ""),
      BatchResponseError(.missingElement, url: nil, index: 0, queryCount: 1),
    ]
    for error in errors {
      let record = SendingRecord()
      try record.handOver()
      record.beginNoting()
      try record.beginAttempt().respond(statusCode: 200)
      guard
        case .rejected(let failure, mayHaveArrived: true) = AttemptOutcome(error, record.close())
      else {
        Issue.record("The mutation waits after: \(error)")
        continue
      }
      #expect(failure.kind == .unreadable)
    }
  }

  /// As in an `error` message over a WebSocket.
  private struct Refusal: OperationRefusal {
    let refusal: [GraphQLError]?
  }

  private func outcome(ofRefusalWith codes: [String]) throws -> AttemptOutcome {
    let record = SendingRecord()
    try record.handOver()
    record.beginNoting()
    try record.beginAttempt().respond()
    let errors = codes.map { GraphQLError(message: "no", extensions: ["code": .string($0)]) }
    return AttemptOutcome(Refusal(refusal: errors), record.close())
  }

  @Test func aMutationWhoseTokenARefusalRejectsWaits() throws {
    let outcome = try outcome(ofRefusalWith: ["UNAUTHENTICATED", "UNAUTHENTICATED"])
    guard case .notPerformed = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test(arguments: [[], ["BAD_USER_INPUT"], ["UNAUTHENTICATED", "BAD_USER_INPUT"]])
  func aMutationThatIsRefusedForAnotherReasonIsRejected(codes: [String]) throws {
    let outcome = try outcome(ofRefusalWith: codes)
    guard case .rejected(let failure, mayHaveArrived: false) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(failure.kind == .graphQL)
    #expect(failure.messages.count == codes.count)
  }

  @Test func onlyTheAttemptOfTheResponseIsExplainedByIt() throws {
    func mayHaveArrived(_ change: (SendingRecord) throws -> Void) throws -> Bool {
      let record = SendingRecord()
      try record.handOver()
      try change(record)
      return record.close().mayHaveArrivedBeforeResponse
    }
    #expect(try !mayHaveArrived { _ in }, "A transport without a record sends a mutation once.")
    let lost: (SendingRecord) throws -> Void = { record in
      record.beginNoting()
      let attempt = try record.beginAttempt()
      attempt.prepare()
      #expect(attempt.leave())
    }
    let responded: (SendingRecord) throws -> Void = { record in
      record.beginNoting()
      try record.beginAttempt().respond(statusCode: 200)
    }
    #expect(try !mayHaveArrived(responded))
    #expect(
      try mayHaveArrived { record in
        try lost(record)
        try responded(record)
      })
    // The response is one that an interceptor has made.
    #expect(try mayHaveArrived(lost))
  }

  @Test func eachAttemptHasItsOwnFact() throws {
    let record = SendingRecord()
    try record.handOver()
    record.beginNoting()
    // An interceptor has abandoned the first one, and made a second one.
    let (first, second) = (try record.beginAttempt(), try record.beginAttempt())
    first.prepare()
    second.prepare()
    #expect(first.leave())
    second.endWithoutEffect()
    #expect(record.close().mayHaveArrived)
  }

  @Test func nothingLeavesWhenTheFactsHaveBeenRead() throws {
    let record = SendingRecord()
    try record.handOver()
    record.beginNoting()
    let attempt = try record.beginAttempt()
    attempt.prepare()
    #expect(!record.close().mayHaveArrived)
    #expect(!attempt.leave())
    #expect(throws: CancellationError.self) { try record.beginAttempt() }
    #expect(throws: CancellationError.self) { try record.handOver() }
  }

  #if CURL
    /// The end of a session or a deadline ends a call at once, and its connection a moment later.
    @Test func aConnectionThatComesTooLateSendsNothing() async throws {
      let released = DispatchSemaphore(value: 0)
      let server = try LoopbackServer { _, reply in
        released.wait()
        reply.json("{}")
      }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.maximumConnectionCountPerHost = 1
      let client = CurlClient(configuration: configuration)
      let request = URLRequest(url: server.url())
      let first = Task { try await client.response(to: request).body() }
      await server.wait { $0.requests.count == 1 }
      // Waits for the connection of the first one.
      let record = SendingRecord()
      var outgoing = _OutgoingRequest(request)
      outgoing.facts.session = CallSessions().current
      outgoing.facts.session?.attempt = try record.beginAttempt()
      let second = Task { [outgoing] in try await client._response(to: outgoing).body() }
      _ = record.close()
      released.signal()
      _ = try await first.value
      await #expect(throws: (any Error).self) { try await second.value }
      released.signal()
      _ = try await client.response(to: request).body()
      #expect(server.requests.count == 2)
    }
  #endif

  /// An interceptor that gives up waiting, while its request goes on.
  private struct Abandoning: GraphQLInterceptor {
    struct TimedOut: Error {}
    let gate: AsyncStream<Void>
    let ended: AsyncStream<Bool>.Continuation

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      Task {
        for await _ in gate {}
        let response = try? await next.proceed(request)
        ended.yield(response != nil)
      }
      throw TimedOut()
    }
  }

  @Test func whatAnInterceptorHasAbandonedIsNotSentAfterTheEndOfTheCall() async throws {
    let machine = try Machine()
    let server = try server([.performs])
    defer { server.stop() }
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let (ended, ending) = AsyncStream<Bool>.makeStream()
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: Provider(abandoning: Abandoning(gate: gate, ended: ending)),
        endpointURL: server.url()),
      store: ApolloStore(cache: InMemoryNormalizedCache()))
    let queue = try machine.queue {
      ($0.baseDelay, $0.maximumDelay) = (.seconds(86_400), .seconds(86_400))
    }
    queue.register(Rename.self)
    client.use(queue)
    var states = queue.states.makeAsyncIterator()
    _ = try await client.perform(mutation: Rename(id: "1", name: "A"), offline: .enqueue())
    while let event = await states.next(), event.state != .sending {}
    #expect(await states.next()?.state == .waiting, "Nothing has left.")
    opening.finish()
    for await isSent in ended {
      #expect(!isSent)
      break
    }
    #expect(server.requests.isEmpty)
  }

  @Test func anInvalidatedClientHasSentARequestUnderWayAndNoLaterOne() async throws {
    let machine = try Machine()
    let (arrived, arrival) = AsyncStream<Void>.makeStream()
    let released = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, reply in
      arrival.yield()
      released.wait()
      reply.reset()
    }
    defer { server.stop() }
    defer { released.signal() }
    let http = DefaultHTTPClient()
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let client = ApolloClient(
      networkTransport: HTTPNetworkTransport(url: server.url(), client: http), store: store)
    let queue = try machine.queue {
      ($0.baseDelay, $0.maximumDelay) = (.seconds(86_400), .seconds(86_400))
    }
    queue.register(Rename.self)
    client.use(queue)
    func send(_ lane: String) async throws {
      _ = try await client.perform(
        mutation: Rename(id: "1", name: "A"), offline: .enqueue(lane: lane))
    }
    try await send("a")
    for await _ in arrived { break }
    http.invalidate()
    await queue.waitUntil { $0.uncertain == 1 }
    var states = queue.states.makeAsyncIterator()
    try await send("b")
    while let event = await states.next(), event.state != .sending {}
    await queue.waitUntil { $0.waiting == 1 && $0.uncertain == 1 }
  }
}
