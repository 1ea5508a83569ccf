import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// A mock with the one method that it needs.
private final class MockClient: ApolloClientProtocol {
  let store = ApolloStore()
  private let names: [String]
  private let behaviors = Lock<[FetchBehavior]>([])

  init(_ names: String...) { self.names = names }

  var requestedBehaviors: [FetchBehavior] { behaviors.get() }

  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    behaviors.withLock { $0.append(request.fetchBehavior) }
    return GraphQLResponses {
      var names = self.names[...]
      return {
        try names.popFirst().map { name in
          let json =
            #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"\#(name)","friends":null}}}"#
          return try ResponseDecoder().decode(Data(json.utf8), as: request.operation)
        }
      }
    }
  }
}

/// A client around a mock, which calls a closure at the beginning of each of its methods.
private final class WrappingClient: ApolloClientProtocol {
  private let base = MockClient("Luke")
  private let action = Lock<@Sendable () -> Void>({})

  func onCall(_ action: @escaping @Sendable () -> Void) { _ = self.action.exchange(action) }

  var store: ApolloStore {
    action.get()()
    return base.store
  }

  var defaultRequestConfiguration: RequestConfiguration {
    action.get()()
    return base.defaultRequestConfiguration
  }

  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    action.get()()
    return base.responses(to: request)
  }
}

/// A mock whose sequences have no element, and end without an error when they are cancelled.
private final class SilentClient: ApolloClientProtocol {
  let store = ApolloStore()

  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    GraphQLResponses(AsyncStream<GraphQLResponse<Operation>>.makeStream().stream)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ApolloClientProtocolTests {
  private let query = HeroAPI.HeroQuery()
  private let queue = DispatchQueue(label: "tests")

  @Test func aMockHasTheCallsWithAwait() async throws {
    let mock = MockClient("Luke")
    let client: any ApolloClientProtocol = mock
    #expect(try await client.fetch(query: query).data?.hero?.name == "Luke")
    #expect(
      try await client.fetch(query: query, cachePolicy: .cacheOnly)?.data?.hero?.name == "Luke")
    #expect(mock.requestedBehaviors == [.cacheFirst, .cacheOnly])
  }

  @Test func aMockHasTheCallsWithCallbacks() async throws {
    let client: any ApolloClientProtocol = MockClient("Luke")
    let name = try await withCheckedThrowingContinuation { continuation in
      client.fetch(query: query, queue: queue) {
        continuation.resume(with: $0.map { $0.data?.hero?.name })
      }
    }
    #expect(name == "Luke")
  }

  @Test func aMockHasSequences() async throws {
    let client: any ApolloClientProtocol = MockClient("Luke", "Leia")
    var names: [String?] = []
    for try await response in client.fetch(query: query, cachePolicy: .cacheAndNetwork) {
      names.append(response.data?.hero?.name)
    }
    #expect(names == ["Luke", "Leia"])
  }

  @Test func aMockCanBeWatched() async throws {
    let client: any ApolloClientProtocol = MockClient("Luke")
    var results = client.watch(query: query).makeAsyncIterator()
    #expect(try await results.next()?.get().data?.hero?.name == "Luke")
  }

  @Test func aWatcherCallsItsClientAtOnceAndWithoutItsLock() async throws {
    let client = WrappingClient()
    var results = client.watch(query: query).makeAsyncIterator()
    #expect(try await results.next()?.get().data?.hero?.name == "Luke")
    let callCount = Lock(0)
    client.onCall { [weak watcher = results.watcher] in
      _ = watcher?.automaticallyRefreshOnExpiry  // takes the lock
      callCount.withLock { $0 += 1 }
    }
    results.watcher.refetch()
    #expect(callCount.get() > 0)
  }

  @Test func aMockWithoutResponsesFailsTheCall() async {
    let client: any ApolloClientProtocol = MockClient()
    let error = await #expect(throws: ApolloClientError.self) {
      try await client.fetch(query: query)
    }
    #expect(error?.code == .noResponse)
    #expect(error?.transportName == "MockClient")
  }

  @Test func aCancelledCallOfAMockThrowsACancellationError() async {
    let client: any ApolloClientProtocol = SilentClient()
    let call = Task { [query] in try await client.fetch(query: query) }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }
}

