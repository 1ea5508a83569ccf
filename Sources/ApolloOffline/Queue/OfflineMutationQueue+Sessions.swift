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
  /// keeps the queue. A queue that the client has used before sends nothing more with it, and a
  /// queue sends with one client at a time.
  public func use(_ queue: OfflineMutationQueue) {
    let old = attachment.exchange(queue) as? OfflineMutationQueue
    if let old, old !== queue { old.front.detach() }
    queue.start(with: self)
  }

  /// The queue that the client uses, or `nil`.
  public var offlineQueue: OfflineMutationQueue? { attachment.get() as? OfflineMutationQueue }
}

extension OfflineMutationQueue: ClientAttachment {
  func start(with client: ApolloClient) {
    guard let old = front.attach(to: client) else { return }
    // Its logout does not concern this queue any more.
    let removed = old.attachment.withLock { attachment -> (any ClientAttachment)? in
      guard attachment === self else { return nil }
      defer { attachment = nil }
      return attachment
    }
    withExtendedLifetime(removed) {}  // released outside of the lock
  }

  /// Begins the session of a user, after the login.
  ///
  /// Mutations that were kept at an earlier logout of the same user are visible again, and are
  /// sent. Those of other users stay in the file.
  ///
  /// At a change of users, call the client's `endSession()` before, and set the new token: this
  /// changes neither the client's token nor its cache. If a session of another user has not ended,
  /// it ends for the queue alone.
  ///
  /// - Parameter session: The name of the session, such as the user's identifier.
  /// - Throws: The errors of the file. No session has begun then.
  public func beginSession(_ session: String) async throws {
    try await executor.beginSession(session)
  }

  /// Ends the session. Called by the client's `endSession()`.
  ///
  /// Requests of the session are cancelled, and none begins afterwards. Their results still reach
  /// the file. An interceptor or a handler may call this.
  ///
  /// To choose at a logout, call this before the client's `endSession()`. Afterwards there is no
  /// session, and nothing is removed that was kept, whatever `keepingMutations` is.
  ///
  /// - Parameter keepingMutations: `false` to remove the mutations of the session from the file.
  ///   Those of a session without a name are always removed, because nothing tells whose they are.
  /// - Throws: The errors of the file. The session has ended, but its mutations may still be in the
  ///   file. This queue removes them before it begins another session, or when this is called
  ///   again.
  public func endSession(keepingMutations: Bool) async throws {
    let session = front.stopSending(keeping: keepingMutations)
    try await executor.endSession(session, keeping: keepingMutations)
  }

  package func stopSession() -> @Sendable () async throws -> Void {
    let session = front.stopSending()
    let (executor, isKept) = (executor, front.configuration.keepsMutationsAtLogout)
    return { try await executor.endSession(session, keeping: isKept) }
  }
}
