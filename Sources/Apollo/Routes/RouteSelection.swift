#if WebSocket
  import ApolloTransport
  import ApolloWebSocket

  /// The order in which one subscription tries its routes: events in, steps out.
  ///
  /// | state of a route | meaning |
  /// | :-- | :-- |
  /// | `untried` | the round has not come to it |
  /// | `opening` | it has neither opened nor failed; it stays so while others are tried |
  /// | `open` | the server has reacted; the other routes are closed |
  /// | `failed` | it may work again after the wait that follows the last route |
  /// | `refused` | it works again in no round in which another route may work |
  ///
  /// | event | next step |
  /// | :-- | :-- |
  /// | an error of the operation | fail |
  /// | a route is not open in time, or has a failure of which it recovers by itself | open the next untried route |
  /// | a route fails | open the next untried route |
  /// | the same without untried routes, and some have failed | wait, then try those again |
  /// | the same without untried routes, and some are opening | none: they may open yet |
  /// | the same, and all routes have refused | fail |
  /// | the open route fails for a while, after an event | wait, then begin a new round with it |
  /// | the server asks over the open route to subscribe again | wait, then begin a new round with it |
  /// | the open route is refused after an event | begin a new round with the next route |
  /// | the same again, and no route has lasted in between | wait, then begin that round |
  ///
  /// The waits are those of a `ReconnectionPolicy`. They begin anew after a route has lasted.
  struct RouteSelection {
    enum Step: Hashable, Sendable {
      case open(Int)
      /// ``waited()`` follows after the time.
      case wait(Duration)
      case fail
    }

    enum RouteState: Hashable, Sendable {
      case untried, opening, open, failed, refused
    }

    private let reconnection: ReconnectionPolicy
    private let jitter: @Sendable () -> Double
    private(set) var states: [RouteState]
    /// The routes in the order in which the round tries them.
    private var order: [Int] = []
    private var failureCount = 0
    private var isWaiting = false
    /// `true` if an open route was refused after an event, and none has lasted since.
    private var wasOpenRouteRefused = false

    /// Creates a selection that begins with the route `first`.
    init(
      routeCount: Int, first: Int, reconnection: ReconnectionPolicy,
      jitter: @escaping @Sendable () -> Double
    ) {
      self.reconnection = reconnection
      self.jitter = jitter
      states = Array(repeating: .untried, count: routeCount)
      beginRound(from: first)
    }

    /// Returns the first step.
    mutating func begin() -> Step? { openNext() }

    /// Handles a route that stays open although it is late, or lost its connection for a while.
    ///
    /// - Parameters:
    ///   - route: The route, which is opening or open.
    ///   - lifetime: The time for which the route was open before.
    /// - Returns: The next step, or `nil` to wait for the routes that are opening.
    mutating func becameLate(_ route: Int, after lifetime: Duration) -> Step? {
      if states[route] == .open {
        forgetFailures(after: lifetime)
        beginRound(from: route)
        states[route] = .opening
      }
      return isWaiting ? nil : openNext()
    }

    /// Handles the server's reaction over a route. The others are closed.
    mutating func opened(_ route: Int) {
      for other in states.indices where states[other] == .opening { states[other] = .failed }
      states[route] = .open
      isWaiting = false
    }

    /// Handles the failure of a route.
    ///
    /// - Parameters:
    ///   - route: The route, which is opening or open.
    ///   - failure: The kind of the failure.
    ///   - hasDelivered: `true` if an event has arrived over the route since it was opened.
    ///   - lifetime: The time for which the route was open.
    /// - Returns: The next step, or `nil` to wait for the routes that are opening.
    mutating func failed(
      _ route: Int, _ failure: RouteFailure, hasDelivered: Bool, after lifetime: Duration
    ) -> Step? {
      if failure == .ofOperation { return .fail }
      let isOpen = states[route] == .open
      let works = hasDelivered || isOpen && failure == .restart
      if isOpen { forgetFailures(after: lifetime) }
      if works { beginRound(from: route) }
      states[route] = failure == .refused ? .refused : .failed
      if works {
        if failure != .refused { return wait() }
        order = order.filter { $0 != route } + [route]
        // Routes that are refused after their first event would follow each other forever.
        if wasOpenRouteRefused { return wait() }
        wasOpenRouteRefused = true
      }
      return isWaiting ? nil : openNext() ?? exhausted()
    }

    /// Handles the end of a wait.
    mutating func waited() -> Step? {
      guard isWaiting else { return nil }
      isWaiting = false
      let isNewRound = !states.contains(.opening)
      for route in states.indices {
        if states[route] == .failed || isNewRound { states[route] = .untried }
      }
      return openNext()
    }

    /// Lets the waits begin anew if an open route has lasted.
    private mutating func forgetFailures(after lifetime: Duration) {
      guard reconnection.isStable(after: lifetime, failureCount: failureCount) else { return }
      failureCount = 0
      wasOpenRouteRefused = false
    }

    private mutating func beginRound(from first: Int) {
      order = [first] + states.indices.filter { $0 != first }
      for route in states.indices { states[route] = .untried }
    }

    private mutating func openNext() -> Step? {
      guard let next = order.first(where: { states[$0] == .untried }) else { return nil }
      states[next] = .opening
      return .open(next)
    }

    /// Handles a round without untried routes.
    private mutating func exhausted() -> Step? {
      if states.contains(.failed) {
        // The next round begins with the preferred route.
        order = Array(states.indices)
        return wait()
      }
      return states.contains(.opening) ? nil : .fail
    }

    private mutating func wait() -> Step? {
      failureCount += 1
      guard let delay = reconnection.delay(beforeAttempt: failureCount, jitter: jitter()) else {
        return states.contains(.opening) ? nil : .fail
      }
      isWaiting = true
      return .wait(delay)
    }
  }
#endif
