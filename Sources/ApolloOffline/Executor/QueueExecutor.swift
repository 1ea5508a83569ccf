import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation

/// Does what the ledger of a queue decides: requests, questions to handlers, layers, alarms.
///
/// How a mutation is sent:
///
/// 1. An event wakes the executor: a new mutation, a result, a decision, an alarm, the network.
/// 2. ``pump()`` asks the ledger for work, which is in the file by then, and starts a task for
///    each. The call's session is taken together with the lane.
/// 3. The optimistic layer of the mutation moves below those that wait, and the request is sent.
/// 4. The response is written to the cache. It takes the place of the layer, also if that must stay
///    above those of older mutations for a while. Then the mutation is removed from the file. If
///    the process ends in between, the mutation counts as "may have been performed".
/// 5. The result wakes the executor.
///
/// No event waits for a request, a handler or an interceptor, so each of these may end the session.
///
/// Isolation: the actor, which works in a ``QueuePlace``. Its methods change the file without
/// suspending, so each is one event. It owns its tasks: the end of the session cancels them.
actor QueueExecutor {
  let front: QueueFront
  private var ledger: QueueLedger
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var taskCount = 0
  /// The layers of the requests under way.
  private var layers: [Int64: LayerID] = [:]
  /// The results of rejected mutations, until their handlers are asked.
  private var rejected: [Int64: RegisteredMutation.Sent] = [:]
  private var alarm: (time: Duration, alarm: Alarm)?
  /// The time of the next look for changes of other processes.
  private var lookTime = Duration.zero
  /// The time of the next attempt after a failure of the file.
  private var retryTime: Duration?

  private let place: QueuePlace
  nonisolated var unownedExecutor: UnownedSerialExecutor { place.unownedExecutor }

  /// The time between two looks for changes of other processes.
  private static let lookInterval = Duration.seconds(1)

  init(_ front: QueueFront, _ ledger: sending QueueLedger) {
    self.front = front
    self.ledger = ledger
    let configuration = front.configuration
    place = QueuePlace(waits: configuration.survivesPowerLoss || configuration.isShared)
  }

  private var machine: Lock<QueueMachine> { front.machine }

  /// Starts everything that can be done now.
  func pump() {
    guard let client = front.client else { return }
    let now = front.now
    retryTime = nil
    do {
      try ledger.keepLease(at: now.date)
      if front.configuration.isShared, now.time >= lookTime {
        lookTime = now.time + Self.lookInterval
        try ledger.reloadIfNeeded()
      }
      while let work = try ledger.next(at: now) { start(work, with: client) }
      if machine.withLock({ $0.schedule.isPending }) { front.wake() }
    } catch {
      front.fail(error)
      retryTime = now.time + front.configuration.limits.baseDelay
    }
    for name in machine.withLock({ $0.takeMissing() }) {
      front.fail(
        OfflineError(
          .notRegistered,
          "A mutation '\(name)' waits, and its lane with it, until its type is registered. Call 'register(_:)' before 'use(_:)', also for types of earlier versions."
        ))
    }
    report()
    let touched = takeTouched()
    if !touched.isEmpty {
      run { [front] in await front.showLayers(of: touched, in: client) }
    }
    setAlarm(at: now.time)
  }

  private func takeTouched() -> [Int64] { machine.withLock { $0.takeTouched() } }

  private func report() {
    for id in front.report() { rejected[id] = nil }
  }

  /// Ends an event: reports it, shows its effects, and goes on.
  ///
  /// - Parameter ended: The layers of requests that the event has ended.
  private func endEvent(_ ended: [LayerID] = []) async {
    report()
    if let client = front.client {
      await front.showLayers(of: takeTouched(), after: ended, in: client)
    }
    pump()
  }

  /// Runs a task that the end of the session cancels.
  ///
  /// It has no task-local values of the call that adds a mutation, such as its trace: the request
  /// may be made in another run of the program as well.
  private func run(_ work: @escaping @Sendable () async -> Void) {
    taskCount += 1
    let number = taskCount
    tasks[number] = Task.detached { [weak self] in
      await work()
      await self?.forget(number)
    }
  }

  private func forget(_ task: Int) { tasks[task] = nil }

  /// Returns whether nothing goes on but some requests. For tests.
  func isQuiet(besides requestCount: Int) -> Bool {
    tasks.count == requestCount && !machine.withLock { $0.schedule.isPending }
  }

  private func setAlarm(at now: Duration) {
    var times = [machine.withLock { $0.schedule.wakeTime }].compactMap { $0 }
    if machine.withLock({ $0.sendingCount > 0 }) {
      times.append(now + .seconds(front.configuration.limits.leaseTime / 3))
    }
    if front.configuration.isShared { times.append(lookTime) }
    // After a failure of the file, the other times are those of work that it has prevented. They
    // have passed.
    let time = retryTime ?? times.min()
    if let alarm, alarm.time > now, let time, alarm.time <= time { return }
    alarm?.alarm.cancel()
    alarm = time.map { time in
      // Clocks round down, and it must not ring before the time.
      let delay = time - now + .nanoseconds(1)
      let new = front.clocks.get().alarms.setAlarm(after: delay) { [weak front] in
        front?.wake()
      }
      return (time, new)
    }
  }
}

