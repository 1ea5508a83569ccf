import ApolloAPI
import ApolloTransport

/// The logic of a queue: which mutation is sent next, and what follows from a result.
///
/// It knows neither files nor clocks, networks and tasks. ``step(_:at:)`` returns what a lane does
/// next. ``QueueLedger`` notes that in the file, and then comes back with what has happened.
///
/// | head of the lane | event | next |
/// | :-- | :-- | :-- |
/// | waiting | its turn | sending: noted in the file before the request |
/// | waiting | too old | failed; uncertain, if it may have been performed |
/// | waiting | its creator has left without an identifier | failed |
/// | sending | performed | gone, with the identifiers it has created |
/// | sending | not performed | waiting, until the lane's backoff is over |
/// | sending | unknown, with a key | waiting, with the same key |
/// | sending | unknown, without a key | by its rule: uncertain, gone, waiting |
/// | sending | rejected | by its rule: failed, gone; the handler is asked while it is failed |
/// | sending | no task of the lease's holder works for it | as unknown |
/// | sending | its request belongs to a former session of the user, and has not ended | by its end; with a key, as unknown |
/// | failed, uncertain | a decision of the program | waiting, gone |
///
/// Isolation: a value behind a lock. Only the ledger changes it, except for ``registered`` and what
/// ``networkChanged(isAvailable:)`` and ``endBackoff()`` change, which any thread may call.
struct QueueMachine: Sendable {
  /// The next thing that a lane can do.
  enum Step: Sendable {
    /// A decision that needs no request.
    case change(EntryChange)
    case send(EntryRecord)
    /// The handler decides about a rejected mutation.
    case ask(EntryRecord)
    /// Nothing before this time.
    case wait(until: Duration)
    /// Nothing before another event.
    case none
  }

  let limits: QueueLimits
  private(set) var session: QueueSession?
  /// `true` from the moment at which nothing of the session is sent any more to its end in the
  /// file.
  private(set) var isEnding = false
  /// The wish of the program about the mutations of a session that ends, if it has one.
  private(set) var keepsAtEnd: Bool?
  /// The sessions of the calls that send for the session, or `nil` if nothing may be sent. Each
  /// session of the queue and each client has one of its own, which ends with it and never comes
  /// back.
  private(set) var calls: CallSessions?
  private(set) var entries: [Int64: EntryRecord] = [:]
  private(set) var lanes: [String: QueueLane] = [:]
  var schedule = LaneSchedule()
  private(set) var counts = OfflineCounts()
  private(set) var byteCount: Int64 = 0
  /// The mutations of other sessions.
  private(set) var others: (count: Int64, byteCount: Int64) = (0, 0)
  /// The waiting mutations that later ones may take the place of, in their order.
  private var subjects: [Subject: [Int64]] = [:]
  /// The operations that can be sent.
  var registered: Set<String> = []
  private(set) var isOnline = true
  /// The number of requests under way that the session has begun.
  private(set) var sendingCount = 0
  /// The attempts of this queue that have not ended, by their mutations. Those of former sessions
  /// are among them, because the mutation may be here again, after another login.
  private var underWay: [Int64: Int64] = [:]
  private(set) var names = TemporaryNames()
  /// The mutations whose optimistic data a request of this session shows.
  private var requested: Set<Int64> = []
  /// The types of mutations that wait to be registered, and those of which that was reported.
  private var missing: Set<String> = []
  private var reportedMissing: Set<String> = []
  /// The new mutations whose optimistic data is not visible yet.
  private var held: Set<Int64> = []
  /// The rejected mutations whose handlers have been asked.
  private var asked: Set<Int64> = []
  /// The mutations whose visibility may have changed.
  private var touched: Set<Int64> = []
  /// The changes of state that have not been reported.
  private var events: [OfflineEvent] = []
  /// The counts that were reported last.
  private var reportedCounts = OfflineCounts()
  /// A number from 0 to 1, which spreads the attempts of many programs.
  var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }

  init(limits: QueueLimits) { self.limits = limits }

  /// Returns the changes of state since the last call.
  mutating func takeEvents() -> [OfflineEvent] {
    defer { events = [] }
    return events
  }

  /// Returns whether the counts have changed since the last call. They do so without a change of
  /// state when a session begins with what was kept of an earlier one.
  mutating func takeChangeOfCounts() -> Bool {
    defer { reportedCounts = counts }
    return counts != reportedCounts
  }

  /// Returns the mutations whose visibility may have changed since the last call.
  mutating func takeTouched() -> [Int64] {
    guard !touched.isEmpty else { return [] }
    defer { touched = [] }
    return touched.sorted()
  }

  /// Returns the types of mutations that cannot be sent, because they are not registered. Each is
  /// returned once.
  mutating func takeMissing() -> [String] {
    guard !missing.isEmpty else { return [] }
    defer { missing = [] }
    reportedMissing.formUnion(missing)
    return missing.sorted()
  }

  var orderedEntries: [EntryRecord] { entries.values.sorted { $0.id < $1.id } }

  /// Looks at all lanes, the one with the oldest mutation first.
  mutating func wakeAll() {
    schedule.wake(
      lanes.filter { $0.value.activity == .none }
        .sorted { ($0.value.ids.first ?? .max) < ($1.value.ids.first ?? .max) }.map(\.key))
  }

  /// Lets all lanes send at once.
  mutating func endBackoff() {
    for name in lanes.keys {
      lanes[name]?.backoffTime = .zero
      lanes[name]?.requestedTime = .zero
    }
    wakeAll()
  }

  /// Stops sending, or lets all lanes send but those of which a server wants nothing yet.
  mutating func networkChanged(isAvailable: Bool) {
    isOnline = isAvailable
    if isAvailable {
      for name in lanes.keys { lanes[name]?.backoffTime = .zero }
    }
    wakeAll()
  }

  /// Lets what waits be shown again, because it can be shown now, or in another way.
  mutating func touchVisible(_ operationName: String? = nil) {
    for entry in entries.values
    where entry.isVisible && entry.operationName == operationName ?? entry.operationName {
      touched.insert(entry.id)
    }
  }

  /// Lets mutations of a type be sent, and their handler be asked.
  mutating func register(_ operationName: String) {
    registered.insert(operationName)
    asked = asked.filter { entries[$0]?.operationName != operationName }
    wakeAll()
  }

  mutating func touch(_ ids: some Sequence<Int64>) { touched.formUnion(ids) }
}

