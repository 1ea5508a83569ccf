import Apollo
import ApolloAPI
import Foundation
import LoopbackServer
import ManualClock
import TestOperations
import Testing

@testable import ApolloOffline

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Mutations of a queue that meet retries, refreshes of tokens and logouts in one call.
@Suite(.timeLimit(.minutes(10)))
struct AttemptMeetingTests {
  private struct LoggedOut: Error {}

  /// The treatment of one HTTP attempt by a server.
  private enum Treatment: Sendable {
    case performs, resets, rejectsTokenByError
    /// The code is one that only the program knows.
    case rejectsTokenByItsOwnCode
    /// The error is in what the mutation returns.
    case rejectsTokenInField(status: Int = 200, type: String = "application/json")
    case status(Int)
    /// The key is in use, with a GraphQL error if `true`.
    case isBusy(Bool)
  }

  private struct Provider: InterceptorProvider {
    var graphQL: [any GraphQLInterceptor] = []
    var http: [any HTTPInterceptor] = []
    /// `true` for a chain of 1.x.
    var hasSteps = false

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { graphQL }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { http }

    func interceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any ApolloInterceptor] {
      hasSteps ? DefaultInterceptorProvider().interceptors(for: operation) : []
    }
  }

  /// Sends a request once more if its connection is lost.
  private struct Repeating: HTTPInterceptor {
    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      do {
        return try await next(request)
      } catch is NetworkError {
        return try await next(request)
      }
    }
  }

  private func server(_ treatments: [Treatment]) throws -> LoopbackServer {
    let rest = Lock(treatments)
    return try LoopbackServer { _, reply in
      let treatment = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      switch treatment {
      case .performs:
        reply.json(#"{"data":{"rename":{"__typename":"Hero","id":"1","name":"A"}}}"#)
      case .resets: reply.reset()
      case .rejectsTokenByError:
        let error = #"{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}"#
        reply.json(#"{"data":null,"errors":[\#(error)]}"#)
      case .rejectsTokenByItsOwnCode:
        let error = #"{"message":"who?","extensions":{"code":"invalid-jwt"}}"#
        reply.json(#"{"data":null,"errors":[\#(error)]}"#)
      case .rejectsTokenInField(let status, let type):
        let error =
          #"{"message":"who?","path":["rename","name"],"extensions":{"code":"UNAUTHENTICATED"}}"#
        reply.json(#"{"data":null,"errors":[\#(error)]}"#, status: status, type: type)
      case .status(let status): reply.respond(status)
      case .isBusy(false): reply.respond(409)
      case .isBusy(true):
        reply.json(
          #"{"errors":[{"message":"The key is in use."}]}"#, status: 409,
          type: "application/graphql-response+json")
      }
    }
  }

  private func client(_ url: URL, _ provider: Provider) -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: provider, endpointURL: url),
      store: ApolloStore(cache: InMemoryNormalizedCache()))
  }

  private func queue(_ machine: Machine, session: String = "") throws -> OfflineMutationQueue {
    let queue = try machine.queue(session: session) {
      // The second attempt is never made.
      ($0.baseDelay, $0.maximumDelay) = (.seconds(86_400), .seconds(86_400))
    }
    queue.register(Rename.self)
    return queue
  }

  /// Returns the state of a mutation after its first call.
  private func state(
    after treatments: [Treatment], _ provider: Provider, _ rules: OfflineRules
  ) async throws -> OfflineState? {
    let machine = try Machine()
    let server = try server(treatments)
    defer { server.stop() }
    let client = client(server.url(), provider)
    let queue = try queue(machine)
    client.use(queue)
    var states = queue.states.makeAsyncIterator()
    _ = try await client.perform(mutation: Rename(id: "1", name: "A"), offline: rules)
    while let event = await states.next(), event.state != .sending {}
    return await states.next()?.state
  }

  private func failure(in state: OfflineState?) -> OfflineFailure? {
    if case .failed(let failure) = state { failure } else { nil }
  }

  // MARK: A key in use

  @Test(arguments: [false, true])
  func aServerThatIsBusyWithTheKeyOfALostAttemptIsWaitedFor(hasError: Bool) async throws {
    let state = try await state(
      after: [.resets, .isBusy(hasError)], Provider(http: [Repeating()]),
      .enqueue(key: .automatic))
    #expect(state == .waiting)
  }

  @Test func aMutationIsNotDroppedWhileTheServerIsBusyWithItsLostAttempt() async throws {
    let state = try await state(
      after: [.resets, .isBusy(true)], Provider(http: [Repeating()]),
      .enqueue(key: .automatic, conflict: .skip))
    #expect(state == .waiting)
  }

  @Test func aServerThatIsBusyWithTheKeyOfARetriedAttemptIsWaitedFor() async throws {
    let retry = RetryInterceptor(
      .init(maximumRetryCount: 1, baseDelay: .zero, retriesMutations: true))
    let state = try await state(
      after: [.status(503), .isBusy(false)], Provider(graphQL: [retry]),
      .enqueue(key: .automatic))
    #expect(state == .waiting)
  }

  @Test func aKeyThatWasNeverSentBeforeIsRejectedByAConflict() async throws {
    let state = try await state(after: [.isBusy(false)], Provider(), .enqueue(key: .automatic))
    guard case .failed(let failure) = state else {
      Issue.record("\(String(describing: state))")
      return
    }
    #expect(failure.statusCode == 409)
  }

  // MARK: A chain of 1.x

  /// A step of the chain throws an error of its own for a status.
  @Test(arguments: [400, 401, 403, 409, 422, 429, 500, 503])
  func aStatusMeansTheSameInAChainOfSteps(status: Int) async throws {
    let expected = try await state(after: [.status(status)], Provider(), .enqueue())
    let inChain = try await state(after: [.status(status)], Provider(hasSteps: true), .enqueue())
    #expect(inChain == expected)
  }

  // MARK: A token that is rejected

  /// `true` for a server that rejects a token by a GraphQL error, `false` for the status 401.
  @Test(arguments: [false, true])
  func aMutationWhoseTokenIsRejectedWaitsIfTheRefreshFails(isByError: Bool) async throws {
    let authentication = AuthenticationInterceptor(token: "old") { throw LoggedOut() }
    let state = try await state(
      after: [isByError ? .rejectsTokenByError : .status(401)], Provider(http: [authentication]),
      .enqueue())
    #expect(state == .waiting)
  }

  @Test(arguments: [false, true])
  func aMutationIsNotTakenForPerformedIfTheRefreshFails(isByError: Bool) async throws {
    let authentication = AuthenticationInterceptor(token: "old") { throw LoggedOut() }
    let state = try await state(
      after: [isByError ? .rejectsTokenByError : .status(401)], Provider(http: [authentication]),
      .enqueue(uncertainty: .assumeDone))
    #expect(state == .waiting)
  }

  @Test(arguments: [false, true])
  func aMutationWhoseNewTokenIsRejectedTooWaits(isByError: Bool) async throws {
    let authentication = AuthenticationInterceptor(token: "old") { "new" }
    let state = try await state(
      after: [isByError ? .rejectsTokenByError : .status(401)], Provider(http: [authentication]),
      .enqueue())
    #expect(state == .waiting)
  }

  @Test func aMutationIsNotDroppedIfItsNewTokenIsRejectedByACodeOfTheProgram() async throws {
    let authentication = AuthenticationInterceptor(token: "old", errorCodes: ["invalid-jwt"]) {
      "new"
    }
    let state = try await state(
      after: [.rejectsTokenByItsOwnCode], Provider(http: [authentication]),
      .enqueue(conflict: .skip))
    #expect(state == .waiting)
  }

  /// The refresh is a request of its own. Its status says nothing about the mutation.
  @Test(arguments: [401, 403])
  func aMutationIsNotDroppedIfTheServerRejectsTheRefresh(status: Int) async throws {
    let loginServer = try server([.status(400)])
    defer { loginServer.stop() }
    let login = client(loginServer.url(), Provider())
    let authentication = AuthenticationInterceptor(
      token: "old", isRejection: { $0.statusCode == status }
    ) {
      _ = try await login.perform(mutation: Rename(id: "1", name: "refresh"))
      return "new"
    }
    let state = try await state(
      after: [.status(status)], Provider(http: [authentication]), .enqueue(conflict: .skip))
    #expect(state == .waiting)
  }

  /// The user may lack a permission: the mutation would wait forever.
  @Test func aStatusThatANewTokenGetsAsWellRejectsTheMutation() async throws {
    let authentication = AuthenticationInterceptor(
      token: "old", isRejection: { [401, 403].contains($0.statusCode) }
    ) { "new" }
    let state = try await state(
      after: [.status(403)], Provider(http: [authentication]), .enqueue(conflict: .skip))
    guard case .failed(let failure) = state else {
      Issue.record("\(String(describing: state))")
      return
    }
    #expect(failure.statusCode == 403)
  }

  /// The server has performed a part of it, and would give the same response to a key again.
  @Test(arguments: [false, true])
  func aFieldOfTheResultThatRejectsTheTokenRejectsTheMutation(isKeyed: Bool) async throws {
    let authentication = AuthenticationInterceptor(token: "old") { "new" }
    let state = try await state(
      after: [.rejectsTokenInField(), .performs], Provider(http: [authentication]),
      isKeyed ? .enqueue(key: .automatic) : .enqueue())
    guard case .failed(let failure) = state else {
      Issue.record("\(String(describing: state))")
      return
    }
    #expect(failure.kind == .graphQL)
  }

  static let types = ["application/json", "application/graphql-response+json"]

  /// Ariadne has the status 400 for each `data: null`. Apollo Server can have that of the error.
  @Test(arguments: [400, 401, 429], types)
  func anErrorInTheResultRejectsTheMutationWhateverItsStatusIs(
    status: Int, type: String
  ) async throws {
    let authentication = AuthenticationInterceptor(token: "old") { "new" }
    let providers = [[], [authentication]].flatMap { http in
      [false, true].map { Provider(http: http, hasSteps: $0) }
    }
    for provider in providers {
      let state = try await state(
        after: [.rejectsTokenInField(status: status, type: type), .performs], provider, .enqueue())
      #expect(failure(in: state)?.kind == .graphQL, "\(String(describing: state))")
    }
  }

  /// A server that is busy with a key has no result yet. This one gives the same response to the
  /// key again and again.
  @Test(arguments: [false, true], types)
  func aConflictInTheResultIsNoKeyInUse(isFirst: Bool, type: String) async throws {
    let conflict = Treatment.rejectsTokenInField(status: 409, type: type)
    let state = try await state(
      after: isFirst ? [conflict] : [.resets, conflict], Provider(http: [Repeating()]),
      .enqueue(key: .automatic))
    #expect(failure(in: state)?.kind == .graphQL, "\(String(describing: state))")
  }

  @Test func aMutationIsUncertainIfItsAttemptWithTheNewTokenIsLost() async throws {
    let authentication = AuthenticationInterceptor(token: "old") { "new" }
    let state = try await state(
      after: [.rejectsTokenByError, .resets], Provider(http: [authentication]), .enqueue())
    #expect(state == .uncertain)
  }

  @Test func aMutationIsPerformedWithTheNewToken() async throws {
    let authentication = AuthenticationInterceptor(token: "old") { "new" }
    let state = try await state(
      after: [.rejectsTokenByError, .performs], Provider(http: [authentication]), .enqueue())
    #expect(state == .done(.performed))
  }

  // MARK: A logout

  @Test(arguments: [false, true])
  func aLogoutDuringARefreshLeavesAMutationWaiting(isByError: Bool) async throws {
    let machine = try Machine()
    let server = try server([isByError ? .rejectsTokenByError : .status(401)])
    defer { server.stop() }
    let isRefreshing = Signal()
    let authentication = AuthenticationInterceptor(token: "old") {
      isRefreshing.fire()
      let (silence, end) = AsyncStream<Void>.makeStream()
      for await _ in silence {}
      withExtendedLifetime(end) {}
      throw CancellationError()
    }
    let client = client(server.url(), Provider(http: [authentication]))
    let queue = try queue(machine, session: "user-7")
    client.use(queue)
    _ = try await client.perform(mutation: Rename(id: "1", name: "A"), offline: .enqueue())
    await isRefreshing.wait()
    // Nothing is sent for the next session.
    queue.networkChanged(isAvailable: false)
    try await client.endSession()
    try await queue.beginSession("user-7")
    await queue.waitUntil { $0.waiting + $0.uncertain == 1 }
    #expect(queue.counts.waiting == 1)
  }
}
