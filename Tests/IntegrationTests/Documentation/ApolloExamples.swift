import Apollo
import ApolloSQLite
import Foundation
import StarWarsAPI

// The examples in the documentation of `Apollo`, word for word, so that the compiler checks them.
// `DocumentationExamplesTests` compares the two.

private func createAClient(endpoint: URL, token: String, file: URL) async throws {
  do {
    let apollo = ApolloClient(url: URL(string: "http://localhost:8080/graphql")!)
    let response = try await apollo.fetch(query: HeroNameQuery(episode: .empire))
    print(response.data?.hero?.name ?? "no hero")
  }
  do {
    let apollo = ApolloClient(
      networkTransport: HTTPNetworkTransport(
        url: endpoint, additionalHeaders: ["Authorization": "Bearer \(token)"]),
      store: ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file)))
    _ = apollo
  }
  do {
    let apollo = ApolloClient(url: URL(string: "https://example.com/graphql")!)
    let response = try await apollo.fetch(query: HeroNameQuery())
    _ = response
  }
  do {
    let transport = RequestChainNetworkTransport(
      interceptorProvider: RetryingProvider(),
      endpointURL: endpoint,
      additionalHeaders: ["Authorization": "Bearer \(token)"])
    let apollo = ApolloClient(networkTransport: transport)
    _ = apollo
  }
}

private func endASession(
  _ apollo: ApolloClient, _ authentication: AuthenticationInterceptor, newToken: String
) async throws {
  try await apollo.endSession()
  authentication.setToken(newToken)  // at the next login
}

private func fetch(_ apollo: ApolloClient) async throws {
  do {
    let response = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .networkFirst)
    print(response.data?.hero?.name ?? "no hero", response.errors ?? [])
  }
  if let known = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheOnly) {
    print(known.data?.hero?.name ?? "no hero")
  }
  do {
    let known = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheOnly)
    _ = known
  }
  for try await response in apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheAndNetwork) {
    print(response.source, response.data?.hero?.name ?? "no hero")
  }
  let responses = apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheAndNetwork)
  for try await response in responses {
    print(response.source, response.data?.hero?.name ?? "no hero")
  }
  do {
    _ = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .networkFirst)
  } catch let error as CacheAndNetworkError where error.code == .notCached {
    print("No connection, and no earlier result:", error.networkError)
  }
  do {
    let response = try await apollo.fetch(
      query: SearchQuery(text: "Leia"),
      requestConfiguration: RequestConfiguration(
        requestTimeout: .seconds(5), additionalHeaders: ["X-Trace": "7"]))
    _ = response
  }
}

private func subscribe(_ apollo: ApolloClient) async throws {
  for try await event in apollo.subscribe(subscription: ReviewAddedSubscription()) {
    print(event.data?.reviewAdded.stars ?? 0)
  }
  let subscription = apollo.subscribe(subscription: ReviewAddedSubscription()) { result in
    if case .success(let event) = result { print(event.data?.reviewAdded.stars ?? 0) }
  }
  // later:
  subscription.cancel()
  let events = apollo.subscribe(
    subscription: ReviewAddedSubscription(), cachePolicy: .networkOnly)
  _ = events
  let responses = apollo.fetch(query: HeroNameQuery(), fetchBehavior: .networkFirst)
  for try await response in responses { print(response.data?.hero?.name ?? "no hero") }
}

private func splitOperations(httpEndpoint: URL, webSocketEndpoint: URL) {
  let transport = SplitNetworkTransport(
    uploadingNetworkTransport: HTTPNetworkTransport(url: httpEndpoint),
    webSocketNetworkTransport: WebSocketTransport(endpointURL: webSocketEndpoint))
  let apollo = ApolloClient(networkTransport: transport)
  _ = apollo
}

private func shareRequests(endpoint: URL) {
  let transport = DeduplicatingNetworkTransport(HTTPNetworkTransport(url: endpoint))
  let apollo = ApolloClient(networkTransport: transport)
  _ = apollo
}

