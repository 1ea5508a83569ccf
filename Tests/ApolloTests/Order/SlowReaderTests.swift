import Apollo
import ApolloAPI
import ApolloCache
import ApolloTestSupport
import ApolloTransport
import ApolloWebSocket
import Foundation
import LoopbackServer
import ScriptedSocket
import SimulatedRequests
import TestOperations
import Testing

/// An event of a subscription is as old as its arrival, however late the program reads it.
@Suite(.timeLimit(.minutes(10)))
struct SlowReaderTests {
  enum Way: CaseIterable { case socket, serverSentEvents, multipart }

  /// A client whose program reads one event, and the others when a test lets it.
  private struct World: Sendable {
    /// Queries and mutations.
    let server = OrderServer()
    let client: ApolloClient
    let names = Lock<[String?]>([])
    private let readsOn = Signal()
    private let reader: Task<Void, any Error>
    private let events: any Events

    init(_ way: Way) async throws {
      let events: any Events =
        way == .socket ? SocketEvents() : try HTTPEvents(isMultipart: way == .multipart)
      client = ApolloClient(
        networkTransport: SplitNetworkTransport(
          queryTransport: server, mutationTransport: server,
          subscriptionTransport: events.transport),
        store: ApolloStore())
      self.events = events
      reader = Task { [client, names, readsOn] in
        for try await event in client.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {
          names.withLock { $0.append(event.data?.heroChanged?.name) }
          await readsOn.wait()
        }
      }
      try await events.begin()
      try await client.store.publish(
        body: Data(HeroBody.hero("old").utf8), of: HeroAPI.HeroQuery())
      events.send(HeroBody.event("read"))
      await until { names.get() == ["read"] }
      // The event is handled, although the program does not ask for the next one.
      await until { client.store.order.requestCount == 0 }
    }

    /// Sends an event, and waits until it waits for its reader.
    func send(_ name: String) async {
      let count = client.store.order.requestCount
      events.send(HeroBody.event(name))
      await until { client.store.order.requestCount == count + 1 }
    }

    /// Lets the program read, and returns the name in the cache afterwards.
    func nameAfterReading(_ events: [String]) async throws -> String? {
      readsOn.fire()
      await until { names.get() == ["read"] + events }
      // The program has an event after it was written.
      let name = try await client.store.load(HeroAPI.HeroQuery()).data?.hero?.name
      reader.cancel()
      _ = await reader.result
      await until { client.store.order.requestCount == 0 }
      #expect(client.store.order.noteCount == 0)
      self.events.end()
      return name
    }

    func fetch() async throws -> String? {
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
        .data?.hero?.name
    }

    func rename(isOptimistic: Bool = false) async throws {
      let mutation = HeroAPI.RenameMutation(id: "1", name: "")
      _ =
        isOptimistic
        ? try await client.perform(
          mutation: mutation,
          optimistic: { try $0.merge(["Hero:1": ["name": "optimistic"]]) })
        : try await client.perform(mutation: mutation)
    }
  }

  enum Newer: CaseIterable { case write, query, mutation, optimisticMutation }

  @Test(arguments: Way.allCases, Newer.allCases)
  func anEventDoesNotReplaceWhatWasWrittenWhileItWaited(way: Way, newer: Newer) async throws {
    let world = try await World(way)
    await world.send("event")
    switch newer {
    case .write: try await world.client.store.publish(["Hero:1": ["name": "newer"]])
    case .query:
      async let fetched = world.fetch()
      await world.server.call(0).end(HeroBody.hero("newer"))
      #expect(try await fetched == "newer")
    case .mutation, .optimisticMutation:
      async let renamed: Void = world.rename(isOptimistic: newer == .optimisticMutation)
      await world.server.call(0).end(HeroBody.rename("newer"))
      try await renamed
    }
    let name = try await world.nameAfterReading(["event"])
    #expect(name == "newer")
  }

