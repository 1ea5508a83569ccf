import Apollo
import ApolloAPI
import Foundation
import TestOperations
import Testing

/// Interceptors around calls with several responses.
@Suite(.timeLimit(.minutes(10)))
struct SequenceInterceptionTests {
  private struct Provider: InterceptorProvider {
    var interceptors: [any GraphQLInterceptor]
    var error: (any ApolloErrorInterceptor)?

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { interceptors }

    func additionalErrorInterceptor<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> (any ApolloErrorInterceptor)? { error }
  }

  /// Counts the responses that its simple form sees.
  private struct Counting: GraphQLInterceptor {
    let count = Lock(0)

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      let response = try await next.proceed(request)
      count.withLock { $0 += 1 }
      return response
    }
  }

  /// Proceeds again after an error.
  private struct Repeating: GraphQLInterceptor {
    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      do {
        return try await next.proceed(request)
      } catch is StreamingTransport.Failure {
        return try await next.proceed(request)
      }
    }
  }

  /// Counts all responses.
  private struct CountingAll: GraphQLInterceptor {
    let count = Lock(0)

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> { try await next.proceed(request) }

    func responses<Operation: GraphQLOperation>(
      to request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) -> GraphQLResponses<Operation> {
      GraphQLResponses(
        next.responses(to: request).map { response in
          count.withLock { $0 += 1 }
          return response
        })
    }
  }

  private struct OldData: ApolloErrorInterceptor {
    func handleError<Operation: GraphQLOperation>(
      _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      var request = request
      request.fetchBehavior = .cacheOnly
      return try await retry.proceed(request)
    }
  }

  private func names(_ transport: StreamingTransport) async throws -> [String?] {
    let client = ApolloClient(networkTransport: transport)
    var names: [String?] = []
    let responses = client.subscribe(
      subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .networkOnly)
    for try await response in responses { names.append(response.data?.heroChanged?.name) }
    return names
  }

  @Test func theSimpleFormHandlesTheFirstResponse() async throws {
    let counting = Counting()
    let transport = StreamingTransport(provider: Provider(interceptors: [counting])) { _ in
      ["A", "B", "C"].map { .response($0) }
    }
    #expect(try await names(transport) == ["A", "B", "C"])
    #expect(counting.count.get() == 1)
    #expect(transport.openCount == 0)
  }

  @Test func theSequenceFormHandlesAllResponses() async throws {
    let counting = CountingAll()
    let transport = StreamingTransport(provider: Provider(interceptors: [counting])) { _ in
      ["A", "B", "C"].map { .response($0) }
    }
    #expect(try await names(transport) == ["A", "B", "C"])
    #expect(counting.count.get() == 3)
  }

  @Test func anInterceptorThatProceedsAgainReplacesTheResponses() async throws {
    let provider = Provider(interceptors: [Counting(), Repeating(), Counting()])
    let transport = StreamingTransport(provider: provider) { call in
      call == 0
        ? [.failure(StreamingTransport.Failure()), .response("X")]
        : [.response("A"), .response("B")]
    }
    #expect(try await names(transport) == ["A", "B"])
    #expect(transport.callCount == 2)
    #expect(transport.openCount == 0)
  }

  @Test func anEmptySequenceStaysEmpty() async throws {
    let provider = Provider(interceptors: [Counting(), Repeating()])
    let transport = StreamingTransport(provider: provider) { _ in [] }
    #expect(try await names(transport) == [])
  }

  /// Proceeds again, as for a network that has come back.
  private struct SubscribingAgain: ApolloErrorInterceptor {
    func handleError<Operation: GraphQLOperation>(
      _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> { try await retry.proceed(request) }
  }

  @Test(arguments: [
    (["C", "D"], ["A", "C", "D"]), ([], ["A"]),
  ])
  func allResponsesOfARetryByTheErrorInterceptorFollow(
    _ second: [String], _ expected: [String]
  ) async throws {
    let provider = Provider(interceptors: [Counting()], error: SubscribingAgain())
    let transport = StreamingTransport(provider: provider) { call in
      call == 0
        ? [.response("A"), .failure(StreamingTransport.Failure()), .response("B")]
        : second.map { .response($0) }
    }
    #expect(try await names(transport) == expected)
    #expect(transport.callCount == 2)
    #expect(transport.openCount == 0)
  }

  /// The steps of Apollo iOS 1.x hand their error to the same interceptor.
  @Test(arguments: [
    (["C", "D"], ["A", "C", "D"]), ([], ["A"]),
  ])
  func allResponsesOfARetryFollowInAChainOfSteps(
    _ second: [String], _ expected: [String]
  ) async throws {
    let provider = StepProvider(error: SubscribingAgain()) { builtInSteps() }
    let transport = StreamingTransport(provider: provider) { call in
      call == 0
        ? [.response("A"), .failure(StreamingTransport.Failure()), .response("B")]
        : second.map { .response($0) }
    }
    #expect(try await names(transport) == expected)
    #expect(transport.callCount == 2)
  }

  /// Fails with each response that has a text.
  private struct Refusing: ApolloInterceptor {
    let text: String

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) {
      let body = String(decoding: response?.rawData ?? Data(), as: UTF8.self)
      guard body.contains(text) else {
        return chain.proceedAsync(
          request: request, response: response, interceptor: self, completion: completion)
      }
      chain.handleErrorAsync(
        StreamingTransport.Failure(), request: request, response: response, completion: completion)
    }
  }

  /// Begins anew, with the method of Apollo iOS 1.x.
  private struct BeginningAnew: ApolloErrorInterceptor {
    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) { chain.retry(request: request, completion: completion) }
  }

  /// Returns a response of its own.
  private struct Substituting: ApolloErrorInterceptor {
    func handleError<Operation: GraphQLOperation>(
      _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> { GraphQLResponse(data: nil, source: .cache) }
  }

  /// Counts errors, and returns a response of its own in place of each.
  private struct CountingErrors: ApolloErrorInterceptor {
    let count = Lock(0)

    func handleError<Operation: GraphQLOperation>(
      _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      count.withLock { $0 += 1 }
      return GraphQLResponse(data: nil, source: .cache)
    }
  }

  /// A response in place of what the cache lacks would end the call without the server.
  @Test(arguments: [FetchBehavior.cacheAndNetwork, .revalidateCache], [false, true])
  func whatTheCacheLacksIsNoErrorOfACallThatAsksTheServerNext(
    _ behavior: FetchBehavior, _ hasSteps: Bool
  ) async throws {
    let errors = CountingErrors()
    let provider: any InterceptorProvider
    if hasSteps {
      provider = StepProvider(error: errors) { builtInSteps() }
    } else {
      provider = Provider(interceptors: [], error: errors)
    }
    let transport = StreamingTransport(provider: provider) { _ in [.response("A")] }
    let client = ApolloClient(networkTransport: transport)
    var names: [String?] = []
    let responses = client.fetch(query: HeroAPI.HeroQuery(), fetchBehavior: behavior)
    for try await response in responses { names.append(response.data?.hero?.name) }
    #expect(names == ["A"])
    #expect(errors.count.get() == 0)
  }

  /// Counts the times that it is asked.
  private struct CountingProvider: InterceptorProvider {
    let count = Lock(0)

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] {
      count.withLock { $0 += 1 }
      return [Counting()]
    }
  }

  @Test(arguments: [FetchBehavior.cacheAndNetwork, .revalidateCache, .cacheFirst])
  func aProviderIsAskedOnceForEachCall(_ behavior: FetchBehavior) async throws {
    let provider = CountingProvider()
    let transport = StreamingTransport(provider: provider) { _ in [.response("A")] }
    let client = ApolloClient(networkTransport: transport)
    for try await _ in client.fetch(query: HeroAPI.HeroQuery(), fetchBehavior: behavior) {}
    #expect(provider.count.get() == 1)
  }

  /// A chain of which a step fails with the event "B", while the subscription is open.
  private func provider(_ error: any ApolloErrorInterceptor) -> StepProvider {
    StepProvider(error: error) {
      [NetworkFetchInterceptor(), Refusing(text: "B"), JSONResponseParsingInterceptor()]
    }
  }

  @Test(arguments: [SubscribingAgain(), BeginningAnew()] as [any ApolloErrorInterceptor])
  func aSubscriptionThatBeginsAnewTakesThePlaceOfTheOneBefore(
    _ error: any ApolloErrorInterceptor
  ) async throws {
    let transport = StreamingTransport(provider: provider(error)) { call in
      (call == 0 ? ["A", "B", "C"] : ["D", "E"]).map { .response($0) }
    }
    #expect(try await names(transport) == ["A", "D", "E"])
    #expect(transport.callCount == 2)
  }

  /// Begins anew with an event that has a text, and proceeds with it all the same. Before that, it
  /// may report an error of the event.
  private struct BeginningAnewAndGoingOn: ApolloInterceptor {
    let text: String
    let fails: Bool

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) {
      let body = String(decoding: response?.rawData ?? Data(), as: UTF8.self)
      if body.contains(text) {
        chain.retry(request: request, completion: completion)
        if fails {
          chain.handleErrorAsync(
            StreamingTransport.Failure(), request: request, response: response,
            completion: completion)
        }
      }
      chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    }
  }

  @Test(arguments: [false, true])
  func anEventHasNoEffectAfterAnotherSubscriptionHasTakenThePlaceOfItsOwn(
    _ fails: Bool
  ) async throws {
    let step = BeginningAnewAndGoingOn(text: "B", fails: fails)
    let provider = StepProvider {
      [NetworkFetchInterceptor(), step, JSONResponseParsingInterceptor()]
    }
    let transport = StreamingTransport(provider: provider) { call in
      (call == 0 ? ["A", "B", "C"] : ["D", "E"]).map { .response($0) }
    }
    #expect(try await names(transport) == ["A", "D", "E"])
  }

  /// The new one may have no event for hours.
  @Test(arguments: [SubscribingAgain(), BeginningAnew()] as [any ApolloErrorInterceptor])
  func aSubscriptionIsClosedWhenAnotherOneTakesItsPlace(
    _ error: any ApolloErrorInterceptor
  ) async throws {
    let transport = StreamingTransport(provider: provider(error)) { call in
      call == 0 ? [.response("A"), .response("B"), .silence] : [.silence]
    }
    let reading = Task { try await names(transport) }
    while transport.callCount < 2 || transport.openCount > 1 { await Task.yield() }
    reading.cancel()
    _ = await reading.result
  }

  /// Begins anew when a test says so, such as a step that waits a limited time for an event.
  private struct BeginningAnewLater: ApolloInterceptor {
    private let again = Lock<(isFirst: Bool, begin: (@Sendable () -> Void)?)>((true, nil))

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) {
      again.withLock { again in
        guard again.isFirst else { return }
        again = (false, { chain.retry(request: request, completion: completion) })
      }
      chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    }

    func beginAnew() {
      let begin = again.withLock { again in
        defer { again.begin = nil }
        return again.begin
      }
      begin?()
    }
  }

  /// Otherwise its error would end the call when its connection is lost.
  @Test func aSilentSubscriptionIsClosedWhenAnotherOneTakesItsPlace() async throws {
    let step = BeginningAnewLater()
    let provider = StepProvider {
      [step, NetworkFetchInterceptor(), JSONResponseParsingInterceptor()]
    }
    let transport = StreamingTransport(provider: provider) { call in
      call == 0 ? [.response("A"), .silence] : [.response("D"), .response("E")]
    }
    let reading = Task { try await names(transport) }
    while transport.readCount < 2 { await Task.yield() }
    step.beginAnew()
    #expect(try await reading.value == ["A", "D", "E"])
    while transport.openCount > 0 { await Task.yield() }
  }

  @Test func aSubscriptionGoesOnAfterAResponseInPlaceOfAnEvent() async throws {
    let transport = StreamingTransport(provider: provider(Substituting())) { _ in
      ["A", "B", "C"].map { .response($0) }
    }
    #expect(try await names(transport) == ["A", nil, "C"])
    #expect(transport.callCount == 1)
  }

  @Test func theErrorOfARetryByTheErrorInterceptorIsTheEnd() async throws {
    let provider = Provider(interceptors: [], error: SubscribingAgain())
    let transport = StreamingTransport(provider: provider) { call in
      [.failure(StreamingTransport.Failure())]
    }
    await #expect(throws: StreamingTransport.Failure.self) { try await names(transport) }
    #expect(transport.callCount == 2)
    #expect(transport.openCount == 0)
  }

  @Test func theErrorInterceptorAddsTheLastResponse() async throws {
    let provider = Provider(interceptors: [Counting()], error: OldData())
    let transport = StreamingTransport(provider: provider) { _ in
      [.response("A"), .response("B"), .failure(StreamingTransport.Failure())]
    }
    #expect(try await names(transport) == ["A", "B", "B"])
  }

  /// The behaviors of a query whose server responds in two parts, with an empty cache and a full
  /// one, and with a server that fails.
  @Test(arguments: [
    (FetchBehavior.cacheFirst, "A B", "cached", "Failure"),
    (.networkFirst, "A B", "A B", "cached"),
    (.networkOnly, "A B", "A B", "Failure"),
    (.cacheOnly, "CacheMissError", "cached", "cached"),
    (.cacheAndNetwork, "A B", "cached A B", "cached Failure"),
  ])
  func aQueryTakesItsParts(
    behavior: FetchBehavior, whenEmpty: String, whenFull: String, whenServerFails: String
  ) async throws {
    /// The names that a query delivers, and the type of its error.
    func outcome(isFull: Bool, fails: Bool) async throws -> String {
      let transport = StreamingTransport { _ in
        fails ? [.failure(StreamingTransport.Failure())] : [.response("A"), .response("B")]
      }
      let client = ApolloClient(networkTransport: transport)
      if isFull {
        let filler = ApolloClient(
          networkTransport: StreamingTransport { _ in [.response("cached")] }, store: client.store)
        _ = try await filler.fetch(query: HeroAPI.HeroQuery())
      }
      var words: [String] = []
      do {
        for try await response in client.fetch(query: HeroAPI.HeroQuery(), fetchBehavior: behavior)
        {
          words.append(response.data?.hero?.name ?? "nothing")
        }
      } catch {
        words.append("\(type(of: error))")
      }
      #expect(transport.openCount == 0)
      return words.joined(separator: " ")
    }
    #expect(try await outcome(isFull: false, fails: false) == whenEmpty)
    #expect(try await outcome(isFull: true, fails: false) == whenFull)
    if behavior != .cacheFirst {
      #expect(try await outcome(isFull: true, fails: true) == whenServerFails)
    } else {
      #expect(try await outcome(isFull: false, fails: true) == whenServerFails)
    }
  }
}
