import Apollo
import ApolloSQLite
import Foundation
import MyAPI

let url = URL(string: "http://localhost:8000/graphql")!
let file = FileManager.default.temporaryDirectory.appendingPathComponent("heroes.sqlite")
let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
let apollo = ApolloClient(networkTransport: HTTPNetworkTransport(url: url), store: store)

let first = try await apollo.fetch(query: HeroNameQuery())
print(first.data?.hero?.name ?? "unknown")  // R2-D2
let second = try await apollo.fetch(query: HeroNameQuery())
print("from the", second.source)  // from the cache