  enum Older: CaseIterable { case query, mutation }

  /// The server may have read the data of either first. It counts which the client has got first.
  @Test(arguments: Way.allCases, Older.allCases)
  func anEventIsNewerThanWhatWasSentBeforeItArrived(way: Way, older: Older) async throws {
    let world = try await World(way)
    switch older {
    case .query:
      async let fetched = world.fetch()
      let call = await world.server.call(0)
      await world.send("event")
      call.end(HeroBody.hero("older"))
      _ = try await fetched
    case .mutation:
      async let renamed: Void = world.rename()
      let call = await world.server.call(0)
      await world.send("event")
      call.end(HeroBody.rename("older"))
      try await renamed
    }
    let name = try await world.nameAfterReading(["event"])
    #expect(name == "event")
  }

  /// Events that arrived while it was optimistic are below it.
  @Test(arguments: Way.allCases)
  func aMutationThatWasShownIsAboveAnEventThatWaits(way: Way) async throws {
    let world = try await World(way)
    async let renamed: Void = world.rename(isOptimistic: true)
    let call = await world.server.call(0)
    await world.send("event")
    call.end(HeroBody.rename("renamed"))
    try await renamed
    let name = try await world.nameAfterReading(["event"])
    #expect(name == "renamed")
  }

  enum Closure: CaseIterable { case optimistic, plain }

  /// The closure has read what was there, and the event was not.
  @Test(arguments: Closure.allCases)
  func theClosureOfAMutationIsAboveAnEventThatWaits(closure: Closure) async throws {
    let world = try await World(.socket)
    let id = closure == .optimistic ? "2" : "1"
    let mutation = HeroAPI.RenameMutation(id: "1", name: "")
    let update:
      @Sendable (ReadWriteTransaction, GraphQLResponse<HeroAPI.RenameMutation>) throws -> Void = {
        transaction, _ in try transaction.merge([RecordKey("Hero:\(id)"): ["name": "own"]])
      }
    let renamed = Task { [client = world.client] in
      switch closure {
      case .plain: try await client.perform(mutation: mutation, update: update)
      case .optimistic:
        try await client.perform(
          mutation: mutation, optimistic: { try $0.merge(["Hero:1": ["name": "optimistic"]]) },
          update: update)
      }
    }
    let call = await world.server.call(0)
    await world.send("event")
    call.end(HeroBody.rename("own", id: closure == .optimistic ? "1" : "2"))
    _ = try await renamed.value
    let name = try await world.nameAfterReading(["event"])
    #expect(name == "own")
  }

  @Test(arguments: Way.allCases)
  func eachEventIsAsOldAsItsOwnArrival(way: Way) async throws {
    let world = try await World(way)
    await world.send("first")
    try await world.client.store.publish(["Hero:1": ["name": "own"]])
    await world.send("second")
    let name = try await world.nameAfterReading(["first", "second"])
    #expect(name == "second")
  }

  @Test(arguments: Way.allCases)
  func anEventFromBeforeAClearingIsNotWritten(way: Way) async throws {
    let world = try await World(way)
    await world.send("former")
    try await world.client.clearCache()
    let name = try await world.nameAfterReading(["former"])
    #expect(name == nil)
    let record = try await world.client.store.withinReadTransaction {
      try $0.record(for: "Hero:1")
    }
    #expect(record == nil)
  }
}

// MARK: - Lists

extension SlowReaderTests {
  enum NewerList: CaseIterable { case page, deletion }

