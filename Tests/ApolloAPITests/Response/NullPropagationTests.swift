import ApolloAPI
import Testing

struct NullPropagationTests {
  private let data = """
    {"hero":{"__typename":"Human","name":"Luke","id":"1","appearsIn":[],"friends":[{"__typename":"Human","name":null},\
    {"__typename":"Droid","name":"C-3PO"}],"metres":1.7}}
    """

  private func decode(_ text: String) throws(ResponseError) -> GraphQLResponse<
    StarWarsAPI.HeroQuery
  > {
    try ResponseDecoder().decode(Array(text.utf8), as: StarWarsAPI.HeroQuery(episode: nil))
  }

  @Test(arguments: [true, false])
  func explainedNullsPropagateToTheNearestNullableField(errorsFirst: Bool) throws {
    let errors = #""errors":[{"message":"no name","path":["hero","friends",0,"name"]}]"#
    let text = errorsFirst ? "{\(errors),\"data\":\(data)}" : "{\"data\":\(data),\(errors)}"
    let response = try decode(text)
    #expect(response.data?.hero?.friends?.map { $0?.name } == [nil, "C-3PO"])
    #expect(response.errors?.map(\.message) == ["no name"])
  }

  @Test(arguments: [
    "", #","errors":[]"#,
    #","errors":[{"message":"elsewhere","path":["hero","friends",1,"name"]}]"#,
    #","errors":[{"message":"nowhere"}]"#,
  ])
  func unexplainedNullsFailWithTheirPath(errors: String) {
    let error = #expect(throws: ResponseError.self) { try decode("{\"data\":\(data)\(errors)}") }
    #expect(error?.problem == .nullValue)
    #expect(error?.path == ["hero", "friends", 0, "name"])
  }

  @Test func nullsPropagateToTheRoot() throws {
    let text =
      #"{"data":{"hero":{"__typename":null,"name":"a","id":"1","appearsIn":[],"friends":null,"metres":null}},"#
      + #""errors":[{"message":"a","path":["hero","__typename"]}]}"#
    let response = try decode(text)
    #expect(response.data != nil)
    #expect(response.data?.hero == nil)
  }
}
