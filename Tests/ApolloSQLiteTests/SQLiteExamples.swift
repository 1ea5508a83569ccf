import ApolloCache
import ApolloSQLite
import Foundation

#if os(iOS) || os(tvOS) || os(visionOS)
  import UIKit
#endif

// The examples in the documentation of the module, word for word, so that the compiler checks them.
// `DocumentationExamplesTests` compares the two.

private func createACache(file: URL) throws {
  do {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.journalMode = .truncate
    let cache = try SQLiteNormalizedCache(fileURL: file, configuration: configuration)
    _ = cache
  }
  do {
    let caches = try FileManager.default.url(
      for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let file = caches.appending(path: "apollo.sqlite")
    let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
    _ = store
  }
  do {
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.busyTimeout = .seconds(2)
    let cache = try SQLiteNormalizedCache(fileURL: file, configuration: configuration)
    _ = cache
  }
  let store = ApolloStore(cache: try SQLiteNormalizedCache.inMemory())
  _ = store
}

private func clear(_ cache: SQLiteNormalizedCache) throws {
  do {
    try cache.clear()
  } catch let error as SQLiteError where error.isFull {
    print(error)
  }
}

#if os(iOS) || os(tvOS) || os(visionOS)
  @MainActor private func suspend(_ cache: SQLiteNormalizedCache) {
    NotificationCenter.default.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
    ) { _ in cache.suspend() }
  }
#endif

private func importRecords(path: String) throws {
  try CacheFileImport.run(path: path) { file in
    let write = WriteFacts(time: 1_700_000_000, operationName: "UserName", maxAge: nil)
    try file.merge("User:1", ["name": "Ada"], writes: ["name": write], lastUse: nil)
  }
}
