import Apollo
import ApolloAPI
import ApolloTransport
import ApolloWebSocket
import Foundation
import LoopbackServer
import SeededRandom
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Storms of calls through wrappers and interceptors in an order that a seed decides: retries,
/// batches, persisted queries, refreshed tokens and shared requests, while calls are cancelled.
/// Every call ends once, with its own data or its cancellation, and no mutation is carried out
/// twice.
///
/// `WRAPPER_SEED` repeats the storm of a seed, which each failure names. `STRESS_CALLS` is the
/// number of calls of all storms. The name ends like those of the other tests that run alone.
@Suite(.timeLimit(.minutes(60)), .serialized)
struct WrapperOrderStressTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seeds: [UInt64] =
    environment["WRAPPER_SEED"].flatMap { UInt64($0) }.map { [$0] }
    ?? (0..<10).map { freshSeed &+ $0 }
  private static let callCount =
    (environment["STRESS_CALLS"].flatMap(Int.init) ?? 1_000) / seeds.count

  // MARK: - The client

  /// Interceptors in the order of a seed.
  private struct Interceptors: InterceptorProvider {
    let seed: UInt64
    let authentication: AuthenticationInterceptor
    let hasSteps: Bool

    init(seed: UInt64, server: MoodyServer, hasSteps: Bool) {
      self.seed = seed
      self.hasSteps = hasSteps
      authentication = AuthenticationInterceptor(token: "0") { server.newToken() }
    }

    private func shuffled<Element>(_ elements: [Element]) -> [Element] {
      var random = SeededGenerator(seed: seed)
      return elements.shuffled(using: &random)
    }

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] {
      let retries = RetryInterceptor.Configuration(
        maximumRetryCount: 10_000, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(2))
      return shuffled([RetryInterceptor(retries), Passing(), Passing()])
    }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      shuffled([authentication, Passing(), Passing()])
    }

    func interceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any ApolloInterceptor] { hasSteps ? builtInSteps() : [] }
  }

  /// An interceptor that lets other tasks go first.
  private struct Passing: GraphQLInterceptor, HTTPInterceptor {
    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      await Task.yield()
      return try await next.proceed(request)
    }

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      await Task.yield()
      return try await next(request)
    }
  }

  private static func client(_ seed: UInt64, _ server: MoodyServer, _ url: URL) -> ApolloClient {
    var random = SeededGenerator(seed: seed)
    var client: any HTTPClient = DefaultHTTPClient.patient
    if Bool.random(using: &random) {
      var batches = BatchingHTTPClient.Configuration(
        maximumDelay: .milliseconds(1), maximumQueryCount: .random(in: 2...8, using: &random))
      batches.alwaysSendsArrays = Bool.random(using: &random)
      client = BatchingHTTPClient(client, configuration: batches)
    }
    let interceptors = Interceptors(
      seed: random.next(), server: server, hasSteps: Bool.random(using: &random))
    var transport: any UploadingNetworkTransport = RequestChainNetworkTransport(
      client: client, interceptorProvider: interceptors, endpointURL: url,
      autoPersistQueries: Bool.random(using: &random))
    for wrapper in (0..<4).shuffled(using: &random).prefix(.random(in: 0...4, using: &random)) {
      switch wrapper {
      case 0, 1: transport = DeduplicatingNetworkTransport(transport)
      case 2:
        transport = SplitNetworkTransport(
          queryTransport: transport, mutationTransport: transport, uploadTransport: transport)
      default:
        transport = FallbackNetworkTransport(
          queryTransport: transport,
          subscriptionRoutes: [.http(HTTPNetworkTransport(url: url))])
      }
    }
    return ApolloClient(networkTransport: transport)
  }

  // MARK: - The server

  /// The moods of the server about an operation, which its name lists.
  private enum Mood: String, CaseIterable {
    /// The token has expired when the operation comes alone for the first time.
    case expired
    /// The service is not available the first two times. Only for queries, which are retried.
    case late
    /// The hash of the document is not known the first time.
    case cold
    case plain
  }

  /// A server that carries out each operation once its moods are over.
  private final class MoodyServer: Sendable {
    private struct State {
      var token = 0
      /// The number of times that an operation met a mood.
      var counts: [String: Int] = [:]
      var hashes: Set<String> = []
      /// The mutations that were carried out.
      var mutations: [String: Int] = [:]
      /// The tokens that were refused, and the operations that came with one of them again.
      var refused: [String: String] = [:]
      var staleNames: [String] = []

      /// Returns `true` if an operation meets a mood, which it does so many times.
      mutating func meets(_ mood: Mood, _ name: String, times: Int) -> Bool {
        let count = counts["\(mood) \(name)"] ?? 0
        guard name.contains(mood.rawValue), count < times else { return false }
        counts["\(mood) \(name)"] = count + 1
        return true
      }
    }

    private let state = Lock(State())

    var mutations: [String: Int] { state.get().mutations }
    var staleNames: [String] { state.get().staleNames }

    func newToken() -> String {
      state.withLock { state in
        state.token += 1
        return "\(state.token)"
      }
    }

    func start() throws -> LoopbackServer {
      try LoopbackServer(keepsRequests: false) { [self] request, reply in
        guard let body = try? JSONValue(jsonBytes: Data(request.body)) else {
          return reply.respond(400)
        }
        let operations = body.arrayValue ?? [body]
        let token = request.headers["authorization"] ?? ""
        if let status = refusal(of: operations, token) { return reply.respond(status) }
        let responses = operations.map(response)
        reply.json(body.arrayValue == nil ? responses[0] : "[\(responses.joined(separator: ","))]")
      }
    }

    private func refusal(of operations: [JSONValue], _ token: String) -> Int? {
      state.withLock { state in
        if operations.count == 1 {
          let name = Self.name(of: operations[0])
          if state.meets(.expired, name, times: 1) {
            state.refused[name] = token
            return 401
          }
          if state.refused[name] == token { state.staleNames.append(name) }
        }
        let isLate = operations.count { state.meets(.late, Self.name(of: $0), times: 2) } > 0
        return isLate ? 503 : nil
      }
    }

    private func response(to operation: JSONValue) -> String {
      let name = Self.name(of: operation)
      let hash = operation["extensions"]?["persistedQuery"]?["sha256Hash"]?.stringValue
      let isKnown = state.withLock { state in
        guard operation["query"]?.stringValue == nil else {
          if let hash { state.hashes.insert(hash) }
          return true
        }
        let isCold = state.meets(.cold, name, times: 1)
        return !isCold && hash.map(state.hashes.contains) == true
      }
      guard isKnown else {
        return
          #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
      }
      let hero = #"{"__typename":"Hero","id":"\#(name)","name":"\#(name)""#
      guard operation["variables"]?["id"] != nil else {
        return #"{"data":{"hero":\#(hero),"friends":null}}}"#
      }
      state.withLock { $0.mutations[name, default: 0] += 1 }
      return #"{"data":{"rename":\#(hero)}}}"#
    }

    private static func name(of operation: JSONValue) -> String {
      operation["variables"]?["name"]?.stringValue ?? ""
    }
  }

  // MARK: - The calls

  /// The way in which a program makes a call.
  private enum Kind: CaseIterable {
    case query, sequence, callback, sharedQuery, mutation, mutationCallback
  }

  private struct PlannedCall {
    let kind: Kind
    let name: String
    /// The number of turns after which the call is cancelled.
    let cancellation: Int?

    init(_ index: Int, using random: inout SeededGenerator) {
      kind = .allCases.randomElement(using: &random) ?? .query
      var moods = Mood.allCases.filter { _ in Bool.random(using: &random) }
      if kind == .mutation || kind == .mutationCallback { moods.removeAll { $0 == .late } }
      let isShared = kind == .sharedQuery
      let number = isShared ? index % 7 : index
      if isShared { moods = number % 2 == 0 ? [.late] : [.cold] }
      name = "\(moods.map(\.rawValue).joined(separator: " ")) \(kind) \(number)"
      let isCancelled = ![.callback, .mutationCallback].contains(kind) && index % 3 == 0
      cancellation = isCancelled ? Int.random(in: 0..<60, using: &random) : nil
    }

    /// Returns the names of the responses.
    func make(_ client: ApolloClient, _ ends: Lock<[String: Int]>) async throws -> [String?] {
      let query = HeroAPI.HeroQuery(name: .some(name))
      let mutation = HeroAPI.RenameMutation(id: "1", name: name)
      let queue = DispatchQueue.global()
      switch kind {
      case .query, .sharedQuery:
        let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
        return [response.data?.hero?.name]
      case .sequence:
        var names: [String?] = []
        for try await response in client.fetch(query: query, fetchBehavior: .networkOnly) {
          names.append(response.data?.hero?.name)
        }
        try Task.checkCancellation()
        return names
      case .mutation: return [try await client.perform(mutation: mutation).data?.rename?.name]
      case .callback:
        return try await withCheckedThrowingContinuation { continuation in
          client.fetch(query: query, cachePolicy: .fetchIgnoringCacheData, queue: queue) { result in
            guard first(in: ends) else { return }
            continuation.resume(with: result.map { [$0.data?.hero?.name] })
          }
        }
      case .mutationCallback:
        return try await withCheckedThrowingContinuation { continuation in
          client.perform(mutation: mutation, queue: queue) { result in
            guard first(in: ends) else { return }
            continuation.resume(with: result.map { [$0.data?.rename?.name] })
          }
        }
      }
    }

    /// Counts an end of the call. Returns `true` for the first one.
    private func first(in ends: Lock<[String: Int]>) -> Bool {
      ends.withLock { ends in
        ends[name, default: 0] += 1
        return ends[name] == 1
      }
    }
  }

  @Test(arguments: seeds)
  func everyCallEndsOnceWithItsOwnDataInAnyOrderOfWrappers(seed: UInt64) async throws {
    let script = MoodyServer()
    let server = try script.start()
    defer { server.stop() }
    var random = SeededGenerator(seed: seed)
    let calls = (0..<Self.callCount).map { PlannedCall($0, using: &random) }
    let ends = Lock<[String: Int]>([:])
    do {
      let client = Self.client(seed, script, server.url())
      await withTaskGroup(of: Void.self) { group in
        for lane in 0..<16 {
          group.addTask {
            for index in stride(from: lane, to: calls.count, by: 16) {
              await Self.check(calls[index], client, ends, seed)
            }
          }
        }
      }
    }
    #expect(ends.get().values.allSatisfy { $0 == 1 }, "A callback came twice; seed \(seed)")
    #expect(script.staleNames == [], "A refused token was sent again; seed \(seed)")
    let counts = script.mutations
    #expect(counts.values.allSatisfy { $0 == 1 }, "A mutation was repeated; seed \(seed)")
    for call in calls where call.cancellation == nil {
      guard [.mutation, .mutationCallback].contains(call.kind) else { continue }
      #expect(counts[call.name] == 1, "\(call.name); seed \(seed)")
    }
    await server.wait { $0.openConnectionCount == 0 }
  }

  /// Makes a call. If it is cancelled, it may still be faster than its cancellation.
  private static func check(
    _ call: PlannedCall, _ client: ApolloClient, _ ends: Lock<[String: Int]>, _ seed: UInt64
  ) async {
    let task = Task { try await call.make(client, ends) }
    if let turns = call.cancellation {
      for _ in 0..<turns { await Task.yield() }
      task.cancel()
    }
    switch await task.result {
    case .success(let names):
      #expect(names == [call.name], "\(call.name); seed \(seed)")
    case .failure(let error):
      #expect(
        error is CancellationError && call.cancellation != nil,
        "\(call.name) ended with \(error); seed \(seed)")
    }
  }
}