// MARK: - Events of the program

extension QueueExecutor {
  /// Adds a mutation and shows it.
  ///
  /// - Parameters:
  ///   - draft: The mutation.
  ///   - session: The session in which the program has asked for it.
  ///   - handle: Ends with the mutation.
  /// - Returns: Its number.
  /// - Throws: ``OfflineError``, and the errors of the file and of a merge.
  func add(
    _ draft: MutationDraft, in session: QueueSession, _ handle: EndOfMutation
  ) async throws -> Int64 {
    // Before a merge sees what waits.
    guard machine.withLock({ $0.session == session }) else { throw OfflineError.sessionHasEnded }
    if front.configuration.isShared { try ledger.reloadIfNeeded() }
    let files = try draft.files.map { try front.stored($0, draft.rules.files) }
    var added: (id: Int64, payload: Payload)?
    repeat {
      let (new, payload, superseded) = try entry(of: draft, files)
      added = try ledger.add(
        new, session: session, inPlaceOf: superseded, at: front.now.date
      ).map { ($0, payload) }
    } while added == nil
    guard let (id, payload) = added else { preconditionFailure("The loop ends with a number.") }
    front.followers.withLock { $0.add(handle, for: id) }
    report()
    if let client = front.client {
      front.keep(payload, of: id)
      await front.showLayers(of: takeTouched(), in: client)
      front.keep(nil, of: id)
    }
    machine.withLock { $0.release(id) }
    pump()
    return id
  }

  /// Returns a mutation as it is stored now, its contents, and those whose place it takes.
  private func entry(
    of draft: MutationDraft, _ files: [StoredFile]
  ) throws -> (NewEntry, Payload, [EntryRecord]) {
    var (payload, files) = (draft.payload, files)
    var superseded: [EntryRecord] = []
    var former: [String] = []
    if let subject = draft.rules.superseding.subject {
      superseded = machine.withLock {
        $0.superseded(by: subject, in: draft.rules.lane, operationName: draft.operationName)
      }
    }
    if case .merge = draft.rules.superseding, let last = superseded.last {
      (superseded, former) = ([last], last.needs)
      if let stored = try ledger.file.contents(of: last.id), let merge = draft.merge {
        let names = machine.withLock { $0.names.reals(of: last.needs) }
        let older = try Payload(bytes: front.opened(stored.payload)).replacingTexts(names)
        payload = payload.merged(
          after: older, variables: try merge(older.variables, payload.variables))
        // The merge may have left nothing that can carry the key.
        if draft.key != nil {
          try front.checkPlaceOfKey(in: payload.variables, of: draft.operationName)
        }
        let fields = Set(files.map(\.fieldName))
        files = try ledger.file.files(of: last.id).filter { !fields.contains($0.fieldName) } + files
      }
    }
    let (resolved, needs) = machine.withLock { $0.names.resolving(payload, former: former) }
    let new = NewEntry(
      operationName: draft.operationName, key: draft.key, rules: draft.rules,
      needs: needs.filter { draft.rules.creates[$0] == nil }, isVisible: resolved.isVisible,
      payload: try front.sealed(resolved.bytes), files: files)
    return (new, resolved, superseded)
  }

  func retry(_ id: Int64, in session: QueueSession) async throws -> Bool {
    let isRetried = try ledger.retry(
      id, session: session, newKey: UUID().uuidString, at: front.now)
    await endEvent()
    return isRetried
  }

