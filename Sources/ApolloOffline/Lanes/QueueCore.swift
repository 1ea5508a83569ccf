import ApolloAPI
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The logic of a queue: which mutation is sent next, and what follows from a result.
///
/// Synchronous, without clocks and networks. Each event changes the file in one transaction first,
/// and then what is in memory, so a failure of the disk changes nothing. Events of a lane:
///
/// | head of the lane | event | next |
/// | :-- | :-- | :-- |
/// | waiting | its turn (``take(lane:at:)``) | sending: noted in the file before the request |
/// | waiting | too old, or its creator has left without an identifier | failed |
/// | sending | performed | gone, with the identifiers it has created |
/// | sending | not performed | waiting, until the lane's backoff is over |
/// | sending | unknown, with a key | waiting, with the same key |
/// | sending | unknown, without a key | by its rule: uncertain, gone, waiting |
/// | sending | rejected | by its rule: failed, gone; the handler is asked while it is failed |
/// | sending | the process ends | as unknown, when a queue takes the lease |
/// | failed, uncertain | a decision of the program | waiting, gone |
///
/// Isolation: a value behind the lock of the queue.
struct QueueCore {
  /// The limits and times of a queue.
  struct Limits: Sendable {
    var maximumCount = 100_000
    var maximumByteCount: Int64 = 1 << 30
    /// In seconds.
    var maximumAge: Double?
    var maximumServerFailures = 20
    var leaseTime: Double = 10
    var baseDelay = Duration.seconds(1)
    var maximumDelay = Duration.seconds(300)
  }

  /// The moment of an event: the time on the clock of alarms, and seconds since 1970.
  struct Moment: Sendable {
    var time: Duration
    var date: Double
  }

  /// One lane.
  struct Lane {
    /// The mutations in their order.
    var ids: [Int64] = []
    /// The mutation of the lane that a task works for: its request, or its handler.
    var busy: Int64?
    /// The number of attempts in a row that have failed.
    var failureCount = 0
    var serverFailureCount = 0
    var notBefore = Duration.zero
  }

  /// The next thing that a lane can do.
  enum Step {
    case send(Attempt)
    /// The handler decides about a rejected mutation.
    case ask(Int64)
    /// Nothing before this time.
    case wait(until: Duration)
    /// Nothing before another event.
    case none
  }

  let file: OfflineFile
  let limits: Limits
  private(set) var session: String?
  private(set) var entries: [Int64: EntryRecord] = [:]
  private(set) var lanes: [String: Lane] = [:]
  private(set) var counts = OfflineCounts()
  /// The operations that can be sent.
  var registered: Set<String> = []
  var isOnline = true
  /// `true` from the attachment to a client to the end of the queue.
  var isRunning = false
  private var byteCount: Int64 = 0
  /// The mutations of other sessions.
  private var others: (count: Int64, byteCount: Int64) = (0, 0)
  /// The temporary identifiers without real ones, and the mutations that create them.
  private var creators: [String: Int64] = [:]
  private(set) var identifiers: [String: String] = [:]
  /// The new mutations whose optimistic data is not visible yet.
  private var held: Set<Int64> = []
  /// The rejected mutations whose handlers have not been asked.
  private var unasked: Set<Int64> = []
  /// Of the mutations that are being sent: `true` if an earlier request may have arrived.
  private var wasArrived: [Int64: Bool] = [:]
  /// The rejected mutations whose handlers have been asked.
  private var asked: Set<Int64> = []
  /// The moment until which this queue may send, in seconds since 1970.
  private var leaseEnd = -Double.infinity
  private var foreignCommitCount: Int64 = 0
  /// The mutations whose visibility may have changed without an event of their lane's worker.
  private var touched: Set<Int64> = []
  /// The changes of state that have not been reported.
  private var events: [OfflineEvent] = []
  private let process = Int64(getpid())
  /// A number from 0 to 1, which spreads the attempts of many programs.
  var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }

  init(file: OfflineFile, limits: Limits) {
    self.file = file
    self.limits = limits
  }

  /// Returns the changes of state since the last call.
  mutating func takeEvents() -> [OfflineEvent] {
    defer { events = [] }
    return events
  }

  /// Returns the mutations whose visibility may have changed since the last call.
  mutating func takeTouched() -> [Int64] {
    guard !touched.isEmpty else { return [] }
    defer { touched = [] }
    return touched.sorted()
  }

  var orderedEntries: [EntryRecord] { entries.values.sorted { $0.id < $1.id } }

  /// The lanes that have something to do, the oldest mutation first.
  var idleLanes: [String] {
    guard isRunning, session != nil else { return [] }
    return lanes.filter { $0.value.busy == nil && !$0.value.ids.isEmpty }
      .sorted { $0.value.ids[0] < $1.value.ids[0] }.map(\.key)
  }
}

