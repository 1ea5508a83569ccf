import Apollo
import Foundation
import LoopbackServer
import Testing

/// The page "Fragments" of Apollo iOS 1.x: its code compiles in the Swift 5 language mode, and does
/// what its text says.
@Suite(.timeLimit(.minutes(10)))
struct FragmentsTests {
  private static let heroes = #"""
    {"data":{"hero":{"__typename":"Human","name":"Luke","appearsIn":["JEDI"],"friends":[
      {"__typename":"Droid","name":"R2-D2","appearsIn":["NEWHOPE","EMPIRE"]}]}}}
    """#

  private func fetch<Query: GraphQLQuery>(
    _ query: Query, from response: String
  ) async throws -> Query.Data {
    let server = try LoopbackServer { _, reply in reply.json(response) }
    defer { server.stop() }
    return try #require(
      try await ApolloClient(url: server.url()).fetch(query: query, cachePolicy: .networkOnly).data)
  }

  @Test func aModelIsConvertedIntoItsFragment() async throws {
    let heroes = HeroesAsDetails(try await fetch(HeroAndFriendsQuery(), from: Self.heroes))
    #expect(heroes.hero.name == "Luke")
    #expect(heroes.hero.appearsIn == [.init(.jedi)])
    #expect(heroes.friends.map(\.name) == ["R2-D2"])
    #expect(heroes.friends.first?.appearsIn == [.init(.newhope), .init(.empire)])
  }

  @Test func aModelHasTheFieldsOfItsFragments() async throws {
    let data = try await fetch(HeroAndFriendsQuery(), from: Self.heroes)
    #expect(data.hero.appearsIn == data.hero.fragments.heroDetails.appearsIn)
    #expect(data.hero.friends.first?.name == "R2-D2")
  }

  @Test func aFragmentIsAModelWithoutAnOperation() throws {
    let details = try HeroDetails(
      jsonObject: ["__typename": "Human", "name": "Leia", "appearsIn": ["JEDI"]])
    #expect(HeroDetailsView(hero: details).texts.first == "Leia")
  }

  @Test func aViewIsReusedForEveryModelWithTheFragment() async throws {
    let data = try await fetch(HeroAndFriendsQuery(), from: Self.heroes)
    let texts = HeroDetailsListView(data: data).texts
    #expect(texts.count == 4)
    #expect(texts[0] == "Luke")
    #expect(texts[1] == data.hero.appearsIn.description)
    #expect(texts[2] == "R2-D2")
  }

  @Test(arguments: [
    (
      #"{"__typename":"Droid","name":"R2-D2","primaryFunction":"Astromech"}"#,
      "R2-D2", "Astromech" as String?
    ),
    (#"{"__typename":"Human","name":"Luke"}"#, "Luke", nil),
  ])
  func anInlineFragmentAddsTheFieldsOfAType(
    hero: String, name: String, primaryFunction: String?
  ) async throws {
    let data = try await fetch(
      HeroOfEpisodeQuery(episode: .init(.jedi)), from: #"{"data":{"hero":\#(hero)}}"#)
    let shown = HeroOfEpisode(data)
    #expect(shown.name == name)
    #expect(shown.primaryFunction == primaryFunction)
  }
}
