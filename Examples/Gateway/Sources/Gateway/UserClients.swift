import Apollo
import Foundation

/// One client for each user, with a store of its own: no user sees what another one has fetched.
///
/// All clients share one transport, and with it the connections to the GraphQL server.
actor UserClients {
  private let transport: HTTPNetworkTransport
  private let maximumCount: Int
  private var clients: [String: ApolloClient] = [:]
  /// The users with a client, the one that was served longest ago first.
  private var order: [String] = []

  init(url: URL, maximumCount: Int = 1000) {
    transport = HTTPNetworkTransport(url: url)
    self.maximumCount = maximumCount
  }

  /// Returns the client of a user. Releases the client that was idle longest if there are too many.
  func client(for user: String) -> ApolloClient {
    order.removeAll { $0 == user }
    order.append(user)
    if let client = clients[user] { return client }
    if order.count > maximumCount { clients[order.removeFirst()] = nil }
    let client = ApolloClient(
      networkTransport: transport, store: ApolloStore(cache: InMemoryNormalizedCache()))
    clients[user] = client
    return client
  }
}
