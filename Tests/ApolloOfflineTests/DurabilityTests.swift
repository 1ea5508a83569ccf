import Apollo
import ApolloAPI
import ApolloSQLite
import Foundation
import TestOperations
import TestProcesses
import Testing

@testable import ApolloOffline

/// The contents of the file, and the behavior of a restarted program.
@Suite(.timeLimit(.minutes(10)))
struct DurabilityTests {
  @Test func aMutationIsOnDiskAndVisibleWhenTheCallReturns() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let (client, queue) = try await machine.start()
    let change = try await client.rename(to: "Rey")
    #expect(try await client.heroName() == "Rey")
    #expect(queue.counts.description == "1 change is waiting")
    let other = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    let session = try other.transaction { try other.unnamedSession() }
    let entries = try other.entries(of: session)
    #expect(entries.map(\.id) == [change.id.rawValue])
    #expect(entries.map(\.operationName) == ["Rename"])
  }

  @Test func aRestartedProgramShowsWhatWaitsBeforeItsFirstReading() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    do {
      let (client, _) = try await machine.start()
      try await client.rename(to: "Rey")
      try await client.rename("2", to: "Finn")
    }
    await machine.waitForEnd()
    let (client, queue) = try await machine.start()
    // The first reading without a suspension sees them too.
    #expect(try await client.heroName() == "Rey")
    #expect(try await client.friendName() == "Finn")
    #expect(queue.counts.waiting + queue.counts.sending == 2)
    machine.server.react(.respond)
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["Rey", "Finn"])
    #expect(try await client.heroName() == "Rey")
  }

  @Test func theResponseTakesThePlaceOfTheExpectedData() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    let change = try await client.rename(to: "Rey")
    #expect(try await change.response.data?.rename?.name == "Rey")
    await queue.waitUntilEmpty()
    #expect(try await client.heroName() == "Rey")
    #expect(queue.counts.description == "all changes are saved")
    #expect(client.store.layers.isEmpty)
  }

  @Test func aResponseDoesNotWaitForMutationsThatAreNotSent() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let cache = InMemoryNormalizedCache()
    let client = try await machine.client(cache: cache)
    let queue = try machine.queue()
    queue.register(Rename.self)
    client.use(queue)
    try await client.rename(to: "Rey")
    await queue.waitUntil { $0.waiting == 1 }
    machine.server.react(.respond)
    // Not in the queue. The response is committed although an older mutation waits.
    _ = try await client.perform(mutation: Rename(id: "2", name: "Finn"))
    let records = cache.loadRecords(forKeys: ["Hero:1", "Hero:2"])
    #expect(records["Hero:2"]?["name"] == "Finn")
    #expect(records["Hero:1"]?["name"] == "Ben")
    #expect(try await client.heroName() == "Rey")
    _ = try await client.perform(mutation: Rename(id: "1", name: "Ben Solo"))
    // The waiting mutation will reach the server later, so it is still above.
    #expect(try await client.heroName() == "Rey")
  }

  @Test func clearingTheCacheKeepsWhatWaits() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let (client, _) = try await machine.start()
    try await client.rename(to: "Rey")
    try await client.clearCache()
    try await client.store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:1")],
      "Hero:1": ["__typename": "Hero", "id": "1", "name": "Ben", "friends": .null],
    ])
    #expect(try await client.heroName() == "Rey")
  }

  @Test func aNamedUpdaterIsRestored() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    func start() async throws -> ApolloClient {
      let queue = try machine.queue()
      queue.register(Rename.self)
      queue.registerUpdater("suffix") { transaction, argument in
        let text = argument.stringValue ?? ""
        try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name += text }
      }
      let client = try await machine.client()
      client.use(queue)
      return client
    }
    do {
      let client = try await start()
      for text in ["!", "?"] {
        _ = try await client.perform(
          mutation: Rename(id: "1", name: text),
          updating: OfflineUpdate("suffix", argument: .string(text)), offline: .enqueue())
      }
      #expect(try await client.heroName() == "Ben!?")
    }
    await machine.waitForEnd()
    let client = try await start()
    #expect(try await client.heroName() == "Ben!?")
  }

  @Test func aFileOfAnotherProgramIsLeftAlone() throws {
    let machine = try Machine()
    _ = try SQLiteNormalizedCache(fileURL: machine.file)
    let error = #expect(throws: OfflineError.self) { try machine.queue() }
    #expect(error?.code == .foreignFile)
  }

  /// Another program can count versions of its file before it makes tables.
  @Test func aFileOfAnotherProgramWithoutTablesIsLeftAlone() throws {
    let machine = try Machine()
    do {
      let other = try DatabaseConnection(
        path: machine.file.path, access: .writing, busyTimeout: 0)
      try other.execute("PRAGMA user_version = 5")
    }
    let before = try Data(contentsOf: machine.file)
    let error = #expect(throws: OfflineError.self) { try machine.queue() }
    #expect(error?.code == .foreignFile)
    #expect(try Data(contentsOf: machine.file) == before)
  }

  /// Several processes that start at the same time find no file.
  @Test func severalQueuesCanMakeAFileAtTheSameTime() async throws {
    for _ in 0..<20 {
      let machine = try Machine()
      let url = machine.file
      let failures = await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            await onThreadOfItsOwn { () -> String? in
              do {
                _ = try OfflineFile(
                  url: url, survivesPowerLoss: false, busyTimeout: .seconds(300))
                return nil
              } catch {
                return "\(error)"
              }
            }
          }
        }
        return await group.reduce(into: [String]()) { failures, failure in
          if let failure { failures.append(failure) }
        }
      }
      #expect(failures == [])
    }
  }

  @Test func aDamagedFileIsAnErrorAndStays() throws {
    let machine = try Machine()
    let bytes = Data(repeating: 0x2A, count: 8_192)
    try bytes.write(to: machine.file)
    #expect(throws: SQLiteError.self) { try machine.queue() }
    #expect(try Data(contentsOf: machine.file) == bytes)
  }

  @Test func protectedContentsAreNotInTheFileAsText() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let protection = OfflineProtection(
      seal: { Data($0.map { $0 ^ 0x55 }) }, open: { Data($0.map { $0 ^ 0x55 }) })
    do {
      let (client, _) = try await machine.start { $0.protection = protection }
      try await client.rename(to: "Secretive")
      #expect(machine.bytes.range(of: Data("Rename".utf8)) != nil)
      #expect(machine.bytes.range(of: Data("Secretive".utf8)) == nil)
    }
    await machine.waitForEnd()
    let (client, queue) = try await machine.start { $0.protection = protection }
    #expect(try await client.heroName() == "Secretive")
    machine.server.react(.respond)
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["Secretive"])
  }

  @Test(arguments: [OfflineFileStorage.copied, .referenced])
  func filesAreSentAfterARestart(storage: OfflineFileStorage) async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let url = machine.folder.appendingPathComponent("a.txt")
    try Data("content".utf8).write(to: url)
    do {
      let queue = try machine.queue()
      queue.register(HeroAPI.UploadMutation.self)
      let client = try await machine.client()
      client.use(queue)
      let file = try GraphQLFile(
        fieldName: "file", originalName: "a.txt", mimeType: "text/plain", contentsOf: url)
      _ = try await client.perform(
        mutation: HeroAPI.UploadMutation(), files: [file],
        offline: .enqueue(key: .automatic, files: storage))
      if storage == .copied { try FileManager.default.removeItem(at: url) }
    }
    await machine.waitForEnd()
    machine.server.react(.reject)
    let queue = try machine.queue()
    queue.register(HeroAPI.UploadMutation.self)
    let client = try await machine.client()
    client.use(queue)
    await queue.advance(machine.clock) { $0.failed == 1 }
    let file = try #require(machine.server.files.last?.first)
    #expect(file.originalName == "a.txt")
    #expect(file.contentLength == 7)
  }

  @Test func limitsRefuseWhatIsTooMuch() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let (client, queue) = try await machine.start { $0.maximumCount = 2 }
    try await client.rename(to: "A")
    try await client.rename(to: "B")
    let error = await #expect(throws: OfflineError.self) { try await client.rename(to: "C") }
    #expect(error?.code == .full)
    #expect(queue.counts.total == 2)
    #expect(try await client.heroName() == "B")
  }

  @Test func whatIsNotRegisteredIsRefused() async throws {
    let machine = try Machine()
    let queue = try machine.queue()
    let client = try await machine.client()
    let none = await #expect(throws: OfflineError.self) { try await client.rename(to: "A") }
    #expect(none?.code == .noQueue)
    client.use(queue)
    let error = await #expect(throws: OfflineError.self) { try await client.rename(to: "A") }
    #expect(error?.code == .notRegistered)
    queue.register(Rename.self)
    for rules in [
      OfflineRules.enqueue(conflict: .handler), .enqueue(superseding: .merge("name")),
    ] {
      let error = await #expect(throws: OfflineError.self) {
        try await client.rename(to: "A", rules)
      }
      #expect(error?.code == .notRegistered)
    }
    #expect(queue.counts.total == 0)
  }

  /// Its mutation leaves the file with the response. What is written afterwards is newer, also for
  /// the next run of the program.
  @Test func aResponseIsInTheCacheWhileAnOlderMutationIsUnderWay() async throws {
    let machine = try Machine()
    let cacheFile = machine.folder.appendingPathComponent("cache.sqlite")
    let cache = try SQLiteNormalizedCache(fileURL: cacheFile)
    let client = try await machine.client(cache: cache)
    let queue = try machine.queue()
    queue.register(Rename.self)
    client.use(queue)
    // Not in the queue.
    machine.server.holdNext()
    let expected = try renamed("1", "Finn")
    let older = Task {
      try await client.perform(mutation: Rename(id: "1", name: "Finn"), optimistic: expected)
    }
    while machine.server.requestCount == 0 { await Task.yield() }
    let change = try await client.rename(to: "Rey", .enqueue())
    #expect(try await change.response.data?.rename?.name == "Rey")
    #expect(try cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?["name"] == "Rey")
    #expect(try await client.heroName() == "Rey")
    #expect(queue.counts.total == 0)
    let file = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    let session = try file.transaction { try file.unnamedSession() }
    #expect(try file.entries(of: session).isEmpty)

    try await client.store.publish(["Hero:1": ["name": "Kira"]])
    #expect(try await client.heroName() == "Kira")
    // As after a kill.
    let restarted = ApolloClient(
      networkTransport: machine.server,
      store: ApolloStore(cache: try SQLiteNormalizedCache(fileURL: cacheFile)),
      clock: machine.clock)
    let next = try machine.queue()
    next.register(Rename.self)
    restarted.use(next)
    await next.lookNow()
    #expect(try await restarted.heroName() == "Kira")

    machine.server.release()
    _ = try await older.value
    #expect(try await client.heroName() == "Kira")
    #expect(try await restarted.heroName() == "Kira")
    #expect(client.store.layers.isEmpty)
    #expect(machine.server.requestCount == 2)
  }

  @Test func theEndOfAQueueEndsItsSequences() async throws {
    let machine = try Machine()
    let states: AsyncStream<OfflineEvent>
    let counts: AsyncStream<OfflineCounts>
    do {
      let queue = try machine.queue()
      (states, counts) = (queue.states, queue.countUpdates)
    }
    for await _ in states {}
    for await counts in counts { #expect(counts.total == 0) }
  }

  @Test func whatIsReadFromTheQueueWaitsForNoDisk() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start(session: "alice")
    queue.networkChanged(isAvailable: false)
    try await client.rename(to: "A")
    let other = try OfflineFile(
      url: machine.file, survivesPowerLoss: false, busyTimeout: .seconds(300))
    var adding: Task<Void, any Error>?
    try other.transaction {
      adding = Task { _ = try await client.rename(to: "B") }
      // While another process writes, and the addition waits for it.
      for _ in 0..<100 {
        #expect(queue.counts.waiting == 1)
        #expect(queue.entries.count == 1)
        #expect(queue.session == "alice")
      }
    }
    try await adding?.value
    #expect(queue.counts.waiting == 2)
  }
}
