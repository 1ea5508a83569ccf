import Apollo
import ApolloAPI
import Testing

/// `onError` and `@catch` against graphql-core, whose errors need not propagate.
@Suite(.needsServers, .timeLimit(.minutes(10)))
struct ErrorPropagationTests {
  private func response<Query: GraphQLQuery>(
    _ query: Query, _ behavior: ErrorBehavior?
  ) async throws -> GraphQLResponse<Query>
  where Query.ResponseFormat == SingleResponseFormat {
    try await with(try await TestServer.propagation()) { server in
      var configuration = RequestConfiguration()
      configuration.onError = behavior
      return try await ApolloClient(url: server.url).fetch(
        query: query, requestConfiguration: configuration)
    }
  }

  @Test func caughtFieldsHaveTheErrorsThatTheServerDoesNotPropagate() async throws {
    let response = try await response(CaughtQuery(), .null)
    let a = try #require(response.data?.a)
    #expect(throws: GraphQLError.self) { try a.f.get() }
    #expect(a.errors(forKey: "f").map(\.message) == ["There is no f."])
    #expect(a.g == "g")
    #expect(a.h == ["a", nil])
    #expect(response.errors?.count == 2)
  }

  /// A field without `@catch` promises a value, so its null goes up, as if the server had done it.
  @Test func otherNullsGoUpInTheClient() async throws {
    let response = try await response(PlainQuery(), .null)
    #expect(response.data == nil)
    #expect(response.errors?.map(\.message).contains("There is no f.") == true)
  }

  @Test(arguments: [nil, ErrorBehavior.propagate, .halt])
  func theServerLeavesNoData(behavior: ErrorBehavior?) async throws {
    let response = try await response(CaughtQuery(), behavior)
    #expect(response.data == nil)
    #expect(response.errors?.first?.path == ["a", "f"])
  }
}

// MARK: - Generated code

private protocol Model: RootSelectionSet, Hashable where Schema == Metadata {}

private enum Metadata: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = Configuration.self
  static let types = GeneratedCode.SchemaTypes(
    """
    type A
    type Query
    """)

  enum Configuration: SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
  }
}

private struct CaughtQuery: GraphQLQuery {
  static var operationName: String { "Caught" }
  static var operationDocument: OperationDocument {
    .init(definition: .init("query Caught { a { __typename f g h } }"))
  }
  // query Caught { a { f @catch(to: RESULT) g h @catch(to: NULL, levels: [1]) } }
  static let __selections = GeneratedCode.Selections(
    "Query {a A {__typename String! f String g String! h [String]!}!}")

  struct Data: Model {
    private let __storage: GeneratedCode.ResponseObject
    static var __layout: GeneratedCode.SelectionLayout { CaughtQuery.__selections[0] }
    var a: A { __view(0) }

    struct A: Model {
      private let __storage: GeneratedCode.ResponseObject
      static var __layout: GeneratedCode.SelectionLayout { CaughtQuery.__selections[1] }
      var f: FieldResult<String> { __place(1).result(__value(1) as String?) }
      var g: String { __value(2) }
      var h: [String?] { __value(3) }
    }
  }
}

private struct PlainQuery: GraphQLQuery {
  static var operationName: String { "Plain" }
  static var operationDocument: OperationDocument {
    .init(definition: .init("query Plain { a { __typename f g } }"))
  }
  static let __selections = GeneratedCode.Selections(
    "Query {a A {__typename String! f String! g String!}!}")

  struct Data: Model {
    private let __storage: GeneratedCode.ResponseObject
    static var __layout: GeneratedCode.SelectionLayout { PlainQuery.__selections[0] }
  }
}
