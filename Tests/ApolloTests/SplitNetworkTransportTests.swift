import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SplitNetworkTransportTests {
  private let http = RecordingTransport()
  private let socket = RecordingTransport()

  @Test func sendsSubscriptionsToTheSocketAndTheRestToHTTP() async throws {
    for transport in [
      SplitNetworkTransport(httpNetworkTransport: http, webSocketNetworkTransport: socket),
      SplitNetworkTransport(uploadingNetworkTransport: http, webSocketNetworkTransport: socket),
      SplitNetworkTransport(
        queryTransport: http, mutationTransport: http, subscriptionTransport: socket,
        uploadTransport: http),
    ] {
      _ = http.takeNames()
      _ = socket.takeNames()
      let apollo = ApolloClient(networkTransport: transport)
      _ = try await apollo.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
      _ = try await apollo.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "Luke"))
      for try await _ in apollo.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {}
      let file = GraphQLFile(fieldName: "name", originalName: "a", data: Data())
      _ = try await apollo.upload(operation: HeroAPI.HeroQuery(), files: [file])
      #expect(http.takeNames() == ["Hero", "Rename", "upload Hero"])
      #expect(socket.takeNames() == ["HeroChanged"])
    }
  }

  @Test func failsWithoutTheTransportThatAnOperationNeeds() async throws {
    let apollo = ApolloClient(
      networkTransport: SplitNetworkTransport(queryTransport: http, mutationTransport: http))
    var error = await #expect(throws: ApolloClientError.self) {
      for try await _ in apollo.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {}
    }
    #expect(error?.code == .noSubscriptionTransport)
    error = await #expect(throws: ApolloClientError.self) {
      let file = GraphQLFile(fieldName: "name", originalName: "a", data: Data())
      _ = try await apollo.upload(operation: HeroAPI.HeroQuery(), files: [file])
    }
    #expect(error?.code == .noUploadTransport)
  }

  @Test func usesTheInterceptorsOfTheTransportThatSends() throws {
    let url = try #require(URL(string: "http://localhost"))
    let chain = RequestChainNetworkTransport(endpointURL: url)
    let transport = SplitNetworkTransport(
      uploadingNetworkTransport: chain, webSocketNetworkTransport: socket)
    #expect(transport.interceptorProvider(for: .query) != nil)
    #expect(transport.interceptorProvider(for: .mutation) != nil)
    #expect(transport.interceptorProvider(for: .subscription) == nil)
  }

  @Test func theStepsOfAnUploadAreThoseOfTheTransportForFiles() async throws {
    func makeServer() throws -> LoopbackServer {
      try LoopbackServer { _, reply in reply.json(#"{"data":{"rename":null}}"#) }
    }
    let (mutations, uploads) = (try makeServer(), try makeServer())
    defer {
      mutations.stop()
      uploads.stop()
    }
    func chain(_ server: LoopbackServer) -> RequestChainNetworkTransport {
      RequestChainNetworkTransport(
        client: .patient, interceptorProvider: StepProvider { builtInSteps() },
        endpointURL: server.url())
    }
    let main = chain(mutations)
    let apollo = ApolloClient(
      networkTransport: SplitNetworkTransport(
        queryTransport: main, mutationTransport: main, uploadTransport: chain(uploads)))
    let file = GraphQLFile(fieldName: "name", originalName: "a", data: Data())
    _ = try await apollo.upload(
      operation: HeroAPI.RenameMutation(id: "1", name: "placeholder"), files: [file])
    #expect(mutations.requests.isEmpty)
    #expect(uploads.requests.count == 1)
  }

  @Test func aStepKnowsTheEndpointOfTheTransportThatSends() async throws {
    let queries = try LoopbackServer { _, reply in reply.json(#"{"data":{"hero":null}}"#) }
    let mutations = try LoopbackServer { _, reply in reply.json(#"{"data":{"rename":null}}"#) }
    defer {
      queries.stop()
      mutations.stop()
    }
    let step = EndpointStep()
    func chain(_ server: LoopbackServer) -> RequestChainNetworkTransport {
      RequestChainNetworkTransport(
        client: .patient, interceptorProvider: StepProvider(adding: step, at: 0),
        endpointURL: server.url())
    }
    let split = SplitNetworkTransport(
      queryTransport: chain(queries), mutationTransport: chain(mutations))
    for transport in [split, DeduplicatingNetworkTransport(split)] as [any NetworkTransport] {
      let apollo = ApolloClient(networkTransport: transport)
      _ = try await apollo.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
      _ = try await apollo.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "Luke"))
      #expect(step.endpoints.exchange([]) == [queries.url(), mutations.url()])
    }
  }
}

/// Notes the endpoint of each request.
private struct EndpointStep: ApolloInterceptor {
  let endpoints = Lock<[URL]>([])

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    endpoints.withLock { $0.append(request.graphQLEndpoint) }
    chain.proceedAsync(
      request: request, response: response, interceptor: self, completion: completion)
  }
}

/// Responds to everything with no data, and records the names of operations.
private final class RecordingTransport: UploadingNetworkTransport, SubscriptionNetworkTransport {
  private let names = Lock<[String]>([])

  func takeNames() -> [String] { names.exchange([]) }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    names.withLock { $0.append(request.operationName) }
    return NetworkResponse(body: Data(#"{"data":null,"errors":[{"message":"none"}]}"#.utf8))
  }

  func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    names.withLock { $0.append("upload \(request.operationName)") }
    return NetworkResponse(body: Data(#"{"data":null,"errors":[{"message":"none"}]}"#.utf8))
  }
}
