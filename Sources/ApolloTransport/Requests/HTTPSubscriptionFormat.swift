/// The format in which a server sends the events of a subscription over HTTP.
///
/// ```swift
/// let transport = HTTPNetworkTransport(url: url)
/// transport.subscriptionFormat = .serverSentEvents
/// ```
///
/// Each subscription has a connection of its own. A connection that stays silent for longer than
/// the client's idle timeout counts as lost: servers send heartbeats in both formats.
public enum HTTPSubscriptionFormat: Hashable, Sendable {
  /// Parts of the type `multipart/mixed` (`subscriptionSpec=1.0`), as Apollo Router sends them.
  case multipart
  /// Server-sent events, as graphql-sse defines them for distinct connections.
  case serverSentEvents
}
