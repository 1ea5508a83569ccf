import ApolloAPI
import Foundation
import SeededRandom

@testable import ApolloOffline

/// Random events of the queues of two processes on one file and of a server, and what must be true
/// after each of them.
///
/// Each mutation has a name in its contents. The model knows the names, and what the server has
/// performed. A process is killed at random moments: then its queue is opened again from the file,
/// and nothing else is left of it.
struct QueueSimulation {
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// A name as the model knows it.
  private struct Known {
    let session: String
    var isRepeatable: Bool
    /// `true` if a rule or the program has ended it, or it may have been performed unseen.
    var isGone = false
    var performedCount = 0
  }

  /// One process with a queue.
  private struct Process {
    var ledger: QueueLedger
    var inFlight: [Attempt] = []
    var asking: [QueueLedger.Question] = []
    /// The layers that wait, as the events say.
    var shown: Set<Int64> = []

    var machine: QueueMachine { ledger.machine.get() }
  }

  private let url: URL
  private var random: SeededGenerator
  private var processes: [Process] = []
  private var known: [String: Known] = [:]
  /// The names of the mutation with a number, as the file has them.
  private var names: [Int64: [String]] = [:]
  private var performedKeys: [String: [String: String]] = [:]
  /// The server gives its response to a key again.
  private var rejectedKeys: Set<String> = []
  private var lastPerformed: [String: Int64] = [:]
  /// The mutations of which a request may have left.
  private var left: Set<Int64> = []
  private var nameCount = 0
  private var temporaries: [String: [String]] = [:]
  private var date = 1_000.0
  private var time = Duration.zero
  private(set) var facts: [String: Int] = [:]
  private static let sessions = ["alice", "bob"]

  init(url: URL, seed: UInt64) throws {
    self.url = url
    random = SeededGenerator(seed: seed)
    for _ in 0..<2 { processes.append(try open("alice")) }
  }

  private func open(_ session: String?) throws -> Process {
    var limits = QueueLimits()
    limits.maximumServerFailures = 5
    limits.maximumIdentifierCount = 4
    let file = try OfflineFile(url: url, survivesPowerLoss: false, busyTimeout: .seconds(300))
    var machine = QueueMachine(limits: limits)
    machine.registered = ["Rename"]
    machine.jitter = { 0.5 }
    var process = Process(ledger: QueueLedger(file: file, machine: Lock(machine)))
    if let session { try process.ledger.begin(session) }
    return process
  }

