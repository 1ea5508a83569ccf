import ApolloAPI
import Testing

struct ResponseBodyTests {
  private func decode(_ text: String) throws(ResponseError) -> GraphQLResponse<
    StarWarsAPI.HeroQuery
  > {
    try ResponseDecoder().decode(Array(text.utf8), as: StarWarsAPI.HeroQuery(episode: nil))
  }

  @Test(arguments: [
    ("", "it is empty"), (" \n", "it is empty"), ("\u{FEFF}", "it is empty"),
    ("null", "it is not an object"), ("[]", "it is not an object"),
    ("\"x\"", "it is not an object"), ("1", "it is not an object"),
    ("true", "it is not an object"), ("{}", "it has neither 'data' nor 'errors'"),
    (#"{"data":null}"#, "'data' is null, and no error explains it"),
    (#"{"data":null,"errors":[]}"#, "'data' is null, and no error explains it"),
    (#"{"errors":[]}"#, "it has neither 'data' nor 'errors'"),
    (#"{"extensions":{}}"#, "it has neither 'data' nor 'errors'"),
    (#"{"data":[]}"#, "'data' is neither an object nor null"),
    (#"{"data":"x"}"#, "'data' is neither an object nor null"),
    (#"{"errors":{}}"#, "'errors' is not a list"), (#"{"errors":"x"}"#, "'errors' is not a list"),
    (#"{"data":{"hero":null},"extensions":[]}"#, "'extensions' is not an object"),
  ])
  func explainsWhyItIsNotAResponse(text: String, reason: String) {
    let error = #expect(throws: ResponseError.self) { try decode(text) }
    #expect(error?.problem == .notAResponse(reason))
  }

  @Test(arguments: ["null", "[]"])
  func treatsAnEmptyListOfErrorsAsNone(errors: String) throws {
    let response = try decode(#"{"data":{"hero":null},"errors":\#(errors),"extensions":null}"#)
    #expect(response.errors == nil && response.extensions == nil && response.data != nil)
  }

  @Test func readsTheErrorsWithTheirParts() throws {
    let response = try decode(
      #"{"data":null,"errors":[{"message":"a","locations":[{"line":3,"column":5}],"path":["hero",0,"name"],"extensions":{"code":"X"}}]}"#
    )
    let error = try #require(response.errors?.first)
    #expect(response.data == nil)
    #expect(error.message == "a" && error["code"] == "X")
    #expect(error.locations == [.init(line: 3, column: 5)])
    #expect(error.path == ["hero", 0, "name"])
  }

  @Test(arguments: [
    #""path":["a",1.5]"#, #""path":["a",-1]"#, #""path":["a",["b"]]"#, #""path":"a""#,
    #""locations":"x""#, #""locations":[{"line":"1","column":2}]"#,
    #""locations":[1]"#, #""extensions":[]"#,
  ])
  func keepsAnErrorWithoutItsMalformedParts(part: String) throws {
    let error = try #require(try decode(#"{"errors":[{"message":"a",\#(part)}]}"#).errors?.first)
    #expect(error == GraphQLError(message: "a"))
  }

  @Test(arguments: ["data", "errors", "extensions"])
  func rejectsAMemberThatOccursTwice(key: String) {
    #expect(throws: ResponseError.self) {
      try decode(#"{"\#(key)":null,"\#(key)":null,"data":{"hero":null}}"#)
    }
  }

  @Test func acceptsAByteOrderMark() throws {
    #expect(try decode("\u{FEFF}{\"data\":{\"hero\":null}}").data != nil)
  }

  @Test func readsManyErrors() throws {
    let errors = Array(repeating: #"{"message":"a"}"#, count: 20_000).joined(separator: ",")
    #expect(try decode("{\"errors\":[\(errors)]}").errors?.count == 20_000)
  }
}
