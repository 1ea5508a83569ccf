extension QueryWatchStateMachine {
  /// The latest fetch, in progress or not.
  struct Run {
    enum Phase {
      /// The fetch is in progress, and uses the cache alone.
      case fetchingFromCache
      /// The fetch is in progress, and asks the server.
      case fetching
      /// The fetch is in progress, and a reading of the cache belongs to it: data went missing in
      /// the meantime, which the fetch may bring, or a response was withheld.
      case fetchingBeforeReading(refetchCount: Int)
      /// The fetch has ended but for its reading of the cache. That decides whether another fetch
      /// follows. A reading that began before the decision with this number does not know what the
      /// fetch has brought.
      case deciding(Int)
      case ended
      /// The fetch was cancelled without another one in its place. Its events are ignored.
      case stopped
    }

    /// A response in whose place the cache is read.
    enum Withheld {
      /// If data is missing then and the watch may not refetch, the response is delivered.
      case deliverable(Value)
      /// The cache had the response, or other data of the cache was delivered during the fetch.
      case replaced
    }

    let fetch: Fetch
    var phase: Phase
    var withheld: Withheld?
    /// `true` if data of the cache was delivered since the fetch began, or found to be delivered
    /// already.
    var hasShownCache = false
    /// `true` if a fetch of the watch has changed the data in the cache, and no result shows that.
    var hasOwnChange = false

    init(_ fetch: Fetch) {
      self.fetch = fetch
      phase = fetch.behavior.networkFetch == .never ? .fetchingFromCache : .fetching
    }

    /// Lets a reading of the cache replace a response, which is `nil` if the cache had it.
    mutating func withhold(_ value: Value?) {
      withheld = if let value, !hasShownCache { .deliverable(value) } else { .replaced }
      awaitReading(refetchCount: fetch.refetchCount)
    }

    /// Lets a reading of the cache belong to the fetch, if that is in progress.
    mutating func awaitReading(refetchCount: Int) {
      switch phase {
      case .fetchingFromCache, .fetching:
        phase = .fetchingBeforeReading(refetchCount: refetchCount)
      case .fetchingBeforeReading(let other):
        phase = .fetchingBeforeReading(refetchCount: min(refetchCount, other))
      case .deciding, .ended, .stopped: break
      }
    }

    /// Ends a fetch whose last reading has come.
    ///
    /// - Parameter count: The ``QueryWatchStateMachine/decisionCount`` when the reading began.
    /// - Returns: Whether the fetch waited for it.
    mutating func decide(_ count: Int) -> Bool {
      guard case .deciding(let decision) = phase, count >= decision else { return false }
      phase = .ended
      return true
    }

    mutating func stop() { (phase, withheld) = (.stopped, nil) }
  }
}
