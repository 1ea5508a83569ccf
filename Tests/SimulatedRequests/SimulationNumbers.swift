import Apollo
import ApolloAPI
import ApolloCache

// The places at which the simulation uses the client's own order of requests. All others are what
// any client could be asked.

extension OrderServer.Call {
  /// The position of the request in the order of requests.
  var number: UInt64 { request.facts.sent?.number ?? 0 }
}

extension ApolloStore {
  /// A position after everything until now, and before everything from now on.
  func simulatedMoment() -> UInt64 { order.moment() }
}
