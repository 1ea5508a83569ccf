import ApolloAPI
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The machine of a queue together with its file.
///
/// Each event changes the file first, in one transaction that compares what the machine knows, and
/// then the machine. So a failure of the disk changes nothing, and a change of another queue is
/// never overwritten: it is read, and the decision is made again.
///
/// Isolation: used by one thread at a time. The lock of the machine is held while no file is
/// used, so readers of the machine wait for no disk.
struct QueueLedger {
  /// The work that a lane has for a task.
  enum Work {
    case send(Attempt)
    case ask(Question)
  }

  /// A rejected mutation whose handler decides.
  struct Question: Sendable {
    let entry: EntryRecord
    let session: QueueSession
    /// Sealed.
    let payload: [UInt8]
    let identifiers: [String: String]
  }

  let file: OfflineFile
  let machine: Lock<QueueMachine>
  let limits: QueueLimits
  private var sessionCount = 0
  private var foreignCommitCount: Int64 = 0
  /// The moment until which this queue may send, in seconds since 1970.
  private var leaseEnd = -Double.infinity
  /// The sessions whose mutations could not be removed from the file.
  private var unremoved: Set<String> = []
  private let process = ProcessIdentity.current

  init(file: OfflineFile, machine: Lock<QueueMachine>) {
    self.file = file
    self.machine = machine
    limits = machine.withLock { $0.limits }
  }
}

// MARK: - Sessions

extension QueueLedger {
  /// Begins a session, if there is none.
  ///
  /// - Throws: The errors of the file. No session has begun then.
  mutating func begin(_ name: String) throws {
    let (storedName, contents) = try file.transaction {
      for session in unremoved { try file.removeAll(of: session) }
      let storedName = name.isEmpty ? try file.unnamedSession() : OfflineFile.storedName(of: name)
      var contents = try file.contents(of: storedName)
      if contents.hasOtherUnnamedSessions {
        try file.removeEndedUnnamedSessions()
        contents = try file.contents(of: storedName)
      }
      return (storedName, contents)
    }
    unremoved = []
    foreignCommitCount = contents.foreignCommitCount
    sessionCount += 1
    let session = QueueSession(name: name, storedName: storedName, number: sessionCount)
    machine.withLock { $0.begin(session, contents) }
  }

  /// Returns whether another process has ended a session without a name, which is everybody's.
  func isEndedByOthers(_ session: QueueSession) throws -> Bool {
    try session.name.isEmpty && file.currentUnnamedSession() != session.storedName
  }

  /// Ends the session. Its mutations are removed from the file if they are not kept, and those of a
  /// session without a name always, because nothing tells whose they are.
  ///
  /// The session has ended even if this throws. What could not be removed is removed before the
  /// next session begins.
  mutating func endSession(keeping: Bool) throws {
    guard let session = machine.withLock({ $0.session }) else { return }
    let calls = machine.withLock { machine in
      defer { machine.endSession() }
      return machine.stopCalls()
    }
    calls?.end()
    leaseEnd = -Double.infinity
    let isKept = keeping && !session.name.isEmpty
    if !isKept { unremoved.insert(session.storedName) }
    try removeEnded(givingUpLease: true)
  }

  /// Removes the mutations of ended sessions that could not be removed before, if there are any.
  mutating func removeEnded(givingUpLease: Bool = false) throws {
    let removed = unremoved
    guard givingUpLease || !removed.isEmpty else { return }
    try file.transaction {
      for session in removed { try file.removeAll(of: session) }
      if givingUpLease { try file.removeLease() }
    }
    unremoved = []
    // Without success, the next checkpoint does it: a reader has the log open.
    if !removed.isEmpty { _ = try file.emptiesLog() }
  }

  /// Reads the mutations again.
  mutating func reload() throws {
    guard let session = machine.withLock({ $0.session }) else { return }
    let contents = try file.transaction { try file.contents(of: session.storedName) }
    foreignCommitCount = contents.foreignCommitCount
    machine.withLock { $0.reload(contents) }
  }

  /// Reads the mutations again if another queue has changed the file.
  mutating func reloadIfNeeded() throws {
    guard try file.foreignCommitCount() != foreignCommitCount else { return }
    try reload()
  }
}

// MARK: - Adding

