import ApolloCodegenLib
import Testing

@Suite struct SchemaDownloadTests {
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

  @Test func handsOutTheAnswerOfAServer() async {
    let body = #"{"data":{"__schema":{}}}"#
    let response = SchemaResponse(
      status: 200, contentType: "application/json", body: Array(body.utf8))
    #expect(await fetch(response) == body)
  }

  @Test(arguments: [
    (
      SchemaResponse(
        status: 200, contentType: "text/html; charset=utf-8", body: Array("<html>".utf8)),
      "The server at 'http://localhost/graphql' answered with an HTML page that is not JSON. "
        + "Is it the address of the GraphQL endpoint?"
    ),
    (
      SchemaResponse(status: 404, contentType: "text/plain", body: Array("no".utf8)),
      "The server at 'http://localhost/graphql' answered with status 404 "
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
      SchemaResponse(status: 200, contentType: "a/b\u{1B}[2J", body: []),
      "The server at 'http://localhost/graphql' answered with "
        + #"'a/b\u{1B}[2J' that is not JSON. "#
        + "Is it the address of the GraphQL endpoint?"
    ),
    (
      SchemaResponse(status: 200, contentType: nil, body: Array("[]".utf8)),
      "The server at 'http://localhost/graphql' answered with an array "
        + "instead of a GraphQL response. "
        + "Is it the address of the GraphQL endpoint?"
    ),
  ])
  func saysWhatWasWrongWithTheAnswer(_ response: SchemaResponse, _ message: String) async {
    #expect(await fetch(response) == message)
  }
}

extension SchemaDownloadTests {
  @Test func aLongMessageIsCutShort() async {
    let body = #"{"errors":[{"message":"\#(String(repeating: "x", count: 10_000_000))"}]}"#
    let error = await fetch(
      SchemaResponse(status: 200, contentType: nil, body: Array(body.utf8)))
    #expect(error.contains("query: \(String(repeating: "x", count: 300)). Allow"))
    #expect(error.utf8.count < 500)
  }
}

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
        #expect(request.place == place)
        throw Sent()
      }.fetch()
    }
  }

  private struct Sent: Error {}
}

extension ApolloCodegenConfiguration.SchemaDownload {
  fileprivate static var introspection: Self {
    get throws {
      let json = """
        { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "o", "moduleType": { "other": {} } } },
          "schemaDownload": { "outputPath": "s", "downloadMethod": { "introspection":
            { "endpointURL": "http://localhost/graphql?token=secret" } } } }
        """
      return try #require(try ApolloCodegenConfiguration(json: json).schemaDownload)
    }
  }
}
