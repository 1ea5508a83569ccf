import Apollo
import Foundation
import Testing

private typealias HeroAndFriendsNamesQuery = DocumentationAPI.HeroAndFriendsNamesQuery
private typealias HeroAndFriendsQuery = DocumentationAPI.HeroAndFriendsQuery
private typealias HeroAndFunctionQuery = DocumentationAPI.HeroAndFunctionQuery
private typealias HeroDetails = DocumentationAPI.HeroDetails
private typealias HeroNameQuery = DocumentationAPI.HeroNameQuery

/// Code from the documentation on fetching data and on fragments, whose schema has a hero and
/// friends that are never `null`.
@Suite(.timeLimit(.minutes(10))) struct NonNullCallSiteTests {
  private let apollo = ApolloClient(
    networkTransport: ScriptedServer([
      "HeroName": #"{"hero":{"__typename":"Human","id":"1","name":"Luke Skywalker"}}"#,
      "HeroAndFriendsNames":
        #"{"hero":{"__typename":"Human","id":"1","name":"Luke Skywalker","friends":[{"__typename":"Human","id":"2","name":"Han Solo"}]}}"#,
      "HeroAndFriends":
        #"{"hero":{"__typename":"Droid","name":"R2-D2","appearsIn":["JEDI"],"friends":[{"__typename":"Human","name":"Luke","appearsIn":["EMPIRE"]}]}}"#,
      "HeroAndFunction":
        #"{"hero":{"__typename":"Droid","name":"R2-D2","primaryFunction":"Astromech"}}"#,
    ]), store: ApolloStore())

  private func data<Query: GraphQLQuery>(of query: Query) async throws -> Query.Data {
    let result: Result<GraphQLResult<Query.Data>, any Error> = await withCheckedContinuation {
      continuation in
      apollo.fetch(query: query) { result in continuation.resume(returning: result) }
    }
    return try #require(result.get().data)
  }

  @Test func readsNonNullFields() async throws {
    let data = try await data(of: HeroNameQuery())
    #expect(data.hero.name == "Luke Skywalker")
    let id: String = data.hero.id
    #expect(id == "1")
  }

  @Test func readsNonNullLists() async throws {
    let data = try await data(of: HeroAndFriendsNamesQuery())
    let friends: [HeroAndFriendsNamesQuery.Data.Hero.Friend] = data.hero.friends
    #expect(friends.map(\.name) == ["Han Solo"])
  }

  @Test func convertsToFragments() async throws {
    let data = try await data(of: HeroAndFriendsQuery())
    let hero: HeroDetails = data.hero.fragments.heroDetails
    let friends: [HeroDetails] = data.hero.friends.map { $0.fragments.heroDetails }
    #expect(hero.name == data.hero.name && hero.appearsIn == data.hero.appearsIn)
    #expect(friends.map(\.name) == ["Luke"] && data.hero.friends.map(\.name) == ["Luke"])
  }

  /// A view that depends on a fragment only.
  private struct HeroDetailsView {
    let hero: HeroDetails

    var body: [String] { [hero.name, hero.appearsIn.description] }
  }

  /// A view of a whole query.
  private struct HeroDetailsListView {
    let data: HeroAndFriendsQuery.Data

    var body: [HeroDetailsView] {
      var views = [HeroDetailsView(hero: data.hero.fragments.heroDetails)]
      for friend in data.hero.friends {
        views.append(HeroDetailsView(hero: friend.fragments.heroDetails))
      }
      return views
    }
  }

  @Test func showsOneFragmentInSeveralPlaces() async throws {
    let views = HeroDetailsListView(data: try await data(of: HeroAndFriendsQuery())).body
    #expect(views.map(\.body.first) == ["R2-D2", "Luke"])
    #expect(views.allSatisfy { !$0.body[1].isEmpty })
  }

  @Test func readsTypeCases() async throws {
    let data = try await data(of: HeroAndFunctionQuery(episode: .jedi))
    let name: String = data.hero.name
    let primaryFunction: String? = data.hero.asDroid?.primaryFunction
    #expect(name == "R2-D2" && primaryFunction == "Astromech")
  }
}
