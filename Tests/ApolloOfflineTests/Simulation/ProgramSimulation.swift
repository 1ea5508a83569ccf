import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import ManualClock
import SeededRandom
import TestOperations

@testable import ApolloOffline

/// Random events of whole programs, one after the other on one file: a client with its cache, a
/// queue with its executor and layers, users who log in and out, a server, and the time.
///
/// After each event the simulation waits until nothing moves by itself any more, and then compares
/// what readers see with what waits in the file. A program that is killed leaves its files as they
/// are at that moment; the next one begins with copies of them.
struct ProgramSimulation {
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// A mutation as the model knows it, by its name. A handler that changes a name adds a mark,
  /// which does not count.
  private struct Known {
    let user: String
    let lane: String
    let number: Int
    let isKeyed: Bool
    var mayRepeat: Bool
    let isAssumed: Bool
    /// `true` if a rule or a handler may drop what the server rejects.
    let isDroppable: Bool
    /// `true` if it may leave the file without having been performed.
    var mayVanish = false
    /// `true` if it has left the file.
    var isGone = false
    var performedCount = 0
  }

  private final class Program: Sendable {
    let number: Int
    let client: ApolloClient
    let queue: OfflineMutationQueue
    let cache: InMemoryNormalizedCache

    init(
      _ number: Int, _ client: ApolloClient, _ queue: OfflineMutationQueue,
      _ cache: InMemoryNormalizedCache
    ) {
      (self.number, self.client, self.queue, self.cache) = (number, client, queue, cache)
    }
  }

  private let folder: URL
  private let clock = ManualClock()
  private let server = SteppedServer()
  private var random: SeededGenerator
  private var program: Program
  private var programCount = 1
  private var user: String?
  private var known: [String: Known] = [:]
  private var nameCount = 0
  private var temporaries: [String: [String]] = [:]
  /// The lanes of the mutations of each hero.
  private var lanes: [String: Set<String>] = [:]
  /// The number of the mutation that was performed last, of each user and lane.
  private var lastPerformed: [String: Int] = [:]
  private let failures = Lock<[String]>([])
  private(set) var facts: [String: Int] = [:]
  /// The latest events, for the text of a violation.
  private(set) var trace: [String] = []

  init(in folder: URL, seed: UInt64) async throws {
    self.folder = folder
    random = SeededGenerator(seed: seed)
    program = try await Self.start(1, "alice", folder, [:], clock, server, failures)
    user = "alice"
  }

  private static func start(
    _ number: Int, _ user: String?, _ folder: URL, _ records: [RecordKey: Record],
    _ clock: ManualClock, _ server: SteppedServer, _ failures: Lock<[String]>
  ) async throws -> Program {
    var configuration = OfflineMutationQueue.Configuration()
    configuration.survivesPowerLoss = false
    configuration.onFailure = { error in failures.withLock { $0.append("\(error)") } }
    let queue = try OfflineMutationQueue(
      fileURL: file(number, in: folder), session: user, configuration: configuration,
      clocks: .init(alarms: clock, date: { 1_000 + clock.now.inSeconds }))
    let choices = Lock(SeededGenerator(seed: UInt64(number)))
    queue.register(Rename.self) { conflict in
      let choice = choices.withLock { Int.random(in: 0..<4, using: &$0) }
      switch choice {
      case 0: return .retry
      case 1 where conflict.failure.kind == .graphQL: return .skip
      // A changed mutation is another one for the server.
      case 2 where !conflict.mayHaveBeenPerformed:
        let id = conflict.variables["id"]?.stringValue ?? ""
        let name = (conflict.variables["name"]?.stringValue ?? "") + "'"
        return .change(Rename(id: id, name: name), optimistic: try? renamed(id, name))
      default: return .stop
      }
    } merging: { older, newer in
      var merged = newer
      let names = [older, newer].compactMap { $0["name"]?.stringValue }
      merged["name"] = .string(names.joined(separator: "+"))
      return merged
    }
    let cache = InMemoryNormalizedCache(records: RecordSet(Array(records.values)))
    let client = ApolloClient(
      networkTransport: server.transport(of: number), store: ApolloStore(cache: cache),
      clock: clock)
    client.use(queue)
    return Program(number, client, queue, cache)
  }

