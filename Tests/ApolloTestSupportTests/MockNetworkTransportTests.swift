import Apollo
import ApolloTestSupport
import Foundation
import MockingAPI
import MockingAPITestMocks
import Testing

@Suite(.timeLimit(.minutes(10))) struct MockNetworkTransportTests {
  private typealias HeroQuery = MockingAPI.HeroQuery
  private typealias Query = MockingAPITestMocks.Query

  let clock = TestClock()
  let transport: MockNetworkTransport
  let client: ApolloClient

  init() {
    transport = MockNetworkTransport(clock: clock)
    client = ApolloClient(networkTransport: transport)
  }

  @Test func aMockIsTheDataOfAResponse() async throws {
    transport.respond(
      to: HeroQuery.self, with: .data(Mock<Query>(hero: Mock<Droid>(name: "R2-D2"))))
    let response = try await client.fetch(query: HeroQuery())
    #expect(response.data?.hero?.name == "R2-D2")
    #expect(response.source == .server)
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly) != nil)
  }

  @Test func variablesDecideConditionalFieldsOfAMock() async throws {
    transport.respond(to: HeroQuery.self) { query in
      .data(
        Mock<Query>(hero: Mock<Droid>(primaryFunction: "Astromech")), variables: query.__variables)
    }
    let response = try await client.fetch(query: HeroQuery(detailed: true))
    #expect(response.data?.hero?.asDroidIfDetailed?.primaryFunction == "Astromech")
  }

  @Test func responsesAreGivenInOrderAndTheLastOneIsRepeated() async throws {
    transport.respond(
      to: HeroQuery.self, with: .errors("Not yet."), .json(#"{"data": {"hero": null}}"#))
    let first = try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    #expect(first.data == nil && first.errors?.map(\.message) == ["Not yet."])
    for _ in 1...2 {
      let next = try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
      #expect(next.data != nil && next.errors == nil)
    }
    #expect(transport.requests.count == 3)
  }

  @Test func aFailureIsThrown() async {
    transport.respond(to: HeroQuery.self, with: .failure(URLError(.timedOut)))
    await #expect(throws: URLError(.timedOut)) { try await client.fetch(query: HeroQuery()) }
  }

  @Test func aDelayEndsWhenTheClockIsAdvanced() async throws {
    transport.respond(to: HeroQuery.self, with: .data(Mock<Query>()).delayed(by: .seconds(3)))
    let call = Task { [client] in try await client.fetch(query: HeroQuery()) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(3))
    #expect(try await call.value.data != nil)
  }

  @Test func aCallWithoutResponseCanBeCancelled() async {
    transport.respond(to: HeroQuery.self, with: .never)
    let call = Task { [client] in try await client.fetch(query: HeroQuery()) }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test func partsArriveOneAfterTheOther() async throws {
    transport.respond(
      to: HeroQuery.self,
      with: .parts(
        .data(Mock<Query>()), .data(Mock<Query>(hero: Mock<Droid>(name: "R2-D2")))))
    var names: [String?] = []
    for try await response in client.fetch(query: HeroQuery(), fetchBehavior: .networkOnly) {
      names.append(response.data?.hero?.name)
    }
    #expect(names == [nil, "R2-D2"])
  }

  @Test func anOperationWithoutScriptIsReported() async throws {
    let error = await #expect(throws: MockNetworkTransport.UnscriptedOperationError.self) {
      try await client.fetch(query: HeroQuery())
    }
    #expect(
      error?.description
        == """
        No response to 'Hero' is scripted. Call 'respond(to: HeroQuery.self, with: …)' on the \
        transport before the request.
        """)
    #expect(error?.localizedDescription == error?.description)
  }

  @Test func requestsAreLogged() async throws {
    transport.respond(to: HeroQuery.self, with: .data(Mock<Query>()))
    _ = try await client.fetch(query: HeroQuery(detailed: true))
    #expect(transport.operations(HeroQuery.self) == [HeroQuery(detailed: true)])
    #expect(transport.operations(MockingAPI.SearchQuery.self).isEmpty)
  }

  @Test(arguments: [
    #"{"hero": {"__typename": "Droid", "name": "R2-D2"}}"#,
    #"{"data": {"hero": {"__typename": "Droid", "name": "R2-D2"}}, "errors": []}"#,
  ])
  func aFixtureIsAModel(text: String) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).json")
    let hero = #"{"__typename": "Droid", "name": "R2-D2", "id": "1", "episodes": [], "ship": "#
    let ship = #"{"__typename": "Ship", "name": "X"}}"#
    let whole = text.replacing(#"{"__typename": "Droid", "name": "R2-D2"}"#, with: hero + ship)
    try Data(whole.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }  // an old file does not matter
    #expect(try HeroQuery.Data(contentsOf: file).hero?.name == "R2-D2")
    try Data(#"{"hero": {}}"#.utf8).write(to: file)
    #expect(throws: ResponseError.self) { try HeroQuery.Data(contentsOf: file) }
  }
}