  /// A page of a query that was sent later, and a deletion, know what the event has added.
  @Test(arguments: NewerList.allCases)
  func anEventDoesNotInsertIntoAListThatIsNewer(newer: NewerList) async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server, store: ApolloStore())
    let store = client.store
    let list = ListID(in: RecordKey(RelatedQuery.key), field: "related").rawValue
    try await store.publish(body: Array(RelatedQuery.body(ShopPage("ab")).utf8), of: RelatedQuery())
    let (hasRead, readsOn) = (Signal(), Signal())
    let reader = Task {
      for try await _ in client.subscribe(subscription: Added(lists: [list])) {
        hasRead.fire()
        await readsOn.wait()
      }
    }
    let events = await server.call(0)
    events.send(#"{"data":\#(ShopPage.edge("c"))}"#)
    await hasRead.wait()
    #expect(try await store.load(RelatedQuery()).data?.ids == ["a", "b", "c"])
    switch newer {
    case .page:
      events.send(#"{"data":\#(ShopPage.edge("x"))}"#)
      async let fetched = client.fetch(query: RelatedQuery(), cachePolicy: .networkOnly)
      await server.call(1).end(RelatedQuery.body(ShopPage("abc")))
      _ = try await fetched
    case .deletion:
      async let deleted = client.perform(mutation: DeleteRecord(lists: [list]))
      let call = await server.call(1)
      events.send(#"{"data":\#(ShopPage.edge("x"))}"#)
      call.end(#"{"data":{"delete":\#(ShopPage.product("x"))}}"#)
      _ = try await deleted
    }
    events.end()
    readsOn.fire()
    try await reader.value
    #expect(try await store.load(RelatedQuery()).data?.ids == ["a", "b", "c"])
    await until { store.order.requestCount == 0 }
    #expect(store.order.noteCount == 0)
  }
}

// MARK: - Ways

/// A server of one subscription, whose events a test sends.
private protocol Events: Sendable {
  var transport: any SubscriptionNetworkTransport { get }
  /// Waits until the client has subscribed.
  func begin() async throws
  func send(_ body: String)
  func end()
}

private final class SocketEvents: Events {
  private let connector = ScriptedConnector()
  private let socket: WebSocketTransport
  private let connection = Lock<ScriptedConnection?>(nil)

  init() {
    socket = WebSocketTransport(
      endpointURL: URL(string: "ws://localhost/graphql")!, connector: connector)
  }

  var transport: any SubscriptionNetworkTransport { socket }

  func begin() async throws {
    let connection = try await connector.nextAttempt().accept("graphql-transport-ws")
    _ = try await connection.nextSent()
    connection.deliver(#"{"type":"connection_ack"}"#)
    _ = try await connection.nextSent()
    self.connection.withLock { $0 = connection }
  }

  func send(_ body: String) {
    connection.get()?.deliver(#"{"id":"1","type":"next","payload":\#(body)}"#)
  }

  func end() {}
}

private final class HTTPEvents: Events {
  private let server: LoopbackServer
  private let http: HTTPNetworkTransport
  private let replies: Lock<Reply?>
  private let hasEnded: Signal
  private let isMultipart: Bool

  init(isMultipart: Bool) throws {
    let (replies, hasEnded) = (Lock<Reply?>(nil), Signal())
    (self.replies, self.hasEnded, self.isMultipart) = (replies, hasEnded, isMultipart)
    server = try LoopbackServer { _, reply in
      reply.beginChunks(
        type: isMultipart
          ? #"multipart/mixed; boundary="-"; subscriptionSpec="1.0""# : "text/event-stream")
      if isMultipart { reply.chunk("---\r\n") }
      replies.withLock { $0 = reply }
      hasEnded.block()
    }
    http = HTTPNetworkTransport(url: server.url(), client: DefaultHTTPClient.patient)
    http.subscriptionFormat = isMultipart ? .multipart : .serverSentEvents
  }

  var transport: any SubscriptionNetworkTransport { http }

  func begin() async throws { await until { self.replies.get() != nil } }

  func send(_ body: String) {
    replies.get()?.chunk(
      isMultipart
        ? "Content-Type: application/json\r\n\r\n{\"payload\":\(body)}\r\n---\r\n"
        : "event: next\ndata: \(body)\n\n")
  }

  func end() {
    hasEnded.fire()
    server.stop()
  }
}
