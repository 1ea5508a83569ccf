import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import TestOperations
import Testing

/// Calls that look up the objects of which the cache lacks something, by `node(id:)`.
@Suite(.timeLimit(.minutes(10)))
struct LookedUpFieldsTests {
  private static let query = CrewQuery(name: "R2", more: true)

  private static let whole = """
    {"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","note":"beep",
    "best":{"__typename":"Hero","id":"1","name":"Luke","note":"farm"},
    "friends":[{"__typename":"Hero","id":"2","name":"Leia","note":"rank"},
    {"__typename":"Droid","id":"4","name":"C3PO","note":"gold","fn":"protocol"},null,
    {"__typename":"Hero","id":"1","name":"Luke","note":"farm"}],
    "place":{"__typename":"Place","x":1,"of":{"__typename":"Hero","id":"3","name":"Owen"}},
    "ship":{"__typename":"Ship","code":"XW","name":"X-Wing"}},"count":3}}
    """

  private static let wholeText = CrewQuery.text + "\n" + PersonDetails.fragmentDefinition

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
  ) async throws -> GraphQLResponse<CrewQuery> {
    try await client.fetch(query: Self.query, requestConfiguration: configuration)
  }

  // MARK: - Texts

  /// Missing fields, what is sent for them, and its response.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fields: [(RecordKey, [FieldKey])]
    var text: String
    var variables: JSONValue
    var response: String
  }

  private static let friendsText =
    "{ node1: node(id: $node1) { __typename ... on Person "
    + "{ __typename ... on Person { __typename id } ... on Hero { friends(first: $first) "
    + "{ __typename id name note @include(if: $more) ... on Droid { fn: function } } } } } }"

  static let cases = [
    Case(
      testDescription: "a leaf", fields: [("Hero:0", ["note"])],
      text: "query Crew($node1: ID!) { node1: node(id: $node1) { __typename ... on Person "
        + "{ __typename ... on Person { __typename id note } } } }",
      variables: ["node1": "0"],
      response: #"{"data":{"node1":{"__typename":"Hero","id":"0","note":"new"}}}"#),
    Case(
      testDescription: "a leaf of an object that occurs twice", fields: [("Hero:1", ["note"])],
      text: "query Crew($node1: ID!) { node1: node(id: $node1) { __typename ... on Person "
        + "{ __typename ... on Person { __typename id note } } } }",
      variables: ["node1": "1"],
      response: #"{"data":{"node1":{"__typename":"Hero","id":"1","note":"new"}}}"#),
    Case(
      testDescription: "a field of one type", fields: [("Droid:4", ["function"])],
      text: "query Crew($node1: ID!) { node1: node(id: $node1) { __typename ... on Person "
        + "{ __typename id ... on Droid { fn: function } } } }",
      variables: ["node1": "4"],
      response: #"{"data":{"node1":{"__typename":"Droid","id":"4","fn":"new"}}}"#),
    Case(
      testDescription: "objects, of the object around them",
      fields: [("Hero:0", ["friends(first:2)"])],
      text: "query Crew($node1: ID!, $first: Int = 2, $more: Boolean!) " + friendsText,
      variables: ["node1": "0", "more": true],
      response: """
        {"data":{"node1":{"__typename":"Hero","id":"0",
        "friends":[{"__typename":"Hero","id":"2","name":"new","note":"rank"}]}}}
        """),
    Case(
      testDescription: "two objects, and a leaf at the root",
      fields: [("Hero:2", ["note"]), ("Hero:3", ["name"]), (.queryRoot, ["count"])],
      text: "query Crew($node1: ID!, $node2: ID!, $more: Boolean!) "
        + "{ node1: node(id: $node1) { __typename ... on Person "
        + "{ __typename id note @include(if: $more) } } "
        + "node2: node(id: $node2) { __typename ... on Hero { __typename id name } } count }",
      variables: ["node1": "2", "node2": "3", "more": true],
      response: """
        {"data":{"node1":{"__typename":"Hero","id":"2","note":"new"},
        "node2":{"__typename":"Hero","id":"3","name":"Beru"},"count":4}}
        """),
    Case(
      testDescription: "an object that another field finds", fields: [("Ship:XW", ["name"])],
      text: "query Crew($ship1: String!) { ship1: ship(code: $ship1) { __typename ... on Ship "
        + "{ __typename code name } } }",
      variables: ["ship1": "XW"],
      response: #"{"data":{"ship1":{"__typename":"Ship","code":"XW","name":"new"}}}"#),
  ]

  @Test(arguments: cases, CacheKind.allCases)
  func objectsAreLookedUp(missing: Case, kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, sent) = try await client(cache) { _ in missing.response }
    let before = try await client.store.readOnlyCache.loadRecords(forKeys: [.queryRoot])
    try await client.remove(missing.fields)
    let response = try await fetch(client)
    #expect(sent.texts.get() == [missing.text])
    #expect(sent.variables.get() == [missing.variables])
    #expect(response.source == .server && response.errors == nil && response.isComplete)
    let json = try #require(response.data?.json)
    #expect(json.contains("new") && json.contains(#""x":1"#) && json.contains(#""id":"0""#))
    // The fields of the request are none of the cache.
    let root = try await client.store.readOnlyCache.loadRecords(forKeys: [.queryRoot])
    #expect(fields(of: root[.queryRoot]) == fields(of: before[.queryRoot]))
    let cached = try await fetch(client)
    #expect(cached.source == .cache && cached.data == response.data)
    withExtendedLifetime(owner) {}
  }

  private func fields(of record: Record?) -> Set<FieldKey> {
    Set(record?.fields.map { $0.key } ?? [])
  }

  @Test func partsBeginAtTheRootIfTheCallAsksForThat() async throws {
    let (client, sent) = try await client { _ in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","note":"new"}}}"#
    }
    try await client.remove([("Hero:0", ["note"])])
    var configuration = RequestConfiguration.fetchingMissingFields
    configuration.fetchesMissingFieldsFromRoot = true
    #expect(try await fetch(client, configuration).data?.json.contains("new") == true)
    #expect(
      sent.texts.get() == [
        "query Crew($name: String) { hero(name: $name) { __typename ... on Person "
          + "{ __typename id note } } }"
      ])
  }

  /// A list whose elements lack a field is one field from the root.
  @Test(arguments: [10, 11]) func manyObjectsAreFetchedFromTheRoot(count: Int) async throws {
    let friends = (0..<count).map { index in
      #"{"__typename":"Hero","id":"f\#(index)","name":"new","note":"-"}"#
    }
    let list = "\"friends\":[\(friends.joined(separator: ","))]"
    let whole = Self.whole.replacing(/"friends":\[[^\]]*\]/, with: list)
    let (client, sent) = try await client { text in
      guard text.contains("node1") else { return whole }
      let nodes = friends.enumerated().map { "\"node\($0 + 1)\":\($1)" }
      return "{\"data\":{\(nodes.joined(separator: ","))}}"
    }
    try await client.store.publish(body: Data(whole.utf8), of: Self.query)
    try await client.remove(
      (0..<count).map { index -> (RecordKey, [FieldKey]) in
        (RecordKey("Hero:f\(index)"), ["name"])
      })
    #expect(try await fetch(client).data?.json.contains("new") == true)
    let texts = sent.texts.get()
    #expect(texts.count == 1 && texts[0].contains("node10: node(id: $node10)") == (count == 10))
    #expect(texts[0].contains("hero(name: $name)") == (count == 11))
  }

  // MARK: - Identities

  /// The identifier must determine the key, because the server's object could have another one.
  @Test func anObjectWhoseKeyHasOtherFieldsIsFetchedFromTheRoot() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.cacheKeyForObject = { object in
      guard let id = object["id"]?.stringValue, let name = object["name"]?.stringValue else {
        return nil
      }
      return "\(name):\(id)"
    }
    let (client, sent) = try await client(configuration: configuration) { _ in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","note":"new"}}}"#
    }
    try await client.remove([("R2:0", ["note"])])
    #expect(try await fetch(client).data?.json.contains("new") == true)
    #expect(sent.texts.get().count == 1)
    #expect(sent.texts.get().first?.contains("hero(name: $name) { __typename ") == true)
  }

  /// A key that code of the program makes of the identifier alone is as good as a key field.
  @Test func anObjectWhoseKeyIsMadeOfItsIdentifierIsLookedUp() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.cacheKeyForObject = { object in
      object["id"]?.stringValue.map { "Being:\($0)" }
    }
    let (client, sent) = try await client(configuration: configuration) { _ in
      #"{"data":{"node1":{"__typename":"Hero","id":"0","note":"new"}}}"#
    }
    try await client.remove([("Being:0", ["note"])])
    #expect(try await fetch(client).data?.json.contains("new") == true)
    #expect(sent.variables.get() == [["node1": "0"]])
  }

  /// The object is gone, or is another one: the operation follows, once.
  @Test(arguments: [
    #"{"data":{"node1":null}}"#,
    #"{"data":{"node1":{"__typename":"Hero","id":"9","note":"other"}}}"#,
    #"{"data":{"node1":{"__typename":"Ship"}}}"#,
    #"{"data":{"node1":{"__typename":"Unknown","id":"0"}}}"#,
    #"{"data":{"node1":null},"errors":[{"message":"no","path":["node1"]}]}"#,
    #"{"data":null,"errors":[{"message":"no"}]}"#,
    #"{"errors":[{"message":"no"}]}"#,
    #"{"data":{}}"#,
  ])
  func theWholeOperationIsSentOnceIfTheObjectDoesNotCome(response: String) async throws {
    let (client, sent) = try await client { text in
      text == Self.wholeText ? Self.whole.replacing("beep", with: "new") : response
    }
    try await client.remove([("Hero:0", ["note"])])
    let whole = try await fetch(client)
    #expect(whole.errors == nil && whole.data?.json.contains("new") == true)
    #expect(sent.texts.get().count == 2 && sent.texts.get().last == Self.wholeText)
    let cached = try await fetch(client)
    #expect(cached.source == .cache)
  }

  @Test func theWholeOperationIsSentOnceIfItDoesNotHelpEither() async throws {
    let (client, sent) = try await client { text in
      text == Self.wholeText
        ? #"{"data":{"hero":null,"count":1}}"# : #"{"data":{"node1":null}}"#
    }
    try await client.remove([("Hero:0", ["note"])])
    let response = try await fetch(client)
    #expect(response.data?.json.contains(#""hero":null"#) == true)
    #expect(sent.texts.get().count == 2)
  }

  // MARK: - Errors

  /// The errors of the server are at the places that the query has, and not at those of the part.
  @Test func anErrorOfAMissingFieldIsWhereTheQueryHasTheObject() async throws {
    let (client, _) = try await client { _ in
      #"{"data":{"node1":{"__typename":"Hero","id":"1","note":null},"count":5},"#
        + #""errors":[{"message":"no note","path":["node1","note"],"extensions":{"code":"X"}}]}"#
    }
    try await client.remove([("Hero:1", ["note"]), (.queryRoot, ["count"])])
    let response = try await fetch(client)
    #expect(response.errors?.map(\.message) == ["no note", "no note"])
    #expect(
      response.errors?.map(\.path) == [["hero", "best", "note"], ["hero", "friends", 3, "note"]])
    #expect(response.errors?.first?.extensions == ["code": "X"])
    #expect(response.data?.json.contains(#""count":5"#) == true && response.source == .server)
  }

  // MARK: - Ages

  /// Returns a client whose cache has data of which all that another query has is newer.
  private func staleClient(
    _ cache: any NormalizedCache = InMemoryNormalizedCache(), newer: some GraphQLQuery,
    _ response: String
  ) async throws -> (client: ApolloClient, sent: SentMessages) {
    let time = Lock(1_000.0)
    var configuration = ApolloStore.Configuration()
    configuration.freshness.defaultMaxAge = .seconds(60)
    configuration.freshness.now = { Date(timeIntervalSince1970: time.get()) }
    let (client, sent) = try await client(cache, configuration: configuration) { _ in response }
    _ = time.exchange(1_050)
    try await client.store.publish(body: Data(Self.whole.utf8), of: newer)
    _ = time.exchange(1_080)
    return (client, sent)
  }

  @Test(arguments: CacheKind.allCases)
  func staleFieldsAreLookedUp(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let (client, sent) = try await staleClient(
      cache, newer: QueryWithoutNotesOfFriends(),
      """
      {"data":{"node1":{"__typename":"Hero","id":"2","note":"new"},
      "node2":{"__typename":"Droid","id":"4","note":"newer"}}}
      """)
    let response = try await fetch(client)
    #expect(
      sent.texts.get() == [
        "query Crew($node1: ID!, $node2: ID!, $more: Boolean!) "
          + "{ node1: node(id: $node1) { __typename "
          + "... on Person { __typename id note @include(if: $more) } } "
          + "node2: node(id: $node2) { __typename "
          + "... on Person { __typename id note @include(if: $more) } } }"
      ])
    #expect(sent.variables.get() == [["node1": "2", "node2": "4", "more": true]])
    #expect(response.data?.json.contains(#""note":"new""#) == true)
    #expect(response.data?.json.contains(#""note":"newer""#) == true)
    #expect(response.freshness?.containsStaleFields == false)
    withExtendedLifetime(owner) {}
  }

  /// The objects of a list come with it.
  @Test func staleObjectsOfAStaleListComeWithIt() async throws {
    let (client, sent) = try await staleClient(
      newer: QueryWithoutFriends(),
      """
      {"data":{"node1":{"__typename":"Hero","id":"0",
      "friends":[{"__typename":"Hero","id":"2","name":"new","note":"rank"}]}}}
      """)
    let response = try await fetch(client)
    #expect(
      sent.texts.get() == [
        "query Crew($node1: ID!, $first: Int = 2, $more: Boolean!) " + Self.friendsText
      ])
    #expect(response.data?.json.contains(#""name":"new""#) == true)
    #expect(response.freshness?.containsStaleFields == false)
  }

  // MARK: - Transports

  /// A transport of a program knows only whole operations.
  @Test func aTransportThatKnowsNoPartsSendsOneRequest() async throws {
    let count = Lock(0)
    let transport = ScriptedTransport { _, _ in
      count.withLock { $0 += 1 }
      return Self.whole
    }
    let client = ApolloClient(networkTransport: transport)
    try await client.store.publish(body: Data(Self.whole.utf8), of: Self.query)
    try await client.remove([("Hero:0", ["note"])])
    let response = try await fetch(client)
    #expect(response.data?.json.contains("beep") == true && count.get() == 1)
  }

  @Test func onlyIdentifiersOfDocumentsLookNothingUp() throws {
    let object = ObjectPart(
      way: [ObjectPart.Step(typename: "Query", responseKey: "hero")],
      lookup: try #require(CrewAPI.types.lookup(ofObjectsOfType: "Hero", from: "Query")),
      part: OperationPart(fields: ["note": OperationPart()], keys: ["id"]))
    let completion = try #require(
      CrewQuery.completion(
        of: MissingParts(root: nil, objects: [object]), identifiers: ["0"]))
    let error = #expect(throws: GraphQLHTTPRequestError.self) {
      try OperationMessage(Self.query, form: .registeredIdentifier, completion: completion)
    }
    #expect(error?.code == .unregisteredPart)
  }

  /// The same text with other identifiers is another request.
  @Test func requestsForOtherObjectsAreNotShared() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let base = ScriptedTransport { request, _ in
      for await _ in gate { break }
      return request.facts.completion?.identifiers.first?.stringValue ?? ""
    }
    let transport = DeduplicatingNetworkTransport(base)
    let object = ObjectPart(
      way: [ObjectPart.Step(typename: "Query", responseKey: "hero")],
      lookup: try #require(CrewAPI.types.lookup(ofObjectsOfType: "Hero", from: "Query")),
      part: OperationPart(fields: ["note": OperationPart()], keys: ["id"]))
    let calls = ["0", "1"].map { id in
      Task {
        var request = OperationRequest(Self.query)
        request.facts.completion = CrewQuery.completion(
          of: MissingParts(root: nil, objects: [object]), identifiers: [.string(id)])
        return String(decoding: try await transport.send(request).body, as: UTF8.self)
      }
    }
    open.yield()
    open.yield()
    #expect(try await calls[0].value == "0")
    #expect(try await calls[1].value == "1")
  }
}

