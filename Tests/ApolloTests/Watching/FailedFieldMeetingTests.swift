import Apollo
import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// Errors of fields in watches of fragments, and of lists in which items change their places.
@Suite(.timeLimit(.minutes(1)))
struct FailedFieldMeetingTests {
  private static var serving: RequestConfiguration {
    var configuration = RequestConfiguration()
    configuration.servesCachedErrors = true
    return configuration
  }

  /// A property with `@catch` is a `.failure` first, and then a `.success` of `nil`.
  @Test func aFragmentWhoseErrorEndsIsDelivered() async throws {
    let transport = ScriptedTransport { _, _ in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","note":null}},"#
        + #""errors":[{"message":"no note","path":["hero","note"]}]}"#
    }
    let client = ApolloClient(
      networkTransport: transport, defaultRequestConfiguration: Self.serving)
    _ = try await client.fetch(query: NoteQuery(), cachePolicy: .networkOnly)
    var updates = client.watch(fragment: NoteParts.self, withKey: "Hero:0").makeAsyncIterator()
    let failed = try await updates.next()?.get()
    #expect(failed?.errors(forKey: "note").map(\.message) == ["no note"])
    try await client.store.publish(["Hero:0": ["note": .null]])
    let explained = try await updates.next()?.get()
    #expect(explained != nil && explained?.errors(forKey: "note").isEmpty == true)
  }

  /// The watch has had no response with errors, but asks for those of the cache. The error is that
  /// of another hero: the cache keeps the note that it knows of the first one.
  @Test func aWatchThatServesCachedErrorsShowsTheErrorOfAnotherOperation() async throws {
    let transport = ScriptedTransport { _, number in
      number == 0
        ? #"{"data":{"hero":{"__typename":"Hero","id":"0","note":"beep"}}}"#
        : #"{"data":{"hero":{"__typename":"Hero","id":"1","note":null}},"#
          + #""errors":[{"message":"no note","path":["hero","note"]}]}"#
    }
    let client = ApolloClient(networkTransport: transport)
    _ = try await client.fetch(query: NoteQuery(), cachePolicy: .networkOnly)
    var updates = client.watch(
      query: NoteQuery(), cachePolicy: .returnCacheDataDontFetch,
      requestConfiguration: Self.serving
    ).makeAsyncIterator()
    let first = try await updates.next()?.get()
    #expect(first?.data != nil && first?.errors == nil)
    _ = try await client.fetch(query: NoteQuery(), cachePolicy: .networkOnly)
    let failed = try await updates.next()?.get()
    #expect(failed?.data != nil && failed?.source == .cache)
    #expect(failed?.errors(at: "hero", "note").map(\.message) == ["no note"])
    #expect(transport.requestCount == 2)
  }

  private static func page(_ items: String) -> String {
    let edges = items.map { item in
      let note = "bd".contains(item) ? "\"n\(item)\"" : "null"
      return #"{"node":{"__typename":"Product","id":"\#(item)","note":\#(note)}}"#
    }
    return #"{"data":{"products":{"edges":[\#(edges.joined(separator: ","))],"#
      + #""pageInfo":{"hasNextPage":true,"endCursor":"\#(items.suffix(1))","#
      + #""hasPreviousPage":true,"startCursor":"\#(items.prefix(1))"}}},"#
      + #""errors":[{"message":"no \#(items.prefix(1))","#
      + #""path":["products","edges",0,"node","note"]}]}"#
  }