// MARK: - Sessions

extension QueueCore {
  /// Reads the mutations of a session from the file.
  mutating func begin(_ session: String) throws {
    self.session = session
    try load()
  }

  /// Forgets the mutations of the session, and removes them from the file if they are not kept.
  mutating func endSession(keeping: Bool) throws {
    guard let session else { return }
    // First of all, because nothing is sent without a session.
    self.session = nil
    let ended = orderedEntries
    entries = [:]
    lanes = [:]
    counts = OfflineCounts()
    (creators, identifiers, unasked, asked, held, byteCount) = ([:], [:], [], [], [], 0)
    for entry in ended { report(entry, .done(.sessionEnded)) }
    if !keeping {
      try file.transaction { try file.removeAll(of: session) }
      try file.truncateLog()
    }
    try file.removeLease()
    leaseEnd = -Double.infinity
  }

  private mutating func load() throws {
    guard let session else { return }
    let busy = lanes.compactMapValues(\.busy)
    foreignCommitCount = try file.foreignCommitCount()
    let stored = try file.entries(of: session)
    let size = try file.size()
    entries.reserveCapacity(stored.count)
    (entries, creators, identifiers) = ([:], [:], [:])
    (counts, byteCount) = (OfflineCounts(), 0)
    for name in lanes.keys { lanes[name]?.ids = [] }
    for entry in stored {
      entries[entry.id] = entry
      lanes[entry.lane, default: Lane()].ids.append(entry.id)
      count(entry, 1)
      byteCount += entry.byteCount
      if entry.phase == .failed, entry.conflict == .handler, !asked.contains(entry.id) {
        unasked.insert(entry.id)
      }
    }
    unasked = unasked.filter { entries[$0] != nil && !busy.values.contains($0) }
    others = (size.count - Int64(stored.count), size.byteCount - byteCount)
    for (temporary, creator, real) in try file.identifiers(of: session) {
      if let real { identifiers[temporary] = real } else { creators[temporary] = creator }
    }
  }

  /// Reads the file again if another process has changed it.
  ///
  /// - Returns: `true` if it has.
  mutating func reloadIfNeeded() throws -> Bool {
    guard session != nil, try file.foreignCommitCount() != foreignCommitCount else { return false }
    let before = entries
    try load()
    for entry in orderedEntries where before[entry.id]?.state != entry.state {
      touched.insert(entry.id)
      report(entry, entry.state)
    }
    for entry in before.values.sorted(by: { $0.id < $1.id }) where entries[entry.id] == nil {
      // Another process has the response.
      touched.insert(entry.id)
      report(entry, .done(.assumed))
    }
    return true
  }
}

// MARK: - Adding

extension QueueCore {
  /// Returns the mutation that a new one with the same subject takes the place of or is merged
  /// with.
  func superseded(by subject: String, in lane: String, operationName: String) -> [Int64] {
    (lanes[lane]?.ids ?? []).filter { id in
      guard let entry = entries[id], entry.subject == subject, lanes[lane]?.busy != id else {
        return false
      }
      return entry.operationName == operationName && entry.canBeSuperseded
    }
  }

  /// Returns the temporary identifiers in a payload that have no real ones, and the payload with
  /// the others replaced.
  func resolving(_ payload: Payload) -> (Payload, needs: [String]) {
    guard !creators.isEmpty || !identifiers.isEmpty else { return (payload, []) }
    var needs: Set<String> = []
    var isResolved = true
    payload.forEachText { text in
      if creators[text] != nil { needs.insert(text) }
      if identifiers[text] != nil { isResolved = false }
    }
    return (isResolved ? payload : payload.replacingTexts(identifiers), needs.sorted())
  }

