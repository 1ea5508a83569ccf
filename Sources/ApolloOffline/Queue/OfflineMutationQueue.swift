import Apollo
public import ApolloAPI
public import ApolloCache
import ApolloTransport
public import Foundation

/// Mutations that wait in a file until the server has performed them.
///
/// ```swift
/// let queue = try OfflineMutationQueue(fileURL: file, session: user.id)
/// queue.register(RenameTodoMutation.self)
/// apollo.use(queue)
///
/// let change = try await apollo.perform(
///   mutation: RenameTodoMutation(id: "1", title: "Milk"), optimistic: expected,
///   offline: .enqueue(key: .automatic))
/// print(queue.counts)  // 1 change is waiting
/// ```
///
/// When `perform` returns, the mutation is on disk and its expected data is visible. It is sent in
/// the order of its lane, again and again until the server responds, also after the program was
/// killed and started again.
///
/// Isolation: `executor` is an actor, which changes the file. `front` has locks, so that what is
/// read from the queue waits for no disk.
public final class OfflineMutationQueue: Sendable {
  /// The options of a queue.
  public typealias Configuration = OfflineQueueConfiguration

  let front: QueueFront
  let executor: QueueExecutor
  private let pumping: Task<Void, Never>

  /// Opens a file, or creates it, and reads the mutations of a session. Waits for the disk, and for
  /// another process that writes up to `busyTimeout`.
  ///
  /// - Parameters:
  ///   - fileURL: The file. Its folder must exist.
  ///   - session: The user to whom the mutations belong, or `nil` if none is logged in. The default
  ///     is a session without a name, for programs that have no users.
  ///   - configuration: The options.
  /// - Throws: `SQLiteError` if the file cannot be used. A damaged file is not replaced, because
  ///   the changes of the user are in it.
  public convenience init(
    fileURL: URL, session: String? = "", configuration: Configuration = Configuration()
  ) throws {
    try self.init(
      fileURL: fileURL, session: session, configuration: configuration,
      clocks: QueueFront.Clocks())
  }

  init(
    fileURL: URL, session: String?, configuration: Configuration, clocks: QueueFront.Clocks
  ) throws {
    let file = try OfflineFile(
      url: fileURL, survivesPowerLoss: configuration.survivesPowerLoss,
      busyTimeout: configuration.busyTimeout)
    let machine = Lock(QueueMachine(limits: configuration.limits))
    var ledger = QueueLedger(file: file, machine: machine)
    if let session { try ledger.begin(session) }
    let front = QueueFront(
      configuration, machine: machine,
      reader: OfflineReader(path: fileURL.path, busyTimeout: configuration.busyTimeout),
      clocks: clocks)
    let executor = QueueExecutor(front, ledger)
    let signals = front.signals
    // Without the task-local values of the caller.
    pumping = Task.detached { [weak executor] in
      for await _ in signals { await executor?.pump() }
    }
    self.front = front
    self.executor = executor
  }

  deinit {
    pumping.cancel()
    front.close()
  }
}

// MARK: - Registration

extension OfflineMutationQueue {
  /// Registers a type of mutations, so that they can be sent after a restart. Call it before
  /// `ApolloClient.use(_:)`.
  ///
  /// - Parameters:
  ///   - mutation: The type.
  ///   - onConflict: Decides about rejected mutations, for ``OfflineConflictRule/handler``.
  ///   - merge: Makes the variables of one mutation from those of a waiting one and a newer one,
  ///     for ``OfflineSuperseding/merge(_:)``.
  public func register<Mutation: GraphQLMutation>(
    _ mutation: Mutation.Type,
    onConflict: (@Sendable (OfflineConflict<Mutation>) async -> OfflineDecision<Mutation>)? = nil,
    merging merge: (@Sendable (_ older: Variables, _ newer: Variables) throws -> Variables)? = nil
  ) {
    let registered = RegisteredMutation(mutation, merging: merge, onConflict: onConflict)
    let old = front.registry.withLock {
      $0.mutations.updateValue(registered, forKey: Mutation.operationName)
    }
    withExtendedLifetime(old) {}  // releases its closures outside of the lock
    // Before a client uses the queue, nothing has been shown in another way.
    let isShown = front.client != nil
    front.machine.withLock { machine in
      machine.register(Mutation.operationName)
      if isShown { machine.touchVisible(Mutation.operationName) }
    }
    front.wake()
  }

  /// Registers a closure that changes the cache for a waiting mutation; see ``OfflineUpdate``.
  ///
  /// The closure runs again whenever what it has read changes. It must depend on nothing but the
  /// transaction and the argument.
  ///
  /// - Parameters:
  ///   - name: The name, which is stored.
  ///   - update: The closure.
  public func registerUpdater(
    _ name: String, _ update: @escaping @Sendable (ReadWriteTransaction, JSONValue) throws -> Void
  ) {
    let old = front.registry.withLock { $0.updaters.updateValue(update, forKey: name) }
    withExtendedLifetime(old) {}  // released outside of the lock
    guard front.client != nil else { return }
    front.machine.withLock { $0.touchVisible() }
    front.wake()
  }
}

