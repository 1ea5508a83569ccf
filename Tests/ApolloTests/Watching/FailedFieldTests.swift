import Apollo
import ApolloAPI
import TestOperations
import Testing

/// Watches of a query with a field that fails on the server, with another error each time.
@Suite(.timeLimit(.minutes(10)))
struct FailedFieldTests {
  private let query = HeroAPI.HeroQuery()

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
}
