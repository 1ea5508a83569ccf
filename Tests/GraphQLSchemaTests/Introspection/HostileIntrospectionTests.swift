import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

@Suite struct HostileIntrospectionTests {
  private func build(_ json: String) -> SchemaResult {
    Schema.build([.introspection(Source(name: "schema.json", text: json))])
  }

  private func schema(types: String) -> String {
    """
    {"__schema":{"queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"Query","fields":[\
    {"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}],"interfaces":[]},\
    {"kind":"SCALAR","name":"Int"},{"kind":"SCALAR","name":"String"},\
    {"kind":"SCALAR","name":"Boolean"}\(types)],"directives":[]}}
    """
  }

  @Test(arguments: [
    "", " ", "null", "[]", "{}", "{\"data\":null}", "{\"data\":{\"__schema\":[]}}",
    "{\"__schema\":{}}",
    "{\"__schema\":{\"types\":[null,1,\"\",[],{}],\"directives\":[null,{}]}}", "{\"a\":}",
    "{\"a\" 1}",
    "[1,]", "01", "1.", "\"\\u12\"", "\"\\x\"", "\"a", "tru", "{} {}", "\"\u{1}\"", "\u{FEFF}{}",
  ])
  func malformedIntrospectionIsReportedWithALocation(json: String) {
    let result = build(json)
    #expect(!result.isUsable)
    #expect(!result.diagnostics.isEmpty)
    #expect(result.diagnostics.allSatisfy { $0.rule == .introspection && $0.span != nil })
  }

  @Test func invalidUTF8IsReportedWithALocation() {
    let bytes = Array("{\"__schema\": \"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
    let result = Schema.build([.introspection(Source(name: "schema.json", bytes: bytes))])
    #expect(
      result.diagnostics.map(\.message) == ["Invalid UTF-8; save the file with the encoding UTF-8."]
    )
    #expect(
      result.diagnostics.first?.span.map { result.schema.document.location(of: $0).column } == 15)
  }

  @Test(arguments: [1_000, 100_000])
  func deepNestingDoesNotOverflowTheStack(depth: Int) {
    #expect(!build(String(repeating: "[", count: depth)).isUsable)
    #expect(!build(String(repeating: "{\"a\":", count: depth)).isUsable)
    let list = "{\"kind\":\"LIST\",\"ofType\":"
    let type =
      String(repeating: list, count: depth) + "{\"kind\":\"SCALAR\",\"name\":\"Int\"}"
      + String(repeating: "}", count: depth)
    let result = build(
      schema(
        types: ",{\"kind\":\"OBJECT\",\"name\":\"A\",\"interfaces\":[],\"fields\":["
          + "{\"name\":\"a\",\"args\":[],\"type\":\(type)}]}"))
    #expect(
      result.diagnostics.contains {
        $0.message == "Decorated type deeper than introspection query."
      })
  }

  @Test(arguments: ["A { x: Int } type B", "", "a-b", "1a", "é", "a\\u0000", "# c"])
  func namesCannotInjectSyntax(name: String) {
    let result = build(schema(types: ",{\"kind\":\"SCALAR\",\"name\":\"\(name)\"}"))
    #expect(!result.isUsable)
    #expect(result.schema.printed() == "type Query {\n  a: Int\n}")
  }

  @Test(arguments: ["1) }", "$a", "", "1, b: Int", "\\\"", "[", "{a:1"])
  func defaultValuesCannotInjectSyntax(value: String) {
    let result = build(
      schema(
        types: ",{\"kind\":\"INPUT_OBJECT\",\"name\":\"I\",\"inputFields\":[{\"name\":\"i\","
          + "\"type\":{\"kind\":\"SCALAR\",\"name\":\"Int\"},\"defaultValue\":\"\(value)\"}]}"))
    #expect(!result.isUsable)
    #expect(result.schema.printed().hasSuffix("input I {\n  i: Int\n}"))
  }

  @Test func commentsInDefaultValuesEndWithTheValue() {
    let result = build(
      schema(
        types: ",{\"kind\":\"INPUT_OBJECT\",\"name\":\"I\",\"inputFields\":[{\"name\":\"i\","
          + "\"type\":{\"kind\":\"SCALAR\",\"name\":\"Int\"},\"defaultValue\":\"1 # }\"}]}"))
    #expect(result.isUsable)
    #expect(result.schema.printed().hasSuffix("input I {\n  i: Int = 1\n}"))
  }

  @Test func descriptionsCanContainAnyCharacter() {
    let result = build(
      schema(
        types:
          ",{\"kind\":\"SCALAR\",\"name\":\"S\",\"description\":\"\\\"\\\"\\\" \\ud83d\\ude00 \\ud800 \\u0001\"}"
      ))
    #expect(result.isUsable)
    let type = result.schema.type(named: "S")
    #expect(type.flatMap { result.schema.description(of: $0) } == "\"\"\" 😀 \u{FFFD} \u{1}")
  }

  @Test func diagnosticsPointIntoTheJSON() throws {
    let json = schema(
      types: ",{\"kind\":\"ENUM\",\"name\":\"__E\",\"enumValues\":[{\"name\":\"A\"}]}")
    let result = build(json)
    let diagnostic = try #require(result.diagnostics.first)
    #expect(diagnostic.rule == "ReservedNames")
    let sources = result.schema.document.sources
    let span = try #require(diagnostic.span)
    let index = sources.sourceIndex(at: span.start)
    #expect(sources.sources[index].name == "schema.json")
    let text = String(
      decoding: sources.sources[index].bytes.dropFirst(
        Int(span.start - sources.span(ofSourceAt: index).start)), as: UTF8.self)
    #expect(text.hasPrefix("{\"kind\":\"ENUM\",\"name\":\"__E\""))
  }

  @Test func readsEscapedKeys() {
    let json = schema(types: "").replacing("\"queryType\"", with: "\"query\\u0054ype\"")
    #expect(build(json).isUsable)
  }
}
