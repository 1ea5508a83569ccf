import Apollo
import ApolloTestSupport
import Foundation
import MockingAPI
import MockingAPITestMocks
import Testing

// The examples in the documentation of `ApolloTestSupport`, word for word, so that the compiler
// checks them. `DocumentationExamplesTests` compares the two.

private typealias HeroQuery = MockingAPI.HeroQuery

private func createAModelFromMocks() {
  let mock = Mock<Human>(friends: [Mock<Droid>(name: "R2-D2")], name: "Luke")
  mock.height = 1.72
  let hero = HeroQuery.Data.Hero.from(mock)
  print(hero)
}

private func createAModelFromAMock() {
  let luke = Mock<Human>(name: "Luke")
  let hero = HeroQuery.Data.Hero.from(luke)
  print(hero)
}

private func createAModelFromATemporaryMock() {
  let hero = HeroQuery.Data.Hero.from(Mock<Human>(name: "Luke"))
  print(hero)
}

private typealias Query = MockingAPITestMocks.Query

private func fillAModel() {
  let hero = HeroQuery.Data.Hero.from(Mock<Human>(name: "Luke"), filling: .required)
  print(hero.id)  // Human-1
}

private func createAModelWithErrors() {
  let hero = HeroQuery.Data.Hero.from(
    Mock<Human>(name: "Luke"),
    errors: [GraphQLError(message: "Nobody measured.", path: ["height"])])
  print(hero)
}

private func createAModelFromAFile(_ file: URL) throws {
  let data = try HeroQuery.Data(contentsOf: file)
  print(data)
}

private func advanceAClock() async throws {
  let clock = TestClock()
  let task = Task { try await clock.sleep(for: .seconds(5)) }
  await clock.waitForSleepers()
  clock.advance(by: .seconds(5))
  try await task.value
}

private func scriptResponses() async throws {
  let transport = MockNetworkTransport()
  transport.respond(
    to: HeroQuery.self, with: .data(Mock<Query>(hero: Mock<Droid>(name: "R2-D2"))))
  let client = ApolloClient(networkTransport: transport)
  let response = try await client.fetch(query: HeroQuery())
  print(response.data?.hero?.name ?? "no hero")  // R2-D2
}

private func scriptResponsesInOrder(_ transport: MockNetworkTransport) {
  transport.respond(to: HeroQuery.self, with: .errors("Not now."), .data(Mock<Query>()))
}

private func scriptResponsesByVariables(_ transport: MockNetworkTransport) {
  transport.respond(to: HeroQuery.self) { query in
    query.detailed ? .errors("Not now.") : .data(Mock<Query>())
  }
}

private func recordASession(_ endpoint: URL) throws {
  let transport = try RecordingTransport(
    HTTPNetworkTransport(url: endpoint), file: URL(fileURLWithPath: "session.jsonl"))
  let apollo = ApolloClient(networkTransport: transport)
  _ = apollo
}

private func playASessionBack() throws {
  let transport = try ReplayTransport(file: URL(fileURLWithPath: "session.jsonl"))
  let apollo = ApolloClient(networkTransport: transport)
  // … what the program did while it was recorded …
  #expect(transport.remaining.isEmpty && transport.mismatches.isEmpty)
  _ = apollo
}

private func chooseWhatIsRedacted() {
  let redaction = RecordingRedaction(secretNames: ["taxNumber"], exceptions: ["pageToken"])
  print(redaction)
}