// MARK: - Sessions and loading

extension QueueMachine {
  mutating func begin(_ session: QueueSession, _ contents: FileContents) {
    (self.session, isEnding) = (session, false)
    calls = CallSessions()
    load(contents)
    touched.formUnion(entries.keys)
    wakeAll()
  }

  /// Forgets the mutations of the session. Nothing is sent without a session.
  mutating func endSession() {
    let ended = orderedEntries
    (session, isEnding, calls, keepsAtEnd) = (nil, false, nil, nil)
    (entries, lanes, schedule) = ([:], [:], LaneSchedule())
    (counts, byteCount, others) = (OfflineCounts(), 0, (0, 0))
    (names, held, asked) = (TemporaryNames(), [], [])
    (requested, subjects) = ([], [:])
    // What still runs belongs to the former session, and takes no place of the next one.
    sendingCount = 0
    touched.formUnion(ended.map(\.id))
    for entry in ended { report(entry, .done(.sessionEnded)) }
  }

  /// Lets nothing of the session be sent any more.
  ///
  /// - Returns: The session, and the calls that the caller ends.
  mutating func stopSending(keeping: Bool? = nil) -> (QueueSession?, CallSessions?) {
    isEnding = session != nil
    if isEnding, let keeping { keepsAtEnd = keeping }
    return (session, stopCalls())
  }

  /// Lets nothing be sent before ``allowCalls()``, or before the next session.
  ///
  /// - Returns: The calls that the caller ends.
  mutating func stopCalls() -> CallSessions? {
    defer { calls = nil }
    return calls
  }

  /// Lets the session send with a client that takes the queue over, unless it ends.
  mutating func allowCalls() {
    if session != nil, !isEnding, calls == nil { calls = CallSessions() }
  }

  /// Takes over what another queue has changed in the file.
  mutating func reload(_ contents: FileContents) {
    let (before, known) = (entries, names)
    load(contents)
    for entry in orderedEntries {
      if let old = before[entry.id], old.standing == entry.standing {
        // Another queue may have received an identifier with which the mutation is shown now.
        if !entry.needs.isEmpty, known.reals(of: entry.needs) != names.reals(of: entry.needs) {
          touched.insert(entry.id)
        }
      } else {
        // The handler has seen what has become of an earlier attempt.
        asked.remove(entry.id)
        touched.insert(entry.id)
        report(entry, entry.state)
      }
    }
    for entry in before.values.sorted(by: { $0.id < $1.id }) where entries[entry.id] == nil {
      // Another queue has the response.
      touched.insert(entry.id)
      report(entry, .done(.assumed))
    }
    wakeAll()
  }