  private var now: Moment { Moment(time: time, date: date) }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }

  private mutating func note(_ fact: String) { facts[fact, default: 0] += 1 }

  // MARK: Steps

  mutating func step() throws {
    let index = chance(70) ? 0 : 1
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: try add(index)
    case 22..<52: try work(index)
    case 52..<74: try respond(index)
    case 74..<80: pass(.milliseconds(Int.random(in: 1...60_000, using: &random)))
    case 80..<85: try answer(index)
    case 85..<90: try decide(index)
    case 90..<94: try look(index)
    case 94..<96: try switchSession(index)
    default: try kill(index)
    }
    try check(index)
  }

  private mutating func pass(_ duration: Duration) {
    time += duration
    date += duration.inSeconds
  }

  private mutating func look(_ index: Int) throws {
    try processes[index].ledger.reloadIfNeeded()
  }

  private mutating func add(_ index: Int) throws {
    try look(index)
    let machine = processes[index].machine
    guard let session = machine.session, machine.entries.count < 40 else { return }
    nameCount += 1
    let name = "name \(nameCount)"
    let lane = pick(["a", "b", "c"]) ?? "a"
    let isKeyed = chance(60)
    let uncertainty = pick([OfflineUncertainty.ask, .assumeDone, .retry]) ?? .ask
    let subject = chance(30) ? pick(["x", "y"]) : nil
    let merges = chance(50)
    let conflict = pick([OfflineConflictRule.stop, .skip, .handler]) ?? .stop
    var creates: [String: [String]] = [:]
    if subject == nil, chance(20) {
      creates["temporary \(nameCount)"] = ["id"]
      temporaries[session.name, default: []].append("temporary \(nameCount)")
    }
    let rules = OfflineRules.enqueue(
      conflict: conflict, lane: lane, uncertainty: uncertainty,
      superseding: subject.map { merges ? .merge($0) : .replace($0) } ?? .none, creates: creates)
    var old: [EntryRecord] = []
    if let subject {
      old = machine.superseded(by: subject, in: lane, operationName: "Rename")
      if merges { old = old.suffix(1) }
    }
    var all = [name]
    if merges, let last = old.last { all = (names[last.id] ?? []) + all }
    var texts = all
    let known = (temporaries[session.name] ?? []).filter(machine.names.contains)
    if chance(20), let temporary = pick(known.suffix(3)), creates[temporary] == nil {
      texts.append(temporary)
    }
    let payload = Payload(
      variables: .object(["texts": .array(texts.map(JSONValue.string))]),
      optimistic: .object([:]))
    let (resolved, needs) = machine.names.resolving(payload)
    let new = NewEntry(
      operationName: "Rename", key: isKeyed ? UUID().uuidString : nil, rules: rules, needs: needs,
      isVisible: true, payload: resolved.bytes)
    guard
      let id = try processes[index].ledger.add(new, session: session, inPlaceOf: old, at: date)
    else {
      note("refused addition")
      return
    }
    for entry in old {
      note(merges ? "merged" : "replaced")
      for name in names[entry.id] ?? [] {
        guard self.known[name]?.performedCount == 0 else {
          throw Violation(description: "\(name) was performed and then superseded")
        }
        if !merges { self.known[name]?.isGone = true }
      }
      names[entry.id] = nil
    }
    names[id] = all
    for name in all {
      let repeatable = isKeyed || uncertainty == .retry
      self.known[name] = Known(session: session.name, isRepeatable: repeatable && !isKeyed)
    }
    processes[index].ledger.machine.withLock { $0.release(id) }
  }

  private mutating func work(_ index: Int) throws {
    guard let work = try processes[index].ledger.next(at: now) else { return }
    switch work {
    case .ask(let question):
      note("asked")
      processes[index].asking.append(question)
    case .send(let attempt):
      note("sent")
      guard attempt.session == processes[index].machine.session,
        names[attempt.id]?.allSatisfy({ known[$0]?.session == attempt.session.name }) ?? false
      else { throw Violation(description: "\(attempt.id) is sent in another session") }
      processes[index].inFlight.append(attempt)
      processes[index].shown.remove(attempt.id)
    }
  }

  private func texts(of attempt: Attempt) throws -> [String] {
    let payload = try Payload(bytes: attempt.payload).replacingTexts(attempt.identifiers)
    return payload.variables["texts"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// Lets the server see a request, unless it has performed its key.
  ///
  /// - Returns: The identifiers of what was created, or `nil` if it has rejected the key.
  private mutating func perform(_ attempt: Attempt) throws -> [String: String]? {
    if let key = attempt.key {
      if let identifiers = performedKeys[key] { return identifiers }
      if rejectedKeys.contains(key) { return nil }
    }
    let all = try texts(of: attempt)
    if let text = all.first(where: { $0.hasPrefix("temporary") }) {
      throw Violation(description: "\(attempt.id) is sent with \(text)")
    }
    if all.contains(where: { $0.hasPrefix("real") }) { note("used identifier") }
    let lane = "\(attempt.session.name)/\(attempt.entry.lane)"
    let own = all.filter { $0.hasPrefix("name") }
    // A request can arrive long after the program has decided that it was performed, or not.
    if own.allSatisfy({ known[$0].map { !$0.isGone && $0.performedCount == 0 } ?? false }) {
      guard attempt.id > lastPerformed[lane] ?? 0 else {
        throw Violation(description: "\(attempt.id) is performed after \(lastPerformed[lane] ?? 0)")
      }
      lastPerformed[lane] = attempt.id
    }
    for name in own {
      known[name]?.performedCount += 1
      if let known = known[name], known.performedCount > 1, !known.isRepeatable {
        throw Violation(description: "\(name) is performed twice")
      }
    }
    let identifiers = attempt.entry.creates.reduce(into: [String: String]()) {
      $0[$1.key] = "real \($1.key)"
    }
    if let key = attempt.key { performedKeys[key] = identifiers }
    return identifiers
  }

  private static let rejection = AttemptOutcome.rejected(
    OfflineFailure(.graphQL, messages: ["no"]), mayHaveArrived: false)

  /// The response of the server to a request that arrives.
  private mutating func response(to attempt: Attempt) throws -> AttemptOutcome {
    try perform(attempt).map(AttemptOutcome.performed) ?? Self.rejection
  }

  private mutating func respond(_ index: Int) throws {
    guard let place = processes[index].inFlight.indices.randomElement(using: &random) else {
      return
    }
    let attempt = processes[index].inFlight.remove(at: place)
    let outcome: AttemptOutcome
    let choice = Int.random(in: 0..<100, using: &random)
    if !(50..<65).contains(choice) { left.insert(attempt.id) }
    switch choice {
    case 0..<50: outcome = try response(to: attempt)
    case 50..<65: outcome = .notPerformed(retryAfter: nil, isFaultOfServer: false)
    case 65..<75:
      _ = try perform(attempt)
      outcome = .unknown(retryAfter: nil, isFaultOfServer: false)
    case 75..<79:
      // A gateway in front of the server's table of keys, which may have performed this one.
      note("rejected by a gateway")
      outcome = Self.rejection
    case 79..<85: outcome = .unknown(retryAfter: nil, isFaultOfServer: chance(50))
    default:
      if let key = attempt.key, performedKeys[key] == nil { rejectedKeys.insert(key) }
      outcome = attempt.key == nil ? Self.rejection : try response(to: attempt)
    }
    try finish(attempt, outcome, index)
  }

  private mutating func finish(
    _ attempt: Attempt, _ outcome: AttemptOutcome, _ index: Int
  ) throws {
    let isApplied = try processes[index].ledger.finish(attempt, outcome, at: now)
    processes[index].ledger.machine.withLock { $0.end(attempt) }
    if !isApplied { note("late result") }
    let stored = try processes[index].ledger.file.stored(
      attempt.id, session: attempt.session.storedName)
    if isApplied, stored == nil {
      for name in names[attempt.id] ?? [] { known[name]?.isGone = true }
    }
  }

  /// A handler decides.
  private mutating func answer(_ index: Int) throws {
    guard let place = processes[index].asking.indices.randomElement(using: &random) else { return }
    let question = processes[index].asking.remove(at: place)
    let machine = processes[index].machine
    let id = question.entry.id
    let isCurrent =
      machine.session == question.session
      && machine.entries[id]?.standing == question.entry.standing
    if isCurrent {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try drop(id, index)
      case 1:
        _ = try processes[index].ledger.retry(
          id, session: question.session, newKey: UUID().uuidString, at: now)
      // A changed mutation is another one for the server, so a handler looks at the fact first.
      case 2 where !question.entry.mayHaveArrived:
        note("changed")
        let payload = try Payload(bytes: question.payload)
        _ = try processes[index].ledger.retry(
          id, session: question.session, payload.replacingTexts(question.identifiers),
          newKey: UUID().uuidString, at: now)
      default: break
      }
    }
    processes[index].ledger.machine.withLock {
      $0.endAsking(question.entry, in: question.session)
    }
  }

  private mutating func drop(_ id: Int64, _ index: Int) throws {
    guard let session = processes[index].machine.session else { return }
    if try processes[index].ledger.remove(id, session: session, .dropped, at: now) {
      for name in names[id] ?? [] { known[name]?.isGone = true }
    }
  }

  private mutating func decide(_ index: Int) throws {
    let machine = processes[index].machine
    let undecided = machine.orderedEntries.filter { [.failed, .uncertain].contains($0.phase) }
    guard let session = machine.session, let entry = pick(undecided) else { return }
    guard chance(70) else { return try drop(entry.id, index) }
    if try processes[index].ledger.retry(
      entry.id, session: session, newKey: UUID().uuidString, at: now), entry.phase == .uncertain
    {
      for name in names[entry.id] ?? [] { known[name]?.isRepeatable = true }
    }
  }

  private mutating func switchSession(_ index: Int) throws {
    let isKept = chance(70)
    let ended = processes[index].machine.session
    // Another process may have sent what is dropped. Its result finds nothing.
    try processes[index].ledger.endSession(keeping: isKept)
    if !isKept {
      for name in known.keys where known[name]?.session == ended?.name {
        known[name]?.isGone = true
      }
    }
    note(isKept ? "kept session" : "dropped session")
    try processes[index].ledger.begin(pick(Self.sessions) ?? "alice")
    // Requests of the former session end during the next one.
  }

  /// The process ends. What it had sent may arrive or not.
  private mutating func kill(_ index: Int) throws {
    note("killed")
    for attempt in processes[index].inFlight {
      left.insert(attempt.id)
      if chance(50) { _ = try perform(attempt) }
    }
    let session = processes[index].machine.session?.name
    // Its lease ends. (Its process is this one, which lives on.)
    pass(.seconds(11))
    processes[index] = try open(session)
  }

  // MARK: Laws

  private mutating func check(_ index: Int) throws {
    try look(index)
    let (events, touched) = processes[index].ledger.machine.withLock {
      ($0.takeEvents(), $0.takeTouched())
    }
    for event in events {
      // What another process has ended is reported as assumed.
      guard case .done(let ending) = event.state, ending != .sessionEnded else { continue }
      for name in names[event.id.rawValue] ?? [] where known[name]?.performedCount ?? 0 > 0 {
        known[name]?.isGone = true
      }
      if ending == .dropped {
        for name in names[event.id.rawValue] ?? [] { known[name]?.isGone = true }
      }
      if ending == .assumed {
        let id = event.id.rawValue
        let own = names[id] ?? []
        // Nothing tells what a process has sent that has lost its lease.
        let isOfOther = processes.indices.contains { other in
          other != index && processes[other].inFlight.contains { $0.id == id }
        }
        guard left.contains(id) || isOfOther || own.allSatisfy({ known[$0]?.isGone ?? true })
        else {
          throw Violation(description: "\(id) was never sent, and is assumed")
        }
        for name in own { known[name]?.isGone = true }
      }
    }
    let machine = processes[index].machine
    for id in touched {
      if machine.isShown(id) {
        processes[index].shown.insert(id)
      } else {
        processes[index].shown.remove(id)
      }
    }
    let visible = Set(machine.entries.keys.filter(machine.isShown))
    guard processes[index].shown == visible else {
      throw Violation(
        description: "the layers are \(processes[index].shown.sorted()), not \(visible.sorted())")
    }
    let states = machine.entries.values.map(\.phase)
    guard machine.counts.total == states.count,
      machine.counts.waiting == states.count(where: { $0 == .waiting }),
      machine.byteCount == machine.entries.values.reduce(0, { $0 + $1.byteCount })
    else { throw Violation(description: "\(states) are counted as \(machine.counts)") }
    for (name, lane) in machine.lanes where lane.ids != lane.ids.sorted() {
      throw Violation(description: "the lane \(name) has the order \(lane.ids)")
    }
    try checkFile(machine)
  }

  /// Everything that is not gone is in the file.
  private func checkFile(_ machine: QueueMachine) throws {
    guard let session = machine.session else { return }
    let stored = Set(machine.entries.keys.flatMap { names[$0] ?? [] })
    for (name, known) in known
    where known.session == session.name && !known.isGone && known.performedCount == 0 {
      guard stored.contains(name) else { throw Violation(description: "\(name) was lost") }
    }
  }

  /// Lets everything be sent, and checks that nothing was lost.
  mutating func drain() throws {
    for index in processes.indices {
      for attempt in processes[index].inFlight {
        try finish(attempt, try response(to: attempt), index)
      }
      try check(index)
    }
    processes.removeLast()
    pass(.seconds(11))
    for session in Self.sessions {
      try processes[0].ledger.endSession(keeping: true)
      try processes[0].ledger.begin(session)
      var rounds = 0
      while let current = processes[0].machine.session, !processes[0].machine.entries.isEmpty {
        rounds += 1
        guard rounds < 1_000 else {
          throw Violation(
            description: "the queue stands still with \(processes[0].machine.orderedEntries)")
        }
        pass(.seconds(600))
        processes[0].ledger.machine.withLock { $0.wakeAll() }
        while let work = try processes[0].ledger.next(at: now) {
          switch work {
          case .send(let attempt):
            try finish(attempt, try response(to: attempt), 0)
          case .ask(let question):
            processes[0].ledger.machine.withLock {
              $0.endAsking(question.entry, in: question.session)
            }
          }
        }
        for entry in processes[0].machine.orderedEntries
        where entry.phase == .failed || entry.phase == .uncertain {
          // A key that may have been performed stays, and the server rejects it again.
          let keepsRejectedKey = entry.isKeyed && entry.mayHaveArrived && entry.phase == .failed
          if entry.failure?.kind == .dependency || keepsRejectedKey {
            try drop(entry.id, 0)
            continue
          }
          for name in names[entry.id] ?? [] { known[name]?.isRepeatable = true }
          _ = try processes[0].ledger.retry(
            entry.id, session: current, newKey: UUID().uuidString, at: now)
        }
        try check(0)
      }
      for (name, mutation) in known
      where mutation.session == session && !mutation.isGone && mutation.performedCount == 0 {
        throw Violation(description: "\(name) was lost")
      }
    }
  }
}
