import ApolloCodegenLib
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite(.timeLimit(.minutes(10))) struct SchemaDownloadTests {
  fileprivate func fetch(_ response: SchemaResponse) async -> String {
    do {
      let settings = try ApolloCodegenConfiguration.SchemaDownload.introspection
      switch try await SchemaDownload(settings, send: { _ in response }).fetch() {
      case .introspection(let bytes): return String(decoding: bytes, as: UTF8.self)
      case .sdl(let text): return text
      }
    } catch {
      return "\(error)"
    }
  }

  @Test func returnsTheResponseOfAServer() async {
    let body = #"{"data":{"__schema":{}}}"#
    let response = SchemaResponse(
      status: 200, contentType: "application/json", body: Array(body.utf8))
    #expect(await fetch(response) == body)
  }

  @Test(arguments: [
    (
      SchemaResponse(
        status: 200, contentType: "text/html; charset=utf-8", body: Array("<html>".utf8)),
      "The server at 'http://localhost/graphql' responded with an HTML page that is not JSON. "
        + "Is it the address of the GraphQL endpoint?"
    ),
    (
      SchemaResponse(status: 404, contentType: "text/plain", body: Array("no".utf8)),
      "The server at 'http://localhost/graphql' responded with status 404 "
        + "and 'text/plain' that is not JSON. "
        + "Is it the address of the GraphQL endpoint?"
    ),
    (
      SchemaResponse(
        status: 200, contentType: nil, body: Array(#"{"errors":[{"message":"No entry"}]}"#.utf8)),
      "The server at 'http://localhost/graphql' refused the introspection query: No entry. "
        + "Allow introspection there, or ask for the schema file."
    ),
    (
      SchemaResponse(
        status: 200, contentType: nil,
        body: Array(
          #"{"errors":[{"message":"\u001b]0;title\u0007a\r\nerror: \u202eb\u0085c"}]}"#.utf8)),
      "The server at 'http://localhost/graphql' refused the introspection query: "
        + #"\u{1B}]0;title\u{7}a error: \u{202E}b c. "#
        + "Allow introspection there, or ask for the schema file."
    ),
    (
      SchemaResponse(
        status: 200, contentType: nil,
        body: Array(#"{"data":null,"errors":["Query exceeds maximum depth of 10"]}"#.utf8)),
      "The server at 'http://localhost/graphql' refused the introspection query: "
        + "Query exceeds maximum depth of 10. Allow introspection there, or ask for the schema "
        + "file. If it limits the depth of queries, ask for fewer levels ('typeDepth' of the "
        + "introspection, or --type-depth)."
    ),
    (
      SchemaResponse(status: 200, contentType: "a/b\u{1B}[2J", body: []),
      "The server at 'http://localhost/graphql' responded with "
        + #"'a/b\u{1B}[2J' that is not JSON. "#
        + "Is it the address of the GraphQL endpoint?"
    ),
    (
      SchemaResponse(
        status: 401, contentType: "application/json",
        body: Array(#"{"errors":[{"message":"Who are you?"}],"data":null}"#.utf8)),
      "The server at 'http://localhost/graphql' refused the introspection query with status 401: Who are you? "
        + "Give the credentials that it requires in 'schemaDownload.headers'."
    ),
    (
      SchemaResponse(
        status: 200, contentType: "application/json",
        body: Array(
          #"{"errors":[{"message":"Who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#.utf8)),
      "The server at 'http://localhost/graphql' refused the introspection query: Who? "
        + "Give the credentials that it requires in 'schemaDownload.headers'."
    ),
    (
      SchemaResponse(status: 401, contentType: "text/html", body: Array("<html>".utf8)),
      "The server at 'http://localhost/graphql' responded with status 401 and an HTML page that is "
        + "not JSON. Give the credentials that it requires in 'schemaDownload.headers'."
    ),
    (
      SchemaResponse(
        status: 403, contentType: "application/json", body: Array(#"{"message":"No"}"#.utf8)),
      "The server at 'http://localhost/graphql' responded with status 403 and JSON that is not a "
        + "GraphQL response. Give the credentials that it requires in 'schemaDownload.headers'."
    ),
    (
      SchemaResponse(
        status: 200, contentType: "application/graphql-response+json; charset=utf-8",
        body: Array("{\"data\":\n {\"__sch".utf8)),
      "The server at 'http://localhost/graphql' responded with 'application/graphql-response+json' "
        + "that cannot be read. Line 2, column 9: Invalid JSON. The string does not end. "
        + "Was the response cut short?"
    ),
    (
      SchemaResponse(status: 500, contentType: "application/json", body: Array("{}".utf8)),
      "The server at 'http://localhost/graphql' responded with status 500 and JSON that is not a "
        + "GraphQL response. Is it the address of the GraphQL endpoint?"
    ),
    (
      SchemaResponse(status: 200, contentType: nil, body: Array("[]".utf8)),
      "The server at 'http://localhost/graphql' responded with an array "
        + "instead of a GraphQL response. "
        + "Is it the address of the GraphQL endpoint?"
    ),
  ])
  func reportsAnUnusableResponse(_ response: SchemaResponse, _ message: String) async {
    #expect(await fetch(response) == message)
  }
}

extension SchemaDownloadTests {
  @Test func truncatesALongMessage() async {
    let body = #"{"errors":[{"message":"\#(String(repeating: "x", count: 10_000_000))"}]}"#
    let error = await fetch(
      SchemaResponse(status: 200, contentType: nil, body: Array(body.utf8)))
    #expect(error.contains("query: \(String(repeating: "x", count: 300)). Allow"))
    #expect(error.utf8.count < 500)
  }
}

/// Downloads from servers that lack parts of introspection, or limit it.
@Suite struct IntrospectionFeatureTests {
  /// A server that knows some fields of introspection, with their arguments, and limits the depth
  /// of queries.
  private struct Server: Sendable {
    var fields: Set<String>
    var depth = 100
    /// `true` to refuse what the server lists of the draft.
    var refusesDrafts = false

    /// Everything that graphql-core 3.2 has.
    static let core32: Set<String> = [
      "__Schema.description", "__Type.specifiedByURL", "__Type.inputFields(includeDeprecated:)",
      "__Field.args(includeDeprecated:)", "__Directive.isRepeatable",
      "__Directive.args(includeDeprecated:)", "__InputValue.isDeprecated",
    ]

    func response(to query: String) -> String {
      func error(_ message: String) -> String { #"{"errors":[{"message":"\#(message)"}]}"# }
      // The types nest as deeply as the query says, below `__schema { types { fields { args {`.
      let nesting = query.components(separatedBy: "ofType").count - 1
      if !query.contains("__type("), nesting + 6 > depth { return error("Too deep") }
      guard !query.contains("__type(") else { return "{\"data\":{\(types)}}" }
      let words: [(String, String)] = [
        ("__schema { description", "__Schema.description"),
        (" specifiedByURL ", "__Type.specifiedByURL"),
        ("specifiedByUrl", "__Type.specifiedByUrl"), ("isOneOf", "__Type.isOneOf"),
        ("isRepeatable", "__Directive.isRepeatable"),
        ("inputFields(", "__Type.inputFields(includeDeprecated:)"),
        ("description args(", "__Field.args(includeDeprecated:)"),
        ("locations args(", "__Directive.args(includeDeprecated:)"),
        ("defaultValue isDeprecated", "__InputValue.isDeprecated"),
        (" directives(", "__Schema.directives(includeDeprecated:)"),
        (" isDeprecated deprecationReason locations", "__Directive.isDeprecated"),
      ]
      if refusesDrafts, query.contains(" directives(") { return error("No drafts") }
      if let missing = words.first(where: { query.contains($0.0) && !fields.contains($0.1) }) {
        return error("No \(missing.1)")
      }
      let types = listed.map { #"{"name":"__\#($0.type)","fields":\#($0.fields)}"# }
      return #"{"data":{"__schema":{"types":[\#(types.joined(separator: ","))]}}}"#
    }

    private var types: String {
      listed.map { #""\#($0.type)":{"fields":\#($0.fields)}"# }.joined(separator: ",")
    }

    /// The types of introspection with their fields.
    private var listed: [(type: String, fields: String)] {
      ["Schema", "Type", "Field", "Directive", "InputValue"].map { type in
        let names = Dictionary(
          grouping: fields.filter { $0.hasPrefix("__\(type).") }.map {
            $0.dropFirst(type.count + 3)
          }
        ) { String($0.prefix { $0 != "(" }) }
        let list = names.map { name, texts in
          let argument = texts.contains { $0.contains("(") } ? #"{"name":"includeDeprecated"}"# : ""
          return #"{"name":"\#(name)","args":[\#(argument)]}"#
        }
        let all = [#"{"name":"name","args":[]}"#] + list
        return (type, "[\(all.joined(separator: ","))]")
      }
    }
  }

  private actor Log {
    private(set) var queries: [String] = []

    func append(_ query: String) { queries.append(query) }
  }

  private func fetch(
    from server: Server, settings more: String = ""
  ) async throws -> (queries: [String], remarks: [String]) {
    let settings = try ApolloCodegenConfiguration.SchemaDownload.read(
      #""introspection": { "endpointURL": "http://localhost/graphql", "includeDeprecatedInputValues": true\#(more) }"#
    )
    let log = Log()
    var remarks: [String] = []
    _ = try await SchemaDownload(settings) { request in
      let body = String(decoding: request.body ?? [], as: UTF8.self).replacing(#"\""#, with: "\"")
      await log.append(body)
      return SchemaResponse(
        status: 200, contentType: "application/json", body: Array(server.response(to: body).utf8))
    }.fetch { remarks.append($0) }
    return (await log.queries, remarks)
  }

  @Test func aServerWithEverythingIsAskedOnce() async throws {
    let all = Server.core32.union(["__Type.isOneOf"])
    let (queries, remarks) = try await fetch(from: Server(fields: all))
    #expect(queries.count == 1 && remarks.isEmpty)
  }

  @Test func onlyThePartsThatAServerLacksAreLeftOut() async throws {
    let (queries, remarks) = try await fetch(from: Server(fields: Server.core32))
    #expect(queries.count == 3)
    let last = try #require(queries.last)
    for part in ["specifiedByURL", "isRepeatable", "inputFields(includeDeprecated: true)"] {
      #expect(last.contains(part), "\(part)")
    }
    #expect(!last.contains("isOneOf"))
    #expect(
      remarks == [
        "The server's introspection lacks '__Type.isOneOf', so the schema has no '@oneOf'."
      ])
  }

  @Test func theOlderNameOfTheAddressIsUnderstood() async throws {
    let (queries, remarks) = try await fetch(
      from: Server(fields: ["__Type.specifiedByUrl", "__Directive.isRepeatable"]))
    #expect(queries.last?.contains("specifiedByURL: specifiedByUrl") == true)
    #expect(remarks.first?.contains("'@specifiedBy'") == false)
    #expect(remarks.count == 1)
  }

  @Test func aServerThatLimitsDepthIsAskedForLess() async throws {
    let (queries, remarks) = try await fetch(
      from: Server(fields: Server.core32.union(["__Type.isOneOf"]), depth: 10))
    #expect(queries.count == 3)
    #expect(
      remarks == [
        "The server refused deep introspection: Too deep. Only types up to '[T!]!' are complete."
      ])
  }

  private static let drafts = Server.core32.union([
    "__Type.isOneOf", "__Schema.directives(includeDeprecated:)", "__Directive.isDeprecated",
  ])
  private static let deprecations =
    "directives(includeDeprecated: true) { name description isRepeatable isDeprecated "
    + "deprecationReason locations"

  @Test func aServerThatListsDeprecatedDirectivesIsAskedForThem() async throws {
    let (queries, remarks) = try await fetch(from: Server(fields: Self.drafts))
    #expect(queries.count == 2 && remarks.isEmpty)
    #expect(queries.first?.contains("directives { name") == true)
    #expect(queries.last?.contains(Self.deprecations) == true, "\(queries.last ?? "")")
  }

  @Test func onlyTheListedPartOfTheDraftIsAskedFor() async throws {
    let fields = Self.drafts.subtracting(["__Schema.directives(includeDeprecated:)"])
    let (queries, _) = try await fetch(from: Server(fields: fields))
    #expect(queries.count == 2)
    #expect(queries.last?.contains("directives { name") == true)
    #expect(queries.last?.contains("isRepeatable isDeprecated deprecationReason") == true)
  }

  @Test func aServerThatRefusesItsOwnDraftHasAResponseAllTheSame() async throws {
    let (queries, remarks) = try await fetch(
      from: Server(fields: Self.drafts, refusesDrafts: true))
    #expect(queries.count == 2)
    #expect(
      remarks == [
        "The server did not list its deprecated directives, so the schema lacks them: No drafts."
      ])
  }

  @Test func aServerThatLacksOtherPartsIsAskedForItsDrafts() async throws {
    let fields = Self.drafts.subtracting(["__Type.isOneOf"])
    let (queries, remarks) = try await fetch(from: Server(fields: fields))
    #expect(queries.count == 3 && remarks.count == 1)
    #expect(queries.last?.contains(Self.deprecations) == true)
  }

  @Test func aDepthOfTheSettingsIsThatOfAllRequests() async throws {
    let all = Server.core32.union(["__Type.isOneOf"])
    let depth = #", "typeDepth": 2"#
    // Too deep for the three levels of the shallow query.
    await #expect(throws: SchemaDownloadError.self) {
      try await fetch(from: Server(fields: all, depth: 8))
    }
    let (queries, remarks) = try await fetch(from: Server(fields: all, depth: 8), settings: depth)
    #expect(queries.count == 1 && remarks.isEmpty)
    let (others, _) = try await fetch(
      from: Server(fields: Server.core32, depth: 8), settings: depth)
    #expect(others.map { $0.components(separatedBy: "ofType").count - 1 } == [2, 0, 2])
  }

  @Test(arguments: ["0", "10", "1.5", #""3""#])
  func aDepthThatNoQueryHasIsRefused(_ depth: String) {
    #expect(throws: (any Error).self) {
      try ApolloCodegenConfiguration.SchemaDownload.read(
        #""introspection": { "endpointURL": "http://localhost/graphql", "typeDepth": \#(depth) }"#)
    }
  }

  @Test func aSchemaBesideErrorsIsAccepted() async throws {
    let settings = try ApolloCodegenConfiguration.SchemaDownload.introspection
    let body = #"{"errors":[{"message":"Slow"}],"data":{"__schema":{"types":[{}]}}}"#
    var remarks: [String] = []
    let document = try await SchemaDownload(settings) { _ in
      SchemaResponse(status: 200, contentType: "application/json", body: Array(body.utf8))
    }.fetch { remarks.append($0) }
    #expect(document == .introspection(Array(body.utf8)))
    #expect(remarks == ["The server reported an error beside the schema: Slow."])
  }
}

/// Requests to the registry, and its responses.
@Suite struct RegistryDownloadTests {
  private func fetch(
    status: Int = 200, _ body: String,
    inspect: @escaping @Sendable (SchemaRequest) -> Void = { _ in }
  ) async throws -> SchemaDownload.Document {
    let settings = try ApolloCodegenConfiguration.SchemaDownload.read(
      #""apolloRegistry": { "apiKey": "secret-key", "graphID": "space \"x\"", "variant": "test" }"#)
    return try await SchemaDownload(settings) { request in
      inspect(request)
      return SchemaResponse(
        status: status, contentType: "application/json", body: Array(body.utf8))
    }.fetch()
  }

  private static let found = """
    { "data": { "service": { "variant": { "activeSchemaPublish": { "schema": {
      "document": "type Query { a: Int }\\n" } } } } } }
    """

  @Test func requestsTheSchemaOfAVariant() async throws {
    let document = try await fetch(Self.found) { request in
      #expect(request.method == "POST")
      #expect(request.url == "https://graphql.api.apollographql.com/api/graphql")
      let headers = Dictionary(
        request.headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
      #expect(headers["x-api-key"] == "secret-key")
      #expect(headers["content-type"] == "application/json")
      #expect(headers["authorization"] == "Bearer mine")
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      #expect(body.contains(#""variables":{"graphID":"space \"x\"","variant":"test"}"#), "\(body)")
      #expect(body.contains("service(id: $graphID) { variant(name: $variant)"), "\(body)")
    }
    #expect(document == .sdl("type Query { a: Int }\n"))
  }

  @Test func theSchemaIsWrittenAsSDLOrJSON() async throws {
    let document = try await fetch(Self.found)
    let schema = Schema.build([document.input]).schema
    let sdl = document.contents(schema, as: .sdl)
    #expect(String(decoding: sdl, as: UTF8.self) == "type Query {\n  a: Int\n}\n")
    let json = document.contents(schema, as: .json)
    let again = Schema.build([.init(detecting: Source(name: "schema.json", bytes: json))])
    #expect(again.diagnostics.isEmpty)
    #expect(again.schema.printed() == schema.printed())
    #expect(again.schema.document.sources.sources.contains { $0.isDerived }, "It is no SDL.")
  }

  @Test(arguments: [
    (
      200, #"{ "data": { "service": null } }"#,
      #"has no schema for graph 'space "x"', variant 'test'. Check both names and the API key."#
    ),
    (
      200, #"{ "data": { "service": { "variant": { "activeSchemaPublish": null } } } }"#,
      "has no schema for graph"
    ),
    (
      403, #"{ "errors": [{ "message": "Invalid credentials" }] }"#,
      "refused the request with status 403: Invalid credentials. Check 'apiKey', 'graphID' and 'variant'"
    ),
    (502, "<html>", "responded with status 502 and an HTML page that is not JSON"),
    (200, #"{ "data": "#, "Was the response cut short"),
  ])
  func reportsAFailure(_ status: Int, _ body: String, _ part: String) async throws {
    let error = await #expect(throws: SchemaDownloadError.self) {
      try await fetch(status: status, body)
    }
    let text = "\(try #require(error))"
    #expect(text.contains("'https://graphql.api.apollographql.com/api/graphql'"), "\(text)")
    #expect(text.contains(part), "\(text)")
    #expect(!text.contains("secret-key"), "\(text)")
  }
}

/// Requests to servers.
@Suite struct SchemaRequestTests {
  @Test(arguments: [
    ("http://u:p@127.0.0.1:1/graphql?key=s#f", "http://127.0.0.1:1/graphql"),
    ("https://u@example.org#f?k", "https://example.org"),
    ("https://u:p@s@example.org/a@b", "https://example.org/a@b"),
    ("u:p@example.org/graphql", "example.org/graphql"),
    ("https://example.org/graphql", "https://example.org/graphql"),
    ("", ""),
  ])
  func namesTheServerWithoutSecrets(_ url: String, _ place: String) async throws {
    var settings = try ApolloCodegenConfiguration.SchemaDownload.introspection
    settings.method = .introspection(.init(endpointURL: url))
    await #expect(throws: Sent.self) {
      try await SchemaDownload(settings) { request in
        #expect(request.redactedURL == place)
        throw Sent()
      }.fetch()
    }
  }

  private struct Sent: Error {}

  private func request(_ method: String) async throws -> SchemaRequest {
    let settings = try ApolloCodegenConfiguration.SchemaDownload.read(
      "\"introspection\": \(method)")
    var sent: SchemaRequest?
    let requests = AsyncStream<SchemaRequest>.makeStream()
    await #expect(throws: Sent.self) {
      try await SchemaDownload(settings) { request in
        requests.continuation.yield(request)
        throw Sent()
      }.fetch()
    }
    requests.continuation.finish()
    for await request in requests.stream { sent = request }
    return try #require(sent)
  }

  @Test func postsTheQueryAsJSON() async throws {
    let request = try await request(#"{ "endpointURL": "https://example.org/graphql" }"#)
    #expect(request.method == "POST" && request.url == "https://example.org/graphql")
    #expect(request.timeout == 30)
    #expect(request.headers.contains(.init(key: "Authorization", value: "Bearer mine")))
    #expect(request.headers.contains(.init(key: "Content-Type", value: "application/json")))
    let body = String(decoding: try #require(request.body), as: UTF8.self)
    #expect(
      body.hasPrefix(
        #"{"operationName":"IntrospectionQuery","query":"query IntrospectionQuery { __schema {"#),
      "\(body)")
  }

  @Test(arguments: [
    (#"{ "GET": {} }"#, "https://example.org/graphql", "?query="),
    (
      #"{ "GET": { "queryParameterName": "q&x" } }"#, "https://example.org/graphql?a=1#f",
      "?a=1&q%26x="
    ),
  ])
  func getsTheQueryInTheAddress(_ method: String, _ url: String, _ part: String) async throws {
    let request = try await request(#"{ "endpointURL": "\#(url)", "httpMethod": \#(method) }"#)
    #expect(request.method == "GET" && request.body == nil)
    let prefix =
      "https://example.org/graphql\(part)query%20IntrospectionQuery%20%7B%20__schema%20%7B"
    #expect(request.url.hasPrefix(prefix), "\(request.url)")
    #expect(!request.headers.contains { $0.key == "Content-Type" })
  }

  @Test(arguments: [true, false])
  func requestsDeprecatedInputsIfConfigured(_ isWanted: Bool) async throws {
    let request = try await request(
      #"{ "endpointURL": "https://example.org", "includeDeprecatedInputValues": \#(isWanted) }"#)
    let body = String(decoding: try #require(request.body), as: UTF8.self)
    #expect(body.contains("args(includeDeprecated: true)") == isWanted)
    #expect(body.contains("inputFields(includeDeprecated: true)") == isWanted)
    #expect(body.contains("specifiedByURL isOneOf"))
  }
}

extension ApolloCodegenConfiguration.SchemaDownload {
  fileprivate static var introspection: Self {
    get throws {
      try read(
        #""introspection": { "endpointURL": "http://localhost/graphql?token=secret" }"#)
    }
  }

  /// Creates settings with one method of downloading.
  fileprivate static func read(_ method: String) throws -> Self {
    let json = """
      { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "o", "moduleType": { "other": {} } } },
        "schemaDownload": {
          "outputPath": "s", "headers": { "Authorization": "Bearer mine" }, "downloadMethod": { \(method) } } }
      """
    return try #require(try ApolloCodegenConfiguration(json: json).schemaDownload)
  }
}
