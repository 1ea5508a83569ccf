import ApolloAPI
import ApolloTransport

/// One call on its way through the steps, with what they remember from one response to the next.
///
/// A call is an iteration: the first response is pulled through all steps, then the second one, and
/// so on; see ``CallStep``. What repeats a part of a call, such as an interceptor that proceeds
/// again, makes a call of its own for the rest of the steps.
// `@unchecked Sendable` because one task at a time uses a call: the one that awaits a response, or
// the one that does so in its place until the deadline. If that is left behind there, nothing else
// uses the call any more.
final class Call<Operation: GraphQLOperation>: @unchecked Sendable {
  let context: CallContext
  /// The request, which steps change for those behind them.
  var request: GraphQLRequest<Operation>

  /// `true` if the call reports its steps to the observers. A call within a call does not.
  var isObserved = false
  /// The time that is left for the responses to come.
  var remainingTime: Duration?
  /// The call to the server, of a call whose first response may come from the cache.
  var serverCall: Call?
  /// The interceptors, once they are known: `.some(nil)` for none.
  var interception: Interception<Operation>??
  /// The responses that interceptors have let through, or those of a retry after an error.
  var intercepted: GraphQLResponses<Operation>.Iterator?
  /// `true` if the additional error interceptor has been asked. It is asked once.
  var hasFailed = false
  /// The source of the responses that follow.
  var source = Source.undecided
  /// The request to the server, until its last response has arrived.
  var exchange: ServerExchange?
  /// The responses of the server, if there may be several.
  var network: NetworkResponses.Iterator?
  /// The records of the response that was decoded last, until they are written.
  var received: (records: ReceivedRecords, exchange: ServerExchange)?

  init(_ request: GraphQLRequest<Operation>, _ context: CallContext) {
    self.request = request
    self.context = context
  }

  /// Ends what the call waits for of the server.
  func endExchange() {
    network = nil
    exchange = nil
    received = nil
  }

  /// Ends the request to the server if it has one response, which has arrived.
  func endExchangeOfOneResponse() {
    guard let exchange, request.transportRequest.partsContent == nil else { return }
    exchange.sent.end()
  }

  enum Source {
    case undecided
    /// The server, which may have more responses.
    case server
    /// None: there are no more responses.
    case none
  }
}