  private mutating func load(_ contents: FileContents) {
    (entries, counts, byteCount) = ([:], OfflineCounts(), 0)
    subjects = [:]
    entries.reserveCapacity(contents.entries.count)
    for name in lanes.keys { lanes[name]?.ids = [] }
    for entry in contents.entries {
      entries[entry.id] = entry
      lanes[entry.lane, default: QueueLane()].ids.append(entry.id)
      if let subject = Subject(entry) { subjects[subject, default: []].append(entry.id) }
      count(entry, 1)
      byteCount += entry.byteCount
    }
    lanes = lanes.filter { !$0.value.isOver }
    held = held.filter { entries[$0] != nil }
    asked = asked.filter { entries[$0]?.phase == .failed }
    others = (
      contents.size.count - Int64(contents.entries.count), contents.size.byteCount - byteCount
    )
    names = TemporaryNames(contents.identifiers)
  }
}

// MARK: - Adding

extension QueueMachine {
  /// Returns the mutations that a new one with the same subject takes the place of, or may be
  /// merged with.
  func superseded(by subject: String, in lane: String, operationName: String) -> [EntryRecord] {
    let subject = Subject(lane: lane, operationName: operationName, name: subject)
    return (subjects[subject] ?? []).compactMap { entries[$0] }.filter(\.canBeSuperseded)
  }

  /// Throws if a new mutation has no place.
  ///
  /// - Parameters:
  ///   - new: The mutation.
  ///   - old: The mutations whose place it takes.
  /// - Throws: ``OfflineError`` with the code `full`.
  func checkLimits(_ new: NewEntry, inPlaceOf old: [EntryRecord]) throws(OfflineError) {
    let count = Int64(entries.count - old.count) + others.count
    guard count < limits.maximumCount else {
      throw OfflineError(
        .full,
        "\(count) mutations wait, which is the limit. Wait until some are sent, or raise 'maximumCount'."
      )
    }
    let freed = old.reduce(0) { $0 + $1.byteCount }
    let bytes = byteCount - freed + others.byteCount + new.byteCount
    guard bytes <= limits.maximumByteCount else {
      throw OfflineError(
        .full,
        "The waiting mutations would have \(bytes) bytes, above the limit of \(limits.maximumByteCount). Wait until some are sent, or raise 'maximumByteCount'."
      )
    }
  }

  /// Adds a mutation that is in the file, at the end of its lane. It is held until
  /// ``release(_:)``.
  mutating func add(_ entry: EntryRecord, inPlaceOf old: [EntryRecord]) {
    // First, because a lane that becomes empty forgets its backoff.
    lanes[entry.lane, default: QueueLane()].ids.append(entry.id)
    for entry in old { remove(entry, .superseded) }
    entries[entry.id] = entry
    if let subject = Subject(entry) { subjects[subject, default: []].append(entry.id) }
    names.add(entry)
    byteCount += entry.byteCount
    count(entry, 1)
    held.insert(entry.id)
    if entry.isVisible { touched.insert(entry.id) }
    report(entry, .waiting)
  }

  /// The identity of what mutations change.
  private struct Subject: Hashable {
    let lane: String
    let operationName: String
    let name: String

    init(lane: String, operationName: String, name: String) {
      (self.lane, self.operationName, self.name) = (lane, operationName, name)
    }

    init?(_ entry: EntryRecord) {
      guard let subject = entry.subject else { return nil }
      self.init(lane: entry.lane, operationName: entry.operationName, name: subject)
    }
  }

  /// Lets a new mutation be sent, whose optimistic data is visible now.
  mutating func release(_ id: Int64) {
    guard held.remove(id) != nil, let entry = entries[id] else { return }
    schedule.wake([entry.lane])
  }
}

// MARK: - Sending

extension QueueMachine {
  /// Returns the next lane to look at. An empty one sleeps until the time that the server has
  /// requested, and is forgotten then.
  mutating func nextLane(at now: Duration) -> String? {
    while let name = schedule.next(at: now) {
      guard let lane = lanes[name], lane.isEmpty else { return name }
      if lane.requestedTime > now {
        schedule.sleep(name, until: lane.requestedTime)
      } else {
        lanes[name] = nil
      }
    }
    return nil
  }

  /// Returns what a lane does next if this queue may send.
  func step(_ name: String, at now: Moment) -> Step {
    guard session != nil, !isEnding, let lane = lanes[name], lane.activity == .none,
      let id = lane.ids.first, !held.contains(id), let entry = entries[id]
    else { return .none }
    switch entry.phase {
    case .uncertain: return .none
    case .sending:
      // Its request may be one of a former session of the user, whose result is still to come.
      let isUnderWay = underWay[id] == entry.standing.attempts
      return isUnderWay && !entry.isRepeatable ? .none : .change(entry.recovered)
    case .failed:
      guard entry.conflict == .handler, !asked.contains(id),
        registered.contains(entry.operationName)
      else { return .none }
      // A question is no attempt, so it does not wait for the time that the server has requested.
      return now.time < lane.backoffTime ? .wait(until: lane.backoffTime) : .ask(entry)
    case .waiting: return step(entry, lane, at: now)
    }
  }

