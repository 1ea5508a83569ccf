import Apollo
import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// Watches of a query with a field that fails on the server, with another error each time.
@Suite(.timeLimit(.minutes(10)))
struct FailedFieldTests {
  private let query = HeroAPI.HeroQuery()

  /// A response whose error has the number of the request.
  private static func response(_ number: Int, path: String = #"["hero","friends"]"#) -> String {
    #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","friends":null}},"#
      + #""errors":[{"message":"busy","path":\#(path),"extensions":{"requestId":\#(number)}}]}"#
  }

  @Test(arguments: CacheKind.allCases)
  func twoWatchesSendOneRequestEachAndFollowLocalChanges(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = ScriptedTransport { Self.response($1) }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    var first = client.watch(query: query).makeAsyncIterator()
    #expect(try await first.next()?.get().errors?.count == 1)
    var second = client.watch(query: query).makeAsyncIterator()
    #expect(try await second.next()?.get().errors?.count == 1)
    for name in ["A", "B", "C", "D"] {
      try await client.store.publish(["Hero:0": ["name": .string(name)]])
      let (one, two) = (try await first.next()?.get(), try await second.next()?.get())
      #expect(one?.data?.hero?.name == name)
      #expect(two?.data?.hero?.name == name)
      #expect(one?.errors?.first?["requestId"] == 0, "as its own response reported it")
      #expect(two?.errors?.first?["requestId"] == 1)
      #expect(one?.errors?.first?.path == [.field("hero"), .field("friends")])
    }
    #expect(transport.requestCount == 2)
    withExtendedLifetime(owner) {}
  }

  @Test func anErrorBelowTheNullKeepsItsPath() async throws {
    let transport = ScriptedTransport { Self.response($1, path: #"["hero","friends",1,"name"]"#) }
    let client = ApolloClient(networkTransport: transport)
    var updates = client.watch(query: query).makeAsyncIterator()
    _ = await updates.next()
    try await client.store.publish(["Hero:0": ["name": "A"]])
    let response = try await updates.next()?.get()
    #expect(
      response?.errors?.first?.path == [
        .field("hero"), .field("friends"), .index(1), .field("name"),
      ])
  }

  /// A server may send a path of any length.
  @Test func aLongPathTakesNoMoreTimeThanItsLength() async throws {
    let indices = String(repeating: ",0", count: 100_000)
    let transport = ScriptedTransport {
      Self.response($1, path: #"["hero","friends"\#(indices)]"#)
    }
    let client = ApolloClient(networkTransport: transport)
    var updates = client.watch(query: query).makeAsyncIterator()
    _ = await updates.next()
    try await client.store.publish(["Hero:0": ["name": "A"]])
    let response = try await updates.next()?.get()
    #expect(response?.data?.hero?.name == "A")
    #expect(response?.errors?.first?.path?.count == 100_002)
  }

  @Test func aValueOfAnotherOperationEndsTheError() async throws {
    let client = ApolloClient(networkTransport: ScriptedTransport { Self.response($1) })
    var updates = client.watch(query: query).makeAsyncIterator()
    _ = await updates.next()
    try await client.store.publish(["Hero:0": ["friends": []]])
    let response = try await updates.next()?.get()
    #expect(response?.errors == nil)
    #expect(response?.data?.hero?.friends?.isEmpty == true)
  }

  /// A server may send a path of any length. The name is no list, so no index leads into it.
  @Test func aLongPathIntoALeafIsWritten() async throws {
    let indices = String(repeating: ",0", count: 1_000_000)
    let transport = ScriptedTransport { Self.response($1, path: #"["hero","name"\#(indices)]"#) }
    let client = ApolloClient(networkTransport: transport)
    let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(response.errors?.first?.path?.count == 1_000_002)
    let cached = try await client.fetch(query: query, cachePolicy: .cacheOnly)
    #expect(cached?.data?.hero?.name == "R2")
  }

  /// Making a tree of the lists for each error would take minutes.
  @Test(.timeLimit(.minutes(2)))
  func manyErrorsInNestedListsTakeNoMoreTimeThanTheirSum() async throws {
    let count = 100_000
    let heroes = (0..<count).map { #"{"__typename":"Hero","id":"\#($0)","name":null}"# }
      .joined(separator: ",")
    let errors = (0..<count).map { #"{"message":"no","path":["grid",0,\#($0),"name"]}"# }
      .joined(separator: ",")
    let text = #"{"data":{"grid":[[\#(heroes)]]},"errors":[\#(errors)]}"#
    let client = ApolloClient(networkTransport: ScriptedTransport { _, _ in text })
    let response = try await client.fetch(query: GridQuery(), cachePolicy: .networkOnly)
    #expect(response.errors?.count == count)
    let hero = try await client.store.record("Hero:7")
    guard case .failure(let failure)? = hero?.fields["name"] else {
      Issue.record("The name is no failure: \(String(describing: hero))")
      return
    }
    #expect(failure.message == "no")
  }

  /// `query Grid { grid { __typename id name } }`, with lists of lists.
  private struct GridQuery: GraphQLQuery {
    static let operationName: String = "Grid"
    static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init("query Grid { grid { __typename id name } }"))
    static let __selections = Selections(
      "Query {grid [[Hero {__typename String! id ID! name String}]]}")

    struct Data: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = GridQuery.__selections[0]
    }
  }

  // MARK: Equal responses

  @Test(arguments: [
    ("busy", "A", 7, true), ("late", "A", 7, false), ("busy", "B", 7, false),
    ("busy", "A", 8, true),
  ])
  func dataAndTheMeaningOfErrorsMakeAResponseNew(
    message: String, code: String, milliseconds: Int, isEqual: Bool
  ) {
    func response(_ message: String, _ code: String, _ milliseconds: Int) -> GraphQLResponse<
      HeroAPI.HeroQuery
    > {
      let timing: [String: JSONValue] = ["ms": .int(Int64(milliseconds))]
      let error = GraphQLError(
        message: message, path: [.field("hero")],
        extensions: timing.merging(["code": .string(code)]) { $1 })
      return GraphQLResponse(data: nil, errors: [error], extensions: timing, source: .server)
    }
    let known = response("busy", "A", 7)
    #expect(response(message, code, milliseconds).hasSameContent(as: known) == isEqual)
    #expect(known.hasSameContent(as: known))
    var other = known
    other.errors = nil
    #expect(!other.hasSameContent(as: known))
  }

  // MARK: Ends

  @Test func aLoopEndsWhenItsWatcherIsCancelled() async throws {
    let client = ApolloClient(networkTransport: ScriptedTransport { Self.response($1) })
    var updates = client.watch(query: query).makeAsyncIterator()
    _ = await updates.next()
    updates.watcher.cancel()
    #expect(await updates.next() == nil)

    var objects = client.watch(fragment: HeroAPI.HeroName.self, withKey: "Hero:0")
      .makeAsyncIterator()
    _ = await objects.next()
    objects.watcher.cancel()
    #expect(await objects.next() == nil)
  }
}
