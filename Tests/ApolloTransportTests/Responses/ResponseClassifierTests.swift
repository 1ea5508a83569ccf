import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResponseClassifierTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    var status: Int
    var type: String?
    var body: String
    var headers: [(String, String)] = []
    var testDescription: String { "\(status) \(type ?? "-") \(body.prefix(30))" }
  }

  private func send(_ answer: Answer) async throws -> (NetworkResponse, URL) {
    let server = try LoopbackServer { _, reply in
      let type = answer.type.map { [("Content-Type", $0)] } ?? []
      reply.respond(answer.status, headers: type + answer.headers, body: Array(answer.body.utf8))
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    do {
      return (try await transport.send(OperationRequest(HeroAPI.HeroQuery())), server.url())
    } catch let error as GraphQLHTTPResponseError {
      // Ports differ from run to run.
      throw Described(
        text: error.description.replacingOccurrences(of: server.url().absoluteString, with: "URL"),
        error: error)
    }
  }

  private struct Described: Error {
    var text: String
    var error: GraphQLHTTPResponseError
  }

  @Test(arguments: [
    Answer(status: 200, type: "application/json", body: "{}"),
    Answer(status: 299, type: "application/JSON;charset=\"UTF-8\"", body: "{}"),
    Answer(status: 294, type: "application/graphql-response+json", body: "{}"),
    Answer(status: 500, type: "application/graphql-response+json; charset=utf-8", body: "{}"),
    Answer(status: 200, type: nil, body: " {}"),
    Answer(status: 206, type: "text/json", body: "{}"),
  ])
  func acceptsWhatAGraphQLServerMaySay(_ answer: Answer) async throws {
    let (response, _) = try await send(answer)
    #expect(response.body == Data(answer.body.utf8))
    #expect(response.http?.statusCode == answer.status)
  }

  @Test(arguments: [
    (
      Answer(status: 200, type: "text/html", body: "<!DOCTYPE html>\n <p>\u{7}Sign in</p>"),
      "URL answered 200 with text/html instead of JSON: “<!DOCTYPE html> <p>Sign in</p>”. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 200, type: "application/json; charset=iso-8859-1", body: "{}"),
      "URL answered 200 with application/json; charset=iso-8859-1 instead of JSON: “{}”. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 200, type: nil, body: "hello"),
      "URL answered 200 with no content type instead of JSON: “hello”. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 204, type: nil, body: ""),
      "URL answered 204 with an empty body. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 404, type: "text/html", body: "<h1>Not found</h1>"),
      "URL answered 404 with text/html: “<h1>Not found</h1>”. Check the path of the URL."
    ),
    (
      Answer(status: 401, type: "application/json", body: #"{"detail":"no"}"#),
      #"URL answered 401 with application/json: “{"detail":"no"}”. Check the credentials that are sent."#
    ),
    (
      Answer(
        status: 400, type: "application/json",
        body: #"{"errors":[{"message":"Cannot query field 'x'."}]}"#),
      "URL answered 400 with GraphQL errors: “Cannot query field 'x'.”. Correct the operation or its variables."
    ),
    (
      Answer(
        status: 503, type: "text/plain", body: "busy", headers: [("Retry-After", "5")]),
      "URL answered 503 with text/plain: “busy”. Something failed in the server or in front of it. Look at its log, or try again after 5 seconds."
    ),
    (
      Answer(status: 429, type: "text/plain", body: "slow down"),
      "URL answered 429 with text/plain: “slow down”. Send fewer requests later."
    ),
    (
      Answer(status: 502, type: "text/html", body: String(repeating: "x", count: 300)),
      "URL answered 502 with text/html: “\(String(repeating: "x", count: 200))…”. Something failed in the server or in front of it. Look at its log, or try again later."
    ),
  ])
  func saysWhatItFoundAndWhatToDo(_ answer: Answer, _ text: String) async throws {
    let described = await #expect(throws: Described.self) { try await send(answer) }
    #expect(described?.text == text)
    #expect(described?.error.statusCode == answer.status)
    #expect(described?.error.body == Data(answer.body.utf8))
  }

  @Test func keepsTheGraphQLErrorsOfAnAnswerThatSaysNo() async throws {
    let body = #"{"errors":[{"message":"no","path":["a",1],"extensions":{"code":"DENIED"}}]}"#
    let answer = Answer(status: 403, type: "application/json", body: body)
    let described = await #expect(throws: Described.self) { try await send(answer) }
    #expect(
      described?.error.graphQLErrors == [
        GraphQLError(message: "no", path: ["a", 1], extensions: ["code": "DENIED"])
      ])
  }
}
