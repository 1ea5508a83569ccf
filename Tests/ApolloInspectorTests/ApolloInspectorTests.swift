import Apollo
import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import LoopbackServer
import TestOperations
import Testing

@testable import ApolloInspector

@Suite(.timeLimit(.minutes(10)))
struct ApolloInspectorTests {
  private static let hero =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":[]}}}"#

  private struct Page {
    let inspector: ApolloInspector
    let client: ApolloClient

    init(
      _ server: LoopbackServer, store: ApolloStore = ApolloStore(),
      redaction: RecordingRedaction = RecordingRedaction(), headers: [String: String] = [:]
    ) throws {
      inspector = try ApolloInspector(store: store, name: "heroes", redaction: redaction)
      client = ApolloClient(
        networkTransport: HTTPNetworkTransport(url: server.url(), additionalHeaders: headers),
        store: store, observers: [inspector])
    }

    func get(_ path: String) async throws -> JSONValue {
      let (_, body) = try await text(path)
      return try JSONValue(jsonBytes: Data(body.utf8))
    }

    func text(_ path: String) async throws -> (status: Int, body: String) {
      let address = inspector.address
      let port = UInt16(try #require(address.port))
      let text = try await ApolloInspectorTests.onThread {
        let socket = try Socket.connected(to: port)
        defer { socket.closeDescriptor() }
        #expect(socket.send(Self.request(address.path + "/" + path, port, "Connection: close\r\n")))
        var bytes: [UInt8] = []
        while case let more = socket.receive(), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
      }
      let end = try #require(text.range(of: "\r\n\r\n"))
      return (Int(text.split(separator: " ")[1]) ?? 0, String(text[end.upperBound...]))
    }

    static func request(_ target: String, _ port: UInt16, _ headers: String = "") -> [UInt8] {
      Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(headers)\r\n".utf8)
    }
  }

  /// Runs a body that blocks on a thread of its own: the server's handlers need those of the tests.
  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }

  private func server() throws -> LoopbackServer {
    try LoopbackServer { _, reply in reply.json(Self.hero) }
  }

  // MARK: Calls

