import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// Equal queries under way, on transports that respond when a test lets them.
@Suite(.timeLimit(.minutes(10)))
struct DeduplicatingNetworkTransportTests {
  private let gate = Signal()
  private let query = HeroAPI.HeroQuery()

  /// A transport that counts its requests and responds when the gate opens.
  private func base() -> ScriptedTransport {
    ScriptedTransport { [gate] _, number in
      await gate.wait()
      try Task.checkCancellation()
      return StreamingTransport.body("\(number)")
    }
  }

  private func client(
    _ transport: any NetworkTransport, observers: [any CallEventObserver] = []
  ) -> ApolloClient {
    ApolloClient(networkTransport: transport, store: ApolloStore(), observers: observers)
  }

  private func fetch(
    _ client: ApolloClient, _ query: HeroAPI.HeroQuery = HeroAPI.HeroQuery(),
    _ configuration: RequestConfiguration = RequestConfiguration()
  ) -> Task<String?, any Error> {
    Task {
      try await client.fetch(
        query: query, cachePolicy: .networkOnly, requestConfiguration: configuration
      ).data?.hero?.name
    }
  }

  private func wait(
    until condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await until(condition, sourceLocation: sourceLocation)
  }

  private func count(_ name: String, in events: EventRingBuffer) -> Int {
    events.names.filter { $0 == name }.count
  }

  enum Clearing: CaseIterable { case method, callback, transaction }

  /// The response of one from before is not written.
  @Test(arguments: Clearing.allCases)
  func aQueryAfterAClearingHasARequestOfItsOwn(clearing: Clearing) async throws {
    let base = base()
    let client = client(DeduplicatingNetworkTransport(base))
    let first = fetch(client)
    await wait { base.requestCount == 1 }
    switch clearing {
    case .method: try await client.clearCache()
    case .callback:
      await withCheckedContinuation { cleared in
        client.clearCache(callbackQueue: .global()) { _ in cleared.resume() }
      }
    case .transaction: try await client.store.withinReadWriteTransaction { try $0.clear() }
    }
    let second = fetch(client)
    await wait { base.requestCount == 2 }
    gate.fire()
    #expect(try await first.value != nil)
    #expect(try await second.value == "1")
    #expect(try await client.store.load(query).data?.hero?.name == "1")
  }

