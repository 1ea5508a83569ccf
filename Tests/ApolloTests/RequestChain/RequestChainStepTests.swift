import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Dispatch
import Foundation
import LoopbackServer
import SimulatedRequests
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Chains of interceptors of Apollo iOS 1.x: their steps, and the one end of each call.
@Suite(.timeLimit(.minutes(10)))
struct RequestChainStepTests {
  private let query = HeroAPI.HeroQuery()
  fileprivate static let hero =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#

  private func client(
    _ url: URL, _ provider: any InterceptorProvider, autoPersistQueries: Bool = false
  ) -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: provider, endpointURL: url,
        autoPersistQueries: autoPersistQueries))
  }

  /// Returns the first results that a call with a callback delivers.
  private func results(
    _ client: ApolloClient, _ policy: CachePolicy, count: Int = 1
  ) async -> [Result<ResultSource, any Error>] {
    let (stream, continuation) = AsyncStream<Result<ResultSource, any Error>>.makeStream()
    client.fetch(query: query, cachePolicy: policy, queue: DispatchQueue(label: "tests")) {
      continuation.yield($0.map(\.source))
    }
    return await stream.prefix(count).reduce(into: []) { $0.append($1) }
  }

  // MARK: The built-in steps

  @Test func theBuiltInStepsFollowEachPolicy() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.url, StepProvider { builtInSteps() })
    func sources(_ policy: CachePolicy, count: Int = 1) async throws -> [ResultSource] {
      try await results(client, policy, count: count).map { try $0.get() }
    }
    await #expect(throws: CacheMissError.self) { try await sources(.returnCacheDataDontFetch) }
    #expect(try await sources(.fetchIgnoringCacheCompletely) == [.server])
    await #expect(throws: CacheMissError.self) { try await sources(.returnCacheDataDontFetch) }
    #expect(try await sources(.returnCacheDataElseFetch) == [.server])
    #expect(try await sources(.returnCacheDataElseFetch) == [.cache])
    #expect(try await sources(.fetchIgnoringCacheData) == [.server])
    #expect(try await sources(.returnCacheDataAndFetch, count: 2) == [.cache, .server])
    #expect(try await sources(.returnCacheDataDontFetch) == [.cache])
    #expect(try await sources(.networkElseCache) == [.server])
    #expect(server.requestCount == 5)
    server.breakDown()
    #expect(try await sources(.networkElseCache) == [.cache])
  }

  @Test func theBuiltInStepsServeAwaitedCalls() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.url, StepProvider { builtInSteps() })
    #expect(try await client.fetch(query: query).data?.hero?.name == "R2-D2")
    #expect(try await client.fetch(query: query).source == .cache)
    #expect(try await client.fetch(query: query, cachePolicy: .networkFirst).source == .server)
    let renamed = try await client.perform(mutation: HeroAPI.RenameMutation(id: "0", name: "x"))
    #expect(renamed.data?.rename?.name == "x")
    #expect(try await client.fetch(query: query, cachePolicy: .cacheOnly)?.data?.hero?.name == "x")
  }

  @Test func watchersDependOnWhatTheStepsReadAndWrite() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.url, StepProvider { builtInSteps() })
    var names = client.watch(query: query).makeAsyncIterator()
    #expect(try await names.next()?.get().data?.hero?.name == "R2-D2")
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "0", name: "x"))
    #expect(try await names.next()?.get().data?.hero?.name == "x")
  }

  @Test func theyUploadFiles() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{"rename":null}}"#) }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() })
    let file = GraphQLFile(fieldName: "name", originalName: "a", data: Data("content".utf8))
    _ = try await client.upload(
      operation: HeroAPI.RenameMutation(id: "1", name: ""), files: [file])
    #expect(server.requests.first?.bodyText.contains("content") == true)
  }

  @Test func theyDeliverThePartsOfAResponse() async throws {
    let parts = [
      #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke"}},"pending":[{"id":"0","path":["hero"],"label":"slow"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"friends":[{"__typename":"Hero","id":"2","name":"Leia"}]}}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ]
    let hasFirst = Signal()
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      reply.chunk("\r\n---\r\ncontent-type: application/json\r\n\r\n\(parts[0])\r\n---")
      hasFirst.block()
      reply.chunk("\r\ncontent-type: application/json\r\n\r\n\(parts[1])\r\n-----\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() })
    var names: [String] = []
    let responses = client.fetch(
      query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
    for try await response in responses {
      if case .fulfilled(let slow) = response.data?.hero?.fragments.$slow {
        names += slow.friends?.map(\.name) ?? []
      } else {
        names.append("pending")
      }
      hasFirst.fire()
    }
    #expect(names == ["pending", "Leia"])
  }

  /// A mutation whose response may arrive in parts.
  private struct DeferredMutation: GraphQLMutation {
    typealias ResponseFormat = IncrementalDeferredResponseFormat
    typealias Data = HeroAPI.DeferredHeroQuery.Data
    static let operationName = "DeferredMutation"
    static let operationDocument = OperationDocument(
      definition: .init(
        #"mutation DeferredMutation { hero { __typename id name ... @defer(label: "slow") { friends { __typename id name } } } }"#
      ))
    static let __selections = HeroAPI.DeferredHeroQuery.__selections
  }

  /// The program changes the cache with each write: it may add an item to a list.
  @Test(arguments: [false, true])
  func aWholeResponseThatArrivesInPartsIsWrittenOnce(_ isWrapped: Bool) async throws {
    let parts = [
      #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke"}},"pending":[{"id":"0","path":["hero"],"label":"slow"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"friends":[{"__typename":"Hero","id":"2","name":"Leia"}]}}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ]
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      for part in parts {
        reply.chunk("\r\n---\r\ncontent-type: application/json\r\n\r\n\(part)")
      }
      reply.chunk("\r\n-----\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let stepCount = Lock(0)
    let step = Step(action: .proceed) { stepCount.withLock { $0 += 1 } }
    let chain = RequestChainNetworkTransport(
      client: .patient, interceptorProvider: StepProvider(adding: step, at: 4),
      endpointURL: server.url())
    let client = ApolloClient(
      networkTransport: isWrapped ? DeduplicatingNetworkTransport(chain) : chain,
      store: ApolloStore())
    let areWhole = Lock<[Bool]>([])
    let response = try await client.perform(
      mutation: DeferredMutation(),
      update: { _, response in
        let isWhole =
          if case .fulfilled = response.data?.hero?.fragments.$slow { true } else { false }
        areWhole.withLock { $0.append(isWhole) }
      })
    #expect(response.data?.hero?.fragments.slow?.friends?.map(\.name) == ["Leia"])
    #expect(Set(areWhole.get()) == [true])
    #expect(stepCount.get() == 1)
  }

  @Test func theResponseCodeStepFailsTheCall() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero, status: 500) }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() })
    let error = await #expect(throws: ResponseCodeInterceptor.ResponseCodeError.self) {
      try await client.fetch(query: query)
    }
    guard case .invalidResponseCode(let response, let data) = error else { return }
    #expect(response?.statusCode == 500)
    #expect(data == Data(Self.hero.utf8))
    #expect(error?.description.contains("Luke") == false)
  }

  @Test func aChainWithoutTheResponseCodeStepReadsResponsesOfEveryStatus() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero, status: 500) }
    defer { server.stop() }
    let client = client(
      server.url(),
      StepProvider { [NetworkFetchInterceptor(), JSONResponseParsingInterceptor()] })
    #expect(try await client.fetch(query: query).data?.hero?.name == "Luke")
    #expect(try await client.fetch(query: query, cachePolicy: .networkOnly).http?.statusCode == 500)
    #expect(server.requests.count == 2)
  }

  @Test func theLimitOfRetriesEndsThem() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let count = Lock(0)
    let step = Step(action: .retry) { count.withLock { $0 += 1 } }
    let client = client(server.url, StepProvider(error: Retrying(), adding: step, at: 1))
    let error = await #expect(throws: MaxRetryInterceptor.RetryError.self) {
      try await client.fetch(query: query)
    }
    #expect(error == .hitMaxRetryCount(count: 3, operationName: "Hero"))
    #expect(count.get() == 4)
    #expect(server.requestCount == 0)
  }

  @Test func sendsTheTextIfTheServerDoesNotKnowItsHash() async throws {
    let server = try LoopbackServer { request, reply in
      let isKnown = request.bodyText.contains(#""query":"#)
      reply.json(
        isKnown ? Self.hero : #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
        status: isKnown ? 200 : 400)
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() }, autoPersistQueries: true)
    #expect(try await client.fetch(query: query).data?.hero?.name == "Luke")
    #expect(server.requests.map { $0.bodyText.contains(#""query":"#) } == [false, true])
    #expect(server.requests.allSatisfy { $0.bodyText.contains("sha256Hash") })
  }

  /// The chain begins anew with the text, and both passes through it fail with the same error.
  @Test func aFailureAfterTheTextWasSentHasTheErrorOfTheServer() async throws {
    let server = try LoopbackServer { request, reply in
      request.bodyText.contains(#""query":"#)
        ? reply.json("{}", status: 500)
        : reply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() }, autoPersistQueries: true)
    let error = await #expect(throws: CacheAndNetworkError.self) {
      try await client.fetch(query: query, cachePolicy: .networkFirst)
    }
    #expect(error?.networkError is ResponseCodeInterceptor.ResponseCodeError)
    #expect(error?.cacheError is CacheMissError)
  }

  /// The server has delivered a response, so the cache does not replace the rest.
  @Test(arguments: [true, false])
  func theLossOfALaterPartIsAnErrorOfTheCall(_ hasSteps: Bool) async throws {
    let server = OrderServer(interceptors: StepProvider { hasSteps ? builtInSteps() : [] })
    let client = ApolloClient(networkTransport: server)
    let query = HeroAPI.DeferredHeroQuery()
    let earlier = Task { try await client.fetch(query: query) }
    await server.call(0).end(HeroBody.hero("old"))
    _ = try await earlier.value
    let outcomes = Task {
      var outcomes: [String] = []
      do {
        for try await response in client.fetch(query: query, fetchBehavior: .networkFirst) {
          outcomes.append(response.data?.hero?.name ?? "nothing")
          server.calls[1].fail(Step.Failure())
        }
      } catch {
        outcomes.append("\(type(of: error))")
      }
      return outcomes
    }
    await server.call(1).send(HeroBody.part("new"))
    #expect(await outcomes.value == ["new", "Failure"])
  }

  /// The chain begins anew with the text, and reads the cache again.
  @Test func theCachedDataOfAQueryWithDeferredPartsIsDeliveredOnce() async throws {
    let server = try LoopbackServer { request, reply in
      request.bodyText.contains(#""query":"#)
        ? reply.json(Self.hero)
        : reply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() }, autoPersistQueries: true)
    let query = HeroAPI.DeferredHeroQuery()
    _ = try await client.fetch(query: query)
    var sources: [ResultSource] = []
    for try await response in client.fetch(query: query, fetchBehavior: .cacheAndNetwork) {
      sources.append(response.source)
    }
    #expect(sources == [.cache, .server])
  }

  @Test func stopsSendingHashesToAServerThatRefusesThem() async throws {
    let server = try LoopbackServer { request, reply in
      reply.json(
        request.bodyText.contains("sha256Hash")
          ? #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"# : Self.hero)
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() }, autoPersistQueries: true)
    for _ in 0..<2 {
      let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
      #expect(response.data?.hero?.name == "Luke")
    }
    #expect(server.requests.count == 3)
  }

  /// Servers that do not know persisted queries miss the text, each in its own words.
  @Test(arguments: [
    (400, "Must provide query string."), (400, "No GraphQL query found in the request"),
    (200, #"{"errors":[{"message":"No query string was present"}]}"#),
    (422, #"{"errors":[{"message":"missing query"}]}"#),
  ])
  func stopsSendingHashesToAServerThatMissesTheText(_ status: Int, _ words: String) async throws {
    let server = try LoopbackServer { request, reply in
      request.bodyText.contains("sha256Hash")
        ? reply.json(words, status: status) : reply.json(Self.hero)
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() }, autoPersistQueries: true)
    for _ in 0..<2 {
      let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
      #expect(response.data?.hero?.name == "Luke")
    }
    #expect(server.requests.count == 3)
  }

  /// A query whose response may arrive in parts has the same steps.
  @Test(arguments: [
    (400, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#),
    (400, "Must provide query string."),
  ])
  func sendsTheTextOfAQueryWithDeferredParts(_ status: Int, _ words: String) async throws {
    let server = try LoopbackServer { request, reply in
      request.bodyText.contains(#""query":"#)
        ? reply.json(Self.hero) : reply.json(words, status: status)
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() }, autoPersistQueries: true)
    let response = try await client.fetch(query: HeroAPI.DeferredHeroQuery())
    #expect(response.data?.hero?.name == "Luke")
    #expect(server.requests.map { $0.bodyText.contains(#""query":"#) } == [false, true])
  }

  @Test func theResponseCodeStepFailsAQueryWithDeferredPartsToo() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero, status: 500) }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() })
    await #expect(throws: ResponseCodeInterceptor.ResponseCodeError.self) {
      try await client.fetch(query: HeroAPI.DeferredHeroQuery())
    }
  }

  // MARK: Wrappers and interceptors around the steps

  /// The wrapper does not show the steps the way to the server.
  @Test func subscriptionsBehindAWrapperDeliverEachEvent() async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: "text/event-stream")
      for name in ["A", "B"] {
        let hero = #"{"__typename":"Hero","id":"1","name":"\#(name)","friends":null}"#
        reply.chunk("event: next\ndata: {\"data\":{\"heroChanged\":\(hero)}}\n\n")
      }
      reply.chunk("event: complete\ndata:\n\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let chain = RequestChainNetworkTransport(
      client: .patient, interceptorProvider: StepProvider { builtInSteps() },
      endpointURL: server.url(), subscriptionFormat: .serverSentEvents)
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(chain), store: ApolloStore())
    var names: [String?] = []
    for try await event in client.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {
      names.append(event.data?.heroChanged?.name)
    }
    #expect(names == ["A", "B"])
  }

  /// Such as a step that prints it.
  @Test(arguments: [false, true])
  func aStepSeesTheHTTPRequest(_ isWrapped: Bool) async throws {
    struct Noting: ApolloInterceptor {
      let urls = Lock<[URL?]>([])

      func interceptAsync<Operation: GraphQLOperation>(
        chain: any RequestChain, request: HTTPRequest<Operation>,
        response: ChainResponse<Operation>?,
        completion: @escaping RequestChainCompletion<Operation.Data>
      ) {
        let url = try? request.toURLRequest().url
        urls.withLock { $0.append(url) }
        chain.proceedAsync(
          request: request, response: response, interceptor: self, completion: completion)
      }
    }
    let server = try HeroServer()
    defer { server.stop() }
    let noting = Noting()
    let chain = RequestChainNetworkTransport(
      client: .patient, interceptorProvider: StepProvider(adding: noting, at: 2),
      endpointURL: server.url)
    let client = ApolloClient(
      networkTransport: isWrapped ? DeduplicatingNetworkTransport(chain) : chain,
      store: ApolloStore())
    _ = try await client.fetch(query: query)
    #expect(noting.urls.get() == [server.url])
  }

  @Test func aStatusThatTheStepsRefuseIsRetried() async throws {
    struct Provider: InterceptorProvider {
      func interceptors<Operation: GraphQLOperation>(
        for operation: Operation
      ) -> [any ApolloInterceptor] { builtInSteps() }

      func graphQLInterceptors<Operation: GraphQLOperation>(
        for operation: Operation
      ) -> [any GraphQLInterceptor] { [RetryInterceptor(.init(), sleep: { _ in }, jitter: { 0 })] }
    }
    let server = try LoopbackServer { request, reply in
      request.number == 0 ? reply.respond(503) : reply.json(Self.hero)
    }
    defer { server.stop() }
    let response = try await client(server.url(), Provider()).fetch(query: query)
    #expect(response.data?.hero?.name == "Luke")
  }

  @Test func theErrorOfAStatusHidesTheBodyAndTheHeaders() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json("secret", status: 500, headers: [("Set-Cookie", "secret")])
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() })
    let error = await #expect(throws: ResponseCodeInterceptor.ResponseCodeError.self) {
      try await client.fetch(query: query)
    }
    var text = ""
    dump(error, to: &text)
    #expect(text.contains("500"))
    #expect(!text.contains("secret") && !text.contains("115"), "115 is the letter s")
  }

  // MARK: Steps of a program

  @Test(arguments: 0...7)
  func aStepCanHaveAnyPosition(_ position: Int) async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let count = Lock(0)
    let step = Step(action: .proceed) { count.withLock { $0 += 1 } }
    let client = client(server.url, StepProvider(adding: step, at: position))
    #expect(try await client.fetch(query: query).data?.hero?.name == "R2-D2")
    #expect(count.get() == 1)
  }

  @Test func aStepCanReplaceTheNetwork() async throws {
    struct Canned: ApolloInterceptor {
      func interceptAsync<Operation: GraphQLOperation>(
        chain: any RequestChain, request: HTTPRequest<Operation>,
        response: ChainResponse<Operation>?,
        completion: @escaping RequestChainCompletion<Operation.Data>
      ) {
        guard
          let head = HTTPURLResponse(
            url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { return }
        chain.proceedAsync(
          request: request,
          response: ChainResponse(
            response: head, rawData: Data(RequestChainStepTests.hero.utf8), parsedResponse: nil),
          interceptor: self, completion: completion)
      }
    }
    let url = try #require(URL(string: "http://localhost:1/graphql"))
    let client = client(
      url,
      StepProvider {
        [
          CacheReadInterceptor(), Canned(), JSONResponseParsingInterceptor(),
          CacheWriteInterceptor(),
        ]
      })
    #expect(try await client.fetch(query: query).source == .server)
    #expect(try await client.fetch(query: query).source == .cache)
  }

  @Test func aStepChangesTheRequest() async throws {
    struct Changing: ApolloInterceptor {
      func interceptAsync<Operation: GraphQLOperation>(
        chain: any RequestChain, request: HTTPRequest<Operation>,
        response: ChainResponse<Operation>?,
        completion: @escaping RequestChainCompletion<Operation.Data>
      ) {
        request.addHeader(name: "X-Token", value: "1")
        request.addHeader(name: "x-token", value: "2")
        request.cachePolicy = .fetchIgnoringCacheCompletely
        chain.proceedAsync(request: request, response: response, completion: completion)
      }
    }
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.url, StepProvider(adding: Changing(), at: 0))
    _ = try await client.fetch(query: query)
    _ = try await client.fetch(query: query)
    #expect(server.server.requests.map { $0.headers["x-token"] } == ["2", "2"])
  }

  @Test(
    arguments: [
      (.fetchIgnoringCacheData, true), (.fetchIgnoringCacheCompletely, false),
    ] as [(CachePolicy, Bool)])
  func aStepChoosesWhetherTheResponseIsWritten(
    _ policy: CachePolicy, _ isWritten: Bool
  ) async throws {
    struct Choosing: ApolloInterceptor {
      let policy: CachePolicy

      func interceptAsync<Operation: GraphQLOperation>(
        chain: any RequestChain, request: HTTPRequest<Operation>,
        response: ChainResponse<Operation>?,
        completion: @escaping RequestChainCompletion<Operation.Data>
      ) {
        request.cachePolicy = policy
        chain.proceedAsync(
          request: request, response: response, interceptor: self, completion: completion)
      }
    }
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.url, StepProvider(adding: Choosing(policy: policy), at: 0))
    let other: CachePolicy = isWritten ? .fetchIgnoringCacheCompletely : .fetchIgnoringCacheData
    #expect(try await results(client, other).map { try $0.get() } == [.server])
    #expect(try await client.store.load(query).misses.isEmpty == isWritten)
  }

  // MARK: One end

  @Test(arguments: [Step.Action.proceedTwice, .completeTwice, .forget, .fail])
  func everyCallEndsOnce(_ action: Step.Action) async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.url, StepProvider(adding: Step(action: action), at: 1))
    let queue = DispatchQueue(label: "tests")
    let results = Lock<[String]>([])
    await withCheckedContinuation { continuation in
      client.fetch(query: query, queue: queue) { result in
        let isFirst = results.withLock { results in
          results.append(name(of: result))
          return results.count == 1
        }
        if isFirst { continuation.resume() }
      }
    }
    // What the call could still deliver would come before the result of a later one.
    _ = try? await client.fetch(query: query)
    queue.sync {}
    let expected =
      switch action {
      case .forget: "RequestChainError"
      case .fail, .completeTwice: "Failure"
      default: "R2-D2"
      }
    #expect(results.get() == [expected])
  }

  private func name(of result: Result<GraphQLResult<HeroAPI.HeroQuery.Data>, any Error>) -> String {
    switch result {
    case .success(let value): value.data?.hero?.name ?? "nil"
    case .failure(let error): "\(type(of: error))"
    }
  }

  @Test(arguments: [Step.Action.proceedTwice, .forget])
  func aSequenceEndsOnce(_ action: Step.Action) async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.url, StepProvider(adding: Step(action: action), at: 1))
    var sources: [ResultSource] = []
    do {
      for try await response in client.fetch(query: query, cachePolicy: .cacheAndNetwork) {
        sources.append(response.source)
      }
      // The second run may find in the cache what the first one has written.
      #expect([[.server], [.cache, .server]].contains(sources))
    } catch let error as RequestChainError {
      #expect(error.code == .noCompletion)
      #expect(action == .forget)
    }
  }

  /// A response in parts has at least one result.
  @Test func aStepThatForgetsAQueryWithDeferredPartsFailsIt() async throws {
    let url = try #require(URL(string: "http://localhost:1/graphql"))
    let client = client(url, StepProvider(adding: Step(action: .forget), at: 1))
    let error = await #expect(throws: RequestChainError.self) {
      try await client.fetch(query: HeroAPI.DeferredHeroQuery())
    }
    #expect(error?.code == .noCompletion)
  }

  @Test func aStepThatHoldsTheCallCanBeCancelled() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let isHeld = Signal()
    let step = Step(action: .hold) { isHeld.fire() }
    let client = client(server.url, StepProvider(adding: step, at: 1))
    let task = Task { try await client.fetch(query: query) }
    await isHeld.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func cancellingACallCancelsItsRequest() async throws {
    let isAsked = Signal()
    let server = try LoopbackServer { _, reply in
      isAsked.fire()
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let client = client(server.url(), StepProvider { builtInSteps() })
    let task = Task { try await client.fetch(query: query) }
    await isAsked.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test func aChainWithoutAParserSaysSo() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(server.url, StepProvider { [NetworkFetchInterceptor()] })
    let error = await #expect(throws: RequestChainError.self) {
      try await client.fetch(query: query)
    }
    #expect(error?.code == .noResult)
    #expect(
      error?.description
        == "The interceptors of 'Hero' ended without a parsed response. Add a JSONResponseParsingInterceptor behind the step that fetches."
    )
  }

  // MARK: Error interceptors

  /// Begins anew after every error.
  private struct Retrying: ApolloErrorInterceptor {
    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) {
      chain.retry(request: request, completion: completion)
    }
  }

  /// Returns cached data after every error, in the form of Apollo iOS 1.x.
  private struct Rerouting: ApolloErrorInterceptor {
    var kicksOff = false

    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) {
      guard request.cachePolicy != .returnCacheDataDontFetch else {
        return completion(.failure(error))
      }
      request.cachePolicy = .returnCacheDataDontFetch
      if kicksOff {
        chain.kickoff(request: request, completion: completion)
      } else {
        chain.retry(request: request, completion: completion)
      }
    }
  }

  /// The same with `await`.
  private struct AwaitingRerouting: ApolloErrorInterceptor {
    func handleError<Operation: GraphQLOperation>(
      _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      var request = request
      request.fetchBehavior = .cacheOnly
      return try await retry.proceed(request)
    }
  }

  /// Has no method.
  private struct Empty: ApolloErrorInterceptor {}

  @Test(
    arguments: [Rerouting(), Rerouting(kicksOff: true), AwaitingRerouting()]
      as [any ApolloErrorInterceptor], [true, false])
  func errorInterceptorsOfBothKindsServeChainsOfBothKinds(
    _ errorInterceptor: any ApolloErrorInterceptor, _ hasSteps: Bool
  ) async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(
      server.url, StepProvider(error: errorInterceptor) { hasSteps ? builtInSteps() : [] })
    _ = try await client.fetch(query: query)
    server.breakDown()
    let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(response.source == .cache)
  }

  @Test(arguments: [true, false])
  func anErrorInterceptorWithoutAMethodChangesNothing(_ hasSteps: Bool) async throws {
    let server = try HeroServer()
    defer { server.stop() }
    server.breakDown()
    let client = client(
      server.url, StepProvider(error: Empty()) { hasSteps ? builtInSteps() : [] })
    await #expect(throws: NetworkError.self) { try await client.fetch(query: query) }
  }

  // MARK: Providers

  @Test func aSubclassOfTheDefaultProviderAddsSteps() async throws {
    final class Subclass: DefaultInterceptorProvider, @unchecked Sendable {
      let count = Lock(0)

      override func interceptors<Operation: GraphQLOperation>(
        for operation: Operation
      ) -> [any ApolloInterceptor] {
        [Step(action: .proceed) { [count] in count.withLock { $0 += 1 } }]
          + super.interceptors(for: operation)
      }
    }
    let server = try HeroServer()
    defer { server.stop() }
    let store = ApolloStore()
    let provider = Subclass(client: .patient, store: store)
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: provider, endpointURL: server.url), store: store)
    #expect(try await client.fetch(query: query).source == .server)
    #expect(try await client.fetch(query: query).source == .cache)
    #expect(provider.count.get() == 2)
  }

  @Test func theStepsOfAProviderWithAStoreOfItsOwnUseThatStore() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let store = ApolloStore()
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(client: .patient, store: store),
        endpointURL: server.url))
    _ = try await client.fetch(query: query)
    #expect(try await client.fetch(query: query).source == .cache)
    #expect(try await store.load(query).data?.hero?.name == "R2-D2")
    #expect(try await client.store.load(query).data == nil)
  }

  @Test func aSplitTransportHasTheStepsOfItsTransports() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let count = Lock(0)
    let step = Step(action: .proceed) { count.withLock { $0 += 1 } }
    let transport = RequestChainNetworkTransport(
      client: .patient, interceptorProvider: StepProvider(adding: step, at: 0),
      endpointURL: server.url)
    let client = ApolloClient(
      networkTransport: SplitNetworkTransport(
        queryTransport: transport, mutationTransport: transport))
    #expect(try await client.fetch(query: query).data?.hero?.name == "R2-D2")
    #expect(count.get() == 1)
  }
}
