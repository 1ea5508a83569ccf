import Apollo
import ApolloAPI
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
