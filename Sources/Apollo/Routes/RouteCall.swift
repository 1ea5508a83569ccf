#if WebSocket
  import ApolloTransport

  /// A subscription over one route, from its opening to its end.
  ///
  /// The events of the route, those of the server's first reaction and the end of its time go to
  /// one queue, which the calls of a subscription share, so that their consumer handles them one
  /// after the other. A response is read from the transport after ``demandResponse()``; at most one
  /// waits in the queue.
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

    let route: Int
    /// The time at which the server reacted; `nil` before.
    private(set) var openingTime: Duration?
    /// The time at which an open route lost its connection, until that is restored.
    private var lossTime: Duration?
    var hasDelivered = false
    /// `true` once other routes are tried beside this one, until it opens.
    private(set) var isLate = false

    private let clock: any AlarmClock
    private let task: Task<Void, Never>
    private let demand: AsyncStream<Void>.Continuation
    private let report: @Sendable (Event) -> Void
    private var isAwaitingResponse = false
    private var alarm: Alarm?
    private var alarmCount = 0

    /// - Parameters:
    ///   - route: The number of the route.
    ///   - request: The subscription.
    ///   - transport: The transport of the route.
    ///   - clock: The clock of the time limit.
    ///   - report: Takes the events, from any thread.
    init(
      _ route: Int, _ request: OperationRequest, over transport: any SubscriptionNetworkTransport,
      clock: any AlarmClock, report: @escaping @Sendable (Event) -> Void
    ) {
      self.route = route
      self.clock = clock
      self.report = report
      let (demands, demand) = AsyncStream.makeStream(of: Void.self)
      self.demand = demand
      var request = request
      request.facts.openingHandler = { report(.opening($0)) }
      request.facts.stateHandler = { report(.state($0)) }
      let (responses, session) = (transport.responses(to: request), request.facts.session)
      task = Task {
        var responses = responses.makeAsyncIterator()
        for await _ in demands {
          do {
            // The first demand opens the route, perhaps only after the end of the session.
            try session?.check()
            report(.response(.success(try await responses.next())))
          } catch {
            report(.response(.failure(error)))
          }
        }
      }
      demandResponse()
    }

    deinit {
      task.cancel()
      demand.finish()
      alarm?.cancel()
    }

    var isOpen: Bool { openingTime != nil }

    /// The time for which the route has been open, or was until it lost its connection.
    var lifetime: Duration { openingTime.map { (lossTime ?? clock.now) - $0 } ?? .zero }

    /// Notes the server's reaction.
    func opened() {
      openingTime = openingTime ?? clock.now
      isLate = false
      removeTimeLimit()
    }

    /// Notes that an open route has lost its connection, which its transport is to restore within a
    /// time.
    func lostConnection(restoring limit: Duration) {
      lossTime = lossTime ?? clock.now
      limitTime(to: limit)
    }

    /// Notes that the transport has restored the connection.
    func restoredConnection() {
      lossTime = nil
      removeTimeLimit()
    }

    /// Notes that the route has no connection, and may open by itself yet. It has delivered nothing
    /// since.
    func noteLateness() {
      (openingTime, lossTime) = (nil, nil)
      hasDelivered = false
      isLate = true
      removeTimeLimit()
    }

    /// Asks for the next response, unless one is awaited.
    func demandResponse() {
      guard !isAwaitingResponse else { return }
      isAwaitingResponse = true
      demand.yield()
    }

    /// Notes that a response was taken from the queue.
    func tookResponse() { isAwaitingResponse = false }

    /// Reports ``Event/timedOut(_:)`` after a time, unless ``removeTimeLimit()`` is called before.
    func limitTime(to limit: Duration) {
      removeTimeLimit()
      let number = alarmCount
      alarm = clock.setAlarm(after: limit) { [report] in report(.timedOut(number)) }
    }

    func removeTimeLimit() {
      alarm?.cancel()
      alarm = nil
      alarmCount += 1
    }

    /// Returns whether the time limit with a number is still set.
    func isCurrent(_ number: Int) -> Bool { number == alarmCount }
  }
#endif