private func useTheRouteThatWorks(endpoint: URL, webSocketEndpoint: URL) async throws {
  let routes: [SubscriptionRoute] = [
    .webSocket(WebSocketTransport(endpointURL: webSocketEndpoint)),
    .http(HTTPNetworkTransport(url: endpoint)),
  ]
  _ = routes
  let transport = FallbackNetworkTransport(endpointURL: endpoint, memory: .shared)
  _ = transport
  let apollo = ApolloClient(
    networkTransport: FallbackNetworkTransport(endpointURL: endpoint))
  for try await event in apollo.subscribe(subscription: ReviewAddedSubscription()) {
    print(event.data?.reviewAdded.stars ?? 0)
  }
}

private func fetchWithCallbacks(_ apollo: ApolloClient, data: Data) {
  apollo.fetch(query: HeroNameQuery(episode: .jedi)) { result in
    switch result {
    case .success(let result): print(result.data?.hero?.name ?? "no hero")
    case .failure(let error): print(error)
    }
  }
  apollo.fetch(query: HeroNameQuery(), cachePolicy: .returnCacheDataAndFetch) { result in
    print(result)
  }
  let call = apollo.fetch(query: SearchQuery(text: "Leia")) { result in print(result) }
  call.cancel()  // The handler receives a `CancellationError`.
  apollo.perform(mutation: RenameCharacterMutation(id: "1000", name: "Luke")) { result in
    print(result)
  }
  apollo.perform(
    mutation: RenameCharacterMutation(id: "1000", name: "Luke"),
    optimistic: { try $0.merge(["Human:1000": ["name": "Luke"]]) }
  ) { result in
    print(result)
  }
  let mutation = RenameCharacterMutation(id: "1000", name: "Luke")
  let photo = GraphQLFile(fieldName: "photo", originalName: "luke.jpg", data: data)
  apollo.upload(operation: mutation, files: [photo]) { result in print(result) }
}

private func change(_ apollo: ApolloClient, data: Data) async throws {
  let mutation = RenameCharacterMutation(id: "1000", name: "Luke")
  do {
    let response = try await apollo.perform(
      mutation: RenameCharacterMutation(id: "1000", name: "Luke"))
    print(response.data?.renameCharacter?.name ?? "no such character")
  }
  do {
    let expected = try RenameCharacterMutation.Data(jsonObject: [
      "renameCharacter": ["__typename": "Human", "id": "1000", "name": "Luke"]
    ])
    let response = try await apollo.perform(
      mutation: RenameCharacterMutation(id: "1000", name: "Luke"), optimistic: expected)
    _ = response
  }
  do {
    let response = try await apollo.perform(
      mutation: RenameCharacterMutation(id: "1000", name: "Luke"),
      optimistic: { transaction in
        try transaction.merge(["Human:1000": ["name": "Luke"]])
      })
    _ = response
  }
  try await apollo.perform(
    mutation: RenameCharacterMutation(id: "1000", name: "Luke"),
    update: { transaction, response in
      guard let name = response.data?.renameCharacter?.name else { return }
      try transaction.merge(["Log": ["latestName": .string(name)]])
    })
  let photo = GraphQLFile(
    fieldName: "photo", originalName: "luke.jpg", mimeType: "image/jpeg", data: data)
  let response = try await apollo.upload(operation: mutation, files: [photo])
  _ = response
  do {
    _ = try await apollo.upload(operation: mutation, files: [photo])
  } catch let error as ApolloClientError where error.code == .noUploadTransport {
    print(error)
  }
}

// MARK: - Watching

private func watch(_ apollo: ApolloClient) async throws {
  for await result in apollo.watch(query: HeroNameQuery()) {
    print(try result.get().data?.hero?.name ?? "no hero")
  }
  for await result in apollo.watch(fragment: CharacterSummary.self, withKey: "Human:1000") {
    print(try result.get()?.name ?? "not in the cache")
  }
  for await result in apollo.watch(query: HeroNameQuery(), fetchBehavior: .networkFirst) {
    print(try result.get().data?.hero?.name ?? "no hero")
  }
  for await result in apollo.watch(query: HeroNameQuery(), cachePolicy: .networkFirst) {
    print(try result.get().data?.hero?.name ?? "no hero")
  }
}

private func watchWithBehaviors(_ apollo: ApolloClient) {
  do {
    let watcher = apollo.watch(query: HeroNameQuery(), fetchBehavior: .cacheAndNetwork) { result in
      print((try? result.get())?.data?.hero?.name ?? "no hero")
    }
    watcher.cancel()
  }
  do {
    let watcher = apollo.watch(query: HeroNameQuery(), cachePolicy: .networkFirst) { result in
      print((try? result.get())?.data?.hero?.name ?? "no hero")
    }
    watcher.cancel()
  }
}

