import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// Calls that send only what the cache does not have of a query.
@Suite(.timeLimit(.minutes(10)))
struct MissingFieldsTests {
  private static let query = HeroesQuery(name: "R2", more: true)

  private static let whole = """
    {"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","note":"beep",
    "best":{"__typename":"Hero","id":"1","name":"Luke","note":"farm"},
    "friends":[{"__typename":"Hero","id":"2","name":"Leia"},{"__typename":"Hero","id":"1","name":"Luke"}]},
    "count":3,"all":7,"place":{"__typename":"Place","x":1,"y":2,"of":{"__typename":"Hero","id":"2","name":"Leia"}}}}
    """
  private static let wholeText =
    "query Heroes($name: String, $first: Int = 2, $more: Boolean!) { hero(name: $name) { __typename id name note best { __typename id name note } friends(first: $first) { __typename id name } } count all: total(kind: ALL) @include(if: $more) place { __typename x y of { __typename id name } } }"

  /// Returns a client whose cache has the whole query.
  private func client(
    _ cache: any NormalizedCache = InMemoryNormalizedCache(),
    configuration: ApolloStore.Configuration = ApolloStore.Configuration(),
    _ respond: @escaping @Sendable (String) async throws -> String
  ) async throws -> (client: ApolloClient, sent: SentMessages) {
    try await ApolloClient.caching(
      Self.whole, of: Self.query, in: cache, configuration: configuration, respond)
  }

  private func fetch(
    _ client: ApolloClient, _ configuration: RequestConfiguration = .fetchingMissingFields
  ) async throws -> GraphQLResponse<HeroesQuery> {
    try await client.fetch(query: Self.query, requestConfiguration: configuration)
  }