  /// Adds a mutation at the end of its lane.
  ///
  /// - Parameters:
  ///   - new: The mutation.
  ///   - superseded: The mutations whose place it takes.
  ///   - date: The time, in seconds since 1970.
  /// - Returns: Its number, or `nil` if one of those has changed its state.
  /// - Throws: ``OfflineError``, and the errors of the file.
  mutating func add(_ new: NewEntry, superseding superseded: [Int64], at date: Double) throws
    -> Int64?
  {
    guard let session else {
      throw OfflineError(
        .noSession, "No session has begun. Call 'beginSession(_:)' after the login.")
    }
    let isPossible = superseded.allSatisfy { id in
      entries[id].map { $0.canBeSuperseded && lanes[$0.lane]?.busy != id } ?? false
    }
    guard isPossible else { return nil }
    try checkLimits(new)
    let id = try file.transaction {
      for id in superseded {
        // Another process may send it now.
        guard try file.standing(of: id)?.phase == .waiting else { return Int64?.none }
        try file.remove(id)
      }
      return try file.add(new, session: session, time: date)
    }
    guard let id else {
      foreignCommitCount = -1  // read again at the next chance
      return nil
    }
    for id in superseded { removeFromMemory(id, .superseded) }
    let entry = EntryRecord(
      id: id, lane: new.lane, operationName: new.operationName, time: date,
      byteCount: new.byteCount, isKeyed: new.key != nil, conflict: new.rules.conflict,
      uncertainty: new.rules.uncertainty, subject: new.rules.superseding.subject, needs: new.needs,
      creates: new.rules.creates, isVisible: new.isVisible)
    entries[id] = entry
    lanes[entry.lane, default: Lane()].ids.append(id)
    for temporary in entry.creates.keys { creators[temporary] = id }
    byteCount += entry.byteCount
    count(entry, 1)
    held.insert(id)
    report(entry, .waiting)
    return id
  }

  /// Lets a new mutation be sent, whose optimistic data is visible now.
  mutating func release(_ id: Int64) { held.remove(id) }

  private func checkLimits(_ new: NewEntry) throws {
    let count = Int64(entries.count) + others.count
    guard count < limits.maximumCount else {
      throw OfflineError(
        .full,
        "\(count) mutations wait, which is the limit. Wait until some are sent, or raise 'maximumCount'."
      )
    }
    let bytes = byteCount + others.byteCount + new.byteCount
    guard bytes <= limits.maximumByteCount else {
      throw OfflineError(
        .full,
        "The waiting mutations would have \(bytes) bytes, above the limit of \(limits.maximumByteCount). Wait until some are sent, or raise 'maximumByteCount'."
      )
    }
  }
}

// MARK: - Sending

extension QueueCore {
  /// Returns what a lane does next. A request is noted in the file before it is returned.
  mutating func take(lane name: String, at now: Moment) throws -> Step {
    guard isRunning, let session, let lane = lanes[name], lane.busy == nil,
      let id = lane.ids.first, !held.contains(id), var entry = entries[id]
    else { return .none }
    switch entry.phase {
    case .uncertain: return .none
    case .sending:
      // Another queue sends it, or its sender has ended: then the lease is free.
      let isRecovered = try holdLease(session, at: now.date) && entries[id]?.phase != .sending
      return .wait(until: isRecovered ? now.time : now.time + .seconds(limits.leaseTime / 2))
    case .failed:
      guard unasked.contains(id), registered.contains(entry.operationName) else { return .none }
      unasked.remove(id)
      asked.insert(id)
      lanes[name]?.busy = id
      return .ask(id)
    case .waiting: break
    }
    guard try holdLease(session, at: now.date) else {
      return .wait(until: now.time + .seconds(limits.leaseTime / 2))
    }
    // The lease may have come with changes of its former owner.
    guard let current = entries[id], current.phase == .waiting, lanes[name]?.ids.first == id else {
      return .wait(until: now.time)
    }
    entry = current
    if let age = limits.maximumAge, now.date - entry.time > age, !entry.mayHaveArrived {
      return try fail(entry, OfflineFailure(.expired))
    }
    for need in entry.needs where identifiers[need] == nil {
      if let creator = creators[need], entries[creator] != nil { return .none }
      return try fail(entry, OfflineFailure(.dependency, messages: [need]))
    }
    guard registered.contains(entry.operationName), isOnline else { return .none }
    if now.time < lane.notBefore { return .wait(until: lane.notBefore) }
    return try send(entry, session, at: now.date)
  }

  private mutating func fail(_ entry: EntryRecord, _ failure: OfflineFailure) throws -> Step {
    touched.insert(entry.id)
    try reject(entry, failure)
    return .wait(until: .zero)
  }

