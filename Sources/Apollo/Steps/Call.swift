import ApolloAPI
import ApolloTransport

/// One call on its way through the steps, with what they remember from one response to the next.
///
/// A call is an iteration: the first response is pulled through all steps, then the second one, and
/// so on; see ``CallStep``. What repeats a part of a call, such as an interceptor that proceeds
/// again, makes a call of its own for the rest of the steps.
// `@unchecked Sendable` because one task at a time uses a call: the one that awaits a response, or
// the one that does so in its place, until it ends or until the deadline. If that is left behind
// there, nothing uses the call any more but the steps up to `DeadlineStep`, and these only what the
// steps behind it do not change.
final class Call<Operation: GraphQLOperation>: @unchecked Sendable {
  let context: CallContext
  /// `true` if the call reports its steps to the observers. A call within a call does not.
  var isObserved = false
  /// The time that is left for the responses to come.
  var remainingTime: Duration?
  /// The progress of the call in ``DeadlineStep``.
  var progress = Progress.notBegun
  /// The call to the server, of a call whose first response may come from the cache.
  var serverCall: Call?
  /// The interceptors, once they are known: `.some(nil)` for none.
  private var knownInterception: Interception<Operation>??
  /// The responses that interceptors have let through, or those of a retry after an error.
  var intercepted: GraphQLResponses<Operation>.Iterator?
  /// `true` until the additional error interceptor has been asked, which happens once. `false` from
  /// the beginning if an error is not that of the caller's call.
  var asksErrorInterceptor = true
  /// The source of the responses that follow.
  var source = Source.undecided
  /// The request to the server, until its last response has arrived.
  var exchange: ServerExchange?
  /// The responses of the server, if there may be several.
  var network: NetworkResponses.Iterator?
  /// Reads those responses, once the call waits for events that the transport does not end.
  private var reader: EventReader?
  /// The place where those are awaited.
  var waiting = Waiting.inStep
  /// The next response of the server, once it was awaited.
  private var arrived: Result<NetworkResponse?, any Error>?
  /// The error that has arrived, if any.
  var failure: (any Error)? { if case .failure(let error)? = arrived { error } else { nil } }
  /// The records of the response that was decoded last, until they are written.
  var received: (records: ReceivedRecords, exchange: ServerExchange)?
  /// Writes the latest response at the end, if its lists may lack elements.
  var postponedWrite: PostponedWrite<Operation>?
  /// The request, which steps change for those behind them.
  var request: GraphQLRequest<Operation>

  init(_ request: GraphQLRequest<Operation>, _ context: CallContext) {
    self.request = request
    self.context = context
  }

  /// The interceptors of the call, or `nil` if its transport has none.
  var interception: Interception<Operation>? {
    get {
      if let knownInterception { return knownInterception }
      let interception = Interception(of: self)
      knownInterception = .some(interception)
      return interception
    }
    set { knownInterception = .some(newValue) }
  }

  /// Ends what the call waits for of the server.
  func endExchange() {
    network = nil
    reader = nil
    exchange = nil
    received = nil
  }

  /// Ends the request to the server if it has one response, which has arrived.
  func endExchangeOfOneResponse() {
    guard let exchange, Operation.partsContent == nil else { return }
    exchange.sent.end()
  }

  enum Source {
    case undecided
    /// The server, for what the cache does not have. The caller has the rest.
    case missingFields
    /// The server, which may have more responses.
    case server
    /// None: there are no more responses.
    case none
  }

  enum Progress {
    /// The step was asked for no response.
    case notBegun
    /// The step was asked for the first response, at least.
    case begun
    /// There are no more responses: the cache was read in place of a server that was too late.
    case ended
  }

  /// The place where a call waits for the next response of the server.
  enum Waiting {
    /// In ``ServerStep``.
    case inStep
    /// Before the steps are taken: see ``CallSteps/nextEvent(of:)``.
    case beforeSteps
  }

  /// `true` if the operation was sent, and its next response is to be awaited before the steps are
  /// taken.
  var isWaiting: Bool {
    if let serverCall { return serverCall.isWaiting }
    return waiting == .beforeSteps && network != nil && arrived == nil
  }

  /// Throws `CancellationError` if the task is cancelled or the session has ended: the failure of a
  /// step is due to that then.
  func checkIsWanted() throws {
    try Task.checkCancellation()
    try request.facts.session?.check()
  }

  /// Throws `CancellationError` in place of an error if the task is cancelled: code of the program
  /// may have an error of its own for that, such as `URLError`.
  ///
  /// The error of a response that has arrived stays, because it says what has become of a mutation.
  /// An interceptor's own error about a response does not: nothing tells it from one that is due to
  /// the cancellation. Every error stays for a caller who judges it by the record of the attempts.
  func checkCancellation(after error: any Error) throws {
    guard Task.isCancelled, request.facts.session?.record == nil, !error.isOfResponse else {
      return
    }
    throw CancellationError()
  }

  // Thousands of tasks may wait in the functions that follow, each with their local values in its
  // memory. Therefore what they do before and after is in others, not inlined.

  /// Waits for the next response of the server, for ``ServerStep`` to take.
  @inline(never)
  func receive() async {
    var iterator = network
    do {
      arrived = .success(try await iterator?.next())
    } catch {
      arrived = .failure(error)
    }
    network = iterator
  }

  /// Waits for the next event of a subscription, as ``receive()``, until the session ends.
  func receiveEvent() async {
    if let serverCall { return await serverCall.receiveEvent() }
    makeReaderIfNeeded()
    if reader != nil { await receiveFromReader() } else { await receive() }
    checkSession()
  }

  @inline(never)
  private func makeReaderIfNeeded() {
    guard reader == nil, let network, let session = request.facts.session,
      !context.transport._endsSubscriptions
    else { return }
    reader = EventReader(network, in: session)
  }

  @inline(never)
  private func receiveFromReader() async {
    if let reader { arrived = await reader.next() }
  }

  /// Replaces what has arrived by an error if the session has ended. What was cancelled then may
  /// have ended without an error, or have had an event before.
  @inline(never)
  private func checkSession() {
    guard let session = request.facts.session, !session.isCurrent else { return }
    arrived = .failure(CancellationError())
  }

  /// Removes and returns what was received, or `nil` if that is to be awaited.
  func takeArrived() -> Result<NetworkResponse?, any Error>? {
    defer { arrived = nil }
    return arrived
  }
}

extension Error {
  /// `true` if the error reports what a server has responded.
  fileprivate var isOfResponse: Bool {
    switch self {
    case is any HTTPStatusError: true
    case let error as any UnreadableResponse where error.isUnreadable: true
    case let error as any OperationRefusal where error.refusal != nil: true
    default: false
    }
  }
}
