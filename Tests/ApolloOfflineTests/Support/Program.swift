import Apollo
import ApolloAPI
import Foundation
import ManualClock
import TestOperations
import Testing

@testable import ApolloOffline

typealias Rename = HeroAPI.RenameMutation

/// A file, a server and a clock, with which a program is started again and again.
final class Machine: Sendable {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-offline-\(UUID().uuidString)")
  let server = ModelServer()
  let clock = ManualClock()
  private let executors = Lock<[@Sendable () -> Bool]>([])

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)  // the system cleans up leftovers
  }

  var file: URL { folder.appendingPathComponent("queue.sqlite") }

  /// The bytes of the file and of its log.
  var bytes: Data {
    ["", "-wal"].reduce(into: Data()) { data, suffix in
      data += (try? Data(contentsOf: URL(fileURLWithPath: file.path + suffix))) ?? Data()
    }
  }

  /// A queue that no client uses yet.
  func queue(
    session: String? = "", _ change: (inout OfflineMutationQueue.Configuration) -> Void = { _ in }
  ) throws -> OfflineMutationQueue {
    var configuration = OfflineMutationQueue.Configuration()
    configuration.survivesPowerLoss = false
    configuration.busyTimeout = .seconds(300)
    configuration.onFailure = { Issue.record($0) }
    change(&configuration)
    let clock = clock
    let queue = try OfflineMutationQueue(
      fileURL: file, session: session, configuration: configuration,
      clocks: .init(alarms: clock, date: { 1_000 + clock.now.inSeconds }))
    executors.withLock { $0.append { [weak executor = queue.executor] in executor != nil } }
    return queue
  }

  /// Returns when the queues that were made so far have ended, as with their process.
  func waitForEnd() async {
    while executors.withLock({ $0.contains { $0() } }) { await Task.yield() }
  }

  /// A client whose cache has the heroes 1 (Ben) and 2 (Leia).
  func client(
    cache: any NormalizedCache = InMemoryNormalizedCache()
  ) async throws -> ApolloClient {
    let store = ApolloStore(cache: cache)
    try await store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:1")],
      "Hero:1": [
        "__typename": "Hero", "id": "1", "name": "Ben", "friends": .list([.reference("Hero:2")]),
      ],
      "Hero:2": ["__typename": "Hero", "id": "2", "name": "Leia", "friends": .null],
    ])
    return ApolloClient(networkTransport: server, store: store, clock: clock)
  }

  /// A client with a queue for `Rename`.
  func start(
    session: String? = "", _ change: (inout OfflineMutationQueue.Configuration) -> Void = { _ in }
  ) async throws -> (ApolloClient, OfflineMutationQueue) {
    let queue = try queue(session: session, change)
    queue.register(Rename.self)
    let client = try await client()
    client.use(queue)
    return (client, queue)
  }
}

extension OfflineMutationQueue {
  /// Returns when the counts are as a test expects.
  func waitUntil(_ isExpected: (OfflineCounts) -> Bool) async {
    for await counts in countUpdates where isExpected(counts) { return }
  }

  /// Lets everything begin that can begin now.
  ///
  /// Requests that begin are counted as `sending` afterwards.
  func lookNow() async { await executor.pump() }

  /// Returns when nothing is in the queue.
  func waitUntilEmpty() async { await waitUntil { $0.total == 0 } }

  /// Lets the time pass until nothing is in the queue.
  func drain(_ clock: ManualClock) async { await advance(clock) { $0.total == 0 } }

  /// Lets the time pass until the counts are as a test expects.
  func advance(_ clock: ManualClock, until isExpected: (OfflineCounts) -> Bool) async {
    let advancing = Task {
      while !Task.isCancelled {
        await clock.waitForAlarms(1)
        clock.advanceToNextAlarm()
        await Task.yield()
      }
    }
    await waitUntil(isExpected)
    advancing.cancel()
    // Ends the last wait.
    let alarm = clock.setAlarm(after: .seconds(1)) {}
    await advancing.value
    alarm.cancel()
  }
}

extension ApolloClient {
  /// The name of the hero 1, as readers see it.
  func heroName() async throws -> String? {
    try await store.load(HeroAPI.HeroQuery()).data?.hero?.name
  }

  /// Returns when readers see a name of the hero 1.
  func waitForHeroName(_ name: String) async throws {
    while try await heroName() != name { await Task.yield() }
  }

  /// The name of the hero 2, as readers see it.
  func friendName() async throws -> String? {
    try await store.load(HeroAPI.HeroQuery()).data?.hero?.friends?.first?.name
  }

  @discardableResult
  func rename(
    _ id: String = "1", to name: String, _ rules: OfflineRules = .enqueue(key: .automatic)
  ) async throws -> OfflineMutation<Rename> {
    try await perform(
      mutation: Rename(id: id, name: name), optimistic: renamed(id, name), offline: rules)
  }
}

/// The expected data of a mutation.
func renamed(_ id: String, _ name: String) throws -> Rename.Data {
  try Rename.Data(jsonObject: ["rename": ["__typename": "Hero", "id": id, "name": name]])
}

extension OfflineFile {
  /// The mutations of a session.
  func entries(of session: String) throws -> [EntryRecord] {
    try transaction { () -> FileContents in try self.contents(of: session) }.entries
  }
}
