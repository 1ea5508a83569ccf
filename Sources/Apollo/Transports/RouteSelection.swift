import ApolloWebSocket

/// The order in which one subscription tries its routes: failures in, steps out.
///
/// The routes are tried in rounds. A round tries each route at most once, in the order of
/// preference; the first round begins with the route that is remembered to work.
///
/// | failure of the current route | next step |
/// | :-- | :-- |
/// | one of the operation | fail |
/// | before its first event | open the next route of the round |
/// | the same, of the last route, and all routes have refused | fail |
/// | the same, of the last route, otherwise | wait, then begin a new round |
/// | temporary, after an event | wait, then begin a new round with the same route |
/// | a refusal after an event | begin a new round with the next route |
///
/// The waits are those of a `ReconnectionPolicy`. They begin anew after a route has lasted for
/// its `stableDuration`.
struct RouteSelection {
  enum Step: Hashable, Sendable {
    case open(Int)
    case wait(Duration, thenOpen: Int)
    case fail
  }

  private let routeCount: Int
  private let reconnection: ReconnectionPolicy
  private let jitter: @Sendable () -> Double
  /// The route that is open, or that is being opened.
  private(set) var current: Int
  /// The routes that the round has not tried yet.
  private var untried: [Int]
  private var hasOnlyRefusals = true
  private var failureCount = 0

  /// Creates a selection that begins with the route `first`.
  init(
    routeCount: Int, first: Int, reconnection: ReconnectionPolicy,
    jitter: @escaping @Sendable () -> Double
  ) {
    self.routeCount = routeCount
    self.reconnection = reconnection
    self.jitter = jitter
    current = first
    untried = (0..<routeCount).filter { $0 != first }
  }

  /// Handles the failure of the current route.
  ///
  /// - Parameters:
  ///   - failure: The kind of the failure.
  ///   - hasDelivered: `true` if an event has arrived over the route since it was opened.
  ///   - lifetime: The time since the route was opened.
  /// - Returns: The next step.
  mutating func failed(
    _ failure: RouteFailure, hasDelivered: Bool, after lifetime: Duration
  ) -> Step {
    if failure == .ofOperation { return .fail }
    if lifetime >= reconnection.stableDuration { failureCount = 0 }
    if hasDelivered {
      if failure == .temporary { return waitForRound(from: current) }
      beginRound(from: current)
    }
    if failure != .refused { hasOnlyRefusals = false }
    guard untried.isEmpty else {
      current = untried.removeFirst()
      return .open(current)
    }
    return hasOnlyRefusals ? .fail : waitForRound(from: 0)
  }

  private mutating func beginRound(from first: Int) {
    current = first
    untried = (0..<routeCount).filter { $0 != first }
    hasOnlyRefusals = true
  }

  private mutating func waitForRound(from first: Int) -> Step {
    failureCount += 1
    guard let delay = reconnection.delay(beforeAttempt: failureCount, jitter: jitter()) else {
      return .fail
    }
    beginRound(from: first)
    return .wait(delay, thenOpen: first)
  }
}
