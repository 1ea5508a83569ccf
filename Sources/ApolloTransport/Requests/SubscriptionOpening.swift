/// The server's first reaction to a subscription, which precedes its first event.
package enum SubscriptionOpening: Hashable, Sendable {
  /// Events can arrive: the session over the WebSocket is acknowledged, or the head of a response
  /// in parts has arrived.
  case opened
  /// The response over HTTP is not in parts, so that it has no events.
  case wholeResponse
}