private func watchWithCallbacks(_ apollo: ApolloClient) {
  do {
    let watcher = apollo.watch(query: HeroNameQuery()) { result in
      print((try? result.get())?.data?.hero?.name ?? "no hero")
    }
    watcher.refetch()  // As when the user pulls a list down.
    watcher.cancel()  // As when the user leaves the screen.
  }
  do {
    let watcher = GraphQLQueryWatcher(client: apollo, query: HeroNameQuery()) { result in
      print(result)
    }
    watcher.fetch(cachePolicy: .returnCacheDataAndFetch)
  }
  let watcher = apollo.watch(fragment: CharacterSummary.self, withKey: "Human:1000") { result in
    print((try? result.get())?.name ?? "not in the cache")
  }
  watcher.cancel()
}

// MARK: - Interceptors

struct Timing: GraphQLInterceptor {
  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let start = ContinuousClock.now
    defer { print(Operation.operationName, ContinuousClock.now - start) }
    return try await next.proceed(request)
  }
}

struct OldDataWhenOffline: ApolloErrorInterceptor {
  func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard Operation.operationType == .query, error is NetworkError else { throw error }
    var request = request
    request.fetchBehavior = .cacheOnly
    return try await retry.proceed(request)
  }
}

private func changeRequests<Operation: GraphQLOperation>(
  _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>, isFirst: Bool
) async throws -> GraphQLResponse<Operation> {
  if isFirst {
    var request = request
    request.configuration.additionalHeaders["X-Attempt"] = "2"
    request.fetchBehavior = .networkOnly
    return try await next.proceed(request)
  }
  var request = request
  request.fetchBehavior = .cacheOnly
  return try await next.proceed(request)
}

private func provideInterceptors(endpoint: URL) {
  struct Interceptors: InterceptorProvider {
    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { [Timing(), RetryInterceptor()] }
  }
  let apollo = ApolloClient(
    networkTransport: RequestChainNetworkTransport(
      interceptorProvider: Interceptors(), endpointURL: endpoint))
  _ = apollo
}

struct RetryingProvider: InterceptorProvider {
  func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor] { [RetryInterceptor(.init(maximumRetryCount: 5))] }
}

private final class MockClient: ApolloClientProtocol {
  let store = ApolloStore()

  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    GraphQLResponses(one: {
      let data = try Operation.Data(jsonObject: ["hero": ["name": "Luke"]])
      return GraphQLResponse(data: data, source: .server)
    })
  }
}

struct TokenAddingInterceptor: ApolloInterceptor {
  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.addHeader(name: "Authorization", value: "Bearer …")
    chain.proceedAsync(
      request: request, response: response, interceptor: self, completion: completion)
  }
}

private func retry<Operation: GraphQLOperation>(
  _ request: HTTPRequest<Operation>, _ chain: any RequestChain,
  _ completion: @escaping RequestChainCompletion<Operation.Data>
) {
  request.addHeader(name: "X-Attempt", value: "2")
  request.cachePolicy = .fetchIgnoringCacheData
  chain.retry(request: request, completion: completion)
}

struct CachedDataInterceptor: ApolloErrorInterceptor {
  func handleErrorAsync<Operation: GraphQLOperation>(
    error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    guard Operation.operationType == .query, error is NetworkError else {
      return completion(.failure(error))
    }
    request.cachePolicy = .returnCacheDataDontFetch
    chain.retry(request: request, completion: completion)
  }
}

final class TokenProvider: DefaultInterceptorProvider, @unchecked Sendable {
  override func interceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any ApolloInterceptor] {
    [TokenAddingInterceptor()] + super.interceptors(for: operation)
  }
}

private func chain(_ store: ApolloStore, endpoint: URL) {
  let transport = RequestChainNetworkTransport(
    interceptorProvider: TokenProvider(store: store), endpointURL: endpoint)
  let apollo = ApolloClient(networkTransport: transport, store: store)
  _ = apollo
}

/// Code of Apollo iOS 1.x names the response of a chain like this.
private enum OlderNames {
  typealias HTTPResponse<Operation: GraphQLOperation> = ChainResponse<Operation>
}
