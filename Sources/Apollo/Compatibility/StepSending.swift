import ApolloTransport

/// The way in which the steps of a ``RequestChain`` send.
enum StepSending: Sendable {
  /// Each HTTP request by itself.
  case requests(HTTPLink)
  /// An operation, through the whole transport of the client. The link makes the requests of that
  /// transport, if it is known.
  case operations(HTTPLink?)

  /// The way to the server for each HTTP request, or `nil` if operations are sent.
  var link: HTTPLink? {
    switch self {
    case .requests(let link): link
    case .operations: nil
    }
  }

  /// The link that makes the HTTP requests, whichever way they are sent.
  var requestLink: HTTPLink? {
    switch self {
    case .requests(let link): link
    case .operations(let link): link
    }
  }
}
