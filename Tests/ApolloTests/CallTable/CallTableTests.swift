import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import ManualClock
import ScriptedSocket
import TestOperations
import Testing

@testable import Apollo

#if CURL
  /// The observable course of every kind of call: its events, responses, errors and requests, for
  /// each policy, each transport and each behavior of a server.
  ///
  /// `Golden/calls.txt` has them. `RECORD_GOLDEN=1` replaces it by the present ones; a change of
  /// the way that calls take, rather than of what they do, leaves it as it is.
  @Suite(.timeLimit(.minutes(20)))
  struct CallTableTests {
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/calls.txt")

    /// One row of the table, but for the transport.
    private struct Row: Hashable {
      var scenario: TableScenario
      var call: TableCall
      var isCached: Bool

      var title: String {
        "\(scenario.rawValue), \(call.name)" + (isCached ? ", cached" : "")
      }
    }

    private static let rows = TableScenario.allCases.flatMap { scenario in
      TableCall.all.flatMap { call in
        (call.readsCache ? [false, true] : [false]).map {
          Row(scenario: scenario, call: call, isCached: $0)
        }
      }
    }

    @Test func everyCallTakesTheReviewedCourse() async throws {
      let outcomes = try await withThrowingTaskGroup(of: (TableTransport, [Row: String]).self) {
        group in
        for transport in TableTransport.allCases {
          group.addTask {
            var outcomes: [Row: String] = [:]
            for row in Self.rows where row.call.isDefined(row.scenario, transport) {
              outcomes[row] = try await outcome(row, transport)
            }
            return (transport, outcomes)
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      let table = Self.text(outcomes)
      if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
        try table.write(to: Self.golden, atomically: true, encoding: .utf8)
      }
      let expected = try String(contentsOf: Self.golden, encoding: .utf8)
      expectEqualLines(table, expected)
    }

    private func expectEqualLines(_ table: String, _ expected: String) {
      let (new, old) = (Self.lines(table), Self.lines(expected))
      for line in new.subtracting(old).sorted().prefix(20) {
        Issue.record("The table has no such row: \(line)")
      }
      for line in old.subtracting(new).sorted().prefix(20) {
        Issue.record("A row of the table is missing: \(line)")
      }
    }

    /// The rows, each with its title.
    private static func lines(_ table: String) -> Set<String> {
      var title: Substring = ""
      var lines: Set<String> = []
      for line in table.split(separator: "\n") {
        if line.hasPrefix("  ") { lines.insert("\(title):\(line)") } else { title = line }
      }
      return lines
    }

    /// Transports with the same outcome share a line.
    private static func text(_ outcomes: [TableTransport: [Row: String]]) -> String {
      var text = ""
      for row in rows {
        var transports: [String: [String]] = [:]
        for transport in TableTransport.allCases {
          guard let outcome = outcomes[transport]?[row] else { continue }
          transports[outcome, default: []].append(transport.rawValue)
        }
        guard !transports.isEmpty else { continue }
        text += "\(row.title)\n"
        let lines = transports.map { "  \($1.joined(separator: " ")): \($0)\n" }
        text += lines.sorted().joined()
      }
      return text
    }

    // MARK: One call

    private func outcome(_ row: Row, _ transport: TableTransport) async throws -> String {
      let stage = TableStage(row.scenario, isWhole: row.call.isWhole)
      let server = try TableHTTPServer.start(stage)
      let connector = ScriptedConnector()
      let socketServer = Task { await TableSocketServer.run(connector, stage) }
      defer {
        stage.end()
        socketServer.cancel()
        server.stop()
      }
      let store = ApolloStore()
      if row.isCached { try await fill(store, row) }
      let delegate = TableDelegate(stage)
      let clock = ManualClock()
      let isObserved = row.scenario != .unobserved
      let events = EventRingBuffer()
      let terminal = TerminalEvents()
      var configuration = RequestConfiguration()
      if row.scenario == .deadline { configuration.requestTimeout = .seconds(5) }
      let client = ApolloClient(
        networkTransport: transport.make(
          stage, url: server.url(), connector: connector, delegate: delegate),
        store: store, defaultRequestConfiguration: configuration,
        observers: isObserved ? [events, terminal] : [], clock: clock)
      let way = try await isObserved ? nil : self.way(of: row, client)

      let results = Lock<[String]>([])
      let task = Task {
        do {
          try await row.call.run(client, stage, terminal: terminal) { source, text in
            results.withLock { $0.append("\(source) \(text)") }
            switch source {
            case .server: stage.hasFirstResponse.fire()
            case .cache: stage.hasCachedData.fire()
            }
          }
          results.withLock { $0.append("end") }
        } catch {
          results.withLock { $0.append(TableOutcome.name(error)) }
        }
        stage.end()
      }
      var limits = ""
      if row.scenario.isSilent {
        await stage.isWaiting.wait()
        // A callback may still be on the way to its queue.
        if row.isCached, row.call.sendsWhileItDelivers { await stage.hasCachedData.wait() }
        switch row.scenario {
        case .cancelled:
          limits = " | limits \(clock.delays.map { "\($0.components.seconds)" })"
          task.cancel()
        case .sessionEnded: try await client.endSession()
        default: clock.advance(by: .seconds(5))
        }
      }
      await task.value
      withExtendedLifetime(delegate) {}
      // What a call leaves behind at its end goes on for a while.
      let notes =
        stage.notes.isEmpty || row.scenario.isSilent
        ? "" : " | notes \(stage.notes.joined(separator: " "))"
      return """
        \(way ?? TableOutcome.text(events.events, of: row.call, over: transport)) | \(results.get().joined(separator: ", ")) \
        | \(stage.requestCount) requests | cache \(try await cached(store, row))\(notes)\(limits)
        """
    }

    /// Returns whether a call takes the shortcut, after the cache has been read once.
    private func way(of row: Row, _ client: ApolloClient) async throws -> String? {
      guard let behavior = row.call.singleFetchBehavior else { return nil }
      _ = try await cached(client.store, row)
      let request = GraphQLRequest(
        HeroAPI.HeroQuery(), behavior, configuration: RequestConfiguration())
      return try client.currentResponse(to: request) == nil ? "steps" : "shortcut"
    }

    /// Writes old data for every operation.
    private func fill(_ store: ApolloStore, _ row: Row) async throws {
      let client = ApolloClient(
        networkTransport: ScriptedTransport { _, _ in TableBody.data("Old") }, store: store)
      if row.call.isSubscription {
        let transport = StreamingTransport { _ in [.response("Old")] }
        let events = ApolloClient(networkTransport: transport, store: store).subscribe(
          subscription: HeroAPI.HeroChangedSubscription())
        for try await _ in events {}
      } else if row.scenario == .parts {
        _ = try await client.fetch(
          query: HeroAPI.DeferredHeroQuery(), cachePolicy: .networkOnly)
      } else {
        _ = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
      }
    }

    /// The name of the hero in the cache, whoever has written it.
    private func cached(_ store: ApolloStore, _ row: Row) async throws -> String {
      let client = ApolloClient(networkTransport: ScriptedTransport { _, _ in "" }, store: store)
      if row.call.isSubscription {
        var events = client.subscribe(
          subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .cacheThenNetwork
        ).makeAsyncIterator()
        // Without an event in the cache, the transport is asked, which sends no subscriptions.
        return (try? await events.next())?.data?.heroChanged?.name ?? "nothing"
      }
      if row.call == .perform || row.call == .upload {
        return try await store.withinReadTransaction { transaction in
          (try? transaction.readObject(
            ofType: HeroAPI.HeroName.self, withKey: "Hero:0"))?.name ?? "nothing"
        }
      }
      if row.scenario == .parts {
        let response = try await client.fetch(
          query: HeroAPI.DeferredHeroQuery(), cachePolicy: .cacheOnly)
        return response?.data.map { $0.hero?.name ?? "null" } ?? "nothing"
      }
      let response = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly)
      return response?.data.map { $0.hero?.name ?? "null" } ?? "nothing"
    }
  }
#endif
