// swift-format-ignore-file

import Apollo
import Foundation

/// The short sample of the page, whose class has the name of the long one.
enum BasicSetup {
  class Network {
    static let shared = Network()

    private(set) lazy var apollo = ApolloClient(url: URL(string: "http://localhost:8080/graphql")!)
  }

  /// The arguments of the initializer that takes a transport.
  static func client(networkTransport: NetworkTransport) -> ApolloClient {
    ApolloClient(networkTransport: networkTransport,
                 store: ApolloStore(cache: InMemoryNormalizedCache()))
  }

  /// The options of a transport.
  static func transport(client: URLSessionClient, delegate: HTTPNetworkTransportDelegate) -> HTTPNetworkTransport {
    HTTPNetworkTransport(url: URL(string: "http://localhost:8080/graphql")!, client: client, sendOperationIdentifiers: false, useGETForQueries: false, delegate: delegate)
  }
}
