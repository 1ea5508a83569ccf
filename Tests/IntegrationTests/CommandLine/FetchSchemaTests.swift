import Foundation
import LoopbackServer
import Testing

/// `apollo-cli fetch-schema` against a good server, bad ones and none.
@Suite(.timeLimit(.minutes(10)))
struct FetchSchemaTests {
  private let schema = "GraphQL/schema.graphqls"

  @Test(.needsServers) func theCommittedSchemaIsWhatTheServerTells() async throws {
    try await with(try await .starWars()) { server in
      try await withProject { project in
        let committed = try project.contents(of: "GraphQL")["schema.graphqls"]?.bytes
        try project.remove(schema)
        let outcome = try await project.apollo(
          "fetch-schema", "--string", try project.configuration(endpoint: server.url.absoluteString)
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try project.contents(of: "GraphQL")["schema.graphqls"]?.bytes == committed)
      }
    }
  }

  @Test(
    .needsServers,
    arguments: [
      ("html", naming: ["HTML page", "GraphQL endpoint"]),
      ("gateway", naming: ["502", "HTML page"]),
      ("half", naming: ["/half"]),
      ("silence", naming: ["/silence"]),
      ("away", naming: ["a redirect to http://127.0.0.2:9/graphql; set 'endpointURL' to it"]),
      ("moved", naming: ["HTML page"]),
      ("circle", naming: ["in a circle"]),
      ("locked", naming: ["401", "--header"]),
      ("huge", naming: ["more than 128 MB"]),
      ("flood", naming: ["more than 128 MB"]),
      ("graphql", naming: ["404"]),
    ])
  func aServerThatAnswersWronglyIsNamed(path: String, naming parts: [String]) async throws {
    try await with(try await .faults()) { server in
      try await expectFailure(at: server.url.appendingPathComponent(path), naming: parts)
    }
  }

  @Test func aServerThatIsNotThereIsNamed() async throws {
    let port = try ClosedPort()
    try await expectFailure(at: port.url, naming: [])
    withExtendedLifetime(port) {}
  }

  @Test func theOtherSchemeIsNamedWhereTLSAndPlainHTTPDoNotMatch() async throws {
    // It sends the first bytes of HTTP/2 at once, which are no part of TLS.
    let server = try HTTP2Server { $0.respond("{}") }
    defer { server.stop() }
    let address = server.url.absoluteString.replacingOccurrences(of: "http:", with: "https:")
    let outcome = try await fetch(from: address)
    expectOneError(
      in: outcome,
      naming: "If the server speaks plain HTTP there, use http://… in 'endpointURL'.")
  }

  @Test(arguments: ["file:///etc/hosts", "ftp://example.org/graphql", "graphql"])
  func whatIsNotAnAddressIsRefused(_ endpoint: String) async throws {
    let outcome = try await fetch(from: endpoint)
    expectOneError(in: outcome, naming: "'endpointURL' is not an address")
  }

  @Test func secretsInTheAddressAreNotShown() async throws {
    let outcome = try await fetch(from: "http://user:hidden@127.0.0.1:1/graphql?key=hidden#hidden")
    expectOneError(in: outcome, naming: "'http://127.0.0.1:1/graphql'")
    #expect(!outcome.errors.contains("hidden") && !outcome.errors.contains("user"))
  }

  @Test(.needsServers) func whatInitWritesForAnEndpointFetchesTheSchema() async throws {
    try await with(try await .starWars()) { server in
      try await withProject { project in
        try project.remove("GraphQL/schema.graphqls")
        let created = try await project.apollo(
          "init", "--schema-namespace", "MyAPI", "--module-type", "other", "--overwrite",
          "--endpoint", server.url.absoluteString)
        #expect(created.status == 0, "\(created.errors)")
        let fetched = try await project.apollo("fetch-schema")
        #expect(fetched.status == 0, "\(fetched.errors)")
        let generated = try await project.apollo("generate")
        #expect(generated.status == 0, "\(generated.errors)")
      }
    }
  }

  private func fetch(from endpoint: String) async throws -> Outcome {
    try await withProject { project in
      try await project.apollo(
        "fetch-schema", "--string", try project.configuration(endpoint: endpoint))
    }
  }

  /// The message names the server, and the schema that was there stays as it is.
  private func expectFailure(at endpoint: URL, naming parts: [String]) async throws {
    try await withProject { project in
      let before = try project.contents(of: "GraphQL")
      let outcome = try await project.apollo(
        "fetch-schema", "--string", try project.configuration(endpoint: endpoint.absoluteString))
      expectOneError(in: outcome, naming: endpoint.absoluteString)
      for part in parts {
        #expect(outcome.errors.contains(part), "'\(part)' is not in: \(outcome.errors)")
      }
      #expect(try project.contents(of: "GraphQL") == before)
    }
  }
}