  /// Missing fields, the text that is sent for them, and its response.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fields: [(RecordKey, [FieldKey])] = []
    var records: [RecordKey] = []
    var text: String
    var variables: JSONValue = [:]
    var response: String
  }

  static let cases = [
    Case(
      testDescription: "a leaf at the root", fields: [(.queryRoot, ["count"])],
      text: "query Heroes { count }", response: #"{"data":{"count":4}}"#),
    Case(
      testDescription: "an alias with an enum and a condition",
      fields: [(.queryRoot, [#"total(kind:"ALL")"#])],
      text: "query Heroes($more: Boolean!) { all: total(kind: ALL) @include(if: $more) }",
      variables: ["more": true], response: #"{"data":{"all":8}}"#),
    Case(
      testDescription: "a leaf of an object", fields: [("Hero:0", ["note"])],
      text: "query Heroes($name: String) { hero(name: $name) { __typename id note } }",
      variables: ["name": "R2"],
      response: #"{"data":{"hero":{"__typename":"Hero","id":"0","note":"new"}}}"#),
    Case(
      testDescription: "a leaf that must not be null", fields: [("Hero:0", ["name"])],
      text: "query Heroes($name: String) { hero(name: $name) { __typename id name } }",
      variables: ["name": "R2"],
      response: #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"new"}}}"#),
    Case(
      testDescription: "a leaf in a list and elsewhere", fields: [("Hero:2", ["name"])],
      text: "query Heroes($name: String, $first: Int = 2) { hero(name: $name) { __typename id "
        + "friends(first: $first) { __typename id name } } "
        + "place { __typename x y of { __typename id name } } }",
      variables: ["name": "R2"],
      response: """
        {"data":{"hero":{"__typename":"Hero","id":"0",
        "friends":[{"__typename":"Hero","id":"2","name":"new"},{"__typename":"Hero","id":"1","name":"Luke"}]},
        "place":{"__typename":"Place","x":1,"y":2,"of":{"__typename":"Hero","id":"2","name":"new"}}}}
        """),
    Case(
      testDescription: "a record", records: ["Hero:1"],
      text: "query Heroes($name: String, $first: Int = 2) { hero(name: $name) { __typename id "
        + "best { __typename id name note } friends(first: $first) { __typename id name } } }",
      variables: ["name": "R2"],
      response: """
        {"data":{"hero":{"__typename":"Hero","id":"0",
        "best":{"__typename":"Hero","id":"1","name":"new","note":"farm"},
        "friends":[{"__typename":"Hero","id":"2","name":"Leia"},{"__typename":"Hero","id":"1","name":"new"}]}}}
        """),
  ]

  @Test(arguments: cases, CacheKind.allCases)
  func onlyWhatIsMissingIsSent(missing: Case, kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, sent) = try await client(cache) { _ in missing.response }
    try await client.remove(missing.fields)
    for key in missing.records { try await client.store.removeObject(for: key) }
    let response = try await fetch(client)
    #expect(sent.texts.get() == [missing.text])
    #expect(sent.variables.get() == [missing.variables])
    #expect(response.source == .server && response.errors == nil && response.isComplete)
    let json = try #require(response.data?.json)
    #expect(json.contains("new") || json.contains("4") || json.contains("8"))
    #expect(json.contains(#""x":1"#) && json.contains(#""id":"0""#))
    let cached = try await fetch(client)
    #expect(cached.source == .cache && cached.data == response.data)
    withExtendedLifetime(owner) {}
  }

  @Test func theWholeOperationIsSentByDefault() async throws {
    let (client, sent) = try await client { _ in Self.whole }
    try await client.remove([("Hero:0", ["note"])])
    _ = try await client.fetch(query: Self.query)
    #expect(sent.texts.get() == [Self.wholeText])
  }

  @Test func theWholeOperationIsSentIfNothingIsThere() async throws {
    let (client, sent) = try await client { _ in Self.whole }
    try await client.clearCache()
    let response = try await fetch(client)
    #expect(response.source == .server)
    #expect(sent.texts.get() == [Self.wholeText])
  }

  @Test func theWholeOperationIsSentIfItIsNotCached() async throws {
    let (client, sent) = try await client { _ in Self.whole }
    try await client.remove([("Hero:0", ["note"])])
    var configuration = RequestConfiguration.fetchingMissingFields
    configuration.writeResultsToCache = false
    _ = try await fetch(client, configuration)
    #expect(sent.texts.get() == [Self.wholeText])
  }

  /// Another object has other missing fields, so the operation follows once.
  @Test func theWholeOperationIsSentIfAnotherObjectComes() async throws {
    let other = Self.whole.replacing(#""id":"0""#, with: #""id":"9""#)
    let (client, sent) = try await client { text in
      text == Self.wholeText
        ? other : #"{"data":{"hero":{"__typename":"Hero","id":"9","note":"new"}}}"#
    }
    try await client.remove([("Hero:0", ["note"])])
    let response = try await fetch(client)
    #expect(sent.texts.get().count == 2 && sent.texts.get().last == Self.wholeText)
    #expect(response.data?.json.contains(#""id":"9""#) == true)
  }

  @Test func theWholeOperationIsSentAfterAnErrorWithoutData() async throws {
    let (client, sent) = try await client { text in
      text == Self.wholeText ? Self.whole : #"{"errors":[{"message":"no such document"}]}"#
    }
    try await client.remove([("Hero:0", ["note"])])
    let response = try await fetch(client)
    #expect(sent.texts.get().count == 2)
    #expect(response.errors == nil && response.data?.json.contains("beep") == true)
  }

  /// An object without an identity may be another one, so its own fields come together.
  @Test func anObjectWithoutAKeyIsFetchedWithAllOfItsFields() async throws {
    let (client, sent) = try await client { _ in
      #"{"data":{"place":{"__typename":"Place","x":5,"y":6,"of":{"__typename":"Hero","id":"2"}}}}"#
    }
    let root = try #require(
      try await client.store.readOnlyCache.loadRecords(forKeys: [.queryRoot])[.queryRoot])
    var rest = root
    rest["place"] = .object(["__typename": "Place", "x": 1, "of": .reference("Hero:2")])
    try await client.store.removeObject(for: .queryRoot)
    try await client.store.publish(RecordSet([rest]))
    let response = try await fetch(client)
    #expect(
      sent.texts.get() == ["query Heroes { place { __typename x y of { __typename id } } }"])
    #expect(response.data?.json.contains(#""x":5,"y":6"#) == true)
  }

  // MARK: - Errors

  @Test func anErrorOfAMissingFieldComesWithTheRest() async throws {
    let (client, _) = try await client { _ in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","note":null}},"#
        + #""errors":[{"message":"no note","path":["hero","note"]}],"extensions":{"cost":1}}"#
    }
    try await client.remove([("Hero:0", ["note"])])
    let response = try await fetch(client)
    #expect(response.errors?.map(\.message) == ["no note"])
    #expect(response.errors?.first?.path == ["hero", "note"])
    #expect(response.extensions == ["cost": 1] && response.source == .server)
    #expect(response.data?.json.contains(#""note":null"#) == true)
  }

  @Test func aFailedFieldIsFetchedAgainAlone() async throws {
    let (client, sent) = try await client { text in
      text == Self.wholeText
        ? Self.whole.replacing(#""note":"beep""#, with: #""note":null"#).dropLast()
          + #","errors":[{"message":"no note","path":["hero","note"]}]}"#
        : #"{"data":{"hero":{"__typename":"Hero","id":"0","note":"again"}}}"#
    }
    try await client.clearCache()
    #expect(try await fetch(client).errors?.count == 1)
    let response = try await fetch(client)
    #expect(
      sent.texts.get().last
        == "query Heroes($name: String) { hero(name: $name) { __typename id note } }")
    #expect(response.errors == nil && response.data?.json.contains("again") == true)
  }

  @Test func aFailureOfTheServerFailsTheCall() async throws {
    let (client, sent) = try await client { _ in throw Unreachable() }
    try await client.remove([("Hero:0", ["note"])])
    await #expect(throws: Unreachable.self) { try await fetch(client) }
    #expect(sent.texts.get().count == 1)
  }

  private struct Unreachable: Error {}

  /// An operation that was generated for a server of registered documents has no text.
  @Test func registeredDocumentsHaveNoParts() async throws {
    let transport = ScriptedTransport { _, _ in Self.whole }
    let client = ApolloClient(networkTransport: transport)
    let error = await #expect(throws: GraphQLHTTPRequestError.self) {
      try await client.fetch(query: RegisteredQuery(), requestConfiguration: .fetchingMissingFields)
    }
    #expect(error?.code == .unregisteredPart && transport.requestCount == 0)
    #expect(error?.description.contains("'Registered'") == true)
    // The cache needs no document.
    try await client.store.publish([.queryRoot: ["count": 3]])
    let cached = try await client.fetch(
      query: RegisteredQuery(), requestConfiguration: .fetchingMissingFields)
    #expect(cached.source == .cache)
  }

  // MARK: - Ages

  @Test(arguments: CacheKind.allCases)
  func staleFieldsAreFetchedAlone(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let time = Lock(1_000.0)
    var configuration = ApolloStore.Configuration()
    configuration.freshness.defaultMaxAge = .seconds(60)
    configuration.freshness.now = { Date(timeIntervalSince1970: time.get()) }
    let (client, sent) = try await client(cache, configuration: configuration) { text in
      text == Self.wholeText
        ? Self.whole : #"{"data":{"hero":{"__typename":"Hero","id":"0","note":"new"},"count":9}}"#
    }
    // Everything but a note and a number is newer.
    _ = time.exchange(1_050)
    let newer = Self.whole.replacing(#""note":"beep","#, with: "")
      .replacing(#""count":3,"#, with: "")
    try await client.store.publish(body: Data(newer.utf8), of: NewerQuery())
    _ = time.exchange(1_080)
    let response = try await fetch(client)
    #expect(
      sent.texts.get() == [
        "query Heroes($name: String) { hero(name: $name) { __typename id note } count }"
      ])
    #expect(response.data?.json.contains(#""note":"new""#) == true)
    #expect(response.freshness?.containsStaleFields == false)
    withExtendedLifetime(owner) {}
  }

  /// A field that is always stale is fetched each time, but once.
  @Test func whatHasJustBeenFetchedIsFresh() async throws {
    let time = Lock(1_000.0)
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    configuration.freshness.now = { Date(timeIntervalSince1970: time.get()) }
    let (client, sent) = try await client(configuration: configuration) { _ in
      time.withLock { $0 += 1 }
      return Self.whole
    }
    try await client.remove([("Hero:0", ["note"])])
    var demand = RequestConfiguration.fetchingMissingFields
    demand.maxAge = .zero
    _ = time.exchange(1_000)
    let response = try await fetch(client, demand)
    #expect(response.source == .server)
    #expect(sent.texts.get().count == 1)
  }

  // MARK: - Several responses

  private static var partial: RequestConfiguration {
    var configuration = RequestConfiguration.fetchingMissingFields
    configuration.returnPartialData = true
    return configuration
  }

  @Test func aWatchDeliversPartialDataFirstAndFetchesTheRest() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (client, sent) = try await client { _ in
      for await _ in gate { break }
      return #"{"data":{"hero":{"__typename":"Hero","id":"0","note":"new"}}}"#
    }
    try await client.remove([("Hero:0", ["note"])])
    var updates = client.watch(query: Self.query, requestConfiguration: Self.partial)
      .makeAsyncIterator()
    let first = try await updates.next()?.get()
    #expect(first?.source == .cache && first?.isComplete == false)
    open.yield()
    let second = try await updates.next()?.get()
    #expect(second?.source == .server && second?.isComplete == true)
    #expect(second?.data?.json.contains(#""note":"new""#) == true)
    // The watch depends on what was there before, and on what has come.
    try await client.store.publish(["Hero:1": ["name": "Master Luke"]])
    #expect(try await updates.next()?.get().data?.json.contains("Master Luke") == true)
    try await client.store.publish(["Hero:0": ["note": "newest"]])
    #expect(try await updates.next()?.get().data?.json.contains("newest") == true)
    #expect(
      sent.texts.get() == [
        "query Heroes($name: String) { hero(name: $name) { __typename id note } }"
      ])
  }

  @Test func aWatchFetchesTheWholeOperationIfThePartIsNotEnough() async throws {
    let (client, sent) = try await client { text in
      text == Self.wholeText
        ? Self.whole.replacing(#""id":"0""#, with: #""id":"9""#)
        : #"{"data":{"hero":{"__typename":"Hero","id":"9","note":"new"}}}"#
    }
    try await client.remove([("Hero:0", ["note"])])
    var updates = client.watch(query: Self.query, requestConfiguration: .fetchingMissingFields)
      .makeAsyncIterator()
    let first = try await updates.next()?.get()
    #expect(first?.data?.json.contains(#""id":"9""#) == true)
    #expect(sent.texts.get().count == 2)
  }

  /// The error of the server is that of the call, and not one of the cache.
  @Test func aFailedCallForPartialDataIsSentOnce() async throws {
    let (client, sent) = try await client { _ in throw Unreachable() }
    try await client.remove([("Hero:0", ["note"])])
    var configuration = RequestConfiguration()
    configuration.returnPartialData = true
    await #expect(throws: Unreachable.self) { try await fetch(client, configuration) }
    #expect(sent.texts.get().count == 1)
  }

  // MARK: - Ends

  @Test func aCancelledCallEnds() async throws {
    let (started, start) = AsyncStream<Void>.makeStream()
    let (client, sent) = try await client { _ in
      start.yield()
      try await Task.sleep(for: .seconds(600))
      return Self.whole
    }
    try await client.remove([("Hero:0", ["note"])])
    let call = Task { try await fetch(client) }
    for await _ in started { break }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(sent.texts.get().count == 1)
  }

  @Test func theDeadlineIsThatOfTheCall() async throws {
    let (client, sent) = try await client { _ in
      try await Task.sleep(for: .seconds(600))
      return Self.whole
    }
    try await client.remove([("Hero:0", ["note"])])
    var configuration = RequestConfiguration.fetchingMissingFields
    configuration.requestTimeout = .milliseconds(50)
    let error = await #expect(throws: NetworkError.self) {
      try await fetch(client, configuration)
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(sent.texts.get().count == 1)
  }

  // MARK: - Transports

  /// Returns a client with a transport to a server that has the note.
  private func httpClient(
    _ server: LoopbackServer, _ makeTransport: (URL) -> HTTPNetworkTransport
  ) async throws -> ApolloClient {
    let client = ApolloClient(networkTransport: makeTransport(server.url()))
    try await client.store.publish(body: Data(Self.whole.utf8), of: Self.query)
    try await client.remove([("Hero:0", ["note"])])
    return client
  }

  private static let note = #"{"data":{"hero":{"__typename":"Hero","id":"0","note":"new"}}}"#
  private static let noteText =
    "query Heroes($name: String) { hero(name: $name) { __typename id note } }"

  @Test func aPartIsSentByPOST() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.note) }
    defer { server.stop() }
    let client = try await httpClient(server) {
      HTTPNetworkTransport(url: $0, client: .patient)
    }
    let response = try await fetch(client)
    #expect(response.http?.statusCode == 200 && response.data?.json.contains("new") == true)
    let request = try #require(server.requests.first)
    let body = try JSONValue(jsonBytes: request.body)
    #expect(body["query"] == .string(Self.noteText))
    #expect(body["variables"] == ["name": "R2"])
    #expect(request.headers["x-apollo-operation-id"] == nil)
    #expect(server.requests.count == 1)
  }

  @Test func aPartIsSentByGET() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.note) }
    defer { server.stop() }
    let client = try await httpClient(server) {
      HTTPNetworkTransport(url: $0, client: .patient, useGETForQueries: true)
    }
    #expect(try await fetch(client).data?.json.contains("new") == true)
    let target = try #require(server.requests.first?.target.removingPercentEncoding)
    #expect(target.contains("query=\(Self.noteText)&variables={\"name\":\"R2\"}"))
  }

  @Test func aPartHasAHashOfItsOwn() async throws {
    let server = try LoopbackServer { request, reply in
      reply.json(
        request.bodyText.contains(#""query""#)
          ? Self.note : #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    defer { server.stop() }
    let client = try await httpClient(server) {
      HTTPNetworkTransport(url: $0, client: .patient, enableAutoPersistedQueries: true)
    }
    #expect(try await fetch(client).data?.json.contains("new") == true)
    let bodies = try server.requests.map { try JSONValue(jsonBytes: $0.body) }
    #expect(bodies.map { $0["query"] } == [nil, .string(Self.noteText)])
    let hashes = Set(bodies.map { $0["extensions"]?["persistedQuery"]?["sha256Hash"] })
    #expect(hashes == ["ddf976dfd26e30f64794f50944b80747ca2d6a0cdbe06d0d70ad64ef47f12a3d"])
  }

  @Test func aTransportOfRegisteredDocumentsSendsNoPart() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.whole) }
    defer { server.stop() }
    let client = try await httpClient(server) {
      HTTPNetworkTransport(url: $0, client: .patient, sendOperationIdentifiers: true)
    }
    let error = await #expect(throws: GraphQLHTTPRequestError.self) { try await fetch(client) }
    #expect(error?.code == .unregisteredPart)
    #expect(server.requests.isEmpty)
  }

  /// A creator of the program knows only whole operations, whose responses have each part.
  @Test func aCreatorOfTheProgramSendsTheWholeOperation() async throws {
    struct Creator: RequestCreator {
      func requestBody<Operation: GraphQLOperation>(
        for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
        autoPersistQuery: Bool
      ) -> GraphQLMap {
        ["query": .string(Operation.operationDocument.definition?.queryDocument ?? "")]
      }
    }
    let server = try LoopbackServer { _, reply in reply.json(Self.whole) }
    defer { server.stop() }
    let client = try await httpClient(server) {
      HTTPNetworkTransport(url: $0, client: .patient, requestCreator: Creator())
    }
    #expect(try await fetch(client).data?.json.contains("beep") == true)
    #expect(server.requests.count == 1)
    #expect(
      try JSONValue(jsonBytes: #require(server.requests.first).body)["query"]
        == .string(Self.wholeText))
  }

  /// The response to a part is not that to the operation.
  @Test func aPartAndTheWholeAreNotShared() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (started, start) = AsyncStream<Void>.makeStream()
    let base = ScriptedTransport { request, _ in
      guard request.facts.completion != nil else { return Self.whole }
      start.yield()
      for await _ in gate { break }
      return Self.note
    }
    let client = ApolloClient(networkTransport: DeduplicatingNetworkTransport(base))
    try await client.store.publish(body: Data(Self.whole.utf8), of: Self.query)
    try await client.remove([("Hero:0", ["note"])])
    let part = Task { try await fetch(client) }
    for await _ in started { break }
    let whole = try await client.fetch(query: Self.query, cachePolicy: .networkOnly)
    #expect(whole.data?.json.contains("beep") == true)
    open.yield()
    #expect(try await part.value.data != nil)
    #expect(base.requestCount == 2)
  }
}