  private mutating func send(
    _ entry: EntryRecord, _ session: String, at date: Double
  ) throws -> Step {
    var sent = entry
    sent.phase = .sending
    sent.attempts += 1
    sent.mayHaveArrived = true
    let attempt: Attempt? = try file.transaction {
      // Another queue may have taken the lease, or ended the mutation, since the last look.
      guard try file.lease()?.owner == file.owner else { return nil }
      guard let standing = try file.standing(of: entry.id), standing.phase == .waiting,
        let contents = try file.contents(of: entry.id)
      else { return nil }
      try file.update(sent)
      return Attempt(
        id: entry.id, number: sent.attempts, operationName: entry.operationName,
        key: contents.key, payload: contents.payload, files: try file.files(of: entry.id),
        identifiers: entry.needs.isEmpty ? [:] : identifiers, creates: entry.creates)
    }
    guard let attempt else {
      leaseEnd = -Double.infinity
      foreignCommitCount = -1
      return .wait(until: .zero)
    }
    replace(entry, with: sent)
    lanes[entry.lane]?.busy = entry.id
    wasArrived[entry.id] = entry.mayHaveArrived
    return .send(attempt)
  }

  /// Takes over the result of a request.
  ///
  /// - Returns: `false` if the result is out of date, such as after the loss of the lease.
  @discardableResult
  mutating func finish(
    _ attempt: Attempt, _ outcome: AttemptOutcome, at now: Moment
  ) throws -> Bool {
    let id = attempt.id
    guard var entry = entries[id], let session else { return try finishUnknown(attempt, outcome) }
    var isCurrent = entry.phase == .sending && entry.attempts == attempt.number
    if case .performed(let new) = outcome {
      try perform(entry, new, session)
      lanes[entry.lane]?.failureCount = 0
      lanes[entry.lane]?.serverFailureCount = 0
      release(id, in: entry.lane)
      return true
    }
    // Another queue may have taken the lease, and sent the mutation again.
    if isCurrent, let standing = try file.standing(of: id) {
      isCurrent = standing.phase == .sending && standing.attempts == attempt.number
    }
    guard isCurrent else {
      foreignCommitCount = -1
      release(id, in: entry.lane)
      return false
    }
    switch outcome {
    case .performed: break
    case .rejected(let failure): try reject(entry, failure)
    case .notPerformed(let delay, let isFaultOfServer):
      entry.mayHaveArrived = wasArrived[id] ?? true
      try postpone(entry, delay, isFaultOfServer, at: now)
    case .unknown(let delay, let isFaultOfServer):
      if entry.isKeyed || entry.uncertainty == .retry {
        try postpone(entry, delay, isFaultOfServer, at: now)
      } else {
        try leaveUncertain(entry)
      }
    }
    wasArrived[id] = nil
    release(id, in: entry.lane)
    return true
  }

  /// The result of a mutation that is not in memory any more: its session has ended, or another
  /// process has ended it.
  private mutating func finishUnknown(
    _ attempt: Attempt, _ outcome: AttemptOutcome
  ) throws -> Bool {
    guard case .performed = outcome else { return false }
    try file.transaction { try file.remove(attempt.id) }
    return false
  }

  private mutating func perform(
    _ entry: EntryRecord, _ new: [String: String], _ session: String
  ) throws {
    try file.transaction {
      try file.remove(entry.id)
      for (temporary, real) in new { try file.resolve(temporary, to: real, session: session) }
    }
    for (temporary, real) in new {
      identifiers[temporary] = real
      creators[temporary] = nil
    }
    removeFromMemory(entry.id, .performed)
  }

  private mutating func postpone(
    _ entry: EntryRecord, _ delay: Duration?, _ isFaultOfServer: Bool, at now: Moment
  ) throws {
    let failures = (lanes[entry.lane]?.serverFailureCount ?? 0) + 1
    if isFaultOfServer, failures >= limits.maximumServerFailures {
      return try reject(entry, OfflineFailure(.repeatedly))
    }
    var waiting = entry
    waiting.phase = .waiting
    try file.transaction { try file.update(waiting) }
    replace(entry, with: waiting)
    guard var lane = lanes[entry.lane] else { return }
    if isFaultOfServer { lane.serverFailureCount = failures }
    let doubled = min(limits.baseDelay * (1 << min(lane.failureCount, 20)), limits.maximumDelay)
    let backoff = doubled / 2 + doubled / 2 * jitter()
    lane.failureCount += 1
    lane.notBefore = now.time + max(backoff, min(delay ?? .zero, .seconds(86_400)))
    lanes[entry.lane] = lane
  }

