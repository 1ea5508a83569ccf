#if WebSocket
  import ApolloAPI
  import ApolloTransport
  import ApolloWebSocket
  import Foundation

  /// One subscription of a ``FallbackNetworkTransport``: calls over its routes, of which one is
  /// open.
  ///
  /// 1. ``RouteSelection`` decides which route is opened, and what follows from its failure.
  /// 2. A route that is not open within the time limit stays, and the next one is tried beside it.
  ///    So does one whose connection its transport does not restore within the limit. The first
  ///    route to open ends the others.
  /// 3. The consumer receives `interrupted` with the first failure, once, and `resumed` when a
  ///    route is open after that.
  /// 4. A subscription whose routes respond without data ends with the failure of the route that
  ///    was tried first, and one whose routes are all refused with that of the last one.
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

    private enum Event: Sendable {
      /// An event of the call with a number. Those of calls that were ended are ignored.
      case call(Int, RouteCall.Event)
      case waited
    }

    private let environment: Environment
    private let request: OperationRequest
    private let report: AsyncStream<Event>.Continuation
    private var events: AsyncStream<Event>.Iterator
    private var selection: RouteSelection
    /// The calls by their numbers, at most one for each route.
    private var calls: [Int: RouteCall] = [:]
    private var callCount = 0
    private var waitAlarm: Alarm?
    private var hasBegun = false
    /// The end, which the consumer has not received.
    private var end: Result<Void, any Error>?
    private var hasEnded = false
    /// `true` if the consumer waits for `resumed`.
    private var isInterrupted = false
    private var hasDeliveredData = false
    /// The first failure since the latest response with data.
    private var firstError: (any Error)?
    private var lastError: any Error = CancellationError()
    /// The last response without events since the latest data, which often says why.
    private var wholeResponse: NetworkResponse?

    init(_ request: OperationRequest, _ environment: Environment) {
      self.environment = environment
      self.request = request
      let (events, report) = AsyncStream.makeStream(of: Event.self)
      self.events = events.makeAsyncIterator()
      self.report = report
      let remembered = environment.memory.route(for: environment.host)
      let first = environment.routes.firstIndex { $0.name == remembered } ?? 0
      selection = RouteSelection(
        routeCount: environment.routes.count, first: first, reconnection: environment.reconnection,
        jitter: environment.jitter)
    }

    deinit { waitAlarm?.cancel() }

    /// Returns the next response, or `nil` after the last one.
    func next() async throws -> NetworkResponse? {
      if !hasBegun {
        hasBegun = true
        perform(selection.begin())
      }
      while !hasEnded {
        if let end {
          if let wholeResponse {
            self.wholeResponse = nil
            return wholeResponse
          }
          hasEnded = true
          try end.get()
          return nil
        }
        for call in calls.values { call.demandResponse() }
        guard let event = await events.next() else { throw CancellationError() }
        try request.facts.session?.check()
        switch event {
        case .waited: perform(selection.waited())
        case .call(let number, let event):
          guard let call = calls[number] else { continue }
          if let response = try handle(event, of: call, number) { return response }
        }
      }
      return nil
    }

    // MARK: - Events

    /// Handles an event of a call. Returns the response that it delivers.
    private func handle(
      _ event: RouteCall.Event, of call: RouteCall, _ number: Int
    ) throws -> NetworkResponse? {
      switch event {
      case .opening(.opened): opened(call, number)
      case .opening(.wholeResponse): break
      case .state(let state): handle(state, of: call)
      case .timedOut(let alarm):
        guard call.isCurrent(alarm) else { break }
        becameLate(call, notOpened(call))
      case .response(let result):
        call.tookResponse()
        return try handle(result, of: call, number)
      }
      return nil
    }

    private func handle(
      _ result: Result<NetworkResponse?, any Error>, of call: RouteCall, _ number: Int
    ) throws -> NetworkResponse? {
      switch result {
      case .success(nil):
        wholeResponse = nil
        finish(hasDeliveredData ? .success(()) : endWithoutData)
      case .success(let response?):
        if call.isOpen {
          call.hasDelivered = true
          noteData(of: response)
          return response
        }
        wholeResponse = response
        fail(call, number, .refused)
      case .failure(let error):
        try Task.checkCancellation()
        fail(call, number, RouteFailure(error), error)
      }
      return nil
    }

    /// Notes that a route works, if a response has data. A later end has other reasons than the
    /// failures before it.
    private func noteData(of response: NetworkResponse) {
      // Most events change nothing here, so they are not read for it.
      let canChange = !hasDeliveredData || wholeResponse != nil || firstError != nil
      guard canChange, response.hasData else { return }
      hasDeliveredData = true
      (wholeResponse, firstError) = (nil, nil)
    }

    private func handle(_ state: SubscriptionState, of call: RouteCall) {
      switch state {
      case .interrupted(let error) where call.isOpen:
        interrupt(error)
        call.lostConnection(restoring: environment.recoveryTimeout)
      case .interrupted(let error): becameLate(call, error)
      case .resumed where call.isOpen:
        call.restoredConnection()
        resume()
      case .resumed: break
      case .dropped: request.facts.stateHandler?(state)
      }
    }

    private func opened(_ call: RouteCall, _ number: Int) {
      guard !call.isOpen else { return }
      call.opened()
      selection.opened(call.route)
      // The others end here.
      calls = [number: call]
      removeWait()
      let route = environment.routes[call.route]
      environment.memory.remember(route.name, for: environment.host)
      resume()
    }

    /// Lets a route go on while others are tried.
    private func becameLate(_ call: RouteCall, _ error: any Error) {
      note(error)
      interrupt(error)
      guard !call.isLate else { return }
      let lifetime = call.lifetime
      call.noteLateness()
      perform(selection.becameLate(call.route, after: lifetime))
    }

    /// Gives up a route. One that has responded as a whole has no error: its response says why.
    private func fail(
      _ call: RouteCall, _ number: Int, _ failure: RouteFailure, _ error: (any Error)? = nil
    ) {
      if let error {
        note(error)
        if failure != .ofOperation { interrupt(error) }
      }
      if !call.hasDelivered, failure != .restart {
        environment.memory.forget(environment.routes[call.route].name, for: environment.host)
      }
      calls[number] = nil
      perform(
        selection.failed(
          call.route, failure, hasDelivered: call.hasDelivered, after: call.lifetime))
    }

    private func note(_ error: any Error) {
      lastError = error
      if firstError == nil { firstError = error }
    }

    // MARK: - Steps

    private func perform(_ step: RouteSelection.Step?) {
      switch step {
      case nil: break
      case .open(let route): open(route)
      case .wait(let delay):
        waitAlarm = environment.clock.setAlarm(after: delay) { [report] in report.yield(.waited) }
      case .fail: finish(wholeResponse == nil ? .failure(lastError) : endWithoutData)
      }
    }

    private func open(_ route: Int) {
      callCount += 1
      let number = callCount
      let call = RouteCall(
        route, request, over: environment.routes[route].transport, clock: environment.clock
      ) { [report] in report.yield(.call(number, $0)) }
      call.limitTime(to: environment.openingTimeout)
      calls[number] = call
    }

    private func finish(_ end: Result<Void, any Error>) {
      self.end = end
      calls = [:]
      removeWait()
    }

    private func removeWait() {
      waitAlarm?.cancel()
      waitAlarm = nil
    }

    /// The end of a subscription without data: the first failure, if there was one.
    private var endWithoutData: Result<Void, any Error> {
      firstError.map { .failure($0) } ?? .success(())
    }

    private func notOpened(_ call: RouteCall) -> NetworkError {
      let route = environment.routes[call.route]
      let time = call.isOpen ? environment.recoveryTimeout : environment.openingTimeout
      return NetworkError(
        .routeNotOpened, url: route.transport.endpointURL,
        detail: "the route '\(route.name)' was not open after \(time.components.seconds) seconds")
    }

    // MARK: - States

    private func interrupt(_ error: any Error) {
      guard !isInterrupted else { return }
      isInterrupted = true
      request.facts.stateHandler?(.interrupted(error))
    }

    private func resume() {
      guard isInterrupted else { return }
      isInterrupted = false
      request.facts.stateHandler?(.resumed)
    }
  }

  extension NetworkResponse {
    /// `true` if there is data other than null.
    fileprivate var hasData: Bool {
      // A body that is not JSON has no data. Its reader reports that.
      guard let data = (try? JSONValue(responseBytes: body))?["data"] else { return false }
      return data != .null
    }
  }
#endif
