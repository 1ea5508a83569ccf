import Foundation
import SeededRandom

@testable import ApolloOffline

/// Random events of a queue and a server, and what must be true after each of them.
///
/// The model knows which mutations were added, and what the server has performed. The queue is
/// killed at random moments: then it is opened again from its file, and nothing else is left of it.
struct QueueSimulation {
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// A mutation as the model knows it.
  private struct Known {
    let lane: String
    let session: String
    let isKeyed: Bool
    let uncertainty: OfflineUncertainty
    var isGone = false
    /// `true` if the program has asked for another request although it may have been performed.
    var mayRepeat = false
    var performedCount = 0
  }

  private let url: URL
  private var random: SeededGenerator
  private var core: QueueCore
  private var known: [Int64: Known] = [:]
  private var inFlight: [Attempt] = []
  private var performedKeys: Set<String> = []
  private var lastPerformed: [String: Int64] = [:]
  private var date = 1_000.0
  private var time = Duration.zero
  private(set) var killCount = 0
  private static let sessions = ["alice", "bob"]

  init(url: URL, seed: UInt64) throws {
    self.url = url
    random = SeededGenerator(seed: seed)
    core = try Self.open(url, "alice")
  }

  private static func open(_ url: URL, _ session: String?) throws -> QueueCore {
    var limits = QueueCore.Limits()
    limits.maximumServerFailures = 5
    let file = try OfflineFile(url: url, survivesPowerLoss: false, busyTimeout: .seconds(300))
    var core = QueueCore(file: file, limits: limits)
    core.registered = ["Rename"]
    core.isRunning = true
    core.jitter = { 0.5 }
    if let session { try core.begin(session) }
    return core
  }