  @Test func equalQueriesShareOneRequest() async throws {
    let events = EventRingBuffer()
    let base = base()
    let client = client(DeduplicatingNetworkTransport(base), observers: [events])
    let tasks = (0..<50).map { _ in fetch(client) }
    await wait { count("joined", in: events) == 49 }
    gate.fire()
    for task in tasks { #expect(try await task.value == "0") }
    #expect(base.requestCount == 1)
    #expect(try await fetch(client).value == "1")
  }

  @Test func otherVariablesHeadersOrLimitsAreOtherRequests() async throws {
    let base = base()
    let client = client(DeduplicatingNetworkTransport(base))
    let tasks = [
      fetch(client), fetch(client, HeroAPI.HeroQuery(name: "x")),
      fetch(client, query, RequestConfiguration(additionalHeaders: ["Authorization": "x"])),
      fetch(client, query, RequestConfiguration(requestTimeout: .seconds(600))),
      fetch(client, query, RequestConfiguration(usesGET: true)),
    ]
    await wait { base.requestCount == tasks.count }
    gate.fire()
    // Which response each of them delivers depends on the order in which they arrive.
    for task in tasks { #expect(try await task.value != nil) }
    #expect(base.requestCount == tasks.count)
  }

  @Test func theHeadersOfATraceDoNotCount() async throws {
    let events = EventRingBuffer()
    let base = base()
    let client = client(DeduplicatingNetworkTransport(base), observers: [events])
    let tasks = ["1", "2"].map {
      fetch(client, query, RequestConfiguration(additionalHeaders: ["traceparent": $0]))
    }
    await wait { count("joined", in: events) == 1 }
    gate.fire()
    for task in tasks { #expect(try await task.value == "0") }
  }

  @Test func mutationsAreNeverShared() async throws {
    let base = base()
    let transport = DeduplicatingNetworkTransport(base)
    let mutation = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x"))
    let tasks = (0..<3).map { _ in Task { try await transport.send(mutation) } }
    await wait { base.requestCount == 3 }
    gate.fire()
    var bodies: Set<Data> = []
    for task in tasks { bodies.insert(try await task.value.body) }
    #expect(bodies.count == tasks.count, "Each has a response of its own.")
    #expect(base.requestCount == tasks.count)
  }

  @Test func aQueryAfterAMutationIsNotSharedWithOneBeforeIt() async throws {
    let second = Signal()
    let base = ScriptedTransport { [gate] _, number in
      if number == 0 { await gate.wait() }
      if number == 2 { await second.wait() }
      return StreamingTransport.body("\(number)")
    }
    let transport = DeduplicatingNetworkTransport(base)
    let client = client(transport)
    let before = fetch(client)
    await wait { base.requestCount == 1 }
    _ = try await transport.send(
      OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x")))
    let after = fetch(client)
    await wait { base.requestCount == 3 }
    gate.fire()
    #expect(try await before.value == "0")
    second.fire()
    #expect(try await after.value == "2")
  }

  /// A mutation whose response arrives in parts.
  private struct MutationInParts: GraphQLMutation {
    typealias ResponseFormat = IncrementalDeferredResponseFormat
    typealias Data = HeroAPI.RenameMutation.Data
    static let operationName = "Rename"
    static let operationDocument = HeroAPI.RenameMutation.operationDocument
    static let __selections = HeroAPI.RenameMutation.__selections
  }

  @Test func aMutationInPartsThatFailsHasEnded() async throws {
    let second = Signal()
    let base = ScriptedTransport { [gate] request, number in
      guard request.operation is HeroAPI.HeroQuery else { throw StreamingTransport.Failure() }
      await (number == 0 ? gate : second).wait()
      return StreamingTransport.body("\(number)")
    }
    let transport = DeduplicatingNetworkTransport(base)
    let client = client(transport)
    let before = fetch(client)
    await wait { base.requestCount == 1 }
    await #expect(throws: StreamingTransport.Failure.self) {
      for try await _ in transport.responses(to: OperationRequest(MutationInParts())) {}
    }
    let after = fetch(client)
    // The requests of both queries, or the one that they wrongly share.
    await wait { base.requestCount == 3 }
    gate.fire()
    #expect(try await before.value == "0")
    second.fire()
    #expect(try await after.value == "2")
  }

  @Test func aCancelledCallerLeavesTheOthersAlone() async throws {
    let events = EventRingBuffer()
    let base = base()
    let client = client(DeduplicatingNetworkTransport(base), observers: [events])
    let first = fetch(client)
    await wait { base.requestCount == 1 }
    let second = fetch(client)
    await wait { count("joined", in: events) == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.fire()
    #expect(try await second.value == "0")
    #expect(base.requestCount == 1)
  }

  @Test func theLastCallerCancelsTheRequest() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let events = EventRingBuffer()
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient)
    let client = client(DeduplicatingNetworkTransport(transport), observers: [events])
    let tasks = [fetch(client), fetch(client)]
    await server.wait { $0.requests.count == 1 }
    await wait { count("joined", in: events) == 1 }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await server.wait { $0.openConnectionCount == 0 }
    #expect(server.requests.count == 1)
  }

  @Test func anErrorIsDeliveredToAll() async throws {
    let events = EventRingBuffer()
    let base = ScriptedTransport { [gate] _, _ in
      await gate.wait()
      throw StreamingTransport.Failure()
    }
    let client = client(DeduplicatingNetworkTransport(base), observers: [events])
    let tasks = (0..<3).map { _ in fetch(client) }
    await wait { count("joined", in: events) == 2 }
    gate.fire()
    for task in tasks {
      await #expect(throws: StreamingTransport.Failure.self) { try await task.value }
    }
    #expect(base.requestCount == 1)
  }

  @Test func aSubscriptionPassesThrough() async throws {
    let base = StreamingTransport { call in [.response("\(call)")] }
    let client = client(DeduplicatingNetworkTransport(base))
    let subscription = HeroAPI.HeroChangedSubscription()
    for _ in 0..<2 {
      for try await _ in client.subscribe(subscription: subscription) {}
    }
    #expect(base.callCount == 2)
    let withoutSubscriptions = self.client(DeduplicatingNetworkTransport(self.base()))
    let error = await #expect(throws: ApolloClientError.self) {
      for try await _ in withoutSubscriptions.subscribe(
        subscription: subscription, cachePolicy: .networkOnly)
      {}
    }
    #expect(error?.code == .noSubscriptionTransport)
  }

  @Test func aWatcherThatRefetchesSharesTheRequestOfAFetch() async throws {
    let events = EventRingBuffer()
    let base = base()
    let client = client(DeduplicatingNetworkTransport(base), observers: [events])
    let fetched = fetch(client)
    await wait { base.requestCount == 1 }
    let results = Lock<[String?]>([])
    let watcher = client.watch(
      query: query, cachePolicy: .fetchIgnoringCacheData, callbackQueue: .global()
    ) { result in
      results.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    defer { watcher.cancel() }
    await wait { count("joined", in: events) == 1 }
    gate.fire()
    #expect(try await fetched.value == "0")
    await wait { !results.get().isEmpty }
    #expect(results.get().first == "0")
    #expect(base.requestCount == 1)
  }

  @Test func manyCallersThatComeAndGoEndOnce() async throws {
    let base = ScriptedTransport { _, number in
      await Task.yield()
      try Task.checkCancellation()
      return StreamingTransport.body("\(number)")
    }
    let client = client(DeduplicatingNetworkTransport(base))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        let task = fetch(client, HeroAPI.HeroQuery(name: .some("\(number % 3)")))
        if number % 4 == 0 { task.cancel() }
        group.addTask {
          if case .failure(let error) = await task.result {
            #expect(error is CancellationError && number % 4 == 0)
          }
        }
      }
    }
  }
}
