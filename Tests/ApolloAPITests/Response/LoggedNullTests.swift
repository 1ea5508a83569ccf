import ApolloAPI
import Testing

/// Nulls of fields with `@required(action: LOG)` in a response that has errors of its own.
@Suite(.timeLimit(.minutes(1)))
struct LoggedNullTests {
  private func decode(
    _ objects: [String], errors: [String]
  ) throws(ResponseError) -> GraphQLResponse<LoggedQuery> {
    let text =
      #"{"data":{"heroes":[\#(objects.joined(separator: ","))]},"#
      + #""errors":[\#(errors.joined(separator: ","))]}"#
    return try ResponseDecoder().decode(Array(text.utf8), as: LoggedQuery())
  }

  @Test func addsAnErrorForEachNullThatNoneExplains() throws {
    let response = try decode(
      [#"{"name":"Luke"}"#, #"{"name":null}"#, #"{"name":null}"#],
      errors: [#"{"message":"no name","path":["heroes",2,"name"]}"#])
    #expect(response.errors?.map(\.path?.dotted) == ["heroes.2.name", "heroes.1.name"])
    #expect(response.data?.jsonValue == ["heroes": [["name": "Luke"], nil, nil]])
  }

  /// Comparing each error with each other one would take minutes.
  @Test func manyNullsAndManyErrorsTakeNoMoreTimeThanTheirSum() throws {
    let count = 100_000
    let message = "'name' of 'Character' is null, and '@required' asks for a value."
    let response = try decode(
      Array(repeating: #"{"name":null}"#, count: count),
      errors: (0..<count).map { #"{"message":"\#(message)","path":["other",\#($0)]}"# })
    #expect(response.errors?.count == 2 * count)
  }
}

/// `query Logged { heroes { name @required(action: LOG) } }`.
private struct LoggedQuery: GraphQLQuery {
  static let operationName: String = "Logged"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Logged { heroes { name } }"))
  static let __selections = Selections(
    #"Query {heroes [Character {name String @required(action: "LOG")}]}"#)

  struct Data: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = LoggedQuery.__selections[0]
  }
}
