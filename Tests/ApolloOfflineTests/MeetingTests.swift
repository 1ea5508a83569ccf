import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import ManualClock
import Observation
import TestOperations
import Testing

@testable import ApolloOffline

/// Events of a program that meet: what one part does while another one is at work.
@Suite(.timeLimit(.minutes(10)))
struct MeetingTests {
  // MARK: Superseding

  @Test func aReplacedMutationKeepsTheBackoffOfItsLane() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let (client, queue) = try await machine.start()
    let rules = OfflineRules.enqueue(key: .automatic, superseding: .replace("name of 1"))
    try await client.rename(to: "A", rules)
    await queue.waitUntil { _ in machine.server.requestCount == 1 && queue.counts.waiting == 1 }
    machine.server.react(.respond)
    // With a key, what has certainly not left can be replaced.
    for name in ["B", "C", "D"] { try await client.rename(to: name, rules) }
    await queue.lookNow()
    #expect(machine.server.requestCount == 1)
    #expect(queue.counts.waiting == 1)
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["D"])
  }

  @Test func theCreatorOfAnIdentifierThatIsNeededIsNotReplaced() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    func rules(_ creates: [String: [String]] = [:]) -> OfflineRules {
      .enqueue(key: .automatic, superseding: .replace("hero"), creates: creates)
    }
    try await client.rename("new-1", to: "A", rules(["new-1": ["rename", "id"]]))
    try await client.rename("new-1", to: "B", rules())
    try await client.rename("new-1", to: "C", rules())
    #expect(queue.counts.waiting == 2)
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.performed.map(\.id) == ["new-1", "real-new-1"])
    #expect(machine.server.names == ["A", "C"])
  }

  @Test func whatIsMergedWhileTheOlderOneIsSentIsASecondMutation() async throws {
    let machine = try Machine()
    machine.server.hold()
    let queue = try machine.queue()
    queue.register(Rename.self, merging: { $1 })
    let client = try await machine.client()
    client.use(queue)
    let rules = OfflineRules.enqueue(key: .automatic, superseding: .merge("name of 1"))
    try await client.rename(to: "A", rules)
    while machine.server.requestCount == 0 { await Task.yield() }
    try await client.rename(to: "B", rules)
    try await client.rename(to: "C", rules)
    #expect(queue.counts.total == 2)
    #expect(try await client.heroName() == "C")
    machine.server.release()
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A", "C"])
    #expect(try await client.heroName() == "C")
  }

  @Test func aMergeThatFailsLeavesTheOlderOneAlone() async throws {
    struct Refused: Error {}
    let machine = try Machine()
    let queue = try machine.queue()
    queue.register(Rename.self, merging: { _, _ in throw Refused() })
    let client = try await machine.client()
    client.use(queue)
    queue.networkChanged(isAvailable: false)
    let rules = OfflineRules.enqueue(key: .automatic, superseding: .merge("name of 1"))
    try await client.rename(to: "A", rules)
    await #expect(throws: Refused.self) { try await client.rename(to: "B", rules) }
    #expect(queue.counts.waiting == 1)
    #expect(try await client.heroName() == "A")
  }

  // MARK: Identifiers

  /// A mutation whose identifiers are in nested input objects and lists.
  private struct Move: GraphQLMutation {
    typealias Data = Rename.Data
    static let operationName = "Move"
    static let operationDocument = Rename.operationDocument
    static let __selections = Rename.__selections
    var input: JSONValue
    var __variables: Variables? {
      var variables: Variables = ["id": "1", "name": "moved"]
      variables["input"] = input
      return variables
    }
  }

  @Test func identifiersAreReplacedInNestedInputsAndLists() async throws {
    let machine = try Machine()
    let sent = Lock<JSONValue?>(nil)
    machine.server.intercept { request in
      if let input = request.operation.__variables?["input"] { sent.withLock { $0 = input } }
    }
    let (client, queue) = try await machine.start()
    queue.register(Move.self)
    queue.networkChanged(isAvailable: false)
    try await client.rename(
      "new-1", to: "A", .enqueue(key: .automatic, lane: "a", creates: ["new-1": ["rename", "id"]]))
    _ = try await client.perform(
      mutation: Move(input: [
        "items": [["todo": "new-1", "after": ["new-1", "2"]], "new-1"], "note": "about new-1",
      ]),
      offline: .enqueue(key: .automatic, lane: "b"))
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    let expected: JSONValue = [
      "items": [["todo": "real-new-1", "after": ["real-new-1", "2"]], "real-new-1"],
      "note": "about new-1",
    ]
    #expect(sent.get() == expected)
  }

  @Test func aHandlerThatNamesALaterObjectDoesNotWaitForever() async throws {
    let machine = try Machine()
    machine.server.react(.reject, .respond)
    let failures = Lock<[OfflineFailure.Kind]>([])
    let queue = try machine.queue()
    queue.register(Rename.self) { conflict in
      failures.withLock { $0.append(conflict.failure.kind) }
      return conflict.failure.kind == .graphQL ? .change(Rename(id: "new-2", name: "B")) : .skip
    }
    let client = try await machine.client()
    client.use(queue)
    queue.networkChanged(isAvailable: false)
    try await client.rename(to: "A", .enqueue(key: .automatic, conflict: .handler))
    try await client.rename(
      "new-2", to: "C", .enqueue(key: .automatic, creates: ["new-2": ["rename", "id"]]))
    queue.networkChanged(isAvailable: true)
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["C"])
    #expect(failures.get() == [.graphQL, .dependency])
  }

  @Test(arguments: [true, false])
  func theProgramCanNameWhatAnAssumedMutationHasCreated(isNamed: Bool) async throws {
    let machine = try Machine()
    machine.server.react(.lostAfter, .respond)
    let (client, queue) = try await machine.start()
    let creation = try await client.rename(
      "new-1", to: "A", .enqueue(creates: ["new-1": ["rename", "id"]]))
    try await client.rename("new-1", to: "B", .enqueue(key: .automatic))
    await queue.waitUntil { $0.uncertain == 1 }
    let reals = isNamed ? ["new-1": "7", "new-9": "9"] : [:]
    #expect(try await queue.assumePerformed(creation.id, realIdentifiers: reals))
    if isNamed {
      await queue.waitUntilEmpty()
      #expect(machine.server.performed.last?.id == "7")
      #expect(queue.realIdentifier(for: "new-9") == nil)
    } else {
      await queue.waitUntil { $0.failed == 1 }
      #expect(machine.server.names == ["A"])
    }
  }

  // MARK: Layers

  @Test func clearingTheCacheKeepsWhatIsBeingSent() async throws {
    let machine = try Machine()
    machine.server.hold()
    let (client, queue) = try await machine.start()
    try await client.rename(to: "A")
    while machine.server.requestCount == 0 { await Task.yield() }
    try await client.clearCache()
    func name() async throws -> CacheValue? {
      try await client.store.withinReadTransaction {
        try $0.record(for: "Hero:1")?.fields["name"]
      }
    }
    #expect(try await name() == "A")
    machine.server.release()
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A"])
  }

  @Test func manyCallersAtOnceAreAllOnDiskVisibleAndSentInTheirOrder() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    let ids = try await withThrowingTaskGroup(of: OfflineID.self) { group in
      for number in 0..<60 {
        group.addTask {
          try await client.rename(
            "h\(number)", to: "N\(number)", .enqueue(key: .automatic, lane: "\(number % 3)")
          ).id
        }
      }
      return try await group.reduce(into: Set<OfflineID>()) { $0.insert($1) }
    }
    #expect(ids.count == 60)
    let visible = try await client.store.withinReadTransaction { transaction in
      try (0..<60).map { number -> CacheValue? in
        try transaction.record(for: RecordKey("Hero:h\(number)"))?.fields["name"]
      }
    }
    #expect(visible == (0..<60).map { CacheValue.string("N\($0)") })
    let lanes = Dictionary(grouping: queue.entries, by: \.lane)
    let names = Lock<[String: [String]]>([:])
    machine.server.intercept { request in
      let name = request.operation.__variables?["name"]?.stringValue ?? ""
      let lane = (Int(name.dropFirst()) ?? 0) % 3
      names.withLock { $0["\(lane)", default: []].append(name) }
    }
    let expected = try lanes.mapValues { entries in
      try entries.map { entry in
        let bytes = try #require(try queue.front.reader.payload(of: entry.id.rawValue))
        return try Payload(bytes: bytes).variables["name"]?.stringValue ?? ""
      }
    }
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(names.get() == expected)
  }

  @Test func aCancelledCallerStillHasItsMutationOnDisk() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.rename(to: "A")
    }
    let change = try await call.value
    #expect(queue.entries.map(\.id) == [change.id])
    #expect(try await client.heroName() == "A")
  }

  // MARK: Time

  @Test func aMutationThatExpiresDuringAStopOfTheProgramIsFailedAndHidden() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    do {
      let (client, queue) = try await machine.start { $0.maximumAge = .seconds(60) }
      try await client.rename(
        "new-1", to: "A",
        .enqueue(key: .automatic, lane: "a", creates: ["new-1": ["rename", "id"]]))
      try await client.rename("new-1", to: "B", .enqueue(key: .automatic, lane: "b"))
      await queue.waitUntil { _ in machine.server.requestCount == 1 && queue.counts.waiting == 2 }
    }
    await machine.waitForEnd()
    machine.clock.advance(by: .seconds(120))
    machine.server.react(.respond)
    let (client, queue) = try await machine.start { $0.maximumAge = .seconds(60) }
    await queue.waitUntil { $0.failed == 2 }
    #expect(machine.server.requestCount == 1)
    // The program may send it late nevertheless, and then what needs it.
    let entries = queue.entries
    for entry in entries { try await queue.retry(entry.id) }
    await queue.waitUntilEmpty()
    #expect(machine.server.performed.map(\.id) == ["new-1", "real-new-1"])
    withExtendedLifetime(client) {}
  }

  @Test func aClockThatGoesBackStopsNothing() async throws {
    let machine = try Machine()
    let date = Lock(10_000.0)
    var configuration = OfflineMutationQueue.Configuration()
    configuration.maximumAge = .seconds(60)
    configuration.survivesPowerLoss = false
    let queue = try OfflineMutationQueue(
      fileURL: machine.file, session: "", configuration: configuration,
      clocks: .init(alarms: machine.clock, date: { date.get() }))
    queue.register(Rename.self)
    let client = try await machine.client()
    client.use(queue)
    try await client.rename(to: "A")
    await queue.waitUntilEmpty()
    date.withLock { $0 = 100 }
    try await client.rename(to: "B")
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A", "B"])
  }

  // MARK: Files

  @Test func aFileThatIsGoneFailsAndOneThatIsBackIsSent() async throws {
    let machine = try Machine()
    let queue = try machine.queue()
    queue.register(HeroAPI.UploadMutation.self)
    queue.networkChanged(isAvailable: false)
    let client = try await machine.client()
    client.use(queue)
    let url = machine.folder.appendingPathComponent("a.txt")
    try Data("content".utf8).write(to: url)
    let file = try GraphQLFile(
      fieldName: "file", originalName: "a.txt", mimeType: "text/plain", contentsOf: url)
    let upload = try await client.perform(
      mutation: HeroAPI.UploadMutation(), files: [file],
      offline: .enqueue(key: .automatic, conflict: .skip, files: .referenced))
    try FileManager.default.removeItem(at: url)
    queue.networkChanged(isAvailable: true)
    await queue.waitUntil { $0.failed == 1 }
    #expect(machine.server.requestCount == 0)
    // A folder in its place cannot be sent either, however often.
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    #expect(try await queue.retry(upload.id))
    await queue.waitUntil { $0.failed == 1 }
    try FileManager.default.removeItem(at: url)
    try Data("other".utf8).write(to: url)
    // The server of these tests knows no uploads.
    machine.server.react(.reject)
    #expect(try await queue.retry(upload.id))
    await queue.waitUntilEmpty()
    #expect(machine.server.files.map { $0.map(\.contentLength) } == [[5]])
  }

  // MARK: Reports

  @Test func aMutationOfATypeThatIsNotRegisteredIsReportedOnce() async throws {
    let machine = try Machine()
    do {
      let (client, queue) = try await machine.start()
      queue.networkChanged(isAvailable: false)
      for name in ["A", "B"] { try await client.rename(to: name) }
    }
    await machine.waitForEnd()
    let failures = Lock<[OfflineError.Code?]>([])
    let queue = try machine.queue {
      $0.onFailure = { error in failures.withLock { $0.append((error as? OfflineError)?.code) } }
    }
    let client = try await machine.client()
    client.use(queue)
    for _ in 0..<3 { await queue.lookNow() }
    #expect(failures.get() == [.notRegistered])
    queue.register(Rename.self)
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A", "B"])
  }

  @Test func expectedDataThatDoesNotFitItsTypeIsReportedOnceAndSent() async throws {
    let machine = try Machine()
    do {
      let (client, queue) = try await machine.start()
      queue.networkChanged(isAvailable: false)
      try await client.rename(to: "A")
    }
    await machine.waitForEnd()
    // The data of an earlier version of the program.
    let database = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    let payload = Payload(variables: ["id": "1", "name": "A"], optimistic: ["rename": ["id": "1"]])
    try database.transaction {
      try database.update(1, NewContents(payload: payload.bytes, key: "k"))
    }
    let failures = Lock<[String]>([])
    let queue = try machine.queue {
      $0.onFailure = { error in failures.withLock { $0.append("\(type(of: error))") } }
    }
    queue.register(Rename.self)
    queue.networkChanged(isAvailable: false)
    let client = try await machine.client()
    client.use(queue)
    for _ in 0..<2 {
      #expect(try await client.heroName() == "Ben")
      try await client.store.publish(["Hero:1": ["size": 1]])
    }
    #expect(failures.get() == ["UndecodableData"])
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A"])
  }

  private enum Trace {
    @TaskLocal static var name: String?
  }

  @Test func requestsHaveNoTaskLocalValuesOfTheCallThatAdds() async throws {
    let machine = try Machine()
    let traces = Lock<[String?]>([])
    machine.server.intercept { _ in traces.withLock { $0.append(Trace.name) } }
    let (client, queue) = try await machine.start()
    try await Trace.$name.withValue("a screen") { _ = try await client.rename(to: "A") }
    await queue.waitUntilEmpty()
    #expect(traces.get() == [nil])
  }

  // MARK: Numbers

  @Test func noNumberIsGivenTwice() async throws {
    let machine = try Machine()
    var numbers: [Int64] = []
    for round in 0..<3 {
      do {
        let (client, queue) = try await machine.start(session: "alice")
        queue.networkChanged(isAvailable: false)
        for _ in 0..<2 {
          let change = try await client.rename(to: "A")
          numbers.append(change.id.rawValue)
          if round < 2 { #expect(try await queue.drop(change.id)) }
        }
        if round == 1 {
          numbers.append(try await client.rename(to: "B").id.rawValue)
          try await queue.endSession(keepingMutations: false)
        }
      }
      await machine.waitForEnd()
    }
    #expect(numbers == Array(1...7))
  }

  @Test func whatHasBeenSentLeavesItsPlaceInTheLimits() async throws {
    for byBytes in [false, true] {
      let machine = try Machine()
      let (client, queue) = try await machine.start {
        if byBytes { $0.maximumByteCount = 300 } else { $0.maximumCount = 1 }
      }
      queue.networkChanged(isAvailable: false)
      let long = String(repeating: "a", count: 50)
      try await client.rename(to: long)
      let error = await #expect(throws: OfflineError.self) { try await client.rename(to: long) }
      #expect(error?.code == .full)
      queue.networkChanged(isAvailable: true)
      await queue.waitUntilEmpty()
      try await client.rename(to: "B")
      await queue.waitUntilEmpty()
      #expect(machine.server.names == [long, "B"])
    }
  }

  @Test func theProgramDropsWhatWaitsByARule() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    for lane in ["a", "b", "a"] { try await client.rename(to: lane, .enqueue(lane: lane)) }
    try await queue.dropAll { $0.lane == "a" }
    #expect(queue.entries.map(\.lane) == ["b"])
    #expect(try await client.heroName() == "b")
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["b"])
  }

  @MainActor @Test func anObservableQueueFollowsTheCounts() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    let observable = ObservableOfflineQueue(queue)
    #expect(observable.counts.description == "all changes are saved")
    for number in 1...3 { try await client.rename(to: "\(number)") }
    while observable.counts.description != "3 changes are waiting" {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = observable.counts
        } onChange: {
          continuation.resume()
        }
      }
      // The new value is there when the change has been made.
      await Task.yield()
    }
    #expect(observable.entries.map(\.state) == [.waiting, .waiting, .waiting])
    try await queue.dropAll { _ in true }
    while observable.counts.total > 0 { await Task.yield() }
    #expect(observable.entries == [])
  }
}