private enum CrewAPI: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = Configuration.self
  static let types = GeneratedCode.SchemaTypes(
    """
    type Droid: Node, Person; key id
    type Hero: Node, Person; key id
    type Place
    type Query; lookup ship(code String!) Ship code; lookup node(id ID!) Node id
    type Ship; key code
    interface Node: Droid, Hero
    interface Person: Droid, Hero
    """)

  enum Configuration: SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
  }
}

private struct PersonDetails: ApolloAPI.RootSelectionSet, Fragment {
  typealias Schema = CrewAPI
  static let fragmentDefinition =
    "fragment PersonDetails on Person { __typename id name note }"
  static let __selections = Selections(
    "Person {__typename String! id ID! name String! note String}")
  private let __storage: ResponseObject
  static let __layout = PersonDetails.__selections[0]
}

private struct CrewQuery: GraphQLQuery {
  static let operationName: String = "Crew"
  static let text =
    "query Crew($name: String, $first: Int = 2, $more: Boolean!) { hero(name: $name) { __typename ...PersonDetails best { __typename ...PersonDetails } ... on Hero { friends(first: $first) { __typename id name note @include(if: $more) ... on Droid { fn: function } } place { __typename x of { __typename id name } } ship { __typename code name } } } count }"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init(text, fragments: [PersonDetails.self]))
  static let __selections = Selections(
    "($first = 2) Query {hero(name: $name) Person {__typename String! ...#0 "
      + "best Person {__typename String! ...#0} "
      + "...Hero {friends(first: $first) [Person {__typename String! id ID! name String! note String @include(if: $more) ...Droid {fn:function String}}] "
      + "place Place {__typename String! x Int! of Hero {__typename String! id ID! name String!}} "
      + "ship Ship {__typename String! code String! name String}}} count Int}",
    fragments: [PersonDetails.self])

  var name: String
  var more: Bool
  var __variables: Variables? { ["name": name, "more": more] }

  struct Data: ApolloAPI.RootSelectionSet & RootModelValue {
    typealias Schema = CrewAPI
    private let __storage: ResponseObject
    static let __layout = CrewQuery.__selections[0]
    var json: String { String(decoding: jsonBytes, as: UTF8.self) }
  }
}

