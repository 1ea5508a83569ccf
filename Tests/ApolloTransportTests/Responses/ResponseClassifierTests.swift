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
    Answer(status: 200, type: nil, body: "\u{FEFF}{}"),
    Answer(status: 200, type: "application/json, application/json", body: "\u{FEFF}{}"),
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
      "URL responded with status 200 and text/html instead of JSON. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 200, type: "application/json; charset=iso-8859-1", body: "{}"),
      "URL responded with status 200 and application/json; charset=iso-8859-1 instead of JSON. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 200, type: nil, body: "hello"),
      "URL responded with status 200 and no content type instead of JSON. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 204, type: nil, body: ""),
      "URL responded with status 204 and an empty body. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 205, type: "application/json", body: ""),
      "URL responded with status 205 and an empty body. Check that this is the URL of the GraphQL endpoint."
    ),
    (
      Answer(status: 404, type: "text/html", body: "<h1>Not found</h1>"),
      "URL responded with status 404 and text/html. Check the path of the URL."
    ),
    (
      Answer(status: 401, type: "application/json", body: #"{"detail":"no"}"#),
      #"URL responded with status 401 and application/json. Check the credentials that are sent."#
    ),
    (
      Answer(
        status: 400, type: "application/json",
        body: #"{"errors":[{"message":"Cannot query field 'x'."}]}"#),
      "URL responded with status 400 and a GraphQL error. Correct the operation or its variables."
    ),
    (
      Answer(
        status: 400, type: "application/json",
        body: #"{"errors":[{"message":"Unknown directive '@defer'."}]}"#),
      "URL responded with status 400 and a GraphQL error. The server has no incremental delivery, or it is turned off there: turn it on, or remove '@defer' from the operation; see the article “Deferred fragments”."
    ),
    (
      Answer(status: 406, type: "text/plain", body: "no"),
      "URL responded with status 406 and text/plain. The server offers none of the media types that were accepted. '@defer', '@stream' and subscriptions over HTTP need a server that responds in parts; see the articles “Deferred fragments” and “Subscriptions”."
    ),
    (
      Answer(
        status: 503, type: "text/plain", body: "busy", headers: [("Retry-After", "5")]),
      "URL responded with status 503 and text/plain. Something failed in the server or in front of it. Look at its log, or try again after 5 seconds."
    ),
    (
      Answer(status: 429, type: "text/plain", body: "slow down"),
      "URL responded with status 429 and text/plain. Send fewer requests later."
    ),
    (
      Answer(status: 502, type: "text/html", body: String(repeating: "x", count: 300)),
      "URL responded with status 502 and text/html. Something failed in the server or in front of it. Look at its log, or try again later."
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

  @Test(arguments: [
    (
      Answer(status: 404, type: "text/html", body: "<h1>\nNot\u{7} found</h1>"),
      "URL responded with status 404 and text/html: “<h1> Not found</h1>”. Check the path of the URL."
    ),
    (
      Answer(status: 429, type: nil, body: String(repeating: "x", count: 300)),
      "URL responded with status 429 and no content type: “\(String(repeating: "x", count: 200))…”. Send fewer requests later."
    ),
    (
      Answer(
        status: 400, type: "application/json",
        body: #"{"errors":[{"message":"a"},{"message":"b"},{"message":"c"},{"message":"d"}]}"#),
      "URL responded with status 400 and 4 GraphQL errors: “a”, “b”, “c” and 1 more. Correct the operation or its variables."
    ),
    (
      Answer(status: 204, type: nil, body: ""),
      "URL responded with status 204 and an empty body. Check that this is the URL of the GraphQL endpoint."
    ),
  ])
  func quotesTheBodyWhenAsked(_ answer: Answer, _ text: String) async throws {
    let described = await #expect(throws: Described.self) { try await send(answer) }
    let error = try #require(described?.error)
    #expect(error.descriptionWithBody.replacingOccurrences(of: error.url, with: "URL") == text)
  }

  @Test(arguments: [
    Answer(status: 401, type: "text/html", body: "SECRET"),
    Answer(status: 200, type: "text/html", body: "SECRET", headers: [("X-Key", "SECRET")]),
    Answer(
      status: 400, type: "application/json",
      body: #"{"errors":[{"message":"SECRET","extensions":{"SECRET":"SECRET"}}]}"#),
  ])
  func noTextOfTheErrorHoldsTheBody(_ answer: Answer) async throws {
    let described = await #expect(throws: Described.self) { try await send(answer) }
    let error = try #require(described?.error)
    var dumped = ""
    dump(error, to: &dumped)
    dump(error as any Error, to: &dumped)
    dump([error], to: &dumped)
    for text in [
      "\(error)", String(reflecting: error), error.localizedDescription,
      (error as any Error).localizedDescription, "\(error as NSError)", dumped,
    ] {
      #expect(!text.contains("SECRET"))
    }
    #expect(error.descriptionWithBody.contains("SECRET"))
  }

  @Test func keepsABoundedPartOfTheBody() async throws {
    let body = String(repeating: "x", count: 65_537)
    let answer = Answer(status: 502, type: "text/html", body: body)
    let described = await #expect(throws: Described.self) { try await send(answer) }
    let error = try #require(described?.error)
    #expect(error.body.count == 65_536)
    #expect(error.bodyByteCount == 65_537)
  }

  @Test func readsTheErrorsOfABodyThatIsTooLongToKeep() async throws {
    let padding = String(repeating: " ", count: 70_000)
    let body = #"{"errors":[\#(padding){"message":"no"}]}"#
    let answer = Answer(status: 403, type: "application/json", body: body)
    let described = await #expect(throws: Described.self) { try await send(answer) }
    #expect(described?.error.graphQLErrors == [GraphQLError(message: "no")])
  }

  @Test(arguments: [
    ("5", Duration.seconds(5)), ("0", .zero), ("1000000000", .seconds(1_000_000_000)),
    ("4294967296", .seconds(4_294_967_296)), ("99999999999999999999", .seconds(1_000_000_000_000)),
    ("Sun, 06 Nov 1994 08:49:42 GMT", .seconds(5)),
    ("Sunday, 06-Nov-94 08:49:42 GMT", .seconds(5)), ("Sun Nov  6 08:49:42 1994", .seconds(5)),
    ("Wed, 21 Oct 1992 07:28:00 GMT", .zero), ("-7", nil), ("+7", nil), ("5s", nil), ("soon", nil),
    ("Sun, 06 Nov 1994 08:49:42 CET", nil), ("Sun, 31 Foo 1994 08:49:42 GMT", nil),
  ])
  func readsTheTimeToWait(_ text: String, _ delay: Duration?) async throws {
    let answer = Answer(
      status: 503, type: "text/plain", body: "busy",
      headers: [("Retry-After", text), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
    let described = await #expect(throws: Described.self) { try await send(answer) }
    #expect(described?.error.retryAfter == delay)
    #expect(described?.error.description.isEmpty == false)
  }

  @Test func aSuccessNamesItsURL() async throws {
    let answer = Answer(status: 200, type: "application/json", body: "{}")
    let (response, url) = try await send(answer)
    #expect(response.url == url)
  }
}
