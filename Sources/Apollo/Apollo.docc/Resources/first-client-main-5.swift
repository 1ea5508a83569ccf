import Apollo
import Foundation
import MyAPI

let url = URL(string: "http://localhost:8000/graphql")!
let apollo = ApolloClient(url: url)

for await result in apollo.watch(query: HeroNameQuery(episode: .empire)) {
  guard let hero = try result.get().data?.hero else { break }
  print(hero.name)  // Luke Skywalker, then Commander Skywalker
  if hero.name != "Luke Skywalker" { break }
  let mutation = RenameCharacterMutation(id: hero.id, name: "Commander Skywalker")
  _ = try await apollo.perform(mutation: mutation)
}
