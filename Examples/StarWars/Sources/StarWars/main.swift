// The five things that a program does with generated code.
//
//   swift run StarWars http://127.0.0.1:8000/graphql
//
// `scripts/demo` starts a server and runs this program.

import Apollo
import Foundation
import StarWarsAPI

guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
  fail("The server's URL is missing. Run: swift run StarWars http://127.0.0.1:8000/graphql")
}

do {
  // One client for each server. Its cache has one record for each object. Queries and mutations go
  // over HTTP, subscriptions over a WebSocket.
  let transport = SplitNetworkTransport(
    uploadingNetworkTransport: HTTPNetworkTransport(url: url),
    webSocketNetworkTransport: WebSocketTransport(endpointURL: url))
  try await tour(with: ApolloClient(networkTransport: transport), serverURL: url)
} catch {
  fail("\(error)")
}

func tour(with apollo: ApolloClient, serverURL: URL) async throws {
  var transcript = Transcript()

  // 1. A query is a value. Its data has a property for each field that
  //    GraphQL/HeroAndFriends.graphql selects.

  let query = HeroAndFriendsQuery(episode: .empire)
  var step = transcript.begin("Fetch from the server", "query HeroAndFriends(episode: EMPIRE)")
  let fetched = try await apollo.fetch(query: query)
  step.end()

  guard let hero = fetched.data?.hero else {
    fail("The server returned no hero: \(fetched.errors ?? [])")
  }
  if let human = hero.asHuman {
    transcript.say("\(human.name), \(human.height.map { "\($0) ft tall" } ?? "never measured")")
  } else if let droid = hero.asDroid {
    transcript.say("\(droid.name), \(droid.primaryFunction ?? "built for anything")")
  }
  // A fragment is a type of its own, so a function can require exactly the fields that it uses.
  transcript.list(hero.friends.map { line(about: $0.fragments.characterSummary) })

  // 2. The same query again. By default, a client reads from its cache if all of the data is there.

  step = transcript.begin("Fetch again", "the same query, from the cache")
  let cached = try await apollo.fetch(query: query)
  step.end()

  guard cached.source == .cache, cached.data == fetched.data else {
    fail("The second response was not from the cache, or it differs from the first one.")
  }
  transcript.say("Equal data, without a request")

  // 3. Variables have types too, and so do the fields of input objects. Enums are Swift enums.

  let review = ReviewInput(stars: 5, commentary: "He is my father!")
  step = transcript.begin("Perform a mutation", "mutation CreateReview(episode: EMPIRE, review: …)")
  let created = try await apollo.perform(
    mutation: CreateReviewMutation(episode: .empire, review: review))
  step.end()

  guard let written = created.data?.createReview else {
    fail("The server rejected the review: \(created.errors ?? [])")
  }
  let stars = String(repeating: "★", count: written.stars)
  transcript.say("\(stars) “\(written.commentary ?? "")”, written on \(written.writtenOn)")

  // 4. A watched query delivers its data again when another operation changes it.

  var heroes = apollo.watch(query: HeroNameQuery(episode: .empire)).makeAsyncIterator()
  let before = try await heroes.next()?.get().data?.hero?.name
  step = transcript.begin("Watch a query", "mutation RenameCharacter(id: \(hero.id), name: …)")
  _ = try await apollo.perform(
    mutation: RenameCharacterMutation(id: hero.id, name: "Commander Skywalker"))
  let after = try await heroes.next()?.get().data?.hero?.name
  step.end()

  transcript.say("The watched HeroName delivers: \(before ?? "–") is now \(after ?? "–")")

  // 5. A subscription is a sequence of events. Here, another client posts reviews, one after the
  //    other, until three of them have arrived.

  let critic = Task {
    let other = ApolloClient(url: serverURL)
    for number in 1... {
      let review = ReviewInput(stars: number % 5 + 1, commentary: .some("Review \(number)"))
      _ = try await other.perform(mutation: CreateReviewMutation(episode: .jedi, review: review))
      try await Task.sleep(for: .milliseconds(100))
    }
  }
  defer { critic.cancel() }
  step = transcript.begin("Subscribe", "subscription ReviewAdded(episode: JEDI)")
  var reviews: [String] = []
  for try await event in apollo.subscribe(subscription: ReviewAddedSubscription(episode: .jedi)) {
    guard let review = event.data?.reviewAdded else { continue }
    let stars = String(repeating: "★", count: review.stars)
    reviews.append("\(stars) “\(review.commentary ?? "")”")
    if reviews.count == 3 { break }
  }
  step.end()

  transcript.list(reviews)
}

func line(about character: CharacterSummary) -> String {
  "\(character.name) (\(character.appearsIn.map(title).joined(separator: ", ")))"
}

/// The title of an episode. A newer server may have episodes that this program does not know.
func title(of episode: GraphQLEnum<Episode>) -> String {
  switch episode {
  case .case(.newhope): "A New Hope"
  case .case(.empire): "The Empire Strikes Back"
  case .case(.jedi): "Return of the Jedi"
  case .unknown(let name): name
  }
}
