import Foundation
import LoopbackServer
import Testing

/// The requests of `apollo-cli fetch-schema`, its redirects and its checks of responses.
@Suite(.timeLimit(.minutes(10)))
struct SchemaRequestTests {
  private static let old = "type Query { old: Int }\n"
  /// The response of a server whose schema is `type Query { new(a: Int): Int }`.
  private static let answer = """
    {"data":{"__schema":{"queryType":{"name":"Query"},"mutationType":null,"subscriptionType":null,"directives":[],
    "types":[{"kind":"OBJECT","name":"Query","description":null,"inputFields":null,"interfaces":[],"enumValues":null,
    "possibleTypes":null,"fields":[{"name":"new","description":null,"isDeprecated":false,"deprecationReason":null,
    "args":[{"name":"a","description":null,"defaultValue":null,"type":{"kind":"SCALAR","name":"Int","ofType":null}}],
    "type":{"kind":"SCALAR","name":"Int","ofType":null}}]},
    {"kind":"SCALAR","name":"Int","description":null,"fields":null,"inputFields":null,"interfaces":null,"enumValues":null,
    "possibleTypes":null}]}}}
    """

  /// Downloads from `server` into a project that has a schema already.
  private func fetch(
    from server: LoopbackServer, path: String = "/graphql", method: String = #"{ "POST": {} }"#,
    format: String = "SDL", timeout: Double = 600,
    _ check: (Outcome, _ schema: String) throws -> Void
  ) async throws {
    let configuration = """
      { "schemaNamespace": "API",
        "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
        "schemaDownload": {
          "outputPath": "schema.graphqls", "downloadTimeout": \(timeout),
          "headers": [{ "key": "Authorization", "value": "Bearer hidden" }, { "key": "X-Mine", "value": "1" }],
          "downloadMethod": { "introspection": { "endpointURL": "\(server.url(path))",
            "httpMethod": \(method), "outputFormat": "\(format)" } } } }
      """
    try await withFiles(["schema.graphqls": Self.old, "config.json": configuration]) { project in
      let outcome = try await project.apollo("fetch-schema", "--path", "config.json")
      #expect(!outcome.errors.contains("hidden"), "\(outcome.errors)")
      try check(outcome, project.text(of: "schema.graphqls"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: project.folder.path).sorted()
          == ["config.json", "schema.graphqls"])
    }
  }

  private func withServer(
    _ script: @escaping LoopbackServer.Script, _ body: (LoopbackServer) async throws -> Void
  ) async throws {
    let server = try LoopbackServer(script)
    defer { server.stop() }
    try await body(server)
  }

