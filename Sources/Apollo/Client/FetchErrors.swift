public import Foundation

extension ApolloClient {
  /// What can be wrong with how a client was set up.
  public enum Error: Swift.Error, Hashable, Sendable {
    /// Files are to be uploaded, but the client's transport cannot do that.
    case noUploadTransport
  }
}

extension ApolloClient.Error: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// What was found and what to do about it.
  public var description: String {
    switch self {
    case .noUploadTransport:
      "The client's network transport cannot upload files. Use one that conforms to UploadingNetworkTransport, such as HTTPNetworkTransport."
    }
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
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// What was found and what to do about it.
  public var description: String {
    "Neither the server nor the cache could answer. The server: \(networkError) The cache: \(cacheError)"
  }
}
