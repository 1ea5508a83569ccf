import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Tests the sentences about invalid introspection results.
@Suite struct IntrospectionProblemTests {
  private static let noDirectives =
    "Introspection result missing __schema directives. Only the directives of the specification "
    + "are known."

  @Test(arguments: [#"{"__schema":{\#(schema)}"#, #"{"__schema":{"directives":null,\#(schema)}"#])
  func aSchemaWithoutDirectivesIsAcceptedWithAWarning(_ json: String) {
    let result = Schema.build([.introspection(Source(name: "schema.json", text: json))])
    #expect(result.isUsable && result.schema.directive(named: .skip) != nil)
    #expect(result.diagnostics.map(\.severity) == [.warning])
    #expect(result.diagnostics.map(\.message) == [Self.noDirectives])
  }

  @Test(arguments: [
    (#"[{"message":"Slow\nserver"}]"#, #"an error beside its data: "Slow server""#),
    (#"["Slow"]"#, #"an error beside its data: "Slow""#),
    ("[{}]", "an error without a message beside its data"),
    (#"{"message":"Slow"}"#, #""errors" beside its data that are not a list"#),
    ("[]", nil), ("null", nil),
  ])
  func aSchemaBesideErrorsIsAcceptedWithAWarning(_ errors: String, _ message: String?) {
    for json in [
      #"{"errors":\#(errors),"data":{"__schema":{"directives":[],\#(Self.schema)}}"#,
      #"{"__schema":{"directives":[],\#(Self.schema),"errors":\#(errors)}"#,
    ] {
      let result = Schema.build([.introspection(Source(name: "schema.json", text: json))])
      #expect(result.isUsable)
      let expected = message.map {
        "The introspection result has \($0). The schema may be incomplete."
      }
      #expect(result.diagnostics.map(\.message) == [expected].compactMap { $0 })
      #expect(result.diagnostics.allSatisfy { $0.severity == .warning })
    }
  }

  @Test(arguments: [
    (
      #""onOperation":true,"onFragment":false,"onField":false"#,
      ["QUERY", "MUTATION", "SUBSCRIPTION"]
    ),
    (
      #""onOperation":false,"onFragment":true,"onField":true"#,
      ["FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"]
    ),
  ])
  func aDirectiveOfAnOldServerHasTheLocationsOfItsFlags(_ flags: String, _ locations: [String]) {
    let json =
      #"{"__schema":{"directives":[{"name":"old","args":[],\#(flags)}],\#(Self.schema)}"#
    let result = Schema.build([.introspection(Source(name: "schema.json", text: json))])
    #expect(result.diagnostics.isEmpty)
    let sdl = result.schema.printed()
    #expect(sdl.contains("directive @old on \(locations.joined(separator: " | "))"), "\(sdl)")
  }

  @Test(arguments: [
    (#""FIELD","DIRECTIVE_DEFINITION""#, true), (#""DIRECTIVE_DEFINITION""#, false),
  ])
  func theLocationOfTheDraftIsLeftOutWithoutAWarning(_ locations: String, _ isDefined: Bool) {
    let json =
      #"{"__schema":{"directives":[{"name":"note","args":[],"locations":[\#(locations)]}],"#
      + Self.schema + "}"
    let result = Schema.build([.introspection(Source(name: "schema.json", text: json))])
    #expect(result.isUsable && result.diagnostics.isEmpty, "\(result.diagnostics)")
    let sdl = result.schema.printed()
    #expect(sdl.contains("directive @note on FIELD\n") == isDefined, "\(sdl)")
    #expect(!sdl.contains("DIRECTIVE_DEFINITION"))
  }

  /// Tests a schema with definitions beside it, such as those of the directives for the generator.
  @Test(arguments: [
    #""subscriptionType":{"name":"Nope"},"types":["#,
    #""types":[{"kind":"UNION","name":"U","possibleTypes":[{"name":"Nope"}]},"#,
    #""types":[{"kind":"OBJECT","name":"O","interfaces":[{"name":"Nope"}],"fields":[{"name":"a","args":[],"type":{"name":"Int"}}]},"#,
    #""types":[{"kind":"OBJECT","name":"O","interfaces":[],"fields":[{"name":"a","args":[],"type":{"name":"Nope"}}]},"#,
    #""types":[{"kind":"INPUT_OBJECT","name":"I","inputFields":[{"name":"a","type":{"name":"Nope"}}]},"#,
  ])
  func anUnknownTypeIsReported(_ part: String) {
    let types = Self.schema.replacing(#""types":["#, with: part)
    let json = #"{"__schema":{"directives":[],\#(types)}"#
    for directives in [[], [SchemaInput.sdl("client", "directive @client on FIELD")]] {
      let result = Schema.build(
        [.introspection(Source(name: "schema.json", text: json))] + directives)
      #expect(result.diagnostics.map(\.message) == ["Unknown type \"Nope\"."], "\(json)")
    }
  }

  /// The rest of a schema, and the end of its object.
  private static let schema = """
    "queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"Query","interfaces":[],"fields":[
    {"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]},{"kind":"SCALAR","name":"Int"}]}
    """

  @Test(arguments: [
    (
      "{\"data\": null, \"errors\": [\"Query exceeds maximum depth of 10\"]}",
      "Invalid or incomplete introspection result: there is no \"__schema\" object. "
        + "The server reported an error: \"Query exceeds maximum depth of 10\". "
        + "Save the whole response of an introspection query, or its \"data\"."
    ),
    (
      "{\"data\": null, \"errors\": [{}]}",
      "Invalid or incomplete introspection result: there is no \"__schema\" object. "
        + "The server reported an error without a message. "
        + "Save the whole response of an introspection query, or its \"data\"."
    ),
    (
      "{\"data\": null, \"errors\": \"none\"}",
      "Invalid or incomplete introspection result: there is no \"__schema\" object. "
        + "Its \"errors\" are not a list. "
        + "Save the whole response of an introspection query, or its \"data\"."
    ),
    (
      "{\"data\": null}",
      "Invalid or incomplete introspection result: there is no \"__schema\" object. "
        + "Save the whole response of an introspection query, or its \"data\"."
    ),
    ("{\"__schema\": {}}", "Introspection result missing queryType."),
    ("{\"__schema\": {}}", "Introspection result missing __schema types."),
    ("{\"__schema\": {\"directives\": 1}}", "Introspection result missing __schema directives."),
    (
      "{\"__schema\": {}}",
      "Introspection result missing __schema directives. Only the directives of the specification "
        + "are known."
    ),
    ("{\"__schema\": {\"queryType\": {}}}", "The type has no \"name\"."),
    (
      "{\"__schema\": {\"queryType\": {\"name\": \"1\"}}}",
      "The name \"1\" of the type is not a GraphQL name."
    ),
    (
      "{\"__schema\": {\"types\": [{\"name\": \"1\", \"kind\": \"ENUM\"}]}}",
      "The name \"1\" of the enum is not a GraphQL name."
    ),
    (
      "{\"__schema\": {\"types\": [{\"name\": \"A\", \"kind\": \"?\"}]}}",
      "The type \"A\" has no \"kind\" that GraphQL knows."
    ),
    (
      "{\"__schema\": {\"directives\": [{\"name\": \"a\", \"args\": [], \"locations\": [\"X\"]}]}}",
      "\"X\" is not a directive location; it is ignored."
    ),
    (
      "{\"__schema\": {\"directives\": [{\"name\": \"a\", \"args\": [], \"locations\": []}]}}",
      "The directive has no location; it is ignored."
    ),
    (
      "{\"__schema\": {\"directives\": [{\"name\": \"a\", \"args\": [{\"name\": \"b\"}]}]}}",
      "Introspection result missing type."
    ),
    (
      """
      {"__schema": {"directives": [{"name": "a", "args": [{"name": "b", "type": {
        "kind": "NON_NULL", "ofType": {"kind": "NON_NULL", "ofType": {}}}}]}]}}
      """, "A non-null type cannot be non-null again."
    ),
    (
      """
      {"__schema": {"directives": [{"name": "a", "args": [{"name": "b", "type": {
        "kind": "SCALAR", "name": "S"}, "defaultValue": 1}]}]}}
      """, "The default value is not a constant GraphQL value in a string."
    ),
  ])
  func invalidIntrospectionIsReportedInASentence(json: String, sentence: String) {
    let result = Schema.build([.introspection(Source(name: "schema.json", text: json))])
    #expect(result.diagnostics.map(\.message).contains(sentence), "\(result.diagnostics)")
  }
}