@Suite(.timeLimit(.minutes(10)))
struct DefaultRequestConfigurationTests {
  private func client(_ server: LoopbackServer) -> ApolloClient {
    ApolloClient(
      networkTransport: HTTPNetworkTransport(url: server.url(), client: .patient),
      defaultRequestConfiguration: RequestConfiguration(
        writeResultsToCache: false, additionalHeaders: ["X-Default": "1"]),
      clientAwarenessMetadata: ClientAwareness(name: "shop", version: "4"))
  }

  private static let body =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#

  @Test func callsWithoutOptionsTakeThoseOfTheClient() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.body) }
    defer { server.stop() }
    let client = client(server)
    _ = try await client.fetch(query: HeroAPI.HeroQuery())
    #expect(server.requests.first?.headers["x-default"] == "1")
    #expect(server.requests.first?.headers["apollographql-client-name"] == "shop")
    #expect(server.requests.first?.bodyText.contains("apollo-swift") == true)
    #expect(try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly) == nil)
  }

  @Test func callsWithCallbacksTakeThemToo() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.body) }
    defer { server.stop() }
    let client = client(server)
    let name = try await withCheckedThrowingContinuation { continuation in
      client.fetch(query: HeroAPI.HeroQuery(), queue: DispatchQueue(label: "tests")) {
        continuation.resume(with: $0.map { $0.data?.hero?.name })
      }
    }
    #expect(name == "Luke")
    #expect(server.requests.first?.headers["x-default"] == "1")
    #expect(try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly) == nil)
  }

  @Test func optionsOfACallReplaceThoseOfTheClient() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.body) }
    defer { server.stop() }
    let client = client(server)
    _ = try await client.fetch(
      query: HeroAPI.HeroQuery(), requestConfiguration: RequestConfiguration())
    #expect(server.requests.first?.headers["x-default"] == nil)
    #expect(try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly) != nil)
  }

  @Test func everyKindOfCallTakesAContextIdentifier() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let identifiers = [UUID(), UUID(), UUID()]
    let seen = Lock<[UUID?]>([])
    let watch = client.store.subscribe { change in
      seen.withLock { $0.append(change.origin?.identifier) }
    }
    defer { watch.cancel() }
    _ = try await client.fetch(query: HeroAPI.HeroQuery(), contextIdentifier: identifiers[0])
    _ = try await client.perform(
      mutation: HeroAPI.RenameMutation(id: "1", name: "x"), contextIdentifier: identifiers[1])
    _ = try await withCheckedThrowingContinuation { continuation in
      client.upload(
        operation: HeroAPI.RenameMutation(id: "1", name: "y"),
        files: [GraphQLFile(fieldName: "name", originalName: "a", data: Data("z".utf8))],
        contextIdentifier: identifiers[2], queue: DispatchQueue(label: "tests")
      ) { continuation.resume(with: $0) }
    }
    #expect(seen.get() == identifiers)
  }

  @Test func networkElseCacheFallsBackOnTheCache() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    func source() async throws -> ResultSource {
      try await withCheckedThrowingContinuation { continuation in
        client.fetch(
          query: HeroAPI.HeroQuery(), cachePolicy: .networkElseCache,
          queue: DispatchQueue(label: "tests")
        ) { continuation.resume(with: $0.map(\.source)) }
      }
    }
    #expect(try await source() == .server)
    server.breakDown()
    #expect(try await source() == .cache)
  }

  @Test @MainActor func callbacksWithoutAQueueRunOnTheMainActor() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let page = Page()
    await withCheckedContinuation { continuation in
      client.fetch(query: HeroAPI.HeroQuery()) { result in
        page.configure(with: (try? result.get())?.data)
        continuation.resume()
      }
    }
    #expect(page.title == "R2-D2")
  }
}

@MainActor private final class Page {
  var title: String?
  func configure(with data: HeroAPI.HeroQuery.Data?) { title = data?.hero?.name }
}
