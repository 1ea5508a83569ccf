import GraphQLSyntax
import Testing

@testable import GraphQLSchema

/// Tests the sentences about invalid JSON and invalid introspection results.
@Suite struct IntrospectionProblemTests {
  @Test(arguments: [
    ("", "Unexpected end of the text", 0), ("{a: 1}", "Expected a key in double quotes", 1),
    ("{\"a\" 1}", "Expected ':'", 5), ("{\"a\": 1 1}", "Expected ',' or '}'", 8),
    ("[1 1]", "Expected ',' or ']'", 3), ("[] []", "Nothing may follow the value", 3),
    ("nul", "Expected 'null'", 0), ("x", "Expected a value", 0),
    ("\"a", "The string does not end", 2), ("\"\\x\"", "Unknown escape", 2),
    ("\"\\u12\"", "'\\u' takes four hexadecimal digits", 2),
    ("\"\u{1}\"", "A control character in a string must be escaped", 1),
  ])
  func invalidJSONIsReportedAtItsOffset(json: String, sentence: String, offset: Int) {
    #expect(throws: IndexedJSON.Failure(message: "Invalid JSON. \(sentence).", offset: offset)) {
      try IndexedJSON(Array(json.utf8))
    }
  }

  @Test(arguments: [
    #"{"__schema":\#(schema)}"#,
    #"{"errors":[{"message":"Slow"}],"data":{"__schema":\#(schema)}}"#,
  ])
  func aSchemaWithoutDirectivesIsAcceptedWithAWarning(_ json: String) {
    let result = Schema.build([
      .introspection(Source(name: "schema.json", bytes: Array(json.utf8)))
    ])
    #expect(result.isUsable && result.schema.directive(named: .skip) != nil)
    #expect(result.diagnostics.map(\.severity) == [.warning])
  }

  private static let schema = """
    {"queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"Query","interfaces":[],"fields":[
    {"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]},{"kind":"SCALAR","name":"Int"}]}
    """

  @Test(arguments: [
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
    ("{\"__schema\": {\"queryType\": {}}}", "A type has no \"name\"."),
    (
      "{\"__schema\": {\"queryType\": {\"name\": \"1\"}}}",
      "The name \"1\" of a type is not a GraphQL name."
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