  private func step(_ entry: EntryRecord, _ lane: QueueLane, at now: Moment) -> Step {
    var expiry: Duration?
    if let age = limits.maximumAge {
      let remaining = entry.time + age - now.date
      if remaining < 0 { return .change(entry.expired) }
      expiry = now.time + .seconds(remaining) + .milliseconds(1)
    }
    let idle: Step = expiry.map { .wait(until: $0) } ?? .none
    for need in entry.needs where names.real(need) == nil {
      // A handler may have named one that is created later. Waiting for that could never end.
      if let creator = names.creator(of: need), creator < entry.id, entries[creator] != nil {
        return idle
      }
      let failure = OfflineFailure(.dependency, messages: [need])
      return .change(entry.rejected(failure, mayHaveArrived: entry.mayHaveArrived))
    }
    guard registered.contains(entry.operationName), isOnline else { return idle }
    if now.time < lane.notBefore {
      return .wait(until: min(lane.notBefore, expiry ?? lane.notBefore))
    }
    return .send(entry)
  }

  /// Notes that a request begins, which is in the file.
  ///
  /// - Returns: The session of its call, or `nil` if nothing may be sent any more. The request has
  ///   then ended before it was made.
  mutating func begin(_ attempt: Attempt) -> CallSession? {
    replace(attempt.entry)
    requested.insert(attempt.id)
    lanes[attempt.entry.lane]?.activity = .sending(attempt.id, attempt: attempt.number)
    sendingCount += 1
    underWay[attempt.id] = attempt.number
    return calls?.current
  }

  /// Notes that the optimistic data in the layer of a request is about to go.
  mutating func endShowing(_ attempt: Attempt) {
    if session == attempt.session { requested.remove(attempt.id) }
    touched.insert(attempt.id)
  }

  /// Notes that a lane waits because the type of its first mutation is not registered.
  mutating func noteMissing(_ name: String) {
    guard let id = lanes[name]?.ids.first, let entry = entries[id], entry.phase == .waiting,
      !registered.contains(entry.operationName), !reportedMissing.contains(entry.operationName)
    else { return }
    missing.insert(entry.operationName)
  }

  mutating func beginAsking(_ entry: EntryRecord) {
    asked.insert(entry.id)
    lanes[entry.lane]?.activity = .asking(entry.id)
  }

  /// Notes that a request has ended. The change that follows from it has been applied.
  mutating func end(_ attempt: Attempt) {
    if underWay[attempt.id] == attempt.number { underWay[attempt.id] = nil }
    guard session == attempt.session else {
      if let entry = entries[attempt.id] { schedule.wake([entry.lane]) }
      return
    }
    if requested.remove(attempt.id) != nil { touched.insert(attempt.id) }
    sendingCount -= 1
    // First, so that a lane with many mutations leaves its place to those that wait for one.
    schedule.unblock()
    release(attempt.entry.lane, from: .sending(attempt.id, attempt: attempt.number))
    // Mutations of other lanes may need what this one has created, or not.
    if !attempt.entry.creates.isEmpty { wakeAll() }
  }

  /// Notes that a handler has ended.
  ///
  /// - Parameters:
  ///   - entry: The mutation.
  ///   - session: The session of the question.
  ///   - time: The time at which it could not be asked, and is asked again later, or `nil`.
  mutating func endAsking(
    _ entry: EntryRecord, in session: QueueSession, unansweredAt time: Duration? = nil
  ) {
    guard self.session == session else { return }
    if let time {
      asked.remove(entry.id)
      let setback = EntryChange.Setback(retryAfter: nil, isFaultOfServer: false)
      lanes[entry.lane]?.back(off: setback, limits, jitter: jitter(), now: time)
    }
    release(entry.lane, from: .asking(entry.id))
    if !entry.creates.isEmpty { wakeAll() }
  }

  private mutating func release(_ name: String, from activity: QueueLane.Activity) {
    guard lanes[name]?.activity == activity else { return }
    lanes[name]?.activity = .none
    if lanes[name]?.isOver == true { lanes[name] = nil } else { schedule.wake([name]) }
  }

  func serverFailureCount(of entry: EntryRecord) -> Int {
    lanes[entry.lane]?.serverFailureCount ?? 0
  }
}

