public import ApolloCache
public import Foundation

/// A query that the cache alone was to answer, and could not.
public struct CacheMissError: Error, Hashable, Sendable {
  /// The operation's name.
  public let operationName: String

  /// What is missing, in the order of the selection.
  public let misses: [CacheMiss]
}

extension CacheMissError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  public var description: String {
    let first = misses.first.map { ": \($0)" } ?? "."
    let others = misses.count > 1 ? " (\(misses.count - 1) more)" : ""
    return "The cache cannot answer '\(operationName)'\(first)\(others) Fetch it from the server first."
  }
}

/// A fetch that neither the server nor the cache could answer.
public struct CacheAndNetworkError: Error, Sendable {
  /// Why the server's answer did not come.
  public let networkError: any Error

  /// Why the cache had none.
  public let cacheError: any Error
}

extension CacheAndNetworkError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  public var description: String {
    "Neither the server nor the cache could answer. The server: \(networkError) The cache: \(cacheError)"
  }
}