  private mutating func leaveUncertain(_ entry: EntryRecord) throws {
    guard entry.uncertainty == .ask else { return try drop(entry, .assumed) }
    var uncertain = entry
    uncertain.phase = .uncertain
    try file.transaction { try file.update(uncertain) }
    replace(entry, with: uncertain)
  }

  private mutating func reject(_ entry: EntryRecord, _ failure: OfflineFailure) throws {
    guard entry.conflict != .skip else { return try drop(entry, .dropped) }
    var failed = entry
    failed.phase = .failed
    failed.failure = failure
    try file.transaction { try file.update(failed) }
    replace(entry, with: failed)
    lanes[entry.lane]?.failureCount = 0
    lanes[entry.lane]?.serverFailureCount = 0
    if entry.conflict == .handler { unasked.insert(entry.id) }
    asked.remove(entry.id)
  }

  private mutating func drop(_ entry: EntryRecord, _ ending: OfflineEnding) throws {
    try file.transaction { try file.remove(entry.id) }
    removeFromMemory(entry.id, ending)
  }
}

// MARK: - Decisions

extension QueueCore {
  /// Lets a mutation that failed or is uncertain wait for another attempt.
  ///
  /// - Parameters:
  ///   - id: The mutation.
  ///   - payload: Its new contents, sealed, or `nil` for the same.
  ///   - newKey: The key that it gets in place of its own, if it has one. A server that has
  ///     responded to a key gives that response again. If no response to it has come, the mutation
  ///     keeps its key, unless its contents are new.
  /// - Returns: `false` if it is in another state.
  /// - Throws: The errors of the file.
  mutating func retry(_ id: Int64, payload: [UInt8]? = nil, newKey: String) throws -> Bool {
    guard let old = entries[id], old.phase == .failed || old.phase == .uncertain else {
      return false
    }
    let hasResponse = old.failure?.isResponse ?? false
    var entry = old
    if hasResponse { entry.mayHaveArrived = false }
    entry.phase = .waiting
    entry.failure = nil
    try file.transaction {
      let replacesKey = old.isKeyed && (hasResponse || payload != nil)
      if payload != nil || replacesKey {
        let kept = try file.contents(of: id)?.key
        try file.update(id, payload: payload, key: replacesKey ? newKey : kept)
      }
      try file.update(entry)
    }
    replace(old, with: entry)
    unasked.remove(id)
    asked.remove(id)
    lanes[entry.lane]?.notBefore = .zero
    return true
  }

  /// Takes a mutation out of the queue that is not being sent.
  ///
  /// - Returns: `false` if it is being sent, or is not in the queue.
  mutating func remove(_ id: Int64, _ ending: OfflineEnding) throws -> Bool {
    guard let entry = entries[id], entry.phase != .sending else { return false }
    let isRemoved = try file.transaction {
      guard let phase = try file.standing(of: id)?.phase, phase != .sending else { return false }
      try file.remove(id)
      return true
    }
    if isRemoved { removeFromMemory(entry.id, ending) }
    return isRemoved
  }

  /// Ends the question to a handler.
  mutating func endAsking(_ id: Int64, in lane: String) { release(id, in: lane) }

  /// Lets a lane go on, and forgets it if nothing is in it.
  private mutating func release(_ id: Int64, in name: String) {
    guard lanes[name]?.busy == id else { return }
    lanes[name]?.busy = nil
    if lanes[name]?.ids.isEmpty == true { lanes[name] = nil }
  }

  /// Lets all lanes send at once.
  mutating func endBackoff() {
    for name in lanes.keys { lanes[name]?.notBefore = .zero }
  }
}

// MARK: - Lease

extension QueueCore {
  /// Takes or prolongs the right to send.
  ///
  /// What its former owner was sending when it ended may have arrived.
  ///
  /// - Returns: `false` if another queue has it.
  private mutating func holdLease(_ session: String, at date: Double) throws -> Bool {
    let remaining = leaseEnd - date
    if remaining > limits.leaseTime / 2, remaining <= limits.leaseTime { return true }
    let isNew: Bool? = try file.transaction {
      let lease = try file.lease()
      if let lease, lease.owner != file.owner, lease.expires > date,
        lease.expires <= date + limits.leaseTime, isAlive(lease.process)
      {
        return nil
      }
      try file.setLease(process: process, expires: date + limits.leaseTime)
      return lease?.owner != file.owner
    }
    guard let isNew else {
      leaseEnd = -Double.infinity
      return false
    }
    leaseEnd = date + limits.leaseTime
    if isNew { try recover() }
    return true
  }