  private var now: QueueCore.Moment { QueueCore.Moment(time: time, date: date) }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }

  // MARK: Steps

  mutating func step() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25: try add()
    case 25..<55: try take()
    case 55..<80: try respond()
    case 80..<88: pass(.milliseconds(Int.random(in: 1...60_000, using: &random)))
    case 88..<94: try decide()
    case 94..<96: try switchSession()
    default: try kill()
    }
    try check()
  }

  private mutating func pass(_ duration: Duration) {
    time += duration
    date += duration.inSeconds
  }

  private mutating func add() throws {
    guard let session = core.session, core.entries.count < 40 else { return }
    let lane = pick(["a", "b", "c"]) ?? "a"
    let isKeyed = chance(60)
    let uncertainty = pick([OfflineUncertainty.ask, .assumeDone, .retry]) ?? .ask
    let subject = chance(20) ? pick(["x", "y"]) : nil
    let conflict = pick([OfflineConflictRule.stop, .skip]) ?? .stop
    let rules = OfflineRules.enqueue(
      conflict: conflict, lane: lane, uncertainty: uncertainty,
      superseding: subject.map(OfflineSuperseding.replace) ?? .none)
    let new = NewEntry(
      lane: lane, operationName: "Rename", key: isKeyed ? UUID().uuidString : nil, rules: rules,
      needs: [], isVisible: true, payload: Array("{}".utf8), files: [])
    let old = subject.map { core.superseded(by: $0, in: lane, operationName: "Rename") } ?? []
    guard let id = try core.add(new, superseding: old, at: date) else {
      throw Violation(description: "an addition was refused")
    }
    for id in old {
      guard known[id]?.performedCount == 0 else {
        throw Violation(description: "\(id) was performed and then superseded")
      }
      known[id]?.isGone = true
    }
    core.release(id)
    known[id] = Known(lane: lane, session: session, isKeyed: isKeyed, uncertainty: uncertainty)
  }

  private mutating func take() throws {
    guard let lane = pick(core.lanes.keys.sorted()) else { return }
    let before = core.lanes[lane]?.ids.first
    guard case .send(let attempt) = try core.take(lane: lane, at: now) else { return }
    guard known[attempt.id]?.session == core.session else {
      throw Violation(description: "\(attempt.id) is sent in another session")
    }
    guard attempt.id == before else {
      throw Violation(description: "\(attempt.id) is sent out of order")
    }
    inFlight.append(attempt)
  }

  /// Lets the server see a request, unless it has performed its key.
  private mutating func perform(_ attempt: Attempt) throws {
    if let key = attempt.key, !performedKeys.insert(key).inserted { return }
    guard let lane = known[attempt.id]?.lane, let session = known[attempt.id]?.session else {
      throw Violation(description: "\(attempt.id) is sent and was never added")
    }
    let name = "\(session)/\(lane)"
    if known[attempt.id]?.performedCount == 0 {
      guard attempt.id > lastPerformed[name] ?? 0 else {
        throw Violation(description: "\(attempt.id) is performed after \(lastPerformed[name] ?? 0)")
      }
      lastPerformed[name] = attempt.id
    }
    known[attempt.id]?.performedCount += 1
    let once = known[attempt.id]
    if let once, once.performedCount > 1, !once.mayRepeat,
      once.isKeyed || once.uncertainty != .retry
    {
      throw Violation(description: "\(attempt.id) is performed twice")
    }
  }

  private mutating func respond() throws {
    guard let index = inFlight.indices.randomElement(using: &random) else { return }
    let attempt = inFlight.remove(at: index)
    let outcome: AttemptOutcome
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50:
      try perform(attempt)
      outcome = .performed([:])
    case 50..<65: outcome = .notPerformed(retryAfter: nil, isFaultOfServer: false)
    case 65..<75:
      try perform(attempt)
      outcome = .unknown(retryAfter: nil, isFaultOfServer: false)
    case 75..<85: outcome = .unknown(retryAfter: nil, isFaultOfServer: chance(50))
    default:
      // A server that has performed a key does not reject it.
      if let key = attempt.key, performedKeys.contains(key) {
        outcome = .performed([:])
      } else {
        outcome = .rejected(OfflineFailure(.graphQL, messages: ["no"]))
      }
    }
    try core.finish(attempt, outcome, at: now)
    takeOverEndings()
  }

  private mutating func decide() throws {
    let undecided = core.orderedEntries.filter { $0.phase == .failed || $0.phase == .uncertain }
    guard let entry = pick(undecided) else { return }
    if chance(50) {
      if entry.phase == .uncertain { known[entry.id]?.mayRepeat = true }
      _ = try core.retry(entry.id, newKey: UUID().uuidString)
    } else {
      _ = try core.remove(entry.id, .dropped)
    }
    takeOverEndings()
  }

  private mutating func switchSession() throws {
    let isKept = chance(70)
    let ended = core.session
    try core.endSession(keeping: isKept)
    _ = core.takeEvents()
    // Requests are ended before the next session begins.
    for attempt in inFlight {
      if chance(50) { try perform(attempt) }
      try core.finish(attempt, .unknown(retryAfter: nil, isFaultOfServer: false), at: now)
    }
    inFlight = []
    if !isKept {
      for id in known.keys where known[id]?.session == ended { known[id]?.isGone = true }
    }
    try core.begin(pick(Self.sessions) ?? "alice")
  }

  /// The process ends. What it had sent may arrive or not.
  private mutating func kill() throws {
    killCount += 1
    for attempt in inFlight where chance(50) { try perform(attempt) }
    inFlight = []
    takeOverEndings()
    let session = core.session
    // Its lease ends. (Its process is this one, which lives on.)
    pass(.seconds(11))
    core = try Self.open(url, session)
  }

  /// Notes what has left the queue.
  private mutating func takeOverEndings() {
    for event in core.takeEvents() {
      if case .done = event.state { known[event.id.number]?.isGone = true }
    }
  }

  // MARK: Laws

  private mutating func check() throws {
    takeOverEndings()
    guard let session = core.session else { return }
    let expected = known.filter { $0.value.session == session && !$0.value.isGone }.keys.sorted()
    let found = core.orderedEntries.map(\.id)
    guard expected == found else {
      throw Violation(description: "the queue has \(found) instead of \(expected)")
    }
    let counts = core.counts
    guard counts.total == found.count else {
      throw Violation(description: "\(found.count) mutations are counted as \(counts)")
    }
    for (name, lane) in core.lanes where lane.ids != lane.ids.sorted() {
      throw Violation(description: "the lane \(name) has the order \(lane.ids)")
    }
  }

  /// Lets everything be sent, and checks that nothing was lost.
  mutating func drain() throws {
    for session in Self.sessions {
      if core.session != session {
        try core.endSession(keeping: true)
        for attempt in inFlight {
          try core.finish(attempt, .unknown(retryAfter: nil, isFaultOfServer: false), at: now)
        }
        inFlight = []
        _ = core.takeEvents()
        try core.begin(session)
      }
      for attempt in inFlight {
        try perform(attempt)
        try core.finish(attempt, .performed([:]), at: now)
      }
      inFlight = []
      takeOverEndings()
      var rounds = 0
      while !core.entries.isEmpty {
        rounds += 1
        guard rounds < 10_000 else {
          throw Violation(description: "the queue stands still with \(core.orderedEntries)")
        }
        pass(.seconds(600))
        for lane in core.lanes.keys.sorted() {
          if case .send(let attempt) = try core.take(lane: lane, at: now) {
            try perform(attempt)
            try core.finish(attempt, .performed([:]), at: now)
          }
        }
        for entry in core.orderedEntries where entry.phase == .failed || entry.phase == .uncertain {
          known[entry.id]?.mayRepeat = true
          _ = try core.retry(entry.id, newKey: UUID().uuidString)
        }
        takeOverEndings()
      }
      for (id, mutation) in known where mutation.session == session && !mutation.isGone {
        throw Violation(description: "\(id) was lost")
      }
    }
  }
}
