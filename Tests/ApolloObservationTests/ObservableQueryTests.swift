import ApolloObservation
import ApolloTestSupport
import Foundation
import MockingAPI
import MockingAPITestMocks
import Observation
import Testing

@MainActor @Suite(.timeLimit(.minutes(10))) struct ObservableQueryTests {
  private typealias HeroQuery = MockingAPI.HeroQuery
  private typealias Query = MockingAPITestMocks.Query

  let transport = MockNetworkTransport(clock: TestClock())
  let client: ApolloClient

  init() { client = ApolloClient(networkTransport: transport) }

  private nonisolated static func hero(_ name: String) -> MockResponse<HeroQuery> {
    .data(Mock<Query>(hero: Mock<Droid>(id: "1", name: name)))
  }

  @Test func nothingIsFetchedBeforeAPropertyIsRead() async {
    transport.respond(to: HeroQuery.self, with: Self.hero("R2-D2"))
    let query = ObservableQuery(HeroQuery(), client: client)
    #expect(transport.requests.isEmpty)
    #expect(query.data == nil && query.isLoading && query.error == nil)
    await wait { !query.isLoading }
    #expect(query.data?.hero?.name == "R2-D2")
    #expect(transport.requests.count == 1)
  }

  @Test func theDataFollowsTheCache() async throws {
    transport.respond(to: HeroQuery.self, with: Self.hero("R2-D2"), Self.hero("Artoo"))
    let query = ObservableQuery(HeroQuery(), client: client)
    await wait { query.data != nil }
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    await wait { query.data?.hero?.name == "Artoo" }
    #expect(query.error == nil)
    #expect(query.data?.hero?.name == "Artoo")
  }

  @Test func anErrorRemainsUntilARefetchSucceeds() async {
    transport.respond(
      to: HeroQuery.self, with: .failure(URLError(.timedOut)), Self.hero("R2-D2"))
    let query = ObservableQuery(HeroQuery(), client: client)
    await wait { query.error != nil }
    #expect(!query.isLoading && query.data == nil)
    let task = query.refetch()
    #expect(query.isLoading)
    await task.value
    #expect(query.error == nil && query.data?.hero?.name == "R2-D2" && !query.isLoading)
  }

  @Test func theDataRemainsWhenARefetchFails() async {
    transport.respond(
      to: HeroQuery.self, with: Self.hero("R2-D2"), .failure(URLError(.timedOut)))
    let query = ObservableQuery(HeroQuery(), client: client)
    await wait { query.data != nil }
    await query.refetch().value
    #expect(query.error as? URLError == URLError(.timedOut))
    #expect(query.data?.hero?.name == "R2-D2")
  }

  @Test func theDataRemainsWhenARefetchHasErrorsWithoutData() async {
    transport.respond(to: HeroQuery.self, with: Self.hero("R2-D2"), .errors("Not now."))
    let query = ObservableQuery(HeroQuery(), client: client)
    await wait { query.data != nil }
    await query.refetch().value
    #expect(query.errors.map(\.message) == ["Not now."])
    #expect(query.data?.hero?.name == "R2-D2" && query.error == nil)
  }

  /// The cached data may not have been shown when the response arrives.
  @Test func cachedDataRemainsBesideErrorsWithoutData() async throws {
    transport.respond(to: HeroQuery.self, with: Self.hero("R2-D2"), .errors("Not now."))
    _ = try await client.fetch(query: HeroQuery())
    let query = ObservableQuery(
      HeroQuery(), client: client, cachePolicy: .returnCacheDataAndFetch)
    await wait { !query.isLoading }
    #expect(query.errors.map(\.message) == ["Not now."])
    #expect(query.data?.hero?.name == "R2-D2")
  }

  @Test func errorsOfTheServerAreGiven() async {
    transport.respond(to: HeroQuery.self, with: .errors("No heroes today."))
    let query = ObservableQuery(HeroQuery(), client: client)
    await wait { !query.isLoading }
    #expect(query.errors.map(\.message) == ["No heroes today."])
    #expect(query.error == nil && query.data == nil)
  }

  @Test func anotherQueryReplacesTheData() async {
    transport.respond(to: HeroQuery.self) { query in
      let hero = Mock<Droid>(name: query.detailed ? "C-3PO" : "R2-D2")
      return .data(Mock<Query>(hero: hero), variables: query.__variables)
    }
    let query = ObservableQuery(HeroQuery(), client: client, cachePolicy: .fetchIgnoringCacheData)
    await wait { query.data != nil }
    query.query = HeroQuery(detailed: true)
    #expect(query.data == nil && query.isLoading)
    await wait { query.data != nil }
    #expect(query.data?.hero?.name == "C-3PO")
  }

  @Test func aPropertyThatDoesNotChangeNotifiesNoObserver() async {
    transport.respond(to: HeroQuery.self, with: Self.hero("R2-D2"))
    let query = ObservableQuery(HeroQuery(), client: client)
    await wait { query.data != nil }
    nonisolated(unsafe) var changeCount = 0  // because all changes are made on the main actor
    withObservationTracking {
      _ = (query.data, query.error)
    } onChange: {
      changeCount += 1
    }
    await query.refetch().value
    #expect(changeCount == 0)
  }

  @Test func releasingTheObjectEndsItsRequest() async {
    let (ends, continuation) = AsyncStream<Void>.makeStream()
    let transport = CancellationReportingTransport(continuation)
    var query: ObservableQuery? = ObservableQuery(
      HeroQuery(), client: ApolloClient(networkTransport: transport))
    weak let released = query
    _ = query?.data
    await transport.hasBegun
    query = nil
    #expect(released == nil)
    for await _ in ends { break }
  }

  @Test func aCancelledQueryKeepsItsData() async throws {
    transport.respond(to: HeroQuery.self, with: Self.hero("R2-D2"), Self.hero("Artoo"))
    let query = ObservableQuery(HeroQuery(), client: client)
    await wait { query.data != nil }
    query.cancel()
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    #expect(query.data?.hero?.name == "R2-D2" && !query.isLoading)
  }
}

/// A transport whose requests last until they are cancelled.
private final class CancellationReportingTransport: NetworkTransport {
  private let end: AsyncStream<Void>.Continuation
  private let (beginnings, begin) = AsyncStream<Void>.makeStream()
  private let clock = TestClock()

  init(_ end: AsyncStream<Void>.Continuation) { self.end = end }

  var hasBegun: Void {
    get async { for await _ in beginnings { break } }
  }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    begin.yield()
    defer { end.yield() }
    try await clock.sleep(for: .seconds(1))
    throw CancellationError()
  }
}
