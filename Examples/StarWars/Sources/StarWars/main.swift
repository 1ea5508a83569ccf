// What a program does with generated code, in four steps.
//
//   swift run StarWars http://127.0.0.1:8000/graphql
//
// `scripts/demo` starts a server, and then this.

import Apollo
import Foundation
import StarWarsAPI

guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
  fail("Give me the URL of a Star Wars server: swift run StarWars http://127.0.0.1:8000/graphql")
}

do {
  // One client for each server. It keeps what it has fetched, one record for each object.
  try await tour(with: ApolloClient(url: url))
} catch {
  fail("\(error)")
}

func tour(with apollo: ApolloClient) async throws {
  var transcript = Transcript()

  // 1. A query is a value, and its types follow from GraphQL/HeroAndFriends.graphql: what it
  //    selects is a property.

  let query = HeroAndFriendsQuery(episode: .empire)
  var step = transcript.begin("Fetch from the server", "query HeroAndFriends(episode: EMPIRE)")
  let fetched = try await apollo.fetch(query: query)
  step.end()

  guard let hero = fetched.data?.hero else {
    fail("The server knows no hero: \(fetched.errors ?? [])")
  }
  if let human = hero.asHuman {
    transcript.say("\(human.name), \(human.height.map { "\($0) ft tall" } ?? "never measured")")
  } else if let droid = hero.asDroid {
    transcript.say("\(droid.name), \(droid.primaryFunction ?? "built for anything")")
  }
  // A fragment is a type of its own, so that code can ask for no more than it needs.
  transcript.list(hero.friends.map { line(about: $0.fragments.characterSummary) })

  // 2. The same query again. Unless told otherwise, a client answers from its cache when it can.

  step = transcript.begin("Fetch again", "the same query, answered by the cache")
  let cached = try await apollo.fetch(query: query)
  step.end()

  guard cached.source == .cache, cached.data == fetched.data else {
    fail("The second fetch was not answered by the cache, or differently.")
  }
  transcript.say("Equal data, and no request was sent")

  // 3. Variables are typed as well, down to the fields of input objects. Enums are Swift enums.

  let review = ReviewInput(stars: 5, commentary: "He is my father!")
  step = transcript.begin("Perform a mutation", "mutation CreateReview(episode: EMPIRE, review: …)")
  let created = try await apollo.perform(
    mutation: CreateReviewMutation(episode: .empire, review: review))
  step.end()

  guard let written = created.data?.createReview else {
    fail("The server took no review: \(created.errors ?? [])")
  }
  let stars = String(repeating: "★", count: written.stars)
  transcript.say("\(stars) “\(written.commentary ?? "")”, written on \(written.writtenOn)")

  // 4. Whoever watches a query is told when any other operation changes what it shows.

  var heroes = apollo.watch(query: HeroNameQuery(episode: .empire)).makeAsyncIterator()
  let before = try await heroes.next()?.get().data?.hero?.name
  step = transcript.begin("Watch a query", "mutation RenameCharacter(id: \(hero.id), name: …)")
  _ = try await apollo.perform(
    mutation: RenameCharacterMutation(id: hero.id, name: "Commander Skywalker"))
  let after = try await heroes.next()?.get().data?.hero?.name
  step.end()

  transcript.say("The watcher of HeroName is told: \(before ?? "–") is now \(after ?? "–")")
}

func line(about character: CharacterSummary) -> String {
  "\(character.name) (\(character.appearsIn.map(title).joined(separator: ", ")))"
}

/// A server may know an episode that this program has never heard of, so that is a case as well.
func title(of episode: GraphQLEnum<Episode>) -> String {
  switch episode {
  case .case(.newhope): "A New Hope"
  case .case(.empire): "The Empire Strikes Back"
  case .case(.jedi): "Return of the Jedi"
  case .unknown(let name): name
  }
}
