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
/// Isolation: `core` has the mutations and the file behind a lock, `state` what belongs to this
/// process. `core` may be held when `state` is taken, never the other way round.
public final class OfflineMutationQueue: Sendable {
  let configuration: Configuration
  let core: Lock<QueueCore>
  let state = Lock(RunState())
  let registry = Lock(Registry())
  /// Tests set other clocks.
  let clocks: Lock<Clocks>

  struct Clocks: Sendable {
    var alarms: any AlarmClock = SystemAlarmClock.shared
    var date: @Sendable () -> Double = { Date().timeIntervalSince1970 }
  }

  struct Registry: Sendable {
    var mutations: [String: RegisteredMutation] = [:]
    var updaters: [String: @Sendable (ReadWriteTransaction, JSONValue) throws -> Void] = [:]
  }

  /// Opens a file, or creates it, and reads the mutations of a session.
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
      fileURL: fileURL, session: session, configuration: configuration, clocks: Clocks())
  }

  init(
    fileURL: URL, session: String?, configuration: Configuration, clocks: Clocks
  ) throws {
    self.configuration = configuration
    self.clocks = Lock(clocks)
    let file = try OfflineFile(
      url: fileURL, survivesPowerLoss: configuration.survivesPowerLoss,
      busyTimeout: configuration.busyTimeout)
    var core = QueueCore(file: file, limits: configuration.limits)
    if let session { try core.begin(session) }
    self.core = Lock(core)
  }

  deinit {
    let (subscribers, handles, alarms) = state.withLock { state in
      defer { (state.subscribers, state.handles, state.alarms) = ([:], [:], [:]) }
      return (state.subscribers, state.handles, state.alarms)
    }
    for alarm in alarms.values { alarm.cancel() }
    for subscriber in subscribers.values { subscriber.finish() }
    let released = OfflineError(
      .ended, "The queue was released. The mutation is in its file, and is sent by the next one.")
    for handle in handles.values { handle.end(.failure(released)) }
    // The lease ends by itself if this fails.
    try? core.withLock { try $0.close() }
  }

  /// The moment of an event.
  var now: QueueCore.Moment {
    let clocks = clocks.get()
    return QueueCore.Moment(time: clocks.alarms.now, date: clocks.date())
  }

  /// Changes the core and reports the changes of state.
  func change<Result>(_ body: (inout QueueCore) throws -> Result) rethrows -> Result {
    try core.withLock { core in
      // Under the lock, so that events are reported in their order. Nothing here runs code of the
      // program.
      defer {
        let events = core.takeEvents()
        if !events.isEmpty { report(events, core.counts) }
      }
      return try body(&core)
    }
  }
}

// MARK: - Registration

extension OfflineMutationQueue {
  /// Registers a type of mutations, so that they can be sent after a restart. Call it before
  /// ``Apollo/ApolloClient/use(_:)``.
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
    registry.withLock { $0.mutations[Mutation.operationName] = registered }
    core.withLock { _ = $0.registered.insert(Mutation.operationName) }
    wakeAll()
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
    registry.withLock { $0.updaters[name] = update }
  }
}

// MARK: - For people

extension OfflineMutationQueue {
  /// The number of mutations in each state. Its description is a sentence for people.
  public var counts: OfflineCounts { core.withLock { $0.counts } }

  /// The mutations of the session, in their order.
  public var entries: [OfflineEntry] {
    core.withLock { $0.orderedEntries }.map { entry in
      OfflineEntry(
        id: OfflineID(number: entry.id), operationName: entry.operationName, lane: entry.lane,
        state: entry.state, attemptCount: Int(entry.attempts))
    }
  }

  /// The name of the session, or `nil` if none has begun.
  public var session: String? { core.withLock { $0.session } }

  /// The real identifier of an object that was created under a temporary one, once the server has
  /// given it.
  public func realIdentifier(for temporary: String) -> String? {
    core.withLock { $0.identifiers[temporary] }
  }

  /// Lets a mutation that failed or is uncertain be sent again.
  ///
  /// - Returns: `false` if it is in another state.
  /// - Throws: The errors of the file.
  @discardableResult
  public func retry(_ id: OfflineID) async throws -> Bool {
    let isRetried = try change { try $0.retry(id.number, newKey: UUID().uuidString) }
    if isRetried {
      await showLayers(of: [id.number])
      wakeAll()
    }
    return isRetried
  }

  /// Takes a mutation out of the queue, unless its request is under way.
  ///
  /// - Returns: `false` if it is being sent, or has left the queue.
  /// - Throws: The errors of the file.
  @discardableResult
  public func drop(_ id: OfflineID) async throws -> Bool {
    let isDropped = try change { try $0.remove(id.number, .dropped) }
    if isDropped {
      await showLayers(of: [id.number])
      wakeAll()
    }
    return isDropped
  }

  /// Takes the waiting mutations out of the queue to which a rule applies.
  ///
  /// - Parameter rule: The rule.
  /// - Throws: The errors of the file.
  public func dropAll(where rule: (OfflineEntry) -> Bool) async throws {
    for entry in entries where rule(entry) { try await drop(entry.id) }
  }

  /// Takes an uncertain mutation for performed.
  ///
  /// - Returns: `false` if it is in another state.
  /// - Throws: The errors of the file.
  @discardableResult
  public func assumePerformed(_ id: OfflineID) async throws -> Bool {
    let isEnded = try change { core in
      guard core.entries[id.number]?.phase == .uncertain else { return false }
      return try core.remove(id.number, .assumed)
    }
    if isEnded {
      await showLayers(of: [id.number])
      wakeAll()
    }
    return isEnded
  }

  /// Sends what waits for the next attempt at once.
  public func retryNow() {
    core.withLock { $0.endBackoff() }
    wakeAll()
  }

  /// Stops sending while there is no network, and sends at once when there is one again.
  ///
  /// Call it from the monitor of the network, such as `NWPathMonitor`. Without one, the queue tries
  /// again after longer and longer times.
  public func networkChanged(isAvailable: Bool) {
    let isBack = core.withLock { core in
      defer { core.isOnline = isAvailable }
      return isAvailable && !core.isOnline
    }
    if isBack || isAvailable { retryNow() }
  }
}