  /// Takes a mutation out of the queue that is not being sent.
  ///
  /// - Parameters:
  ///   - id: The mutation.
  ///   - session: The session of the decision.
  ///   - ending: The reason.
  ///   - phase: The state in which it must be, or `nil` for any.
  ///   - identifiers: The real identifiers of what it has created.
  /// - Returns: `false` if it is in another state.
  /// - Throws: The errors of the file.
  func remove(
    _ id: Int64, in session: QueueSession, _ ending: OfflineEnding,
    ifIn phase: EntryRecord.Phase? = nil, identifiers: [String: String] = [:]
  ) async throws -> Bool {
    if let phase, machine.withLock({ $0.entries[id]?.phase }) != phase { return false }
    let isRemoved = try ledger.remove(
      id, session: session, ending, identifiers: identifiers, at: front.now)
    await endEvent()
    return isRemoved
  }

  /// Begins the session of a user, and ends that of another one.
  func beginSession(_ name: String) async throws {
    let (current, isEnding) = machine.withLock { ($0.session, $0.isEnding) }
    if let current, current.name == name, !isEnding, try !ledger.isEndedByOthers(current) { return }
    var ended: [LayerID] = []
    do {
      if current != nil {
        ended = Array(layers.values)
        try end(keeping: front.configuration.keepsMutationsAtLogout)
      }
      try ledger.begin(name)
    } catch {
      await endEvent(ended)
      throw error
    }
    await endEvent(ended)
  }

  /// Ends a session, unless another one has begun. It has ended even if this throws.
  ///
  /// - Parameters:
  ///   - session: The session, or `nil` if it has ended before: what could not be removed from the
  ///     file then is removed now.
  ///   - keeping: `false` to remove its mutations.
  /// - Throws: The error of the file.
  func endSession(_ session: QueueSession?, keeping: Bool) async throws {
    guard let session, machine.withLock({ $0.session == session }) else {
      return try ledger.removeEnded()
    }
    let ended = Array(layers.values)
    do {
      try end(keeping: keeping)
    } catch {
      await endEvent(ended)
      throw error
    }
    await endEvent(ended)
  }

  /// Ends the session in one turn: no request of it begins afterwards.
  private func end(keeping: Bool) throws {
    _ = front.stopSending()
    for task in tasks.values { task.cancel() }
    (rejected, layers) = ([:], [:])
    try ledger.endSession(keeping: machine.withLock { $0.keepsAtEnd } ?? keeping)
  }
}

// MARK: - Requests

extension QueueExecutor {
  private func start(_ work: QueueLedger.Work, with client: ApolloClient) {
    switch work {
    case .send(let attempt): run { await self.send(attempt, with: client) }
    case .ask(let question):
      let sent = rejected.removeValue(forKey: question.entry.id)
      run { await self.ask(question, sent) }
    }
  }

  private func send(_ attempt: Attempt, with client: ApolloClient) async {
    var layer: LayerID?
    let sent: RegisteredMutation.Sent
    do {
      guard let call = attempt.call else { throw CancellationError() }
      try call.check()
      // The client may use another queue by now, and this one another client.
      guard let new = try await front.beginSending(attempt, in: client) else {
        throw CancellationError()
      }
      layer = new
      // Before the look at it, so that the end of the session removes it, or is seen.
      layers[attempt.id] = new
      try call.check()
      sent = try await front.request(attempt, in: new, during: call, with: client)
      await showUnseen(in: client)
    } catch let error where error is CancellationError || error is SealedContents {
      // Nothing was sent.
      if error is SealedContents { front.fail(error) }
      sent = .init(outcome: .notPerformed(retryAfter: nil, isFaultOfServer: false))
    } catch {
      // The request could not be made: what is thrown here precedes the call.
      let failure = OfflineFailure(.unsendable, messages: ["\(error)"])
      sent = .init(outcome: .rejected(failure, mayHaveArrived: false), error: error)
    }
    await finish(attempt, sent, layer, with: client)
  }

  /// Shows what could not be decrypted before, now that the contents of a mutation could be.
  private func showUnseen(in client: ApolloClient) async {
    let unseen = front.takeUnseen()
    if !unseen.isEmpty { await front.showLayers(of: unseen.sorted(), in: client) }
  }

