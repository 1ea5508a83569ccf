import ApolloCache
import ApolloRedis
import Foundation

// The examples in the documentation of the module, word for word, so that the compiler checks them.
// `DocumentationExamplesTests` compares the two.

private func createACache(url: URL) throws {
  do {
    let url = URL(string: "redis://cache.internal:6379")!
    let store = ApolloStore(cache: try RedisNormalizedCache(url: url, scope: "public"))
    _ = store
  }
  var configuration = RedisNormalizedCache.Configuration()
  configuration.recordLifetime = .seconds(3_600)
  let cache = try RedisNormalizedCache(url: url, scope: "public", configuration: configuration)
  _ = cache
}

@Sendable private func log(_ text: String) { print(text) }

private func reportFailures(_ configuration: inout ApolloStore.Configuration) {
  configuration.onCacheFailure = { error in
    if let error = error as? RedisError { log("\(error.code): \(error)") }
  }
}
