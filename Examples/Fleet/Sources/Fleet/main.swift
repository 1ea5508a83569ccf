// One of many programs that share a cache on Redis.
//
//   swift run Fleet http://127.0.0.1:8000/graphql redis://127.0.0.1:7000 list
//   swift run Fleet … watch            prints each change until its standard input ends
//   swift run Fleet … rename 1 Coffee
//
// `python3 Server/server.py` starts a GraphQL server. `scripts/examples` runs all of this.

import Apollo
import ApolloRedis
import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let service = URL(string: arguments[1]),
  let redis = URL(string: arguments[2])
else {
  print("Usage: Fleet SERVICE REDIS list|watch|rename ID NAME")
  exit(64)
}

// The products are the same for all users. What depends on who asks belongs in a scope of that
// user: RedisNormalizedCache(url: redis, scope: "user-\(id)").
var configuration = RedisNormalizedCache.Configuration()
configuration.timeout = .milliseconds(500)
let cache = try RedisNormalizedCache(url: redis, scope: "public", configuration: configuration)
var settings = ApolloStore.Configuration()
settings.onCacheFailure = { error in
  // Without Redis, the program goes on as if nothing was cached.
  FileHandle.standardError.write(Data("\(error)\n".utf8))
}
let client = ApolloClient(
  networkTransport: HTTPNetworkTransport(url: service),
  store: ApolloStore(cache: cache, configuration: settings))

/// Prints a line at once. `print` keeps it in a buffer if the output is not a terminal.
@Sendable func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Prints the names of products, and the source and the time of a response.
@Sendable func show(
  _ response: GraphQLResponse<Shop.ProductsQuery>, after duration: Duration? = nil
) {
  let names = response.data?.products.map(\.name).joined(separator: ", ") ?? "nothing"
  let source = response.source == .cache ? "the cache" : "the service"
  let time = duration.map { " in \(Int(($0 / .milliseconds(1)).rounded(.up))) ms" } ?? ""
  write("\(names) from \(source)\(time)")
}

switch arguments[3] {
case "list":
  let clock = ContinuousClock()
  let start = clock.now
  let response = try await client.fetch(query: Shop.ProductsQuery())
  show(response, after: clock.now - start)
case "rename" where arguments.count >= 5:
  let response = try await client.perform(
    mutation: Shop.RenameMutation(id: arguments[4], name: arguments[5]))
  print("Renamed to \(response.data?.rename.name ?? "nothing")")
case "watch":
  let watch = Task {
    for await result in client.watch(query: Shop.ProductsQuery()) {
      switch result {
      case .success(let response): show(response)
      case .failure(let error): write("The watch failed: \(error)")
      }
    }
  }
  // Without blocking a thread of the concurrency pool.
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      while readLine() != nil {}
      continuation.resume()
    }
  }
  watch.cancel()
default:
  print("'\(arguments[3])' is not list, watch or rename ID NAME.")
  exit(64)
}