  private func finish(
    _ attempt: Attempt, _ sent: RegisteredMutation.Sent, _ layer: LayerID?,
    with client: ApolloClient
  ) async {
    let isOfSession = machine.withLock { $0.session == attempt.session }
    if case .rejected = sent.outcome, attempt.entry.conflict == .handler, isOfSession {
      rejected[attempt.id] = sent
    }
    await untilTheFileAllows { executor in
      let isApplied = try executor.ledger.finish(
        attempt, sent.outcome, at: executor.front.now)
      // The decision of another queue counts, and its handler asks without this response.
      if !isApplied { executor.rejected[attempt.id] = nil }
    }
    if let failure = sent.partialFailure { front.fail(failure) }
    // Another queue may have taken the mutation over, but this one has its response.
    if case .performed = sent.outcome, let response = sent.response {
      front.followers.withLock { $0.takeHandle(of: attempt.id) }?.end(.success(response))
    }
    report()
    if layers[attempt.id] == layer { layers[attempt.id] = nil }
    machine.withLock { $0.endShowing(attempt) }
    // What is touched belongs to the queue's client, which may be another one by now.
    let touched = front.client === client ? takeTouched() : []
    await front.showLayers(of: touched, after: [layer].compactMap { $0 }, in: client)
    // Not before, so that no further attempt moves the layer meanwhile.
    machine.withLock { $0.end(attempt) }
    pump()
  }

  /// Changes the file, again and again while that fails. A result must not be lost: the mutation
  /// would be sent again.
  private func untilTheFileAllows(
    _ change: (isolated QueueExecutor) throws -> Void
  ) async {
    var delay = front.configuration.limits.baseDelay
    while true {
      do {
        try change(self)
        return
      } catch {
        front.fail(error)
      }
      // The result belongs to the file also if the session has ended, and the task is cancelled.
      // What is not in the file when the queue ends is recovered by the next one.
      guard await front.wait(for: delay) else { return }
      delay = min(delay * 2, front.configuration.limits.maximumDelay)
    }
  }

  // MARK: - Handlers

  private func ask(_ question: QueueLedger.Question, _ sent: RegisteredMutation.Sent?) async {
    let entry = question.entry
    var unansweredAt: Duration?
    do {
      let payload = try Payload(bytes: front.opened(question.payload))
        .replacingTexts(question.identifiers)
      let rejection = RegisteredMutation.Rejection(
        variables: payload.variables, failure: entry.failure ?? OfflineFailure(.rejected),
        sent: sent, mayHaveBeenPerformed: entry.mayHaveArrived,
        attemptCount: Int(clamping: entry.standing.attempts))
      if let decide = front.registry.withLock({ $0.mutations[entry.operationName]?.decide }) {
        let decision = await decide(rejection)
        // The program may have decided itself, or the session may have ended.
        let isCurrent = machine.withLock { machine in
          machine.session == question.session
            && machine.entries[entry.id]?.standing == entry.standing
        }
        if isCurrent { try apply(decision, to: question, payload) }
      }
    } catch {
      front.fail(error)
      // It has not been asked while the contents could not be decrypted, or its decision is not in
      // the file. One that cannot be made is an error of the program, and stays without effect.
      if !(error is OfflineError) { unansweredAt = front.now.time }
    }
    let time = unansweredAt
    machine.withLock { $0.endAsking(entry, in: question.session, unansweredAt: time) }
    await endEvent()
  }

  private func apply(
    _ decision: ErasedDecision, to question: QueueLedger.Question, _ payload: Payload
  ) throws {
    let (id, session, now) = (question.entry.id, question.session, front.now)
    let key = UUID().uuidString
    // A handler that always retries does not do so at the speed of the disk or of the server.
    let failure = question.entry.failure ?? OfflineFailure(.rejected)
    let isFirst = question.entry.standing.attempts == 1 && failure.isRejection
    let setback = EntryChange.Setback(retryAfter: nil, isFaultOfServer: false)
    switch decision {
    case .stop: break
    case .skip: _ = try ledger.remove(id, session: session, .dropped, at: now)
    case .retry:
      _ = try ledger.retry(
        id, session: session, newKey: key, after: isFirst ? nil : setback, at: now)
    case .change(let variables, let optimistic):
      let new = Payload(variables: variables, optimistic: optimistic, updates: payload.updates)
      // Without a place for the key, the mutation stays as it is until the program decides.
      if question.entry.isKeyed {
        try front.checkPlaceOfKey(in: variables, of: question.entry.operationName)
      }
      _ = try ledger.retry(
        id, session: session, new, sealedBy: { try front.sealed($0.bytes) }, newKey: key,
        after: isFirst ? nil : setback, at: now)
    }
  }
}
