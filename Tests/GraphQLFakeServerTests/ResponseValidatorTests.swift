import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The validator that other tests rely on finds each kind of defect.
@Suite struct ResponseValidatorTests {
  @Test(arguments: [
    (#"{"data":{"a":1,"b":{"__typename":"X","x":["RED",null]}}}"#, nil),
    (#"{"data":{"b":{"__typename":"X","x":[]},"a":1}}"#, "data has the keys"),
    (#"{"data":{"a":1}}"#, "data has the keys"),
    (#"{"data":{"a":null,"b":null}}"#, "data.a is null"),
    (#"{"data":{"a":1.5,"b":null}}"#, "data.a is a number for Int"),
    (#"{"data":{"a":3000000000,"b":null}}"#, "data.a is a number for Int"),
    (#"{"data":{"a":"1","b":null}}"#, "data.a is a string for Int"),
    (#"{"data":{"a":1,"b":{"__typename":"Z","x":[]}}}"#, "data.b.__typename is another type"),
    (
      #"{"data":{"a":1,"b":{"__typename":"X","x":["BLUE"]}}}"#,
      "data.b.x[0] is no value of the enum"
    ),
    (#"{"data":{"a":1,"b":{"__typename":"X","x":"RED"}}}"#, "data.b.x is no list"),
    (#"{"data":null}"#, "has null data without an error"),
    (#"{"data":{"a":1,"b":null},"more":1}"#, "has the key more"),
    (#"{"errors":[]}"#, "has no errors in 'errors'"),
    ("[]", "is no JSON object"),
  ])
  func eachDefectIsFound(_ response: String, _ problem: String?) throws {
    let schema = Schema.build([
      .sdl(
        Source(
          name: "schema",
          text: """
            type Query { a: Int! b: U }
            union U = X | Y
            type X { x: [Color]! }
            type Y { y: Int }
            enum Color { RED }
            """))
    ]).schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    _ = document.parse(
      Source(name: "query", text: "{ a b { __typename ... on X { x } ... on Y { y } } }"))
    var validator = ResponseValidator(schema, document)
    let operation = try #require(document.operations.first)
    let found = validator.problems(of: Array(response.utf8), to: operation).first
    #expect(
      problem == nil ? found == nil : found?.hasPrefix(problem ?? "") == true, "\(found ?? "")")
  }
}