  private static func file(_ number: Int, in folder: URL) -> URL {
    folder.appendingPathComponent("queue-\(number).sqlite")
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func note(_ fact: String, _ names: String = "") {
    facts[fact, default: 0] += 1
    trace.append("\(fact) \(names)")
    if trace.count > 60 { trace.removeFirst() }
  }

  private var queue: OfflineMutationQueue { program.queue }
  private var client: ApolloClient { program.client }

  // MARK: Steps

  mutating func step() async throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<28: try await add()
    case 28..<75: try serve()
    case 75..<82: advance()
    case 82..<87: try await decide()
    case 87..<90:
      try await client.clearCache()
      note("cleared")
    case 90..<92:
      note("retry now")
      queue.retryNow()
    case 92..<94:
      note("network")
      queue.networkChanged(isAvailable: chance(70))
    case 94..<97: try await changeUser()
    default: try await kill()
    }
    try await check()
  }

  /// Lets the time pass, which may be all that a call has.
  private mutating func advance() {
    letVanish(server.requests.filter { $0.phase != .prepared }) { $0.isAssumed }
    if clock.alarmCount > 0 { clock.advanceToNextAlarm() }
    note("time", "\(clock.now)")
  }

  private mutating func add() async throws {
    guard let user, queue.counts.total < 30 else { return }
    nameCount += 1
    let name = "\(user)-\(nameCount)"
    var id = ["1", "2", "3"].randomElement(using: &random) ?? "1"
    var creates: [String: [String]] = [:]
    if chance(15) {
      id = "new-\(nameCount)"
      creates[id] = ["rename", "id"]
      temporaries[user, default: []].append(id)
    } else if chance(20) {
      let names = queue.front.machine.withLock { $0.names }
      let usable = (temporaries[user] ?? []).suffix(3).filter(names.contains)
      if let temporary = usable.randomElement(using: &random) { id = temporary }
    }
    let isKeyed = chance(60)
    let uncertainty =
      [OfflineUncertainty.ask, .assumeDone, .retry].randomElement(using: &random) ?? .ask
    let conflict =
      [OfflineConflictRule.stop, .skip, .handler].randomElement(using: &random) ?? .stop
    var superseding = OfflineSuperseding.none
    if creates.isEmpty, chance(30) { superseding = chance(50) ? .merge(id) : .replace(id) }
    let before = try contents()
    let lane = id.hasPrefix("new-") && chance(50) ? "new" : id
    lanes[id, default: []].insert(lane)
    let change = try await client.perform(
      mutation: Rename(id: id, name: name), optimistic: try renamed(id, name),
      offline: .enqueue(
        key: isKeyed ? .automatic : nil, conflict: conflict, lane: lane,
        uncertainty: uncertainty, superseding: superseding, creates: creates))
    let after = try contents()
    for (old, names) in before where after[old] == nil {
      let isMerged = names.allSatisfy { after[change.id.rawValue]?.contains($0) ?? false }
      note(isMerged ? "merged" : "replaced", names.joined(separator: "+"))
      for name in names where !isMerged {
        guard known[name]?.performedCount == 0 else {
          throw Violation(description: "\(name) was performed and then replaced")
        }
        known[name]?.isGone = true
      }
    }
    note("added", "\(name) \(id) \(lane) \(isKeyed ? "keyed" : "\(uncertainty)") \(conflict)")
    for name in after[change.id.rawValue] ?? [] {
      known[name] = Known(
        user: user, lane: "\(user)/\(lane)", number: nameCount, isKeyed: isKeyed,
        mayRepeat: !isKeyed && uncertainty == .retry,
        isAssumed: !isKeyed && uncertainty == .assumeDone, isDroppable: conflict != .stop)
    }
  }

  /// The names in a text of the file or of a request.
  private static func names(in text: String) -> [String] {
    text.split(separator: "+").map { String($0.filter { $0 != "'" }) }
  }

  /// The names of the mutations in the queue, as the file has them.
  private func contents() throws -> [Int64: [String]] {
    var contents: [Int64: [String]] = [:]
    for entry in queue.entries {
      let bytes = try queue.front.reader.payload(of: entry.id.rawValue) ?? []
      let text = try Payload(bytes: bytes).variables["name"]?.stringValue ?? ""
      contents[entry.id.rawValue] = Self.names(in: text)
    }
    return contents
  }

  /// Something happens to a request.
  private mutating func serve() throws {
    guard let request = server.requests.randomElement(using: &random) else { return }
    let url = URL(fileURLWithPath: "/")
    let lost = NetworkError(.connectionLost, url: url)
    switch request.phase {
    case .prepared:
      if chance(25) {
        note("no connection", request.name)
        return server.fail(request, NetworkError(.cannotConnect, url: url))
      }
      guard server.leave(request) else { return }
      note("sent", request.name)
      guard let user, Self.names(in: request.name).allSatisfy({ known[$0]?.user == user }) else {
        throw Violation(description: "\(request.name) is sent in the session of \(user ?? "none")")
      }
      // The number of a temporary identifier is that of its creator.
      let creator = "\(user)-\(request.id.dropFirst(4))"
      guard !request.id.hasPrefix("new-") || Self.names(in: request.name) == [creator] else {
        throw Violation(description: "\(request.name) is sent with \(request.id)")
      }
    case .left:
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<60: try perform(request)
      case 60..<75:
        note("lost before", request.name)
        letVanish([request]) { $0.isAssumed }
        server.fail(request, lost)
      default:
        guard request.caller != nil, !server.isPerformed(request.key) else { return }
        note("rejected", request.name)
        letVanish([request]) { $0.isDroppable }
        server.reject(request)
      }
    case .performed:
      if chance(20) {
        note("lost after", request.name)
        server.fail(request, lost)
      } else {
        note("responded", request.name)
        server.respond(request)
      }
    }
  }

  private mutating func perform(_ request: SteppedServer.Request) throws {
    guard server.perform(request) else { return note("performed before", request.name) }
    let names = Self.names(in: request.name)
    for name in names {
      known[name]?.performedCount += 1
      guard let mutation = known[name] else {
        throw Violation(description: "\(name) is not known")
      }
      guard mutation.performedCount == 1 || mutation.mayRepeat || mutation.isGone else {
        throw Violation(description: "\(name) is performed \(mutation.performedCount) times")
      }
      // Of a mutation that is gone, a request may arrive late.
      guard mutation.performedCount == 1, !mutation.isGone else { continue }
      guard mutation.number >= lastPerformed[mutation.lane] ?? 0 else {
        throw Violation(description: "\(name) is performed too late")
      }
      lastPerformed[mutation.lane] = mutation.number
    }
    note("performed", request.name)
  }

  /// Notes that the mutations of requests may leave the file unseen.
  private mutating func letVanish(
    _ requests: [SteppedServer.Request], _ condition: (Known) -> Bool
  ) {
    for name in requests.flatMap({ Self.names(in: $0.name) }) {
      if let mutation = known[name], condition(mutation) { known[name]?.mayVanish = true }
    }
  }

  /// The program decides about a mutation that stops its lane.
  private mutating func decide() async throws {
    let undecided = queue.entries.filter { entry in
      if case .failed = entry.state { true } else { entry.state == .uncertain }
    }
    guard let entry = undecided.randomElement(using: &random) else { return }
    let names = try contents()[entry.id.rawValue] ?? []
    note("decision", "\(names) \(entry.state)")
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      if try await queue.drop(entry.id) { for name in names { known[name]?.isGone = true } }
    case 1:
      if try await queue.assumePerformed(entry.id) {
        for name in names { known[name]?.isGone = true }
      }
    default:
      if entry.state == .uncertain { for name in names { known[name]?.mayRepeat = true } }
      _ = try await queue.retry(entry.id)
    }
  }

  private mutating func changeUser() async throws {
    if let user {
      let isKept = chance(70)
      note(isKept ? "kept" : "dropped")
      if !isKept {
        for name in known.keys where known[name]?.user == user { known[name]?.isGone = true }
        temporaries[user] = nil
        try await queue.endSession(keepingMutations: false)
      }
      try await logout()
    }
    if chance(80) { try await login(["alice", "bob"].randomElement(using: &random) ?? "alice") }
  }

  private mutating func logout() async throws {
    user = nil
    letVanish(server.requests.filter { $0.phase != .prepared }) { $0.isAssumed }
    try await client.endSession()
  }

  private mutating func login(_ new: String) async throws {
    note("login", new)
    try await queue.beginSession(new)
    user = new
  }

  /// The program ends without doing anything for it, and starts again.
  private mutating func kill() async throws {
    try await wait()
    note("killed")
    let old = program
    programCount += 1
    for suffix in ["", "-wal"] {
      let path = Self.file(old.number, in: folder).path + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try FileManager.default.copyItem(
        atPath: path, toPath: Self.file(programCount, in: folder).path + suffix)
    }
    let records = old.cache.loadRecords(
      forKeys: Set(["1", "2", "3"].map { RecordKey("Hero:\($0)") }))
    // They are in the file as sending, and no more is known of them.
    letVanish(server.requests) { $0.isAssumed }
    program = try await Self.start(
      programCount, user, folder, records, clock, server, failures)
    server.end(old.number)
    // Its lease ends. (Its process is this one, which lives on.)
    clock.advance(by: .seconds(11))
  }

  // MARK: Laws

  /// Returns when nothing moves by itself any more.
  private func wait() async throws {
    repeat {
      await Task.yield()
      await queue.executor.pump()
    } while await !queue.executor.isQuiet(besides: server.waitingCount(of: program.number))
  }

  mutating func check() async throws {
    try await wait()
    if let failure = failures.get().first { throw Violation(description: failure) }
    let contents = try contents()
    let entries = queue.entries
    let stored = Set(contents.values.joined())
    for (name, mutation) in known
    where mutation.user == user && !mutation.isGone && !stored.contains(name) {
      guard mutation.performedCount > 0 || mutation.mayVanish else {
        let requests = server.requests.map { "\($0.name) \($0.phase) \($0.caller != nil)" }
        throw Violation(description: "\(name) was lost with \(requests), \(entries.map(\.state))")
      }
      known[name]?.isGone = true
    }
    guard entries.count == queue.counts.total else {
      throw Violation(description: "\(queue.counts) of \(entries.count)")
    }
    try await checkVisible(entries)
  }

  /// Readers see what waits, and nothing else.
  private func checkVisible(_ entries: [OfflineEntry]) async throws {
    var expected: [String: String] = [:]
    for entry in entries {
      let bytes = try queue.front.reader.payload(of: entry.id.rawValue) ?? []
      let payload = try Payload(bytes: bytes)
      guard let id = payload.variables["id"]?.stringValue,
        let name = payload.optimistic?["rename"]?["name"]?.stringValue
      else { continue }
      // Of mutations in different lanes, the one that was sent last is on top.
      let temporary = id.hasPrefix("real-") ? String(id.dropFirst(5)) : id
      guard lanes[temporary]?.count == 1 else { continue }
      if case .failed = entry.state { continue }
      expected[queue.realIdentifier(for: id) ?? id] = name
    }
    let keys = Array(expected.keys)
    let visible = try await client.store.withinReadTransaction { transaction in
      var visible: [String: String] = [:]
      for key in keys {
        let name = try transaction.record(for: RecordKey("Hero:\(key)"))?.fields["name"]
        if case .string(let name) = name { visible[key] = name }
      }
      return visible
    }
    for (key, name) in expected where visible[key] != name {
      throw Violation(
        description: "the hero \(key) has the name \(visible[key] ?? "none"), not \(name)")
    }
  }

  /// Lets everything be sent, and checks that nothing was lost.
  mutating func drain() async throws {
    if user != nil { try await logout() }
    queue.networkChanged(isAvailable: true)
    for user in ["alice", "bob"] {
      try await login(user)
      var rounds = 0
      repeat {
        rounds += 1
        guard rounds < 500 else {
          throw Violation(description: "the queue stands still with \(queue.entries)")
        }
        try await check()
        for request in server.requests {
          if request.phase == .prepared {
            guard server.leave(request) else { continue }
          }
          if request.phase != .performed { try perform(request) }
          server.respond(request)
        }
        try await wait()
        for entry in queue.entries {
          switch entry.state {
          case .failed(let failure) where failure.kind == .dependency:
            for name in try contents()[entry.id.rawValue] ?? [] { known[name]?.isGone = true }
            try await queue.drop(entry.id)
          case .failed: try await queue.retry(entry.id)
          case .uncertain:
            for name in try contents()[entry.id.rawValue] ?? [] { known[name]?.mayRepeat = true }
            try await queue.retry(entry.id)
          default: break
          }
        }
        advance()
      } while queue.counts.total > 0
      try await check()
      try await logout()
    }
  }
}
