import Apollo
import Foundation
import MyAPI

let url = URL(string: "http://localhost:8000/graphql")!
let apollo = ApolloClient(url: url)

do {
  let response = try await apollo.fetch(query: HeroNameQuery(episode: .empire))
  for error in response.errors ?? [] { print("The server reports:", error.message) }
  print(response.data?.hero?.name ?? "unknown")  // Luke Skywalker
} catch let error as NetworkError {
  print("There is no complete response:", error)
} catch {
  print("The call failed:", error)
}
