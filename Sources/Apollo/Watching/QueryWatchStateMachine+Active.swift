import ApolloCache

extension QueryWatchStateMachine {
  /// An active watch: its latest fetch, and what it observes and shows.
  struct Active {
    enum Observation {
      case nothing
      /// Every change, or the fields that a reading is about to find.
      case everything
      case fields(ReadingTrace)
    }

    /// The latest fetch, or `nil` before the first one.
    var run: Run?
    var observation = Observation.nothing
    /// The state of the cache that was delivered last. Results of earlier states are outdated.
    var moment: ReadingMoment?
    var duplicates: DuplicateFilter<Value>
    /// `true` if data was delivered, also if an error has followed: a program shows both.
    var hasShownData = false
    /// `true` if the latest delivered response is not in the cache.
    var isAheadOfCache = false

    // MARK: Fetching

    /// Indicates whether the latest fetch has not ended, whether it asks the server or not.
    var isRunning: Bool {
      switch run?.phase {
      case .fetchingFromCache, .fetching, .fetchingBeforeReading, .deciding: true
      case .ended, .stopped, nil: false
      }
    }

    /// Indicates whether a fetch that may ask the server is in progress.
    var isFetching: Bool {
      if case .fetchingFromCache = run?.phase { false } else { isRunning }
    }

    /// Returns the fetch with this number, unless it was replaced or cancelled.
    func fetch(_ number: Int) -> Fetch? {
      guard let run, run.fetch.number == number else { return nil }
      if case .stopped = run.phase { return nil }
      return run.fetch
    }

    /// Reads what a fetch has written whose response is not delivered.
    mutating func readOwnChange(refetchCount: Int) -> [Action] {
      guard run?.hasOwnChange == true else { return [] }
      run?.hasOwnChange = false
      return [.read(refetchCount: refetchCount)]
    }

    /// Lets a reading of the cache take the place of a response.
    ///
    /// - Parameters:
    ///   - value: The response, or `nil` if the cache had it.
    ///   - trace: The fields to observe, or `nil` for those that are observed.
    ///   - fetch: The latest fetch.
    /// - Returns: The actions to perform.
    mutating func withhold(_ value: Value?, _ trace: ReadingTrace?, _ fetch: Fetch) -> [Action] {
      run?.hasOwnChange = false
      if let trace, isOutdated(trace) { return [] }
      run?.withhold(value)
      return trace.map { observe($0, refetchCount: fetch.refetchCount) } ?? []
    }

    // MARK: Observing the cache

    var isObserving: Bool {
      if case .nothing = observation { false } else { true }
    }

    /// The observed fields, if they are known.
    var observed: ReadingTrace? {
      if case .fields(let trace) = observation { trace } else { nil }
    }

    mutating func observe(_ trace: ReadingTrace, refetchCount: Int) -> [Action] {
      observation = .fields(trace)
      return [.observe(trace, refetchCount: refetchCount)]
    }

    /// Observes what others bring, after a fetch that has brought nothing to observe.
    mutating func look(since start: Generation?, after fetch: Fetch) -> [Action] {
      guard let start, !isObserving, fetch.writesToCache else { return [] }
      observation = .everything
      return [.look(since: start)]
    }

    // MARK: Delivering

    func isOutdated(_ trace: ReadingTrace) -> Bool {
      moment.map(trace.moment.isBefore) ?? false
    }

    /// Indicates whether the program goes on to show what it has while optimistic data hides a part
    /// of that. A response that takes the place of an error must not be hidden, too.
    var keepsShownData: Bool {
      hasShownData && (duplicates.hasDelivered || run?.withheld == nil)
    }

    mutating func deliver(
      _ value: Value, _ trace: ReadingTrace?, refetchCount: Int
    ) -> [Action] {
      var actions: [Action] = []
      if let trace {
        guard !isOutdated(trace) else { return [] }
        moment = trace.moment
        actions = observe(trace, refetchCount: refetchCount)
      }
      run?.withheld = nil
      hasShownData = true
      if duplicates.accept(value) { actions.append(.deliver(value)) }
      return actions
    }

    mutating func fail(_ error: any Error) -> [Action] {
      run?.withheld = nil
      duplicates.reset()
      return [.fail(error)]
    }
  }
}
