import Apollo
import Foundation
import StarWarsAPI
import Testing

/// Generated code, client, cache and transport against the example's server.
@Suite(.needsServers, .timeLimit(.minutes(10)))
struct StarWarsTests {
  @Test func typedResultsComeFromTheServerAndThenFromTheCache() async throws {
    try await with(try await .starWars()) { server in
      let apollo = ApolloClient.patient(url: server.url)
      let query = HeroAndFriendsQuery(episode: .case(.empire))
      let fetched = try await apollo.fetch(query: query)
      #expect(fetched.source == .server)
      let hero = try #require(fetched.data?.hero)
      #expect(hero.name == "Luke Skywalker")
      #expect(hero.asHuman?.height == 5.64)
      #expect(hero.asDroid == nil)
      #expect(
        hero.friends.map(\.fragments.characterSummary.name)
          == ["Han Solo", "Leia Organa", "C-3PO", "R2-D2"])

      await server.stop()
      let cached = try await apollo.fetch(query: query)
      #expect(cached.source == .cache)
      #expect(cached.data == fetched.data)
    }
  }

  @Test func theCallbackFormDeliversOnce() async throws {
    try await with(try await .starWars()) { server in
      let apollo = ApolloClient.patient(url: server.url)
      let name: String? = try await withCheckedThrowingContinuation { continuation in
        apollo.fetch(query: HeroNameQuery(episode: .case(.jedi)), queue: .global()) { result in
          continuation.resume(with: result.map { $0.data?.hero?.name })
        }
      }
      #expect(name == "R2-D2")
    }
  }

  @Test func aWatchDeliversTheChangesOfAMutation() async throws {
    try await with(try await .starWars()) { server in
      let apollo = ApolloClient.patient(url: server.url)
      var names = apollo.watch(query: HeroNameQuery(episode: .case(.jedi))).makeAsyncIterator()
      let first = try #require(try await names.next()?.get().data?.hero)
      #expect(first.name == "R2-D2")
      let response = try await apollo.perform(
        mutation: RenameCharacterMutation(id: first.id, name: "Artoo"))
      #expect(response.data?.renameCharacter?.name == "Artoo")
      let second = try #require(try await names.next()?.get())
      #expect(second.source == .cache)
      #expect(second.data?.hero?.name == "Artoo")
    }
  }

  @Test func unionsAndInterfacesHaveTypeCases() async throws {
    try await with(try await .starWars()) { server in
      let response = try await ApolloClient.patient(url: server.url).fetch(
        query: SearchQuery(text: "an"))
      let found = try #require(response.data?.search)
      #expect(
        found.compactMap(\.asCharacter?.name) == ["Han Solo", "Leia Organa", "Lando Calrissian"])
      #expect(found.compactMap(\.asStarship?.name) == ["TIE Advanced x1"])
    }
  }
}
