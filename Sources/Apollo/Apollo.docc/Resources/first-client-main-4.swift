import Apollo
import Foundation
import MyAPI

let url = URL(string: "http://localhost:8000/graphql")!
let apollo = ApolloClient(url: url)

for await result in apollo.watch(query: HeroNameQuery(episode: .empire)) {
  guard let hero = try result.get().data?.hero else { break }
  print("The hero is", hero.name)
  if hero.name != "Luke Skywalker" { break }
}
