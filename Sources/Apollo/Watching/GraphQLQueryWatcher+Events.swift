import ApolloAPI
import ApolloCache

extension GraphQLQueryWatcher {
  /// Passes an event to the state machine and performs its actions, in order.
  ///
  /// The actions are performed under the lock, because none of them suspends or calls the program's
  /// code. Outside of it, a client, which may be the program's, is asked for the responses to a
  /// fetch, and a replaced task is cancelled, which runs its cancellation handlers.
  func handle(_ event: (inout Machine) -> [Machine.Action]) {
    handle(showing: nil, event)
  }

  /// Does the same, and remembers the errors of a response if any action follows from it: it is the
  /// latest one then.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - isResponse: `true` if it is that of a fetch, `false` if it was read from the cache.
  ///   - event: Reports the event, and returns the actions.
  /// - Returns: Whether the response is the latest one.
  @discardableResult
  private func handle(
    showing response: Response?, ofFetch isResponse: Bool = false,
    _ event: (inout Machine) -> [Machine.Action]
  ) -> Bool {
    handle(ofFetch: isResponse) { (event(&$0.machine), response) }
  }

  /// Does the same for an event that decides whether a response is shown.
  private func handle(
    ofFetch isResponse: Bool,
    _ event: (inout State) -> (actions: [Machine.Action], shown: Response?)
  ) -> Bool {
    let (newFetch, replacedTask, endedObserver, onFetchEnd, isLatest) = state.withLock { state in
      let (previousTask, previousObserver) = (state.fetchTask, state.observer)
      let (wasRunning, session) = (state.machine.isRunning, state.machine.sessionCount)
      var begun: BegunFetch?
      var isReplaced = false
      var result: Result<Response, any Error>?
      let (actions, response) = event(&state)
      if let response, !actions.isEmpty {
        state.reportedErrors = ReportedErrors(response.errors ?? [])
        if response.data != nil { state.showsPartialData = !response.isComplete }
      }
      for action in actions {
        switch action {
        case .start(let fetch):
          begun = begin(fetch, &state)
          isReplaced = true
        case .stop: isReplaced = true
        case .deliver(let response): result = .success(response)
        case .fail(let error): result = .failure(error)
        default: break
        }
        perform(action, &state)
      }
      let isRunning = state.machine.isRunning
      let newSession = state.machine.sessionCount
      if result != nil || isRunning != wasRunning || newSession != session {
        let session = WatchSession(number: newSession)
        deliver(
          self,
          News(
            result: result, isFetching: isRunning, isResponse: isResponse, session: session))
      }
      return (
        begun, isReplaced ? previousTask : nil, state.observer == nil ? previousObserver : nil,
        state.takeEnd(), response != nil && !actions.isEmpty
      )
    }
    if let newFetch { start(newFetch) }
    replacedTask?.cancel()
    endedObserver?.cancel()
    onFetchEnd?()
    return isLatest
  }

  private func perform(_ action: Machine.Action, _ state: inout State) {
    switch action {
    case .start, .stop: state.fetchTask = nil
    case .pause:
      state.observer = nil
      state.reportedErrors = ReportedErrors([])
      state.showsPartialData = false
    case .resume(let everything):
      let observer = makeObserver(WatchSession(number: state.machine.sessionCount))
      state.observer = observer
      if everything { observer.observeEverything(since: store.registry.generation) }
    case .look(let generation): state.observer?.look(since: generation)
    case .observe(let trace, let count): state.observer?.observe(trace, refetchCount: count)
    case .observeEverything(let generation, let count):
      state.observer?.observeEverything(since: generation, refetchCount: count)
    case .read(let count): state.observer?.scheduleReading(refetchCount: count)
    case .deliver, .fail: break  // at the end, with the state that follows from all actions
    }
  }

  /// A fetch that has begun, before the client is asked for its responses.
  private struct BegunFetch {
    let fetch: Machine.Fetch
    let configuration: RequestConfiguration?
    /// The generation of the cache and the epoch of the layers at its beginning.
    let generation: Generation
    let epoch: UInt64
  }

  private func begin(_ fetch: Machine.Fetch, _ state: inout State) -> BegunFetch {
    let generation = store.registry.generation
    state.fetchStart = generation
    return BegunFetch(
      fetch: fetch, configuration: state.configuration, generation: generation,
      epoch: store.layers.epoch)
  }

