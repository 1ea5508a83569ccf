import ApolloTransport

/// A subscription over one route, from its opening to its end.
///
/// The events of the route, those of the server's first reaction and the end of its time arrive
/// through one queue, so that their consumer handles them one after the other. A response is read
/// from the transport when ``next()`` asks for one; at most one waits in the queue.
///
/// Releasing the reference ends the subscription.
final class RouteCall {
  enum Event: Sendable {
    case opening(SubscriptionOpening)
    case state(SubscriptionState)
    case response(Result<NetworkResponse?, any Error>)
    /// The time that was set by ``limitTime(to:)`` is over.
    case timedOut(Int)
  }

  let beginning: Duration
  var isOpen = false
  var hasDelivered = false

  private let clock: any AlarmClock
  private let task: Task<Void, Never>
  private let demand: AsyncStream<Void>.Continuation
  private let report: AsyncStream<Event>.Continuation
  private var events: AsyncStream<Event>.Iterator
  private var isAwaitingResponse = false
  private var alarm: Alarm?
  private var alarmCount = 0

  init(
    _ request: OperationRequest, over transport: any SubscriptionNetworkTransport,
    clock: any AlarmClock
  ) {
    self.clock = clock
    beginning = clock.now
    let (events, report) = AsyncStream.makeStream(of: Event.self)
    let (demands, demand) = AsyncStream.makeStream(of: Void.self)
    self.events = events.makeAsyncIterator()
    self.report = report
    self.demand = demand
    var request = request
    request.openingHandler = { report.yield(.opening($0)) }
    request.stateHandler = { report.yield(.state($0)) }
    let responses = transport.responses(to: request)
    task = Task {
      var responses = responses.makeAsyncIterator()
      for await _ in demands {
        do {
          report.yield(.response(.success(try await responses.next())))
        } catch {
          report.yield(.response(.failure(error)))
        }
      }
    }
  }

  deinit {
    task.cancel()
    demand.finish()
    alarm?.cancel()
  }

  /// Returns the next event.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func next() async throws -> Event {
    if !isAwaitingResponse {
      isAwaitingResponse = true
      demand.yield()
    }
    guard let event = await events.next() else { throw CancellationError() }
    if case .response = event { isAwaitingResponse = false }
    return event
  }

  /// Reports ``Event/timedOut(_:)`` after a time, unless ``removeTimeLimit()`` is called before.
  func limitTime(to limit: Duration) {
    removeTimeLimit()
    let number = alarmCount
    alarm = clock.setAlarm(after: limit) { [report] in report.yield(.timedOut(number)) }
  }

  func removeTimeLimit() {
    alarm?.cancel()
    alarm = nil
    alarmCount += 1
  }

  /// Returns whether the time limit with a number is still set.
  func isCurrent(_ number: Int) -> Bool { number == alarmCount }
}
