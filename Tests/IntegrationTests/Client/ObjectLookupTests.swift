import Apollo
import ApolloAPI
import Testing

/// Missing fields of objects, which graphql-core finds by `node(id:)`.
@Suite(.needsServers, .timeLimit(.minutes(10)))
struct ObjectLookupTests {
  /// Returns the response to a query after some fields were removed from the cache, and the names
  /// of the fields at the root that the server has resolved for it.
  private func response(
    without fields: [(RecordKey, FieldKey)], isbn: Bool = false, fromRoot: Bool = false
  ) async throws -> (GraphQLResponse<BooksQuery>, resolved: [String]) {
    try await with(try await TestServer.nodes()) { server in
      let client = ApolloClient(url: server.url)
      let query = BooksQuery(isbn: isbn)
      _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
      for (key, field) in fields {
        var record = try #require(
          try await client.store.readOnlyCache.loadRecords(forKeys: [key])[key])
        record[field] = nil
        try await client.store.removeObject(for: key)
        try await client.store.publish(RecordSet([record]))
      }
      var configuration = RequestConfiguration()
      configuration.fetchesMissingFields = true
      configuration.fetchesMissingFieldsFromRoot = fromRoot
      let response = try await client.fetch(query: query, requestConfiguration: configuration)
      let names = response.extensions?["resolved"]?.arrayValue?.compactMap(\.stringValue)
      return (response, try #require(names))
    }
  }

  @Test func theServerDoesNotResolveTheWayToTheObject() async throws {
    let (response, resolved) = try await response(without: [("Book:book-1", "pages")])
    #expect(resolved == ["node book-1"])
    #expect(response.data?.json.contains(#""title":"Title 1","pages":101"#) == true)
    #expect(response.errors == nil && response.isComplete)
  }

  @Test func severalObjectsAndTheRootComeTogether() async throws {
    let (response, resolved) = try await response(
      without: [
        ("Book:book-0", "pages"), ("Book:book-1", "title"), ("Library:library", "name"),
        (.queryRoot, "count"),
      ])
    #expect(Set(resolved) == ["node library", "node book-0", "node book-1", "count"])
    #expect(response.errors == nil && response.isComplete)
  }

  @Test func anObjectThatIsNotFoundIsFetchedOnItsWay() async throws {
    let (response, resolved) = try await response(without: [("Book:book-2", "pages")])
    #expect(resolved == ["library", "count"])
    #expect(response.data?.json.contains(#""pages":102"#) == true)
  }

  @Test func aFieldThatFailsHasItsErrorAtThePlaceOfTheQuery() async throws {
    let (response, resolved) = try await response(
      without: [("Book:book-1", "isbn")], isbn: true)
    // The other books have failed before, so they are fetched again as well.
    #expect(resolved.contains("node book-1"))
    #expect(response.errors?.contains { $0.path == ["library", "books", 1, "isbn"] } == true)
    #expect(response.errors?.allSatisfy { $0.message == "The ISBN is unknown." } == true)
    #expect(response.errors?.allSatisfy { $0.path?.first == "library" } == true)
  }

  @Test func theCallCanAskForTheWayFromTheRoot() async throws {
    let (response, resolved) = try await response(
      without: [("Book:book-2", "pages")], fromRoot: true)
    #expect(resolved == ["library"])
    #expect(response.data?.json.contains(#""pages":102"#) == true)
  }
}

// MARK: - Generated code

private enum Metadata: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = Configuration.self
  static let types = GeneratedCode.SchemaTypes(
    """
    type Book: Node; key id
    type Library: Node; key id
    type Query; lookup node(id ID!) Node id
    interface Node: Book, Library
    """)

  enum Configuration: SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
  }
}

private struct BooksQuery: GraphQLQuery {
  static var operationName: String { "Books" }
  static var operationDocument: OperationDocument {
    .init(
      definition: .init(
        "query Books($isbn: Boolean!) { library(name: \"Main\") { __typename id name books(first: 3) { __typename id title pages isbn @include(if: $isbn) } } count }"
      ))
  }
  static let __selections = GeneratedCode.Selections(
    "Query {library(name: \"Main\") Library {__typename String! id ID! name String! "
      + "books(first: 3) [Book {__typename String! id ID! title String! pages Int "
      + "isbn String @include(if: $isbn)}!]!} count Int!}")

  var isbn: Bool
  var __variables: Variables? { ["isbn": isbn] }

  struct Data: RootSelectionSet, Hashable {
    typealias Schema = Metadata
    private let __storage: GeneratedCode.ResponseObject
    static var __layout: GeneratedCode.SelectionLayout { BooksQuery.__selections[0] }
    var json: String { String(decoding: jsonBytes, as: UTF8.self) }
  }
}
