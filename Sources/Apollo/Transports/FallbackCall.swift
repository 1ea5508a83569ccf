import ApolloAPI
import ApolloTransport
import ApolloWebSocket

/// One subscription of a ``FallbackNetworkTransport``: a sequence of calls over its routes.
///
/// 1. ``RouteSelection`` decides which route is opened, and what follows from its failure.
/// 2. A route that is not open within the time limit has failed, and so has a connection that its
///    transport does not restore within the limit.
/// 3. The consumer receives `interrupted` when an open route is lost, once, and `resumed` when the
///    next route is open.
final class FallbackCall {
  struct Environment: Sendable {
    var routes: [SubscriptionRoute]
    var host: String
    var memory: SubscriptionRouteMemory
    var openingTimeout: Duration
    var recoveryTimeout: Duration
    var reconnection: ReconnectionPolicy
    var clock: any AlarmClock
    var jitter: @Sendable () -> Double
  }

  private enum State {
    case step(RouteSelection.Step)
    case call(RouteCall)
    case ended
  }

  private let environment: Environment
  private let request: OperationRequest
  private var selection: RouteSelection
  private var state: State
  /// `true` if the subscription was open on some route.
  private var hasBeenOpen = false
  /// `true` if the consumer waits for `resumed`.
  private var isInterrupted = false
  private var lastError: any Error = CancellationError()
  /// The last response without events, which often says why.
  private var wholeResponse: NetworkResponse?

  init(_ request: OperationRequest, _ environment: Environment) {
    self.environment = environment
    self.request = request
    let remembered = environment.memory.route(for: environment.host)
    let first = environment.routes.firstIndex { $0.name == remembered } ?? 0
    selection = RouteSelection(
      routeCount: environment.routes.count, first: first, reconnection: environment.reconnection,
      jitter: environment.jitter)
    state = .step(.open(first))
  }

  /// Returns the next response, or `nil` after the last one.
  func next() async throws -> NetworkResponse? {
    while true {
      switch state {
      case .ended: return nil
      case .step(.open(let index)): open(index)
      case .step(.wait(let delay, let index)):
        try await environment.clock.sleep(for: delay)
        open(index)
      case .step(.fail):
        state = .ended
        guard let wholeResponse else { throw lastError }
        return wholeResponse
      case .call(let call):
        if let response = try await handle(call.next(), of: call) { return response }
      }
    }
  }

  // MARK: - Events

  /// Handles an event of the current call. Returns the response that it delivers.
  private func handle(
    _ event: RouteCall.Event, of call: RouteCall
  ) async throws -> NetworkResponse? {
    switch event {
    case .opening(.opened): opened(call)
    case .opening(.wholeResponse): break
    case .state(let state): handle(state, of: call)
    case .timedOut(let number):
      guard call.isCurrent(number) else { break }
      let url = environment.routes[selection.current].transport.endpointURL
      fail(call, .temporary, NetworkError(.timedOut, url: url))
    case .response(.success(nil)): state = .ended
    case .response(.success(let response?)):
      if call.isOpen {
        call.hasDelivered = true
        return response
      }
      wholeResponse = response
      fail(call, .refused, lastError)
    case .response(.failure(let error)):
      try Task.checkCancellation()
      fail(call, RouteFailure(error), error)
    }
    return nil
  }

  private func handle(_ state: SubscriptionState, of call: RouteCall) {
    switch state {
    case .interrupted(let error):
      interrupt(error)
      call.limitTime(to: environment.recoveryTimeout)
    case .resumed:
      call.removeTimeLimit()
      resume()
    case .dropped: request.stateHandler?(state)
    }
  }

  private func open(_ index: Int) {
    let call = RouteCall(
      request, over: environment.routes[index].transport, clock: environment.clock)
    call.limitTime(to: environment.openingTimeout)
    state = .call(call)
  }

  private func opened(_ call: RouteCall) {
    guard !call.isOpen else { return }
    call.isOpen = true
    call.removeTimeLimit()
    hasBeenOpen = true
    environment.memory.remember(
      environment.routes[selection.current].name, for: environment.host)
    resume()
  }

  private func fail(_ call: RouteCall, _ failure: RouteFailure, _ error: any Error) {
    lastError = error
    if hasBeenOpen, failure != .ofOperation { interrupt(error) }
    if !call.hasDelivered {
      environment.memory.forget(
        environment.routes[selection.current].name, for: environment.host)
    }
    state = .step(
      selection.failed(
        failure, hasDelivered: call.hasDelivered,
        after: environment.clock.now - call.beginning))
  }

  // MARK: - States

  private func interrupt(_ error: any Error) {
    guard !isInterrupted else { return }
    isInterrupted = true
    request.stateHandler?(.interrupted(error))
  }

  private func resume() {
    guard isInterrupted else { return }
    isInterrupted = false
    request.stateHandler?(.resumed)
  }
}
