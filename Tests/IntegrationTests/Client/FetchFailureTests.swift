import Apollo
import Foundation
import LoopbackServer
import StarWarsAPI
import Testing

/// A fetch from a server that is missing or no GraphQL server ends in one error that names the URL.
@Suite(.timeLimit(.minutes(10)))
struct FetchFailureTests {
  @Test(
    .needsServers,
    arguments: [
      ("html", naming: ["200", "text/html", "GraphQL endpoint"]),
      ("gateway", naming: ["502", "text/html"]),
      ("half", naming: ["ended before the response was complete"]),
      ("silence", naming: ["ended before the response was complete"]),
      ("graphql", naming: ["404", "path"]),
    ])
  func aServerThatAnswersWronglyIsNamed(path: String, naming parts: [String]) async throws {
    try await with(try await .faults()) { server in
      let url = server.url.appendingPathComponent(path)
      let message = await messageOfFailure(at: url)
      for part in [url.absoluteString] + parts {
        #expect(message.contains(part), "'\(part)' is not in: \(message)")
      }
    }
  }

  @Test func aServerThatIsNotThereIsNamed() async throws {
    let port = try ClosedPort()
    let message = await messageOfFailure(at: port.url)
    #expect(
      message == "No connection to \(port.url) could be made. "
        + "Check that the server runs and that the URL's host and port are right.")
    withExtendedLifetime(port) {}
  }

  @Test(.needsServers) func aServerThatStopsHalfWayIsNamed() async throws {
    try await with(try await .faults()) { server in
      let url = server.url.appendingPathComponent("hang")
      async let message = messageOfFailure {
        _ = try await ApolloClient.patient(url: url).perform(
          mutation: CreateReviewMutation(
            episode: .case(.jedi), review: ReviewInput(stars: 5)))
      }
      try await server.hasBegun()
      await server.stop()
      // A query would be sent once more; a mutation is not, because the server may have acted on
      // it.
      let text = await message
      #expect(
        text.contains("The connection to \(url) ended before the response was complete"), "\(text)")
    }
  }

  @Test(.needsServers) func whatTheServerRefusesIsAGraphQLError() async throws {
    try await with(try await .starWars()) { server in
      let apollo = ApolloClient.patient(url: server.url)
      let response = try await apollo.perform(
        mutation: CreateReviewMutation(
          episode: .case(.jedi), review: ReviewInput(stars: 9)))
      #expect(response.data == nil)
      #expect(response.errors?.map(\.message) == ["A review gives 1 to 5 stars, not 9."])
    }
  }

  @Test(.needsServers) func aFieldThatTheServerDoesNotHaveIsAGraphQLError() async throws {
    try await with(try await .starWars()) { server in
      let response = try await ApolloClient.patient(url: server.url).fetch(query: OutdatedQuery())
      #expect(response.data == nil)
      #expect(response.errors?.map(\.message) == ["Cannot query field 'queen' on type 'Query'."])
    }
  }

  private func messageOfFailure(at url: URL) async -> String {
    await messageOfFailure {
      _ = try await ApolloClient.patient(url: url).fetch(query: HeroNameQuery(episode: nil))
    }
  }

  /// The text of the error that `body` throws.
  private func messageOfFailure(of body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}
