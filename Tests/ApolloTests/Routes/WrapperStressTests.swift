import Apollo
import ApolloAPI
import ApolloTransport
import ApolloWebSocket
import Foundation
import LoopbackServer
import ScriptedSocket
import SeededRandom
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Storms of calls and of commands with several wrappers around the transports: every call ends
/// once, with its own data.
///
/// `STRESS_CALLS` and `STRESS_COMMANDS` are the numbers of calls and of commands. The name ends
/// like those of the other tests that run alone.
@Suite(.timeLimit(.minutes(60)), .serialized)
struct WrapperStressTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
  }

  // MARK: - Calls

  /// Wrappers around wrappers.
  enum Stack: CaseIterable {
    case splitOfSharedBatches, sharedChainWithRetries, fallbackOfSplit

    func transport(_ url: URL) -> any NetworkTransport {
      let client: DefaultHTTPClient = .patient
      let events = HTTPNetworkTransport(url: url, client: client)
      events.subscriptionFormat = .serverSentEvents
      func fallback(_ queries: any UploadingNetworkTransport) -> FallbackNetworkTransport {
        let wait = ReconnectionPolicy(
          initialDelay: .milliseconds(1), maximumDelay: .milliseconds(5))
        return FallbackNetworkTransport(
          queryTransport: queries,
          subscriptionRoutes: [
            .webSocket(WebSocketTransport(endpointURL: url)), .http(events),
          ],
          openingTimeout: .seconds(600), reconnection: wait)
      }
      switch self {
      case .splitOfSharedBatches:
        let batching = HTTPNetworkTransport(url: url, client: BatchingHTTPClient(client))
        let shared = DeduplicatingNetworkTransport(batching)
        return SplitNetworkTransport(
          uploadingNetworkTransport: shared, webSocketNetworkTransport: fallback(batching))
      case .sharedChainWithRetries:
        let chain = RequestChainNetworkTransport(
          client: client, interceptorProvider: Retries(), endpointURL: url)
        return DeduplicatingNetworkTransport(fallback(chain))
      case .fallbackOfSplit:
        let shared = DeduplicatingNetworkTransport(
          HTTPNetworkTransport(url: url, client: client))
        return fallback(
          SplitNetworkTransport(
            uploadingNetworkTransport: shared, webSocketNetworkTransport: shared))
      }
    }
  }

  private struct Retries: InterceptorProvider {
    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] {
      [RetryInterceptor(.init(baseDelay: .milliseconds(1), maximumDelay: .milliseconds(5)))]
    }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [AuthenticationInterceptor(token: "t") { "t" }]
    }
  }

  /// The server's reaction to an operation, whose name begins with it.
  ///
  /// Only mutations, which nothing batches, meet the ends of connections: each query succeeds.
  private enum Fate: String {
    case data, error, refusal, close, silence
  }

  /// A server that notes how often it has received each mutation.
  private final class StormServer: Sendable {
    let mutationCounts = Lock<[String: Int]>([:])

    func start() throws -> LoopbackServer {
      try LoopbackServer(keepsRequests: false) { [self] request, reply in
        if request.headers["upgrade"] != nil { return reply.respond(404) }
        if let name = request.headers["x-name"] { return sendEvents(name, reply) }
        guard let body = try? JSONValue(jsonBytes: Data(request.body)) else {
          return reply.respond(400)
        }
        guard let operations = body.arrayValue else { return respond(to: body, reply) }
        let members = operations.map { Self.response(named: Self.name(of: $0)) }
        reply.json("[\(members.joined(separator: ","))]")
      }
    }

    private func respond(to operation: JSONValue, _ reply: Reply) {
      let name = Self.name(of: operation)
      if operation["query"]?.stringValue?.hasPrefix("mutation") == true {
        mutationCounts.withLock { $0[name, default: 0] += 1 }
      }
      switch Fate(rawValue: String(name.prefix { $0 != " " })) {
      case .refusal: reply.respond(503)
      case .close: reply.close()
      case .silence: reply.waitForClientToClose()
      case .data, .error, nil: reply.json(Self.response(named: name))
      }
    }

    /// Sends two events and ends, or loses the connection between them.
    private func sendEvents(_ name: String, _ reply: Reply) {
      reply.beginChunks(type: "text/event-stream")
      reply.chunk("event: next\ndata: \(Self.response(named: name))\n\n")
      let isLost = mutationCounts.withLock { counts in
        counts["events of \(name)", default: 0] += 1
        return counts["events of \(name)"] == 1 && name.hasPrefix("lost")
      }
      if isLost { return reply.close() }
      reply.chunk("event: next\ndata: \(Self.response(named: name))\n\nevent: complete\n\n")
      reply.endChunks()
    }

    private static func name(of operation: JSONValue) -> String {
      operation["variables"]?["name"]?.stringValue ?? ""
    }

    private static func response(named name: String) -> String {
      if name.hasPrefix("error") { return #"{"data":null,"errors":[{"message":"\#(name)"}]}"# }
      let hero = #"{"__typename":"Hero","id":"\#(name)","name":"\#(name)""#
      return
        #"{"data":{"hero":\#(hero),"friends":null},"rename":\#(hero)},"heroChanged":\#(hero)}}}"#
    }
  }

  private static func makeCall(_ index: Int, _ client: ApolloClient) async throws {
    func fetch(_ name: String) async throws -> GraphQLResponse<HeroAPI.HeroQuery> {
      try await client.fetch(
        query: HeroAPI.HeroQuery(name: .some(name)), cachePolicy: .networkOnly)
    }
    func rename(_ fate: Fate) async throws -> String? {
      let mutation = HeroAPI.RenameMutation(id: "1", name: "\(fate.rawValue) \(index)")
      return try await client.perform(mutation: mutation).data?.rename?.name
    }
    switch index % 10 {
    case 0, 1, 2:
      #expect(try await fetch("data \(index % 50)").data?.hero?.name == "data \(index % 50)")
    case 3: #expect(try await fetch("data of \(index)").data?.hero?.name == "data of \(index)")
    case 4: #expect(try await fetch("error \(index)").errors?.first?.message == "error \(index)")
    case 5: #expect(try await rename(.data) == "data \(index)")
    case 6:
      let fate: Fate = index % 20 == 6 ? .refusal : .close
      await #expect(throws: (any Error).self) { try await rename(fate) }
    case 7:
      let call = Task { try await rename(.silence) }
      for _ in 0..<index % 40 { await Task.yield() }
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
    case 8:
      let name = "data \(index)"
      let query = HeroAPI.HeroQuery(name: .some(name))
      var names: [String?] = []
      for try await response in client.fetch(query: query, fetchBehavior: .networkOnly) {
        names.append(response.data?.hero?.name)
      }
      #expect(names == [name])
    default:
      let name = index % 20 == 9 ? "lost \(index)" : "data \(index)"
      var names: [String?] = []
      let events = client.subscribe(
        subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .networkOnly,
        requestConfiguration: RequestConfiguration(additionalHeaders: ["X-Name": name]))
      for try await event in events { names.append(event.data?.heroChanged?.name) }
      #expect(names == Array(repeating: name, count: index % 20 == 9 ? 3 : 2))
    }
  }

  @Test(arguments: Stack.allCases)
  func everyCallOfAStormEndsOnceWithItsOwnData(stack: Stack) async throws {
    let count = Self.number("STRESS_CALLS", 600) / Stack.allCases.count
    let script = StormServer()
    let server = try script.start()
    defer { server.stop() }
    let endedCount = Lock(0)
    do {
      let client = ApolloClient(networkTransport: stack.transport(server.url()))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<32 {
          group.addTask {
            for index in stride(from: lane, to: count, by: 32) {
              try await Self.makeCall(index, client)
              endedCount.withLock { $0 += 1 }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(endedCount.get() == count)
    let counts = script.mutationCounts.get().filter { !$0.key.hasPrefix("events") }
    #expect(counts.values.allSatisfy { $0 == 1 }, "No mutation is sent twice.")
    let sent = (0..<count).filter { [5, 6].contains($0 % 10) }.count
    #expect(counts.keys.filter { !$0.hasPrefix("silence") }.count == sent)
    await server.wait { $0.openConnectionCount == 0 }
  }

  // MARK: - Commands

  private struct NamedSubscription: GraphQLSubscription {
    static let operationName = "Named"
    static let operationDocument = OperationDocument(
      definition: .init(
        "subscription Named($name: String) { heroChanged(name: $name) { __typename id name } }"))
    let name: String
    var __variables: Variables? { ["name": GraphQLNullable.some(name)] }
    static let __selections = HeroAPI.HeroChangedSubscription.__selections
    typealias Data = HeroAPI.HeroChangedSubscription.Data
  }

  /// The server's side of all connections: one event for each subscription, and the end for some.
  private static func serve(
    _ connector: ScriptedConnector, _ connections: Lock<[ScriptedConnection]>
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      while true {
        let connection = try await connector.nextAttempt().accept("graphql-transport-ws")
        connections.withLock { $0.append(connection) }
        group.addTask {
          while true {
            switch try await connection.nextSent() {
            case .message(let message):
              guard let value = try? JSONValue(jsonBytes: Data((message.text ?? "").utf8)) else {
                continue
              }
              if value["type"]?.stringValue == "connection_init" {
                connection.deliver(#"{"type":"connection_ack"}"#)
              }
              guard value["type"]?.stringValue == "subscribe", let id = value["id"]?.stringValue,
                let name = value["payload"]?["variables"]?["name"]?.stringValue
              else { continue }
              let hero = #"{"__typename":"Hero","id":"\#(name)","name":"\#(name)"}"#
              connection.deliver(
                #"{"id":"\#(id)","type":"next","payload":{"data":{"heroChanged":\#(hero)}}}"#)
              if name.hasSuffix("0") {
                connection.deliver(#"{"id":"\#(id)","type":"complete"}"#)
              }
            case .close, .cancel:
              connection.end(.normal, origin: .local)
              return
            case .ping: connection.pong()
            }
          }
        }
      }
    }
  }

  @Test func everySubscriptionOfAStormOfCommandsEndsOnceWithItsOwnEvents() async throws {
    let count = Self.number("STRESS_COMMANDS", 500)
    let connector = ScriptedConnector()
    let connections = Lock<[ScriptedConnection]>([])
    let serving = Task { try await Self.serve(connector, connections) }
    let url = try #require(URL(string: "ws://localhost/"))
    let socket = WebSocketTransport(
      endpointURL: url, connector: connector, configuration: .init(reconnectionInterval: 0.001))
    let queries = StreamingTransport { _ in [.response("A")] }
    let fallback = FallbackNetworkTransport(
      queryTransport: HTTPNetworkTransport(url: url, client: .patient),
      subscriptionRoutes: [.webSocket(socket)], openingTimeout: .seconds(600),
      recoveryTimeout: .seconds(600),
      reconnection: ReconnectionPolicy(
        initialDelay: .milliseconds(1), maximumDelay: .milliseconds(5)))
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(
        SplitNetworkTransport(
          queryTransport: queries, mutationTransport: queries,
          subscriptionTransport: DeduplicatingNetworkTransport(fallback))))
    let (eventCount, endedCount) = (Lock(0), Lock(0))
    let calls = Lock<[Task<Void, Never>]>([])
    let seed = freshSeed

    @Sendable func subscribe(_ name: String) -> Task<Void, Never> {
      Task {
        let events = client.subscribe(
          subscription: NamedSubscription(name: name), cachePolicy: .networkOnly)
        // Cancelled, interrupted for good, or ended with its session.
        do {
          for try await event in events {
            #expect(event.data?.heroChanged?.name == name, "seed \(seed)")
            eventCount.withLock { $0 += 1 }
          }
        } catch {}
        endedCount.withLock { $0 += 1 }
      }
    }

    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: seed &+ UInt64(lane))
          for command in stride(from: lane, to: count, by: 8) {
            switch Int.random(in: 0..<40, using: &random) {
            case 0: socket.pause()
            case 1, 2: socket.resume()
            case 3: socket.networkChanged(isAvailable: command % 2 == 0)
            case 4: socket.updateHeaderValues(["X": "\(command)"])
            case 5: connections.withLock { $0.last }?.end(.abnormal, origin: .network)
            case 6: try await client.endSession()
            case 7..<15: calls.get().randomElement(using: &random)?.cancel()
            case 15:
              let query = HeroAPI.HeroQuery(name: .some("\(command)"))
              _ = try? await client.fetch(query: query, cachePolicy: .networkOnly)
            default:
              let call = subscribe("s\(command)")
              calls.withLock { $0.append(call) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    // After all commands, a subscription works.
    socket.networkChanged(isAvailable: true)
    socket.resume()
    await subscribe("last 0").value
    for call in calls.get() { call.cancel() }
    for call in calls.get() { await call.value }
    #expect(endedCount.get() == calls.get().count + 1)
    #expect(eventCount.get() > 0)
    socket.closeConnection()
    serving.cancel()
    #expect(!socket.isConnected())
  }
}