extension QueueLedger {
  /// Adds a mutation at the end of its lane.
  ///
  /// - Parameters:
  ///   - new: The mutation.
  ///   - session: The session in which the program has asked for it.
  ///   - superseded: The mutations whose place it takes.
  ///   - date: The time, in seconds since 1970.
  /// - Returns: Its number, or `nil` if another queue has changed the file, which has been read
  ///   again. The caller decides again.
  /// - Throws: ``OfflineError``, and the errors of the file.
  mutating func add(
    _ new: NewEntry, session: QueueSession, inPlaceOf superseded: [EntryRecord], at date: Double
  ) throws -> Int64? {
    try machine.withLock { machine in
      guard machine.session == session else { throw OfflineError.sessionHasEnded }
      if let used = new.rules.creates.keys.sorted().first(where: machine.names.contains) {
        throw OfflineError(
          .identifierInUse,
          "The temporary identifier '\(used)' belongs to another mutation. Make a new one for each object, such as 'UUID().uuidString'."
        )
      }
      try machine.checkLimits(new, inPlaceOf: superseded)
    }
    let id = try file.transaction { () -> Int64? in
      if try isEndedByOthers(session) { throw OfflineError.sessionHasEnded }
      // Otherwise this queue could send the mutation before an earlier one of the lane that it does
      // not know.
      guard try file.foreignCommitCount() == foreignCommitCount else { return nil }
      for old in superseded {
        guard let stored = try file.stored(old.id, session: session.storedName),
          stored.standing == old.standing, !stored.mayHaveArrived
        else { return nil }
      }
      // Before the removal, so that the largest number stays in the table.
      let id = try file.add(new, session: session.storedName, time: date)
      for old in superseded { try file.remove(old.id) }
      return id
    }
    guard let id else {
      try reload()
      return nil
    }
    let entry = new.record(id: id, time: date)
    machine.withLock { $0.add(entry, inPlaceOf: superseded) }
    return id
  }
}

// MARK: - Sending

extension QueueLedger {
  /// Returns the next work for a task. A request is in the file before it is returned.
  ///
  /// After many lanes without work it returns as well, so that other events have their turn.
  ///
  /// - Returns: `nil` if there is none before another event, or before the machine's wake time, or
  ///   if the schedule has more to look at.
  mutating func next(at now: Moment) throws -> Work? {
    for _ in 0..<Self.turnSize {
      guard let lane = machine.withLock({ $0.nextLane(at: now.time) }) else { return nil }
      do {
        if let work = try next(of: lane, at: now) { return work }
      } catch {
        machine.withLock { $0.schedule.wake([lane]) }
        throw error
      }
    }
    return nil
  }

  /// The number of lanes to look at in one turn. Each may change the file.
  private static let turnSize = 256

  private mutating func next(of lane: String, at now: Moment) throws -> Work? {
    guard isPossible(lane, at: now) else { return nil }
    guard try holdLease(at: now.date) else {
      let time = now.time + .seconds(limits.leaseTime / 2)
      machine.withLock { $0.schedule.sleep(lane, until: time) }
      return nil
    }
    // The lease may have come with changes of its former owner.
    switch machine.withLock({ $0.step(lane, at: now) }) {
    case .none: return nil
    case .wait(let time):
      machine.withLock { $0.schedule.sleep(lane, until: time) }
      return nil
    case .change(let change):
      try apply(change, at: now)
      machine.withLock { $0.schedule.wake([lane]) }
      return nil
    case .ask(let entry): return try ask(entry)
    case .send(let entry): return try send(entry)
    }
  }

  /// Returns whether a lane has something to do, and notes when it will have.
  private func isPossible(_ lane: String, at now: Moment) -> Bool {
    machine.withLock { machine in
      switch machine.step(lane, at: now) {
      case .none:
        machine.noteMissing(lane)
        return false
      case .wait(let time):
        machine.noteMissing(lane)
        machine.schedule.sleep(lane, until: time)
        return false
      case .send where machine.sendingCount >= limits.maximumLaneCount:
        machine.schedule.block(lane)
        return false
      case .send, .change, .ask: return true
      }
    }
  }

  /// Notes in the file that a request begins, if nothing has changed since the decision.
  private mutating func send(_ entry: EntryRecord) throws -> Work? {
    let (session, names) = machine.withLock { ($0.session, $0.names) }
    guard let session else { return nil }
    var sent = entry
    sent.standing.phase = .sending
    sent.standing.attempts += 1
    sent.mayHaveArrived = true
    var attempt: Attempt? = try file.transaction {
      guard try file.lease()?.owner == file.owner,
        try file.stored(entry.id, session: session.storedName)?.standing == entry.standing,
        let contents = try file.contents(of: entry.id)
      else { return nil }
      try file.update(sent)
      return Attempt(
        entry: sent, wasArrived: entry.mayHaveArrived, session: session, key: contents.key,
        payload: contents.payload, files: try file.files(of: entry.id),
        identifiers: names.reals(of: entry.needs))
    }
    guard let noted = attempt else {
      try decideAgain(entry)
      return nil
    }
    attempt?.call = machine.withLock { $0.begin(noted) }
    return attempt.map(Work.send)
  }