// MARK: - Changes

extension QueueMachine {
  /// Takes over a decision that is in the file.
  mutating func apply(_ change: EntryChange, at now: Moment) {
    guard let old = entries[change.old.id] else { return }
    if old.isVisible { touched.insert(old.id) }
    lanes[old.lane]?.wait(change.retryAfter, now: now.time)
    if let setback = change.setback {
      lanes[old.lane]?.back(
        off: setback, isOfHandler: old.phase == .failed, limits, jitter: jitter(), now: now.time)
    } else if lanes[old.lane]?.ids.first == old.id {
      // The backoff of a lane is that of its first mutation.
      lanes[old.lane]?.endBackoff(
        isRejection: change.isRejection, isPerformed: change.isPerformed)
    }
    switch change.result {
    case .stays(let new):
      if new.phase != .failed { asked.remove(new.id) }
      if new.isVisible { touched.insert(new.id) }
      replace(new)
    case .leaves(let ending):
      takeOver(change.identifiers)
      if let failure = change.failure { report(old, .failed(failure)) }
      remove(old, ending)
    }
    // One at work is woken by the end of that.
    let activity = lanes[old.lane]?.activity ?? QueueLane.Activity.none
    if activity == QueueLane.Activity.none { schedule.wake([old.lane]) }
    if !old.creates.isEmpty { wakeAll() }
  }

  private mutating func takeOver(_ identifiers: [String: String]) {
    guard !identifiers.isEmpty else { return }
    for (temporary, real) in identifiers { names.resolve(temporary, real) }
    for entry in entries.values where entry.needs.contains(where: { identifiers[$0] != nil }) {
      touched.insert(entry.id)
    }
  }

  /// Returns real identifiers that are remembered no longer, the oldest first: those above the
  /// limit that no mutation needs.
  var oldNames: [String] {
    guard names.realCount > limits.maximumIdentifierCount + limits.maximumIdentifierCount / 8
    else { return [] }
    let needed = Set(entries.values.flatMap(\.needs))
    return names.old(keeping: limits.maximumIdentifierCount, needed: needed)
  }

  mutating func forget(_ old: [String]) {
    for name in old { names.forget(name) }
  }

  /// The place of the optimistic data of a mutation.
  enum Visibility: Sendable {
    /// In a layer of its own above those that have been sent.
    case waiting(operationName: String)
    /// In a layer of its request, which the task of the request moves.
    case sending
    case hidden
  }

  func visibility(of id: Int64) -> Visibility {
    guard let entry = entries[id], entry.isVisible else { return .hidden }
    switch entry.phase {
    // A request of this queue may still show what another queue sends by now, or has sent in vain.
    case .waiting, .uncertain, .sending:
      return requested.contains(id) ? .sending : .waiting(operationName: entry.operationName)
    case .failed: return .hidden
    }
  }

  func isShown(_ id: Int64) -> Bool {
    if case .waiting = visibility(of: id) { true } else { false }
  }

  private mutating func count(_ entry: EntryRecord, _ change: Int) {
    switch entry.phase {
    case .waiting: counts.waiting += change
    case .sending: counts.sending += change
    case .failed: counts.failed += change
    case .uncertain: counts.uncertain += change
    }
  }

  private mutating func replace(_ new: EntryRecord) {
    guard let old = entries[new.id] else { return }
    count(old, -1)
    count(new, 1)
    byteCount += new.byteCount - old.byteCount
    entries[new.id] = new
    report(new, new.state)
  }

  private mutating func remove(_ entry: EntryRecord, _ ending: OfflineEnding) {
    guard let entry = entries.removeValue(forKey: entry.id) else { return }
    count(entry, -1)
    byteCount -= entry.byteCount
    asked.remove(entry.id)
    held.remove(entry.id)
    if entry.isVisible { touched.insert(entry.id) }
    if let subject = Subject(entry) {
      subjects[subject]?.removeAll { $0 == entry.id }
      if subjects[subject]?.isEmpty == true { subjects[subject] = nil }
    }
    names.forgetUnresolved(of: entry)
    if var lane = lanes.removeValue(forKey: entry.lane) {
      // Out of the dictionary meanwhile, so that the array is not copied.
      lane.remove(entry.id)
      if !lane.isOver { lanes[entry.lane] = lane }
    }
    report(entry, .done(ending))
  }

  private mutating func report(_ entry: EntryRecord, _ state: OfflineState) {
    events.append(
      OfflineEvent(
        id: OfflineID(rawValue: entry.id), operationName: entry.operationName, lane: entry.lane,
        state: state))
  }
}
