import Apollo
import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// Errors of fields in completion queries and in partial data.
@Suite(.timeLimit(.minutes(10)))
struct MissingFieldsMeetingTests {
  // MARK: - Completion queries

  private static let noted =
    #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","note":"beep"},"count":3}}"#

  /// The cache keeps the error with the outermost null. The response has it at its whole path.
  @Test func anErrorThatSpreadsToTheObjectAroundIsReportedOnce() async throws {
    let (client, sent) = try await ApolloClient.caching(Self.noted, of: NotedQuery()) { _ in
      #"{"data":{"hero":null},"errors":[{"message":"no name","path":["hero","name"]}]}"#
    }
    try await client.remove([(.queryRoot, ["hero"])])
    let response = try await client.fetch(
      query: NotedQuery(), requestConfiguration: .fetchingMissingFields)
    #expect(sent.texts.get() == ["query Noted { hero { __typename id name note } }"])
    #expect(response.data?.json.contains(#""count":3"#) == true)
    #expect(response.errors?.map(\.path) == [["hero", "name"]])
    #expect(response.errors?.map(\.message) == ["no name"])
  }

  @Test func anErrorWithoutAPathIsReportedOnce() async throws {
    let (client, _) = try await ApolloClient.caching(Self.noted, of: NotedQuery()) { _ in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","note":null}},"#
        + #""errors":[{"message":"not logged in"}]}"#
    }
    try await client.remove([("Hero:0", ["note"])])
    let response = try await client.fetch(
      query: NotedQuery(), requestConfiguration: .fetchingMissingFields)
    #expect(response.errors?.map(\.message) == ["not logged in"])
  }

  private static func page(_ items: String, failing: Character? = nil) -> String {
    let edges = items.map { item in
      let note = item == failing ? "null" : "\"n\(item)\""
      return #"{"node":{"__typename":"Product","id":"\#(item)","note":\#(note)}}"#
    }
    return #"{"edges":[\#(edges.joined(separator: ","))],"#
      + #""pageInfo":{"hasPreviousPage":true,"startCursor":"\#(items.prefix(1))"}}"#
  }

  /// The data has the pages before, so the path of the error counts their items.
  @Test func anErrorOfACompletedListIsAtThePlaceInTheWholeList() async throws {
    let query = BackwardQuery(last: 2)
    let (client, sent) = try await ApolloClient.caching(
      #"{"data":{"products":\#(Self.page("cd")),"count":3}}"#, of: query
    ) { _ in
      #"{"data":{"products":\#(Self.page("cd", failing: "c"))},"#
        + #""errors":[{"message":"no","path":["products","edges",0,"node","note"]}]}"#
    }
    try await client.store.publish(
      body: Array(#"{"data":{"products":\#(Self.page("ab")),"count":3}}"#.utf8),
      of: BackwardQuery(last: 2, before: "c"))
    try await client.remove([("Product:c", ["note"])])
    let response = try await client.fetch(
      query: query, requestConfiguration: .fetchingMissingFields)
    #expect(sent.texts.get().count == 1)
    #expect(response.data?.ids == "abcd")
    #expect(response.errors?.map(\.path) == [["products", "edges", 2, "node", "note"]])
  }

  // MARK: - Partial data

  private static var partial: RequestConfiguration {
    var configuration = RequestConfiguration()
    configuration.returnPartialData = true
    return configuration
  }

  /// An element that may be null is missing alone, as one that is an object is.
  @Test(arguments: CacheKind.allCases)
  func aFailedElementOfAListOfLeavesIsMissingAlone(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = ScriptedTransport { _, _ in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","tags":["a",null],"rows":[["b",null],["c"]]}},"#
        + #""errors":[{"message":"no tag","path":["hero","tags",1]},"#
        + #"{"message":"no cell","path":["hero","rows",0,1]}]}"#
    }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    _ = try await client.fetch(query: TagsQuery(), cachePolicy: .networkOnly)
    let response = try await client.fetch(
      query: TagsQuery(), cachePolicy: .cacheOnly, requestConfiguration: Self.partial)
    let json = try #require(response?.data?.json)
    #expect(json.contains(#""tags":["a",null]"#))
    #expect(json.contains(#""rows":[["b",null],["c"]]"#))
    #expect(Set(response?.missing ?? []) == [["hero", "tags", 1], ["hero", "rows", 0, 1]])
    withExtendedLifetime(owner) {}
  }

  /// The gap is none of the server's nulls.
  @Test func aListOfLeavesWithAGapDoesNotReplaceTheListInTheCache() async throws {
    let transport = ScriptedTransport { _, _ in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","tags":["a",null],"rows":[]}},"#
        + #""errors":[{"message":"no tag","path":["hero","tags",1]}]}"#
    }
    let client = ApolloClient(networkTransport: transport)
    _ = try await client.fetch(query: TagsQuery(), cachePolicy: .networkOnly)
    let response = try await client.fetch(
      query: TagsQuery(), cachePolicy: .cacheOnly, requestConfiguration: Self.partial)
    let data = try #require(response?.data)
    try await client.store.withinReadWriteTransaction { try $0.write(data: data, for: TagsQuery()) }
    let again = try await client.fetch(query: TagsQuery(), cachePolicy: .cacheOnly)
    #expect(again == nil, "What failed is still missing.")
  }
}

private struct NotedQuery: GraphQLQuery {
  static let operationName: String = "Noted"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Noted { hero { __typename id name note } count }"))
  static let __selections = Selections(
    "Query {hero Hero {__typename String! id ID! name String! note String} count Int}")

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = NotedQuery.__selections[0]
    var json: String { String(decoding: jsonBytes, as: UTF8.self) }
  }
}

private struct TagsQuery: GraphQLQuery {
  static let operationName: String = "Tags"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Tags { hero { __typename id tags rows } }"))
  static let __selections = Selections(
    "Query {hero Hero {__typename String! id ID! tags [String] rows [[String]]}}")

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = TagsQuery.__selections[0]
    var json: String { String(decoding: jsonBytes, as: UTF8.self) }
  }
}

/// A list that is read from its end.
private struct BackwardQuery: GraphQLQuery {
  static let operationName: String = "Backward"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init(
      "query Backward($last: Int, $before: String) { "
        + "products(last: $last, before: $before) { edges { node { __typename id note } } "
        + "pageInfo { hasPreviousPage startCursor } } count }"))
  static let __selections = Selections(
    "Query {products(before: $before last: $last) ProductConnection {"
      + "edges [ProductEdge {node Product {__typename String! id ID! note String}!}!]! "
      + "pageInfo PageInfo {hasPreviousPage Boolean! startCursor String}!}! count Int}")

  var last: GraphQLNullable<Int> = nil
  var before: GraphQLNullable<String> = nil
  var __variables: Variables? { ["last": last, "before": before] }

  struct Data: ShopAPI.SelectionSet {
    typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = BackwardQuery.__selections[0]

    /// The identifiers of all items, in the order of the response.
    var ids: String {
      String(decoding: jsonBytes, as: UTF8.self)
        .split(separator: #""id":""#).dropFirst().compactMap(\.first).map(String.init).joined()
    }
  }
}