  private mutating func ask(_ entry: EntryRecord) throws -> Work? {
    let (session, names) = machine.withLock { ($0.session, $0.names) }
    guard let session else { return nil }
    let payload: [UInt8]? = try file.transaction {
      guard try file.lease()?.owner == file.owner,
        try file.stored(entry.id, session: session.storedName)?.standing == entry.standing
      else { return nil }
      return try file.contents(of: entry.id)?.payload
    }
    guard let payload else {
      try decideAgain(entry)
      return nil
    }
    machine.withLock { $0.beginAsking(entry) }
    return .ask(
      Question(
        entry: entry, session: session, payload: payload, identifiers: names.reals(of: entry.needs))
    )
  }

  /// Reads what another queue has changed, so that the next decision is another one.
  private mutating func decideAgain(_ entry: EntryRecord) throws {
    leaseEnd = -Double.infinity
    try reload()
    machine.withLock { $0.schedule.wake([entry.lane]) }
  }

  /// Takes over the result of a request, also of a session that has ended. The lane goes on after
  /// ``QueueMachine/end(_:)``.
  ///
  /// - Parameters:
  ///   - attempt: The request.
  ///   - outcome: Its result.
  ///   - now: The time.
  /// - Returns: `false` if the result is out of date, such as after the loss of the lease.
  /// - Throws: The errors of the file. Nothing has changed then.
  @discardableResult
  mutating func finish(
    _ attempt: Attempt, _ outcome: AttemptOutcome, at now: Moment
  ) throws -> Bool {
    let failures = machine.withLock { machine in
      machine.session == attempt.session ? machine.serverFailureCount(of: attempt.entry) : 0
    }
    let change = attempt.change(after: outcome, serverFailures: failures, limits: limits)
    let isApplied = try apply(change, session: attempt.session, at: now)
    try forgetNames()
    return isApplied
  }

  private func forgetNames() throws {
    let (session, names) = machine.withLock { ($0.session, $0.oldNames) }
    guard let session, !names.isEmpty else { return }
    let areForgotten = try file.transaction {
      // Another queue may have added a mutation that needs one of them.
      guard try file.foreignCommitCount() == foreignCommitCount else { return false }
      for name in names { try file.forget(name, session: session.storedName) }
      return true
    }
    if areForgotten { machine.withLock { $0.forget(names) } }
  }
}

// MARK: - Changes

extension QueueLedger {
  /// Applies a decision that only the queue with the lease makes.
  private mutating func apply(_ change: EntryChange, at now: Moment) throws {
    guard let session = machine.withLock({ $0.session }) else { return }
    let isApplied = try apply(change, session: session, needsLease: true, at: now)
    if !isApplied { leaseEnd = -Double.infinity }
  }

  /// Applies a decision, unless the mutation has changed since.
  ///
  /// - Returns: `false` if it has. What has changed is read.
  mutating func apply(
    _ change: EntryChange, session: QueueSession, needsLease: Bool = false, at now: Moment
  ) throws -> Bool {
    let id = change.old.id
    let isApplied = try file.transaction { () -> Bool in
      if needsLease, try file.lease()?.owner != file.owner { return false }
      guard let stored = try file.stored(id, session: session.storedName),
        change.applies(to: stored.standing)
      else { return false }
      for (temporary, real) in change.identifiers {
        try file.resolve(temporary, to: real, session: session.storedName)
      }
      switch change.result {
      case .leaves: try file.remove(id)
      case .stays(let new):
        try file.update(new)
        if let contents = change.contents { try file.update(id, contents) }
      }
      return true
    }
    let current = machine.withLock { $0.session }
    if isApplied, current == session {
      machine.withLock { $0.apply(change, at: now) }
    } else if current?.storedName == session.storedName {
      // Another queue has changed it, or the user has logged in again since.
      try reload()
    }
    return isApplied
  }