private let place =
  "place Place {__typename String! x Int! of Hero {__typename String! id ID! name String!}} "
private let ship = "ship Ship {__typename String! code String! name String}"

private struct QueryWithoutNotesOfFriends: GraphQLQuery {
  static let operationName: String = "Newer"
  static let operationDocument: ApolloAPI.OperationDocument = .init(operationIdentifier: "1")
  static let __selections = Selections(
    "Query {hero(name: \"R2\") Person {__typename String! id ID! name String! note String "
      + "best Person {__typename String! id ID! name String! note String} "
      + "...Hero {friends(first: 2) [Person {__typename String! id ID! name String! ...Droid {fn:function String}}] "
      + place + ship + "}} count Int}")

  struct Data: ApolloAPI.RootSelectionSet & RootModelValue {
    typealias Schema = CrewAPI
    private let __storage: ResponseObject
    static let __layout = QueryWithoutNotesOfFriends.__selections[0]
  }
}

private struct QueryWithoutFriends: GraphQLQuery {
  static let operationName: String = "Newer"
  static let operationDocument: ApolloAPI.OperationDocument = .init(operationIdentifier: "2")
  static let __selections = Selections(
    "Query {hero(name: \"R2\") Person {__typename String! id ID! name String! note String "
      + "best Person {__typename String! id ID! name String! note String} "
      + "...Hero {" + place + ship + "}} count Int}")

  struct Data: ApolloAPI.RootSelectionSet & RootModelValue {
    typealias Schema = CrewAPI
    private let __storage: ResponseObject
    static let __layout = QueryWithoutFriends.__selections[0]
  }
}
