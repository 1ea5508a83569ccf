import Apollo
import BenchmarkAPI
import Foundation

// A program that only fetches: `fetch-apollo URL`. Its size is measured.
guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
  print("usage: fetch-apollo URL")
  exit(2)
}
let response = try await ApolloClient(url: url).fetch(query: SmallQuery())
print(response.data?.hero?.name ?? "unknown")
