import ApolloAPI
import ApolloTransport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport whose single steps a ``RequestChain`` can take.
protocol ChainNetworkTransport: NetworkTransport {
  /// `true` to send the hash of an operation in place of its text.
  var persistsQueries: Bool { get }

  /// Sends texts from now on, because the server does not support hashes.
  func stopPersistingQueries()

  func urlRequest(
    for request: OperationRequest, _ form: OperationMessage.DocumentForm, files: [GraphQLFile]
  ) throws -> URLRequest

  /// Sends an HTTP request through the HTTP interceptors and returns the whole response, whatever
  /// its status is.
  func exchange(
    _ urlRequest: URLRequest, for request: OperationRequest, client: (any HTTPClient)?
  ) async throws -> HTTPSender.WholeResponse

  /// Sends an operation whose response may arrive in parts.
  func parts(
    of request: OperationRequest, _ form: OperationMessage.DocumentForm,
    client: (any HTTPClient)?
  ) -> NetworkResponses
}

/// A transport that knows the transport for the steps of a ``RequestChain``.
protocol ChainNetworkTransportProvider: NetworkTransport {
  func chainTransport(for type: GraphQLOperationType) -> (any ChainNetworkTransport)?
}
