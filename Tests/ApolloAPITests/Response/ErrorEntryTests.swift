import ApolloAPI
import Testing

/// Entries of `errors` that break the specification, as some servers send them.
struct ErrorEntryTests {
  private typealias Response = GraphQLResponse<StarWarsAPI.HeroQuery>

  private func decode(_ text: String) throws(ResponseError) -> Response {
    try ResponseDecoder().decode(Array(text.utf8), as: StarWarsAPI.HeroQuery(episode: nil))
  }

  private static let hero =
    #"{"__typename":"Human","name":"Luke","id":"1","appearsIn":[],"friends":null,"metres":null}"#

  private static let noMessage = "The server sent an error without a message."

  @Test(
    arguments: [
      (#"["Query exceeds the depth"]"#, ["Query exceeds the depth"]),
      ("[{}]", [noMessage]), ("[null]", [noMessage]),
      (#"[{"message":null}]"#, [noMessage]),
      (
        #"[{"message":null,"path":["hero","name"],"errorType":"Unauthorized","data":null}]"#,
        [#"\#(noMessage) Its other members are {"errorType":"Unauthorized"}."#]
      ),
      (#"[{"message":7},{"message":{"text":"a"}}]"#, ["7", #"{"text":"a"}"#]),
      (#"[{"message":""}]"#, [""]),
      (#"[1,true,["a"],{"message":"b"}]"#, ["1", "true", #"["a"]"#, "b"]),
    ] as [(String, [String])])
  func everyEntryIsAnErrorAndTheDataIsDelivered(errors: String, messages: [String]) throws {
    for text in [
      #"{"data":{"hero":\#(Self.hero)},"errors":\#(errors)}"#,
      #"{"errors":\#(errors),"data":{"hero":\#(Self.hero)}}"#,
    ] {
      let response = try decode(text)
      #expect(response.data?.hero?.name == "Luke")
      #expect(response.errors?.map(\.message) == messages)
    }
    #expect(try decode(#"{"errors":\#(errors)}"#).errors?.map(\.message) == messages)
    #expect(
      ResponseDecoder().errors(in: Array(#"{"errors":\#(errors)}"#.utf8))?.count == messages.count)
  }

  @Test func anErrorWithoutAMessageKeepsItsOtherParts() throws {
    let error = try #require(
      try decode(#"{"errors":[{"message":null,"path":["hero",0],"extensions":{"code":"X"}}]}"#)
        .errors?.first)
    #expect(error.path == ["hero", 0] && error["code"] == "X")
  }

  @Test func aLongEntryIsCut() throws {
    let long = String(repeating: "x", count: 100_000)
    let error = try #require(try decode(#"{"errors":[{"reason":"\#(long)"}]}"#).errors?.first)
    #expect(error.message.utf8.count < 1_200)
    #expect(try decode(#"{"errors":["\#(long)"]}"#).errors?.first?.message == long)
  }

  // MARK: - Fields that are missing beside their error

  @Test(
    arguments: [
      (#"{}"#, [#"{"message":"m","path":["hero"]}"#]), (#"{}"#, [#"{"message":"m"}"#]),
      (#"{}"#, [#""m""#]), (#"{}"#, [#"{"message":"m","path":["hero","friends",0]}"#]),
    ] as [(String, [String])])
  func aMissingFieldWithAnErrorIsNull(data: String, errors: [String]) throws {
    let response = try decode(
      #"{"data":\#(data),"errors":[\#(errors.joined(separator: ","))]}"#)
    #expect(response.data != nil && response.data?.hero == nil)
    #expect(response.errors?.map(\.message) == ["m"])
    let data = try #require(response.data)
    #expect(try StarWarsAPI.HeroQuery.Data(jsonBytes: data.jsonBytes) == data)
  }

  @Test func fieldsOfObjectsInListsMayBeMissing() throws {
    let response = try decode(
      #"""
      {"data":{"hero":{"__typename":"Human","name":"Luke","id":"1","appearsIn":[],"friends":[
      {"__typename":"Human"},{"__typename":"Droid","name":"C-3PO"}]}},"errors":[
      {"message":"a","path":["hero","friends",0,"name"]},{"message":"b","path":["hero","metres"]}]}
      """#)
    let hero = try #require(response.data?.hero)
    #expect(hero.friends?.map { $0?.name } == [nil, "C-3PO"])
    #expect(response.errors?.map(\.message) == ["a", "b"])
  }

  @Test(
    arguments: [
      ("", ["hero"]), (#","errors":[{"message":"m","path":["else"]}]"#, ["hero"]),
      (#","errors":[]"#, ["hero"]),
    ] as [(String, [PathEntry])])
  func aMissingFieldWithoutAnErrorFails(errors: String, path: [PathEntry]) {
    let error = #expect(throws: ResponseError.self) { try decode(#"{"data":{}\#(errors)}"#) }
    #expect(error?.problem == .missingValue && error?.path == path)
  }

  @Test func aMissingFieldThatMayNotBeNullNeedsAnErrorWithItsPath() throws {
    let data =
      #"{"hero":{"__typename":"Human","id":"1","appearsIn":[],"friends":null,"metres":null}}"#
    let error = #expect(throws: ResponseError.self) {
      try decode(#"{"data":\#(data),"errors":[{"message":"m"}]}"#)
    }
    #expect(error?.problem == .missingValue && error?.path == ["hero", "name"])
    let response = try decode(
      #"{"data":\#(data),"errors":[{"message":"m","path":["hero","name"]}]}"#)
    #expect(response.data != nil && response.data?.hero == nil)
  }

  @Test func manyMissingFieldsFailAtOnce() {
    let friends = Array(repeating: "{}", count: 50_000).joined(separator: ",")
    let error = #expect(throws: ResponseError.self) {
      try decode(
        #"{"data":{"hero":{"__typename":"Human","friends":[\#(friends)]}},"errors":["m"]}"#)
    }
    #expect(error?.problem == .missingValue)
  }

  // MARK: - Responses that cannot be read

  @Test(
    arguments: [
      #"{"data":{"hero":7},"errors":["a",{"message":"b"}]}"#,
      #"{"errors":["a",{"message":"b"}],"data":{"hero":{"__typename":"Human","name":null}}}"#,
      #"{"data":[],"errors":["a",{"message":"b"}]}"#,
    ])
  func anUnreadableResponseKeepsTheErrorsOfTheServer(text: String) {
    let error = #expect(throws: ResponseError.self) { try decode(text) }
    #expect(error?.graphQLErrors.map(\.message) == ["a", "b"])
    #expect(
      error?.description.hasSuffix("; the server reports 2 errors, see 'graphQLErrors'") == true)
  }

  @Test(arguments: [(#""down""#, ["down"]), (#"{"message":"a"}"#, ["a"])])
  func errorsThatAreNotAListAreKeptToo(errors: String, messages: [String]) {
    let error = #expect(throws: ResponseError.self) {
      try decode(#"{"data":{"hero":null},"errors":\#(errors)}"#)
    }
    #expect(error?.problem == .notAResponse("'errors' is not a list"))
    #expect(error?.graphQLErrors.map(\.message) == messages)
  }

  @Test func aResponseWithoutErrorsHasNone() {
    let error = #expect(throws: ResponseError.self) { try decode(#"{"data":{"hero":7}}"#) }
    #expect(error?.graphQLErrors == [])
    #expect(error?.description.contains("reports") == false)
  }
}