  /// Prolongs the lease while requests are under way, if it is held.
  ///
  /// - Returns: The time in seconds until it has to be prolonged again, or `nil` if nothing is
  ///   sent.
  mutating func keepLease(at date: Double) throws -> Double? {
    guard let session, lanes.values.contains(where: { $0.busy != nil }) else { return nil }
    _ = try holdLease(session, at: date)
    return limits.leaseTime / 3
  }

  private func isAlive(_ process: Int64) -> Bool {
    guard process != self.process else { return true }
    return kill(pid_t(truncatingIfNeeded: process), 0) == 0 || errno != ESRCH
  }

  /// Decides about the mutations whose requests were under way when their sender ended.
  private mutating func recover() throws {
    _ = try reloadIfNeeded()
    let busy = Set(lanes.values.compactMap(\.busy))
    for entry in orderedEntries where entry.phase == .sending && !busy.contains(entry.id) {
      touched.insert(entry.id)
      if entry.isKeyed || entry.uncertainty == .retry {
        var waiting = entry
        waiting.phase = .waiting
        try file.transaction { try file.update(waiting) }
        replace(entry, with: waiting)
      } else {
        try leaveUncertain(entry)
      }
    }
  }

  /// Stops sending and gives the lease up.
  mutating func close() throws {
    isRunning = false
    try file.removeLease()
    leaseEnd = -Double.infinity
  }
}

// MARK: - Visibility

extension QueueCore {
  /// Indicates whether the optimistic data of a mutation is in a layer of its own above those that
  /// have been sent.
  func isShown(_ id: Int64) -> Bool {
    guard let entry = entries[id], entry.isVisible else { return false }
    return switch entry.phase {
    case .waiting, .uncertain: true
    case .sending: lanes[entry.lane]?.busy != id
    case .failed: false
    }
  }

  /// Returns the sealed contents of a mutation, and the real identifiers of those that it needs.
  func contents(of id: Int64) throws -> (payload: [UInt8], identifiers: [String: String])? {
    guard let entry = entries[id], let contents = try file.contents(of: id) else { return nil }
    return (contents.payload, entry.needs.isEmpty ? [:] : identifiers)
  }

  /// The visible mutations that need one of these identifiers.
  func dependents(of identifiers: some Collection<String>) -> [Int64] {
    guard !identifiers.isEmpty else { return [] }
    return entries.values.filter { entry in entry.needs.contains(where: identifiers.contains) }
      .map(\.id).sorted()
  }
}

// MARK: - Memory

extension QueueCore {
  private mutating func count(_ entry: EntryRecord, _ change: Int) {
    switch entry.phase {
    case .waiting: counts.waiting += change
    case .sending: counts.sending += change
    case .failed: counts.failed += change
    case .uncertain: counts.uncertain += change
    }
  }

  private mutating func replace(_ old: EntryRecord, with new: EntryRecord) {
    count(old, -1)
    count(new, 1)
    entries[new.id] = new
    report(new, new.state)
  }

  private mutating func removeFromMemory(_ id: Int64, _ ending: OfflineEnding) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    count(entry, -1)
    byteCount -= entry.byteCount
    unasked.remove(id)
    asked.remove(id)
    held.remove(id)
    wasArrived[id] = nil
    if var lane = lanes.removeValue(forKey: entry.lane) {
      // Out of the dictionary meanwhile, so that the array is not copied.
      if lane.ids.first == id {
        lane.ids.removeFirst()
      } else if let index = lane.ids.firstIndex(of: id) {
        lane.ids.remove(at: index)
      }
      if !lane.ids.isEmpty || lane.busy != nil { lanes[entry.lane] = lane }
    }
    report(entry, .done(ending))
  }

  private mutating func report(_ entry: EntryRecord, _ state: OfflineState) {
    events.append(
      OfflineEvent(
        id: OfflineID(number: entry.id), operationName: entry.operationName, lane: entry.lane,
        state: state))
  }
}