  /// Lets a mutation that failed or is uncertain wait for another attempt.
  ///
  /// - Parameters:
  ///   - id: The mutation.
  ///   - session: The session in which the decision was made.
  ///   - new: Its new contents, unsealed, or `nil` for the same.
  ///   - seal: Seals them.
  ///   - newKey: The key that it gets in place of its own, if it has one. A server that has
  ///     responded to a key gives that response again. If a request with it may have been
  ///     performed, the mutation keeps its key, unless its contents are new.
  ///   - setback: The reason to wait before the attempt, or `nil`.
  ///   - now: The time, from which the mutation has its age.
  /// - Returns: `false` if it is in another state.
  /// - Throws: The errors of the file.
  mutating func retry(
    _ id: Int64, session: QueueSession, _ new: Payload? = nil,
    sealedBy seal: (Payload) throws -> [UInt8] = { $0.bytes }, newKey: String,
    after setback: EntryChange.Setback? = nil, at now: Moment
  ) throws -> Bool {
    let (current, old, names) = machine.withLock { ($0.session, $0.entries[id], $0.names) }
    guard current == session, let old, old.phase == .failed || old.phase == .uncertain,
      let stored = try file.contents(of: id)
    else { return false }
    var entry = old
    entry.standing.phase = .waiting
    entry.failure = nil
    entry.time = now.date
    var change = EntryChange(old: old, result: .stays(entry))
    change.setback = setback
    // An earlier request with the key may have been performed, whatever the latest one was told.
    let endsKey = (old.failure?.isRejection ?? false) && !old.mayHaveArrived
    let replacesKey = old.isKeyed && (endsKey || new != nil)
    if new != nil || replacesKey {
      change.contents = NewContents(key: replacesKey ? newKey : stored.key)
      entry.standing.revision += 1
    }
    if let new {
      let (resolved, needs) = names.resolving(new, former: old.needs)
      let bytes = try seal(resolved)
      change.contents?.payload = bytes
      // Another mutation for the server, which has received no request of it.
      entry.mayHaveArrived = false
      entry.needs = needs.filter { old.creates[$0] == nil }
      entry.isVisible = resolved.isVisible
      entry.byteCount += Int64(bytes.count) - Int64(stored.payload.count)
    }
    change.result = .stays(entry)
    return try apply(change, session: session, at: now)
  }

  /// Takes a mutation out of the queue that is not being sent.
  ///
  /// - Returns: `false` if it is being sent, or is not in the queue.
  mutating func remove(
    _ id: Int64, session: QueueSession, _ ending: OfflineEnding,
    identifiers: [String: String] = [:], at now: Moment
  ) throws -> Bool {
    let (current, entry) = machine.withLock { ($0.session, $0.entries[id]) }
    guard current == session, let entry, entry.phase != .sending else { return false }
    var change = EntryChange(old: entry, result: .leaves(ending))
    change.identifiers = identifiers.filter { entry.creates[$0.key] != nil }
    return try apply(change, session: session, at: now)
  }
}

// MARK: - Lease

extension QueueLedger {
  /// Takes or prolongs the right to send.
  ///
  /// What its former owner was sending when it ended may have arrived: ``QueueMachine/step(_:at:)``
  /// decides about mutations in the state `sending` for which no task works.
  ///
  /// - Returns: `false` if another queue has it.
  mutating func holdLease(at date: Double) throws -> Bool {
    let remaining = leaseEnd - date
    if remaining > limits.leaseTime / 2, remaining <= limits.leaseTime { return true }
    let isNew: Bool? = try file.transaction {
      let lease = try file.lease()
      if let lease, lease.owner != file.owner, lease.expires > date,
        // Otherwise the clock was set back.
        lease.expires <= date + lease.duration, mayBeAlive(lease)
      {
        return nil
      }
      try file.setLease(of: process, from: date, duration: limits.leaseTime)
      return lease?.owner != file.owner
    }
    guard let isNew else {
      leaseEnd = -Double.infinity
      return false
    }
    if isNew { try reload() }
    leaseEnd = date + limits.leaseTime
    return true
  }

  /// Prolongs the lease while requests are under way.
  mutating func keepLease(at date: Double) throws {
    if machine.withLock({ $0.sendingCount > 0 }) { _ = try holdLease(at: date) }
  }

  /// Returns whether the process with a lease may exist. One in another container may have any
  /// number.
  private func mayBeAlive(_ lease: OfflineFile.Lease) -> Bool {
    guard lease.space == process.space, lease.process != process.number else { return true }
    return kill(pid_t(truncatingIfNeeded: lease.process), 0) == 0 || errno != ESRCH
  }
}
