/// A protocol for GraphQL operations over a WebSocket.
///
/// A transport offers its protocols to the server in order of preference, and speaks the one that
/// the server selects. The names are confusing: the library *graphql-ws* speaks
/// `graphql-transport-ws`, and the protocol `graphql-ws` belongs to the older library
/// *subscriptions-transport-ws*.
public enum WebSocketSubprotocol: String, Hashable, Sendable, CaseIterable {
  /// The current protocol, which most servers speak.
  case graphqlTransportWS = "graphql-transport-ws"

  /// The legacy protocol of *subscriptions-transport-ws*.
  case graphqlWS = "graphql-ws"

  /// The name that Apollo iOS 1.x gives to ``graphqlTransportWS``.
  public static var graphql_transport_ws: WebSocketSubprotocol { .graphqlTransportWS }

  /// The name that Apollo iOS 1.x gives to ``graphqlWS``.
  public static var graphql_ws: WebSocketSubprotocol { .graphqlWS }
}
