import Foundation
import LoopbackServer
import Testing

/// The syntax of drafts on the command line, with and without the options for it.
@Suite(.timeLimit(.minutes(10)))
struct DraftSyntaxTests {
  private static let schema = """
    directive @note(text: String) @deprecated(reason: "Write less.") on FIELD
    type Query { hero(first: Int): Hero }
    type Hero { name(length: Int): String }

    """
  private static let operations = """
    query Page($length: Int) { hero { ...Names(length: $length) ...Plain } }
    fragment Names($length: Int, $short: Int = 3) on Hero { name(length: $length) short: name(length: $short) }
    fragment Plain on Hero { plain: name }

    """

  private static func files(isOn: Bool) -> [String: String] {
    [
      "schema.graphqls": schema, "operations.graphql": operations,
      "apollo-codegen-config.json": """
      { "schemaNamespace": "API",
        "input": { "schemaSearchPaths": ["*.graphqls"], "operationSearchPaths": ["*.graphql"] },
        "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
        "experimentalFeatures": { "fragmentArguments": \(isOn), "directivesOnDirectiveDefinitions": \(isOn) } }
      """,
    ]
  }

  @Test(arguments: [
    ["validate"], ["validate", "--specification"], ["lint"], ["generate"], ["schema", "print"],
    ["schema", "stats"], ["schema", "diff", "schema.graphqls"],
    ["schema", "diff", "--operations", "operations.graphql", "schema.graphqls"],
  ])
  func needsTheOptions(_ command: [String]) async throws {
    try await withFiles(Self.files(isOn: true)) { project in
      let outcome = try await project.apollo(command)
      let text = outcome.output + outcome.errors
      #expect(!text.contains("error:") && outcome.status == 0, "\(text)")
    }
    try await withFiles(Self.files(isOn: false)) { project in
      let outcome = try await project.apollo(command)
      let text = outcome.output + outcome.errors
      #expect(text.contains(#"Syntax Error: Expected "on", found "@"."#), "\(text)")
      #expect(outcome.status != 0)
    }
  }

  @Test func reportsBothKindsOfArgumentsAsBefore() async throws {
    let files = Self.files(isOn: false).merging([
      "schema.graphqls":
        "type Query { hero(first: Int): Hero } type Hero { name(length: Int): String }"
    ]) { $1 }
    try await withFiles(files) { project in
      let outcome = try await project.apollo("validate")
      #expect(outcome.status == 1)
      for message in [
        #"operations.graphql:1:43: error: Syntax Error: Expected Name, found "("."#,
        #"operations.graphql:2:15: error: Syntax Error: Expected "on", found "("."#,
      ] {
        #expect(outcome.output.contains(message), "\(outcome.output)")
      }
    }
  }

  @Test func runSendsTheSelectionsInPlaceOfTheSpread() async throws {
    let server = try LoopbackServer { $1.json(#"{"data":{"hero":null}}"#) }
    defer { server.stop() }
    try await withFiles(Self.files(isOn: true)) { project in
      let outcome = try await project.apollo(
        "run", "operations.graphql", "--endpoint", server.url("/graphql").absoluteString)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let body = try #require(server.requests.first?.bodyText)
    let words = body.replacing(#"\n"#, with: " ").split(separator: " ").joined(separator: " ")
    #expect(
      words.contains(
        "hero { ... on Hero { name(length: $length) short: name(length: 3) } ...Plain } }"),
      "\(words)")
    #expect(words.contains("fragment Plain on Hero { plain: name }") && !words.contains("Names"))
  }

  @Test(arguments: [true, false])
  func aSchemaWithDeprecatedDirectivesIsFetched(_ isOn: Bool) async throws {
    @Sendable func schema(_ more: String) -> String {
      let fields = #""args":[],"type":{"kind":"SCALAR","name":"Int","ofType":null}"#
      return """
        {"data":{"__schema":{"queryType":{"name":"Query"},"mutationType":null,"subscriptionType":null,
        "directives":[{"name":"new","description":null,"isRepeatable":false,"isDeprecated":false,
        "locations":["FIELD"],"args":[]}\(more)],"types":[{"kind":"OBJECT","name":"Query","interfaces":[],
        "fields":[{"name":"a","isDeprecated":false,"deprecationReason":null,\(fields)}]},
        {"kind":"SCALAR","name":"Int"},{"kind":"OBJECT","name":"__Schema","interfaces":[],"fields":[
        {"name":"directives","isDeprecated":false,"args":[{"name":"includeDeprecated",
        "type":{"kind":"SCALAR","name":"Int","ofType":null}}],"type":{"kind":"SCALAR","name":"Int","ofType":null}}]},
        {"kind":"OBJECT","name":"__Directive","interfaces":[],"fields":[
        {"name":"isDeprecated","isDeprecated":false,\(fields)}]}]}}}
        """
    }
    let old = """
      ,{"name":"old","description":null,"isRepeatable":false,"isDeprecated":true,
      "deprecationReason":"Use @new.","locations":["FIELD"],"args":[]}
      """
    let server = try LoopbackServer { request, reply in
      reply.json(
        schema(request.bodyText.contains("directives(includeDeprecated: true)") ? old : ""))
    }
    defer { server.stop() }
    var files = Self.files(isOn: isOn)
    files["schema.graphqls"] = nil
    try await withFiles(files) { project in
      let outcome = try await project.apollo(
        "fetch-schema", "-e", server.url("/graphql").absoluteString, "-o", "schema.graphqls")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let text = try project.text(of: "schema.graphqls")
      #expect(text.contains("directive @new on FIELD\n"), "\(text)")
      let deprecation = isOn ? #" @deprecated(reason: "Use @new.")"# : ""
      #expect(text.contains("directive @old\(deprecation) on FIELD\n"), "\(text)")
    }
    #expect(server.requests.count == 2)
  }
}
