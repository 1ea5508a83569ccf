internal import ApolloCache
public import Foundation

/// A fetch that failed on both sides: neither the server nor the cache has delivered data.
///
/// Thrown by calls that turn to the second side because the first one failed. With
/// ``CachePolicy/Query/SingleResponse/cacheFirst``, data that is missing in the cache is not a
/// failure: if the server fails then, its error is thrown as it is.
///
/// ```swift
/// do {
///   _ = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .networkFirst)
/// } catch let error as CacheAndNetworkError where error.code == .notCached {
///   print("No connection, and no earlier result:", error.networkError)
/// }
/// ```
public struct CacheAndNetworkError: Error, Sendable {
  /// The state of the cache. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `notCached`.
    public let description: String

    /// The cache works, but it does not hold all of the data.
    public static let notCached = Code(description: "notCached")
    /// The cache could not be read.
    public static let cacheUnreadable = Code(description: "cacheUnreadable")
  }

  /// The state of the cache.
  public let code: Code

  /// The name of the operation.
  public let operationName: String

  /// The reason why the server delivered no response.
  public let networkError: any Error

  /// The reason why the cache delivered no data.
  public let cacheError: any Error

  package init(operationName: String, networkError: any Error, cacheError: any Error) {
    code = cacheError is CacheMissError ? .notCached : .cacheUnreadable
    self.operationName = operationName
    self.networkError = networkError
    self.cacheError = cacheError
  }
}

// MARK: - Sentences

extension CacheAndNetworkError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// A sentence with both reasons and the solution.
  public var description: String {
    switch code {
    case .notCached:
      "The server delivered no response to '\(operationName)', and the cache does not hold all of its data. Solve the server's problem, then fetch again. Server: \(networkError) Cache: \(cacheError)"
    default:
      "The server delivered no response to '\(operationName)', and the cache could not be read. Solve one of the two problems, then fetch again. Server: \(networkError) Cache: \(cacheError)"
    }
  }
}
