public import Apollo
import ApolloAPI
import ApolloCache

extension ApolloClient {
  /// Lets mutations wait in a queue, shows those that do, and begins to send them.
  ///
  /// ```swift
  /// let queue = try OfflineMutationQueue(fileURL: file)
  /// queue.register(RenameTodoMutation.self)
  /// apollo.use(queue)
  /// ```
  ///
  /// Call it before the first fetch or watch, so that these see the waiting changes. The client
  /// keeps the queue.
  public func use(_ queue: OfflineMutationQueue) {
    let old = attachment.exchange(queue)
    withExtendedLifetime(old) {}
    queue.start(with: self)
  }

  /// The queue that the client uses, or `nil`.
  public var offlineQueue: OfflineMutationQueue? { attachment.get() as? OfflineMutationQueue }
}

extension OfflineMutationQueue: ClientAttachment {
  func start(with client: ApolloClient) {
    clocks.withLock { $0.alarms = client.alarmClock }
    state.withLock { $0.client = client }
    restoreLayers(in: client.store)
    core.withLock { $0.isRunning = true }
    wakeAll()
    if configuration.isShared { keepTime() }
  }

  /// Begins the session of a user, after the login.
  ///
  /// Mutations that were kept at an earlier logout of the same user are visible again, and are
  /// sent. Those of other users stay in the file. A session of another user ends first.
  ///
  /// - Parameter session: The name of the session, such as the user's identifier.
  /// - Throws: The errors of the file.
  public func beginSession(_ session: String) async throws {
    let current = self.session
    guard current != session else { return }
    if current != nil { await endSession(keepingMutations: configuration.keepsMutationsAtLogout) }
    try change { try $0.begin(session) }
    await showLayers(of: core.withLock { $0.orderedEntries.map(\.id) })
    wakeAll()
  }

  /// Ends the session. Called by the client's `endSession()`.
  ///
  /// Returns when no request of the session is under way any more.
  ///
  /// - Parameter keepingMutations: `false` to remove the mutations of the session from the file.
  ///   Those of a session without a name are always removed, because nothing tells whose they are.
  public func endSession(keepingMutations: Bool) async {
    let (ids, isNamed) = core.withLock { (Array($0.entries.keys), $0.session != "") }
    do {
      try change { try $0.endSession(keeping: keepingMutations && isNamed) }
    } catch {
      configuration.onFailure?(error)
    }
    let (workers, alarms) = state.withLock { state in
      defer {
        state.alarms = [:]
        state.pending = []
        state.queued = []
      }
      return (state.workers, Array(state.alarms.values))
    }
    for alarm in alarms { alarm.cancel() }
    for worker in workers.values { worker.cancel() }
    // An interceptor may end the session in the middle of a request. That request ends with it.
    for (number, worker) in workers where number != Self.worker { await worker.value }
    await showLayers(of: ids)
  }

  package func sessionEnds() async {
    await endSession(keepingMutations: configuration.keepsMutationsAtLogout)
  }
}
