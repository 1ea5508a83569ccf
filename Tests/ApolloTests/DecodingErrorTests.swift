import Apollo
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// Errors about the content of a response name the response.
@Suite(.timeLimit(.minutes(10)))
struct DecodingErrorTests {
  @Test func carriesTheURLTheStatusAndTheType() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"data":{"hero":7}}"#, status: 206, type: "application/graphql-response+json")
    }
    defer { server.stop() }
    let url = try #require(URL(string: server.url().absoluteString + "?key=SECRET"))
    let client = ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: .patient))
    let error = await #expect(throws: ResponseError.self) {
      try await client.fetch(query: HeroAPI.HeroQuery())
    }
    #expect(error?.path == ["hero"])
    #expect(
      error?.source
        == ResponseError.Source(
          url: server.url().absoluteString, statusCode: 206,
          contentType: "application/graphql-response+json"))
    #expect(
      error?.description.hasSuffix(
        "; the response is from \(server.url()), with status 206 and application/graphql-response+json"
      ) == true, "\(error as Any)")
  }

  @Test(arguments: [
    (ResponseError.Source(), ""),
    (ResponseError.Source(url: "http://host"), "; the response is from http://host"),
    (ResponseError.Source(statusCode: 200), "; the response has status 200"),
    (
      ResponseError.Source(url: "http://host", contentType: "text/json"),
      "; the response is from http://host, with text/json"
    ),
  ])
  func saysWhatIsKnown(_ source: ResponseError.Source, _ clause: String) {
    var error = ResponseError(.missingValue, path: ["hero"])
    let sentence = error.description
    error.source = source
    #expect(error.description == sentence + clause)
  }

  @Test func knowsNothingOfAResponseThatCameFromNoNetwork() async throws {
    final class Canned: NetworkTransport {
      func send(_ request: OperationRequest) async throws -> NetworkResponse {
        NetworkResponse(body: Data("{".utf8))
      }
    }
    let client = ApolloClient(networkTransport: Canned())
    let error = await #expect(throws: ResponseError.self) {
      try await client.fetch(query: HeroAPI.HeroQuery())
    }
    #expect(error?.source == nil)
  }
}
