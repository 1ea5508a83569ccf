import Foundation
import Testing

/// `apollo-cli fetch-schema` against a good server, bad ones and none.
@Suite(.enabled(if: Python.isInstalled, "\(Python.advice)"), .timeLimit(.minutes(2)))
struct FetchSchemaTests {
  private let schema = "GraphQL/schema.graphqls"

  @Test func theCommittedSchemaIsWhatTheServerTells() async throws {
    try await with(try .starWars()) { server in
      try await withProject { project in
        let committed = try project.contents(of: "GraphQL")["schema.graphqls"]?.bytes
        try project.remove(schema)
        let outcome = try await project.apollo(
          "fetch-schema", "--string", try project.configuration(endpoint: server.url))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try project.contents(of: "GraphQL")["schema.graphqls"]?.bytes == committed)
      }
    }
  }

  @Test(arguments: [
    ("html", naming: ["HTML page", "GraphQL endpoint"]),
    ("gateway", naming: ["502", "HTML page"]),
    ("half", naming: ["/half"]),
    ("silence", naming: ["/silence"]),
    ("graphql", naming: ["404"]),
  ])
  func aServerThatAnswersWronglyIsNamed(path: String, naming parts: [String]) async throws {
    try await with(try .faults()) { server in
      try await expectFailure(at: server.url.appendingPathComponent(path), naming: parts)
    }
  }

  @Test func aServerThatIsNotThereIsNamed() async throws {
    let server = try TestServer.starWars()
    server.stop()
    try await expectFailure(at: server.url, naming: [])
  }

  /// The message names the server, and the schema that was there stays as it is.
  private func expectFailure(at endpoint: URL, naming parts: [String]) async throws {
    try await withProject { project in
      let before = try project.contents(of: "GraphQL")
      let outcome = try await project.apollo(
        "fetch-schema", "--string", try project.configuration(endpoint: endpoint))
      expectOneError(in: outcome, naming: endpoint.absoluteString)
      for part in parts {
        #expect(outcome.errors.contains(part), "'\(part)' is not in: \(outcome.errors)")
      }
      #expect(try project.contents(of: "GraphQL") == before)
    }
  }
}