  /// The null leaves no data, at the top or on the way to it. The error that explains it is the
  /// only one of the response, and of the cache.
  @Test(arguments: [
    ("null", ["hero"]),
    (#"{"__typename":"Hero","id":"0","note":null}"#, ["hero", "note"]),
  ])
  func theErrorOfARequiredFieldComesFromTheCache(hero: String, path: [String]) async throws {
    let transport = ScriptedTransport { _, _ in
      #"{"data":{"hero":\#(hero)},"errors":[{"message":"busy","path":\#(path)}]}"#
    }
    let client = ApolloClient(networkTransport: transport)
    let fetched = try await client.fetch(query: RequiredQuery(), cachePolicy: .networkOnly)
    #expect(fetched.data == nil && fetched.errors?.map(\.message) == ["busy"])
    let cached = try await client.fetch(
      query: RequiredQuery(), requestConfiguration: Self.serving)
    #expect(cached.data == nil && cached.source == .cache)
    #expect(cached.errors?.map(\.message) == ["busy"])
    #expect(cached.errors?.first?.path == path.map(PathEntry.field))
    #expect(transport.requestCount == 1)
  }

  /// The watch has reported the error of `c` at index 0, where `a` is now, with its own error.
  @Test func anErrorOfAPageBeforeKeepsItsMessage() async throws {
    typealias Query = SelectedQuery<ShopSelection.Notes>
    let transport = ScriptedTransport { request, _ in
      Self.page((request.operation as? Query)?.before.unwrapped == nil ? "cd" : "ab")
    }
    let client = ApolloClient(networkTransport: transport)
    let watcher = client.watch(query: Query(last: 2), requestConfiguration: Self.serving)
    var updates = watcher.makeAsyncIterator()
    #expect(try await updates.next()?.get().errors?.map(\.message) == ["no c"])
    _ = try await client.fetch(query: Query(last: 2, before: "c"), cachePolicy: .networkOnly)
    let whole = try await updates.next()?.get()
    #expect(whole?.data?.ids == "abcd")
    #expect(
      whole?.errors(at: "products", "edges", 0, "node", "note").map(\.message) == ["no a"])
    #expect(
      whole?.errors(at: "products", "edges", 2, "node", "note").map(\.message) == ["no c"])
  }

  /// The response has the last page alone, and the watch shows the page before it, too.
  @Test func theResponseOfARefetchIsShownWithTheErrorsOfAllPages() async throws {
    typealias Query = SelectedQuery<ShopSelection.Notes>
    let transport = ScriptedTransport { request, number in
      guard (request.operation as? Query)?.before.unwrapped == nil else { return Self.page("ab") }
      return Self.page(number == 0 ? "cd" : "cde")
    }
    let client = ApolloClient(networkTransport: transport)
    let watcher = client.watch(query: Query(last: 2), requestConfiguration: Self.serving)
    var updates = watcher.makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.ids == "cd")
    _ = try await client.fetch(query: Query(last: 2, before: "c"), cachePolicy: .networkOnly)
    #expect(try await updates.next()?.get().data?.ids == "abcd")
    updates.watcher.refetch()
    let whole = try await updates.next()?.get()
    #expect(whole?.data?.ids == "abcde")
    #expect(
      whole?.errors(at: "products", "edges", 0, "node", "note").map(\.message) == ["no a"])
    #expect(
      whole?.errors(at: "products", "edges", 2, "node", "note").map(\.message) == ["no c"])
    #expect(whole?.errors?.count == 2)
  }
}

private struct NoteParts: HeroAPI.SelectionSet, Fragment {
  static var fragmentDefinition: String { "fragment NoteParts on Hero { __typename id note }" }
  typealias Schema = HeroAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections("Hero {__typename String! id ID! note String}")
  static let __layout = __selections[0]
}

/// `query Required { hero @required(action: NONE) { __typename id note @required(action: LOG) } }`
private struct RequiredQuery: GraphQLQuery {
  static let operationName: String = "Required"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Required { hero { __typename id note } }"))
  static let __selections = Selections(
    #"Query {hero Hero {__typename String! id ID! note String @required(action: "LOG")} "#
      + #"@required(action: "NONE")}"#)

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = RequiredQuery.__selections[0]
  }
}

private struct NoteQuery: GraphQLQuery {
  static let operationName: String = "Note"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Note { hero { __typename id note } }"))
  static let __selections = Selections("Query {hero Hero {__typename String! id ID! note String}}")

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = NoteQuery.__selections[0]
  }
}