  /// Asks the client for the responses to a fetch, without the lock, and starts the task of the
  /// fetch, unless that was replaced or cancelled meanwhile.
  ///
  /// The client is asked here and not in the task, so that the request belongs to the session and
  /// has the place among optimistic layers of the moment at which the fetch was requested.
  private func start(_ begun: BegunFetch) {
    let fetch = begun.fetch
    let traceRecorder = TraceRecorder()
    var configuration = begun.configuration ?? client.configuration(writesResultsToCache: true)
    configuration.writeResultsToCache =
      configuration.writeResultsToCache && fetch.writesToCache
    configuration.readsPagesAlone = readsPagesAlone
    let responses = client.responses(
      to: GraphQLRequest(
        query, fetch.behavior, configuration: configuration,
        origin: origin.after(refetchCount: fetch.refetchCount), traceRecorder: traceRecorder))
    state.withLock { state in
      guard state.machine.isLatest(fetch.number) else { return }
      state.fetchTask = task(
        for: fetch, responses, traceRecorder, startedAt: (begun.generation, begun.epoch))
    }
  }

  /// Starts a task that runs a fetch and reports its events.
  ///
  /// `start`: The generation of the cache and the epoch of the layers when the fetch began.
  private func task(
    for fetch: Machine.Fetch, _ responses: GraphQLResponses<Query>, _ traceRecorder: TraceRecorder,
    startedAt start: (generation: Generation, epoch: UInt64)
  ) -> Task<Void, Never> {
    ApolloStore.task { [weak self] in
      var failure: (any Error)?
      do {
        for try await response in responses {
          await self?.receiveVisible(
            response, traceRecorder.take(for: response), of: fetch.number, startedAt: start)
        }
      } catch {
        failure = error
      }
      self?.handle { [failure] machine in
        guard let failure else {
          return machine.fetchEnded(fetch.number, startedAt: start.generation)
        }
        let entry = traceRecorder.take()
        return machine.fetchFailed(
          failure, dependencies: entry?.trace, unreadableSince: entry?.failedGeneration,
          startedAt: start.generation, fetch: fetch.number) + machine.fetchEnded(fetch.number)
      }
      if failure != nil { self?.noteFailure(ofFetch: fetch.number) } else { self?.refreshIfDue() }
    }
  }

  /// Reports a response of a fetch as readers see it: with optimistic data above it, so that the
  /// watch does not flip back to the server's data, and with the further pages of its lists.
  ///
  /// `start` is the generation of the cache and the epoch of the layers when the fetch began. If
  /// those have changed since, optimistic data may have been replaced by a response that is newer
  /// than this one.
  private func receiveVisible(
    _ response: Response, _ entry: TraceRecorder.Entry?, of number: Int,
    startedAt start: (generation: Generation, epoch: UInt64)
  ) async {
    let epoch = start.epoch
    let received = response.freshness
    func receive(_ response: Response, _ entry: TraceRecorder.Entry?) {
      // The later pages of its lists, which may be old, expire by themselves.
      let freshness = mergesPages ? received : response.freshness
      self.receive(response, entry, freshness, fetch: number, startedAt: start.generation)
    }
    guard response.source == .server, response.data != nil, case .trace(let trace)? = entry,
      trace.standing == .written, !trace.isUnwritten
    else {
      receive(response, entry)
      if response.source == .cache { awaitEndOfLayers(entry?.trace, readAt: epoch) }
      return
    }
    let layers = store.layers
    defer { awaitEndOfLayers(trace, readAt: epoch) }
    var mayBeHidden = layers.epoch != epoch || !layers.isIdle || mergesPages
    let (servesErrors, demand) = state.withLock { ($0.servesCachedErrors, $0.demand) }
    // A layer may end between a reading and the look at what it affects. The second reading lacks
    // nothing because of that layer.
    for _ in 0..<2 {
      guard mayBeHidden,
        let reading = try? await store.load(
          query, servesFailures: servesErrors || response.errors != nil,
          readsPagesAlone: readsPagesAlone, takingOver: pages, demanding: demand)
      else {
        // Also if the cache cannot be read, which it was just written to.
        return receive(response, entry)
      }
      if let data = reading.data {
        var response = response
        response.replaceData(by: data, of: reading)
        return receive(response, .trace(reading.trace))
      }
      if layers.awaitEnd(of: reading.trace.dependencies) {
        handle(showing: response, ofFetch: true) { machine in
          machine.fetchDelivered(
            response, dependencies: trace, hiddenBy: reading.trace, fetch: number)
        }
        return noteExpiry(of: response, fetch: number)
      }
      mayBeHidden = !layers.isIdle
    }
    // No layer is the reason: what is missing is still to come, as with '@defer', or is gone again.
    receive(response, entry)
  }