private struct HeroesQuery: GraphQLQuery {
  static let operationName: String = "Heroes"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    operationIdentifier: "whole",
    definition: .init(
      "query Heroes($name: String, $first: Int = 2, $more: Boolean!) { hero(name: $name) { __typename id name note best { __typename id name note } friends(first: $first) { __typename id name } } count all: total(kind: ALL) @include(if: $more) place { __typename x y of { __typename id name } } }"
    ))
  static let __selections = Selections(
    "($first = 2) Query {hero(name: $name) Hero {__typename String! id ID! name String! note String "
      + "best Hero {__typename String! id ID! name String! note String} "
      + "friends(first: $first) [Hero {__typename String! id ID! name String!}!]} count Int "
      + "all:total(kind: ALL) Int @include(if: $more) "
      + "place Place {__typename String! x Int! y Int! of Hero {__typename String! id ID! name String!}}}"
  )

  var name: String
  var more: Bool
  var __variables: Variables? { ["name": name, "more": more] }

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = HeroesQuery.__selections[0]
    var json: String { String(decoding: jsonBytes, as: UTF8.self) }
  }
}

/// The same fields but for the note of the hero and the number, with the same arguments.
private struct NewerQuery: GraphQLQuery {
  static let operationName: String = "Newer"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Newer { __typename }"))
  static let __selections = Selections(
    "Query {hero(name: \"R2\") Hero {__typename String! id ID! name String! "
      + "best Hero {__typename String! id ID! name String! note String} "
      + "friends(first: 2) [Hero {__typename String! id ID! name String!}!]} "
      + "all:total(kind: ALL) Int "
      + "place Place {__typename String! x Int! y Int! of Hero {__typename String! id ID! name String!}}}"
  )

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = NewerQuery.__selections[0]
  }
}

private struct RegisteredQuery: GraphQLQuery {
  static let operationName: String = "Registered"
  static let operationDocument: ApolloAPI.OperationDocument = .init(operationIdentifier: "1")
  static let __selections = Selections("Query {count Int}")

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = RegisteredQuery.__selections[0]
  }
}