  @Test func showsTheStepsOfACallWithoutSecrets() async throws {
    let server = try server()
    defer { server.stop() }
    let page = try Page(server, headers: ["Authorization": "Bearer letmein"])
    _ = try await page.client.fetch(query: HeroAPI.HeroQuery(name: "Luke"))
    let shown = try await page.get("events")
    let events = try #require(shown["events"]?.arrayValue)
    #expect(
      events.map { $0["kind"]?.stringValue } == [
        "began", "cacheRead", "requestBuilt", "sent", "firstByte", "received", "decoded",
        "cacheWritten", "delivered", "completed",
      ])
    #expect(shown["latest"] == .int(Int64(events.count)))
    #expect(Set(events.map { $0["call"] }).count == 1)
    #expect(events.allSatisfy { $0["operation"] == "query Hero" })
    #expect(events.map { $0["isLast"] == true } == events.indices.map { $0 == events.count - 1 })
    #expect(events[0]["variables"] == #"{"name":"Luke"}"#)
    #expect(events[2]["headers"]?.arrayValue?.contains("Authorization: <redacted>") == true)
    #expect(events[4]["text"] == "200")
    #expect(!shown.description.contains("letmein"))
    await page.inspector.stop()
  }

  @Test func theRulesOfRecordingsDecideAboutVariables() async throws {
    let server = try server()
    defer { server.stop() }
    let page = try Page(server, redaction: RecordingRedaction(secretNames: ["name"]))
    _ = try await page.client.fetch(query: HeroAPI.HeroQuery(name: "Luke"))
    let shown = try await page.get("events")
    #expect(shown["events"]?[0]?["variables"] == #"{"name":"<redacted>"}"#)
    await page.inspector.stop()
  }

  @Test func aCallThatFailsEndsWithItsError() async throws {
    let server = try LoopbackServer { _, reply in reply.respond(500, body: Array("broken".utf8)) }
    defer { server.stop() }
    let page = try Page(server)
    await #expect(throws: (any Error).self) {
      try await page.client.fetch(query: HeroAPI.HeroQuery())
    }
    let last = try await page.get("events")["events"]?.arrayValue?.last
    #expect(last?["kind"] == "failed" && last?["isLast"] == true)
    #expect(last?["text"]?.stringValue?.contains("500") == true)
    await page.inspector.stop()
  }

  @Test(arguments: [
    (0, 100, 16...25), (15, 100, 16...25), (16, 100, 17...25), (0, 3, 16...18), (20, 2, 21...22),
    (24, 100, 25...25),
  ])
  func theLatestEventsAreKept(after: Int, count: Int, numbers: ClosedRange<Int>) async throws {
    let log = CallLog(capacity: 10, RecordingRedaction())
    for event in try await Self.events(25) { log.append(event) }
    let (events, latest) = log.events(after: after, atMost: count)
    #expect(events.map { $0["number"] } == numbers.map { .int(Int64($0)) })
    #expect(latest == 25)
  }

  @Test(arguments: [25, 26, 1_000, Int.max])
  func afterTheLatestEventThereIsNone(after: Int) async throws {
    let log = CallLog(capacity: 10, RecordingRedaction())
    #expect(log.events(after: after, atMost: 10).events.isEmpty)
    for event in try await Self.events(25) { log.append(event) }
    #expect(log.events(after: after, atMost: 10).events.isEmpty)
    #expect(log.latest == 25)
  }

  /// The error of an event may own an object that uses the inspector when it is released.
  @Test(.timeLimit(.minutes(1))) func aReplacedEventIsReleasedWithoutALock() async throws {
    final class Owner: Error {
      let onRelease: @Sendable () -> Void
      init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    let event = try #require(try await Self.events(1).first)
    let (releases, release) = AsyncStream.makeStream(of: Void.self)
    let log = CallLog(capacity: 1, RecordingRedaction())
    let useOfLog: @Sendable () -> Void = { [weak log] in
      _ = log?.latest  // takes the lock
      release.yield()
    }
    log.append(CallEvent(call: event.call, kind: .failed(Owner(useOfLog)), time: .zero, attempt: 0))
    Thread.detachNewThread { log.append(event) }
    var iterator = releases.makeAsyncIterator()
    #expect(await iterator.next() != nil, "The deinitializer waits for the lock.")
    withExtendedLifetime(log) {}
  }

  /// Returns events of real calls.
  private static func events(_ count: Int) async throws -> [CallEvent] {
    let server = try LoopbackServer { _, reply in reply.json(hero) }
    defer { server.stop() }
    let buffer = EventRingBuffer()
    let client = ApolloClient(
      networkTransport: HTTPNetworkTransport(url: server.url()), observers: [buffer])
    while buffer.events.count < count { _ = try await client.fetch(query: HeroAPI.HeroQuery()) }
    return Array(buffer.events.prefix(count))
  }

  // MARK: The cache

  @Test(arguments: [false, true])
  func theRecordsOfTheStoreAreShown(isOnDisk: Bool) async throws {
    let server = try server()
    defer { server.stop() }
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    let cache: any NormalizedCache =
      isOnDisk ? try SQLiteNormalizedCache.inMemory() : InMemoryNormalizedCache()
    let page = try Page(server, store: ApolloStore(cache: cache, configuration: configuration))
    let empty = try await page.get("summary")
    #expect(empty["whole"]?["records"] == 0)
    _ = try await page.client.fetch(query: HeroAPI.HeroQuery())
    let summary = try await page.get("summary")
    #expect(summary["whole"]?["records"] == 2)
    #expect(summary["version"] != empty["version"])
    #expect(summary["operations"]?[0]?["name"] == "Hero")
    let record = try await page.get("record?key=Hero%3A1")
    let fields = try #require(record["fields"]?.arrayValue)
    #expect(fields.first { $0["field"] == "name" }?["value"] == "Luke")
    #expect(fields.first { $0["field"] == "name" }?["operation"] == "Hero")
    #expect(record["referrers"] == [["key": "QUERY_ROOT", "field": "hero"]])

    try await page.client.store.removeObject(for: "Hero:1")
    #expect(try await page.get("record?key=Hero%3A1")["isMissing"] == true)
    #expect(try await page.get("records?show=dangling")["total"] == 1)
    await page.inspector.stop()
  }

  /// A cache that does not know its keys.
  private final class KeylessCache: NormalizedCache {
    private let memory = InMemoryNormalizedCache()

    func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
      memory.loadRecords(forKeys: keys)
    }
    func merge(records: RecordSet) -> ChangeSet { memory.merge(records: records) }
    func removeRecord(for key: RecordKey) -> ChangeSet {
      memory.removeRecord(for: key)
    }
    func removeRecords(matching pattern: String) -> ChangeSet {
      memory.removeRecords(matching: pattern)
    }
    func clear() { memory.clear() }
  }

  @Test func aCacheThatCannotListItsRecordsSaysSo() async throws {
    let server = try server()
    defer { server.stop() }
    let page = try Page(server, store: ApolloStore(cache: KeylessCache()))
    _ = try await page.client.fetch(query: HeroAPI.HeroQuery())
    let (status, body) = try await page.text("summary")
    #expect(status == 500 && body.contains("This cache cannot list its records."))
    let events = try await page.get("events")
    #expect(events["events"]?.arrayValue?.isEmpty == false)
    await page.inspector.stop()
  }

  // MARK: Watches and layers

  @Test func watchesAreShownWithTheirDataAndTheirFields() async throws {
    let server = try server()
    defer { server.stop() }
    let page = try Page(server)
    _ = try await page.client.fetch(query: HeroAPI.HeroQuery())
    #expect(try await page.get("state")["watches"] == [])

    let store = page.client.store
    let subscription = store.subscribe { _ in }
    let watch = store.watch { _ in }
    #expect(watch.depend(on: try await store.load(HeroAPI.HeroQuery()).trace))
    let arrival = Signal()
    let watcher = page.client.watch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly) { _ in
      arrival.fire()
    }
    await arrival.wait()
    let state = try await page.get("state")
    let watches = try #require(state["watches"]?.arrayValue)
    #expect(watches.map { $0["name"] } == [.null, .null, "HeroAPI.HeroQuery"])
    #expect(watches.map { $0["dependsOnEverything"] } == [true, false, false])
    #expect(watches[0]["records"] == [])
    for watch in watches[1...] {
      #expect(watch["recordCount"] == 2)
      #expect(
        watch["records"] == [
          ["key": "Hero:1", "fields": ["__typename", "friends", "id", "name"]],
          ["key": "QUERY_ROOT", "fields": ["hero"]],
        ])
    }
    watcher.cancel()
    watch.cancel()
    subscription.cancel()
    #expect(try await page.get("state")["watches"] == [])
    await page.inspector.stop()
  }

  @Test func layersAreShownUntilTheirMutationHasEnded() async throws {
    let release = Signal()
    let server = try LoopbackServer { _, reply in
      release.block()
      reply.json(#"{"data":{"rename":{"__typename":"Hero","id":"1","name":"Luke"}}}"#)
    }
    defer { server.stop() }
    defer { release.fire() }
    let page = try Page(server)
    let isShown = Signal()
    let watch = page.client.store.subscribe { _ in isShown.fire() }
    let client = page.client
    let call = Task {
      try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "1", name: "Luke"),
        optimistic: {
          try $0.merge([RecordKey("Hero:1"): ["__typename": "Hero", "name": "expected"]])
        })
    }
    await isShown.wait()
    let state = try await page.get("state")
    #expect(state["layers"]?.arrayValue?.count == 1)
    let layer = try #require(state["layers"]?[0])
    #expect(layer["state"] == "optimistic" && layer["isWaiting"] == false)
    #expect(layer["records"]?[0]?["key"] == "Hero:1")
    #expect(layer["records"]?[0]?["value"]?["name"] == "expected")
    // The cache itself has nothing of it.
    #expect(try await page.get("record?key=Hero%3A1")["isMissing"] == true)
    release.fire()
    _ = try await call.value
    #expect(try await page.get("state")["layers"] == [])
    watch.cancel()
    await page.inspector.stop()
  }

  // MARK: The server

  @Test func openPagesLearnOfEventsAndOfChanges() async throws {
    let server = try server()
    defer { server.stop() }
    let page = try Page(server)
    let address = page.inspector.address
    let port = UInt16(try #require(address.port))
    let socket = try Socket.connected(to: port)
    defer { socket.closeDescriptor() }
    #expect(socket.send(Page.request(address.path + "/changes", port)))
    // Reads until a condition holds, or the connection ends.
    @Sendable func text(until isWhole: @escaping @Sendable (String) -> Bool) async throws -> String
    {
      try await Self.onThread {
        var text = ""
        while !isWhole(text) {
          let more = socket.receive()
          if more.isEmpty { break }
          text += String(decoding: more, as: UTF8.self)
        }
        return text
      }
    }
    _ = try await text { $0.contains("data: ") }
    _ = try await page.client.fetch(query: HeroAPI.HeroQuery())
    // One event is about the call and one about the records, in any order.
    let call = "event: activity\ndata: "
    let news = try await text {
      $0.contains(call) && $0.replacingOccurrences(of: call, with: "").contains("data: ")
    }
    #expect(news.contains(call))
    await page.inspector.stop()
    // Its connections end.
    _ = try await text { _ in false }
  }

  @Test func theServerEndsWithItsInspector() async throws {
    let server = try server()
    defer { server.stop() }
    var page: Page? = try Page(server)
    let address = try #require(page?.inspector.address)
    let port = UInt16(try #require(address.port))
    let socket = try Socket.connected(to: port)
    defer { socket.closeDescriptor() }
    #expect(socket.send(Page.request(address.path + "/changes", port)))
    #expect(try await Self.onThread { !socket.receive().isEmpty })
    page = nil
    try await Self.onThread { while !socket.receive().isEmpty {} }
    _ = page
  }

  @Test func aPortThatIsInUseIsAnError() async throws {
    let server = try server()
    defer { server.stop() }
    let page = try Page(server)
    let port = UInt16(try #require(page.inspector.address.port))
    #expect(throws: (any Error).self) { try ApolloInspector(store: ApolloStore(), port: port) }
    await page.inspector.stop()
  }
}