// MARK: - For people

extension OfflineMutationQueue {
  /// The number of mutations in each state. Its description is a sentence for people.
  public var counts: OfflineCounts { front.machine.withLock { $0.counts } }

  /// The mutations of the session, in their order.
  public var entries: [OfflineEntry] {
    let entries = front.machine.withLock { $0.entries }
    return entries.values.sorted { $0.id < $1.id }.map { entry in
      OfflineEntry(
        id: OfflineID(rawValue: entry.id), operationName: entry.operationName, lane: entry.lane,
        state: entry.state, attemptCount: Int(clamping: entry.standing.attempts),
        date: Date(timeIntervalSince1970: entry.time), subject: entry.subject)
    }
  }

  /// The name of the session, or `nil` if none has begun.
  public var session: String? { front.machine.withLock { $0.session?.name } }

  /// The real identifier of an object that was created under a temporary one, once the server has
  /// given it. The latest 10,000 of a session are remembered, and those that mutations need.
  public func realIdentifier(for temporary: String) -> String? {
    front.machine.withLock { $0.names.real(temporary) }
  }

  /// Each change of state, in order. The newest 1,024 are kept for a slow reader.
  public var states: AsyncStream<OfflineEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1_024)) { continuation in
      let stream = front.followers.withLock { $0.add(continuation) }
      continuation.onTermination = removal(of: stream)
    }
  }

  /// The counts now, and after each change. The newest one is kept for a slow reader.
  public var countUpdates: AsyncStream<OfflineCounts> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let stream = front.machine.withLock { machine in
        _ = continuation.yield(machine.counts)
        return front.followers.withLock { $0.add(continuation) }
      }
      continuation.onTermination = removal(of: stream)
    }
  }

  private func removal<Reason>(of stream: Int) -> @Sendable (Reason) -> Void {
    { [weak front] _ in
      let removed = front?.followers.withLock { $0.remove(stream) }
      withExtendedLifetime(removed) {}
    }
  }
}

// MARK: - Decisions

extension OfflineMutationQueue {
  private var current: QueueSession? { front.machine.withLock { $0.session } }

  /// Lets a mutation that failed or is uncertain be sent again.
  ///
  /// It waits for the end of a `Retry-After` that its lane has received, unless ``retryNow()`` ends
  /// that.
  ///
  /// - Returns: `false` if it is in another state.
  /// - Throws: The errors of the file.
  @discardableResult
  public func retry(_ id: OfflineID) async throws -> Bool {
    guard let current else { return false }
    return try await executor.retry(id.rawValue, in: current)
  }

  /// Takes a mutation out of the queue, unless its request is under way.
  ///
  /// - Returns: `false` if it is being sent, or has left the queue.
  /// - Throws: The errors of the file.
  @discardableResult
  public func drop(_ id: OfflineID) async throws -> Bool {
    guard let current else { return false }
    return try await executor.remove(id.rawValue, in: current, .dropped)
  }

  /// Takes the waiting mutations out of the queue to which a rule applies.
  ///
  /// - Parameter rule: The rule, which runs where the method is called.
  /// - Throws: The errors of the file.
  public nonisolated(nonsending) func dropAll(
    where rule: (OfflineEntry) -> Bool
  ) async throws {
    guard let current else { return }
    for entry in entries where rule(entry) {
      _ = try await executor.remove(entry.id.rawValue, in: current, .dropped)
    }
  }

  /// Takes an uncertain mutation for performed.
  ///
  /// - Parameters:
  ///   - id: The mutation.
  ///   - realIdentifiers: The identifiers that the server has given to the objects which the
  ///     mutation has created, by their temporary ones, if the program has found them. Mutations
  ///     that need one which is not among them fail.
  /// - Returns: `false` if it is in another state.
  /// - Throws: The errors of the file.
  @discardableResult
  public func assumePerformed(
    _ id: OfflineID, realIdentifiers: [String: String] = [:]
  ) async throws -> Bool {
    guard let current else { return false }
    return try await executor.remove(
      id.rawValue, in: current, .assumed, ifIn: .uncertain, identifiers: realIdentifiers)
  }

  /// Sends what waits for the next attempt at once.
  ///
  /// Shows what could not be shown before, because it could not be decrypted.
  public func retryNow() {
    let unseen = front.takeUnseen()
    front.machine.withLock { machine in
      machine.touch(unseen)
      machine.endBackoff()
    }
    front.wake()
  }

  /// Stops sending while there is no network, and sends at once when there is one again.
  ///
  /// Call it from the monitor of the network. Without one, the queue tries again after longer and
  /// longer times. The time of a `Retry-After` is the server's, so only ``retryNow()`` ends it.
  ///
  /// ```swift
  /// let monitor = NWPathMonitor()
  /// monitor.pathUpdateHandler = { path in
  ///   queue.networkChanged(isAvailable: path.status == .satisfied)
  /// }
  /// monitor.start(queue: .global())
  /// ```
  public func networkChanged(isAvailable: Bool) {
    front.machine.withLock { $0.networkChanged(isAvailable: isAvailable) }
    front.wake()
  }
}