  @Test(arguments: [#"{ "POST": {} }"#, #"{ "GET": { "queryParameterName": "q" } }"#])
  func theQueryAndTheHeadersAreSent(_ method: String) async throws {
    try await withServer {
      $1.json(Self.answer)
    } _: { server in
      try await fetch(from: server, path: "/graphql?tenant=1", method: method) { outcome, schema in
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(schema == "type Query {\n  new(a: Int): Int\n}\n")
      }
      let request = try #require(server.requests.first)
      #expect(server.requests.count == 1)
      #expect(request.headers["authorization"] == "Bearer hidden")
      #expect(request.headers["x-mine"] == "1")
      #expect(request.headers["user-agent"] == "apollo-cli/0.1.0")
      if method.contains("POST") {
        #expect(request.method == "POST" && request.target == "/graphql?tenant=1")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.bodyText.contains("query IntrospectionQuery { __schema {"))
      } else {
        #expect(request.method == "GET" && request.body.isEmpty)
        #expect(request.target.hasPrefix("/graphql?tenant=1&q=query%20IntrospectionQuery"))
      }
    }
  }

  @Test func theResponseItselfIsWrittenAsJSON() async throws {
    try await withServer {
      $1.json(Self.answer)
    } _: { server in
      try await fetch(from: server, format: "JSON") { outcome, schema in
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(schema == Self.answer)
      }
    }
  }

  @Test func anOlderServerReceivesASmallerIntrospectionQuery() async throws {
    try await withServer { request, reply in
      request.bodyText.contains("isOneOf")
        ? reply.json(#"{"errors":[{"message":"Cannot query field \"isOneOf\""}]}"#, status: 400)
        : reply.json(Self.answer)
    } _: { server in
      try await fetch(from: server) { outcome, schema in
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(schema.contains("new"))
        #expect(outcome.errors.contains("warning: The server's introspection lacks "))
      }
      // The query, the question for the types of introspection, and the smaller query.
      #expect(server.requests.count == 3)
    }
  }

  @Test func headersOfTheConfigurationAreNotForAnotherServer() async throws {
    let script: LoopbackServer.Script = { $1.json(Self.answer) }
    try await withServer(script) { own in
      try await withServer(script) { other in
        let configuration = """
          { "schemaNamespace": "API",
            "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
            "schemaDownload": { "outputPath": "schema.graphqls",
              "headers": [{ "key": "Authorization", "value": "Bearer hidden" }, { "key": "X-Key", "value": "${UNSET_KEY}" }],
              "downloadMethod": { "introspection": { "endpointURL": "\(own.url("/graphql"))" } } } }
          """
        try await withFiles(["config.json": configuration]) { project in
          let outcome = try await project.apollo(
            "fetch-schema", "--path", "config.json", "-e", other.url("/graphql").absoluteString,
            "--header",
            "X-Mine: 1")
          #expect(outcome.status == 0, "\(outcome.errors)")
          #expect(
            outcome.errors.contains("The headers of the configuration ('Authorization', 'X-Key')"))
        }
        let request = try #require(other.requests.first)
        #expect(request.headers["authorization"] == nil && request.headers["x-key"] == nil)
        #expect(request.headers["x-mine"] == "1")
        #expect(own.requests.isEmpty)
      }
    }
  }

  @Test func headersOfTheConfigurationAreForItsServerAtAnotherPath() async throws {
    try await withServer {
      $1.json(Self.answer)
    } _: { server in
      let configuration = """
        { "schemaNamespace": "API",
          "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
          "schemaDownload": { "outputPath": "schema.graphqls",
            "headers": [{ "key": "Authorization", "value": "Bearer hidden" }],
            "downloadMethod": { "introspection": { "endpointURL": "\(server.url("/graphql"))" } } } }
        """
      try await withFiles(["config.json": configuration]) { project in
        let outcome = try await project.apollo(
          "fetch-schema", "--path", "config.json", "-e", server.url("/v2").absoluteString)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      #expect(server.requests.first?.headers["authorization"] == "Bearer hidden")
    }
  }

  @Test(arguments: [
    (
      status: 401, body: #"{"errors":[{"message":"No entry"}]}"#, part: "with status 401: No entry."
    ),
    (status: 200, body: #"{"data":{"__sch"#, part: "Was the response cut short"),
    (status: 200, body: #"{"data":{"__schema":{}}}"#, part: "The server's schema is not valid"),
    (status: 200, body: #"{"data":null}"#, part: "The server's schema is not valid"),
    (status: 200, body: "", part: "that is not JSON"),
  ])
  func aBadAnswerIsToldAndTheOldSchemaStays(status: Int, body: String, part: String) async throws {
    try await withServer {
      $1.json(body, status: status)
    } _: { server in
      try await fetch(from: server) { outcome, schema in
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains(part), "\(outcome.errors)")
        #expect(schema == Self.old)
      }
    }
  }

  /// The headers hold keys: only the server that they are meant for may see them.
  @Test(arguments: [301, 302, 303, 307, 308])
  func secretsAreNotSentToAnotherServer(_ status: Int) async throws {
    try await withServer {
      $1.json(Self.answer)
    } _: { other in
      let target = other.url("/elsewhere").absoluteString
      try await withServer {
        $1.respond(status, headers: [("Location", target)])
      } _: { server in
        try await fetch(from: server) { outcome, schema in
          #expect(outcome.status != 0)
          #expect(outcome.errors.contains(target), "\(outcome.errors)")
          #expect(outcome.errors.contains("'endpointURL'"), "\(outcome.errors)")
          #expect(schema == Self.old)
        }
      }
      #expect(other.requests.isEmpty)
    }
  }

  @Test func aRedirectOnTheSameServerIsFollowedWithTheHeaders() async throws {
    try await withServer { request, reply in
      request.path == "/graphql"
        ? reply.respond(308, headers: [("Location", "/v2/graphql")]) : reply.json(Self.answer)
    } _: { server in
      try await fetch(from: server) { outcome, _ in
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let last = try #require(server.requests.last)
      #expect(last.target == "/v2/graphql" && last.method == "POST")
      #expect(last.headers["authorization"] == "Bearer hidden")
      #expect(last.bodyText.contains("IntrospectionQuery"))
    }
  }

  @Test(arguments: [false, true])
  func aServerThatTakesTooLongIsGivenUp(_ sendsPieces: Bool) async throws {
    try await withServer { _, reply in
      guard sendsPieces else { return reply.waitForClientToClose() }
      reply.beginChunks()
      reply.repeatSending("1\r\n \r\n", pauseInMilliseconds: 50)
    } _: { server in
      try await fetch(from: server, timeout: 0.5) { outcome, schema in
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("did not respond within 0.5 seconds"), "\(outcome.errors)")
        #expect(outcome.errors.contains("'schemaDownload.downloadTimeout'"), "\(outcome.errors)")
        #expect(outcome.errors.contains(server.url().absoluteString), "\(outcome.errors)")
        #expect(schema == Self.old)
      }
    }
  }

  @Test func aResponseThatBreaksOffIsNoProblemOfTheAddress() async throws {
    try await withServer { _, reply in
      reply.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{")
      reply.close()
    } _: { server in
      try await fetch(from: server) { outcome, schema in
        expectOneError(in: outcome, naming: "cannot be read to its end (")
        #expect(!outcome.errors.contains("TLS"), "\(outcome.errors)")
        #expect(schema == Self.old)
      }
    }
  }

  // MARK: - Without a configuration

  @Test func aServerIsEnough() async throws {
    try await withServer {
      $1.json(Self.answer)
    } _: { server in
      try await withFiles([:]) { project in
        let arguments = [
          "fetch-schema", "--endpoint", "\(server.url("/graphql"))", "--header",
          "Authorization: Bearer ${SECRET}", "--header=X-Cost: $5 {}", "--header", "x-empty:",
        ]
        let outcome = try await project.apollo(arguments, environment: ["SECRET": "s3"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
          outcome.output == "Wrote the schema to '\(project.folder.path)/schema.graphqls'.\n")
        #expect(
          try project.text(of: "schema.graphqls") == "type Query {\n  new(a: Int): Int\n}\n")
        let request = try #require(server.requests.first)
        #expect(request.headers["authorization"] == "Bearer s3")
        #expect(request.headers["x-cost"] == "$5 {}")
        let printed = try await project.apollo(
          arguments + ["--output", "-"], environment: ["SECRET": "s3"])
        #expect(printed.output == "type Query {\n  new(a: Int): Int\n}\n")
        let json = try await project.apollo(
          arguments + ["-o", "schema.json", "-q"], environment: ["SECRET": "s3"])
        #expect(json.status == 0 && json.output.isEmpty)
        #expect(try project.text(of: "schema.json") == Self.answer)
      }
    }
  }

  @Test func linksAreFollowedAndPermissionsAreKept() async throws {
    try await withServer {
      $1.json(Self.answer)
    } _: { server in
      try await withFiles(["shared/s.graphqls": Self.old]) { project in
        let file = project.folder.appendingPathComponent("shared/s.graphqls")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let link = project.folder.appendingPathComponent("schema.graphqls")
        try FileManager.default.createSymbolicLink(
          atPath: link.path, withDestinationPath: "shared/s.graphqls")
        let outcome = try await project.apollo(
          "fetch-schema", "--endpoint", "\(server.url("/graphql"))")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
          try project.text(of: "shared/s.graphqls") == "type Query {\n  new(a: Int): Int\n}\n")
        #expect(
          try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
            == "shared/s.graphqls")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
      }
    }
  }

  /// The output is a link to the device, so that a failure of this test replaces the link alone.
  @Test func aDeviceIsWrittenToAndNotReplaced() async throws {
    try await withServer {
      $1.json(Self.answer)
    } _: { server in
      try await withFiles([:]) { project in
        let link = project.folder.appendingPathComponent("null").path
        try FileManager.default.createSymbolicLink(
          atPath: link, withDestinationPath: "/dev/null")
        let outcome = try await project.apollo(
          "fetch-schema", "--endpoint", "\(server.url("/graphql"))", "--output", "null")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
      }
    }
  }

  @Test(arguments: [
    (
      ["--header", "A: ${NOT_SET}"],
      "The environment has no variable 'NOT_SET', which the header 'A'"
    ),
    (["--header", "nonsense"], "--header needs 'NAME: VALUE', not 'nonsense'."),
    (["--header", ": nonsense"], "--header needs 'NAME: VALUE'"),
    (["--header", "A: b\r"], "The value of the header 'A' has a line break"),
    (["--header", "A: b\r\nC: d"], "The value of the header 'A' has a line break"),
    (["--header", "A B: c"], "'A B' cannot be the name of a header."),
    (["--endpoint", "nowhere"], "--endpoint is not an address."),
  ])
  func wrongOptionsAreNamed(_ options: [String], message: String) async throws {
    let outcome = try await withFiles([:]) {
      try await $0.apollo(["fetch-schema", "--endpoint", "http://127.0.0.1:1/"] + options)
    }
    #expect(outcome.status == 2)
    expectOneError(in: outcome, naming: message)
  }

  /// Messages name the option that was given, and no configuration that is not there.
  @Test func adviceFitsTheCommandLine() async throws {
    try await withServer {
      $1.json(#"{"errors": [{"message": "No."}]}"#, status: 401)
    } _: { server in
      let outcome = try await withFiles([:]) {
        try await $0.apollo("fetch-schema", "--endpoint", "\(server.url("/graphql"))")
      }
      expectOneError(in: outcome, naming: "Give the credentials that it requires with --header.")
    }
  }

  @Test func optionsReplaceTheConfiguration() async throws {
    let configuration = """
      { "schemaNamespace": "API",
        "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
        "schemaDownload": {
          "outputPath": "sub/schema.graphqls",
          "headers": [{ "key": "Authorization", "value": "${SECRET}" }, { "key": "X-Mine", "value": "1" }],
          "downloadMethod": { "introspection": { "endpointURL": "SERVER/old" } } } }
      """
    try await withServer {
      $1.json(Self.answer)
    } _: { server in
      let own = configuration.replacing("SERVER/", with: server.url("/").absoluteString)
      try await withFiles(["apollo-codegen-config.json": own]) { project in
        let outcome = try await project.apollo(
          "fetch-schema", "-e", "\(server.url("/graphql"))", "--header", "authorization: other")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try project.text(of: "sub/schema.graphqls").hasPrefix("type Query"))
        let request = try #require(server.requests.first)
        #expect(request.headers["authorization"] == "other" && request.headers["x-mine"] == "1")
      }
    }
  }
}
