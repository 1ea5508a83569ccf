import Apollo
import Foundation
import MyAPI

let url = URL(string: "http://localhost:8000/graphql")!
let apollo = ApolloClient(url: url)

let response = try await apollo.fetch(query: HeroNameQuery(episode: .empire))
print(response.data?.hero?.name ?? "unknown")  // Luke Skywalker