  /// Reports a response of a fetch to the state machine. `freshness` is that of what it has
  /// brought.
  private func receive(
    _ response: Response, _ entry: TraceRecorder.Entry?, _ freshness: ResponseFreshness?,
    fetch number: Int, startedAt start: Generation
  ) {
    let (registry, layers) = (store.registry, store.layers)
    handle(showing: response, ofFetch: true) { machine in
      switch entry?.trace {
      case let trace? where trace.isUnwritten:
        machine.fetchDelivered(
          unwritten: response, dependencies: trace, isOvertaken: trace.standing != .written,
          isHidden: layers.affect(trace.dependencies), fetch: number)
      case let trace? where trace.standing != .written:
        machine.fetchNotKept(response, missing: trace, fetch: number)
      case let trace? where !registry.isCurrent(trace):
        machine.fetchOvertaken(trace, isCached: response.source == .cache, fetch: number)
      case nil where response.data != nil:
        machine.fetchDelivered(unrecorded: response, fetch: number) { trace in
          guard var trace else { return registry.generation != start || !layers.isIdle }
          trace.generation = start
          return !registry.isCurrent(trace) || layers.affect(trace.dependencies)
        }
      case let trace:
        machine.fetchDelivered(
          response, dependencies: trace, isCached: response.source == .cache, fetch: number)
      }
    }
    noteExpiry(of: response, freshness, fetch: number)
  }

  /// Reports a reading of the cache to the state machine.
  func receive(
    _ reading: CacheObserver<Query.Data>.Reading, refetchCount: Int, begunAt count: Int,
    in session: WatchSession
  ) {
    // It may be the end of a fetch during which data has expired.
    defer { refreshIfDue() }
    switch reading {
    case .success(let reading):
      let trace = reading.trace
      let isOptimistic =
        !reading.misses.isEmpty && store.layers.explain(reading)
      func miss(_ machine: inout Machine) -> [Machine.Action] {
        guard machine.sessionCount == session.number else { return [] }
        return machine.cacheMissed(
          CacheMissError(operationName: Query.operationName, misses: reading.misses),
          readFrom: trace, isOptimistic: isOptimistic, refetchCount: refetchCount, begunAt: count)
      }
      guard var response = Response(reading) else {
        // A layer may have ended since that would explain it. What is there now decides.
        if !isOptimistic, !store.registry.isCurrent(trace),
          let observer = observer(in: session)
        {
          return observer.scheduleReading(refetchCount: refetchCount)
        }
        handle(miss)
        return
      }
      let (errors, epoch) = state.withLock { ($0.reportedErrors, $0.readingEpoch) }
      response.errors = response.errors.map(errors.wording)
      awaitEndOfLayers(trace, readAt: epoch)
      let isLatest = handle(ofFetch: false) { [response] state in
        let isPartial = !response.isComplete
        // The whole has been shown since the reading began.
        guard !isPartial || state.showsPartialData else { return (miss(&state.machine), nil) }
        guard state.machine.sessionCount == session.number else { return ([], nil) }
        let actions = state.machine.cacheDelivered(
          response, isPartial: isPartial, isOptimistic: isPartial && isOptimistic,
          readFrom: trace, refetchCount: refetchCount, begunAt: count)
        return (actions, response)
      }
      if isLatest { noteExpiry(of: response) }
    case .failure(let error):
      handle { machine in
        guard machine.sessionCount == session.number else { return [] }
        return machine.cacheFailed(error, begunAt: count)
      }
    }
  }
}

extension GraphQLQueryWatcher {
  /// The observer of the cache, unless a session of a user has ended.
  private func observer(in session: WatchSession) -> CacheObserver<Query.Data>? {
    state.withLock { $0.machine.sessionCount == session.number ? $0.observer : nil }
  }
}

extension GraphQLQueryWatcher.State {
  /// Removes and returns the callback for the end of a fetch, if that has ended.
  fileprivate mutating func takeEnd() -> (@Sendable () -> Void)? {
    guard let end = onFetchEnd, !machine.isRunning || machine.latestRequest != end.number else {
      return nil
    }
    onFetchEnd = nil
    return end.call
  }
}
