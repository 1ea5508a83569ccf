import Foundation
import LoopbackServer
import Testing

/// `apollo-cli run`: the request that it sends, and the output for each kind of response.
@Suite(.timeLimit(.minutes(10)))
struct RunTests {
  private static let schema = """
    type Query { hero(episode: String): Hero }
    type Hero { id: ID!, name: String! }
    type Subscription { count: Int! }
    """

  /// Runs a command in a project with a schema, an operation and a fragment in a file of its own.
  private func run(
    _ arguments: [String], files: [String: String] = [:], input: String = "",
    script: @escaping LoopbackServer.Script
  ) async throws -> (outcome: Outcome, requests: [ReceivedRequest]) {
    let server = try LoopbackServer(script)
    defer { server.stop() }
    let configuration = """
      {
        "schemaNamespace": "MyAPI",
        "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
        "schemaDownload": {
          "downloadMethod": { "introspection": { "endpointURL": "\(server.url().absoluteString)" } },
          "headers": { "Authorization": "Bearer secret" },
          "outputPath": "schema.graphqls"
        }
      }
      """
    let project = [
      "apollo-codegen-config.json": configuration, "schema.graphqls": Self.schema,
      "hero.graphql": "query Hero($episode: String) { hero(episode: $episode) { ...Parts } }",
      "parts.graphql": "fragment Parts on Hero { name ...More }",
      "more.graphql": "fragment More on Hero { id }",
      "broken.graphql": "query Broken { nothing }",
      "events.graphql": "subscription Events { count }",
      "two.graphql": "query One { hero { id } } query Two { hero { name } }",
    ].merging(files) { $1 }
    let outcome = try await withFiles(project) {
      try await $0.apollo(["run"] + arguments, input: input)
    }
    return (outcome, server.requests)
  }

  /// The body of the only request.
  private func body(of requests: [ReceivedRequest]) throws -> [String: Any] {
    #expect(requests.count == 1)
    let request = try #require(requests.first)
    let body = try JSONSerialization.jsonObject(with: Data(request.body))
    return try #require(body as? [String: Any])
  }

  // MARK: - Requests

  @Test func sendsTheOperationWithItsFragmentsVariablesAndHeaders() async throws {
    let (outcome, requests) = try await run(
      ["hero.graphql", "--variables", #"{"episode": "JEDI"}"#, "--header", "X-App: test"]
    ) { _, reply in reply.json(#"{"data":{"hero":{"name":"R2-D2","list":[],"tags":[1, {}]}}}"#) }
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(
      outcome.output == """
        {
          "data": {
            "hero": {
              "name": "R2-D2",
              "list": [],
              "tags": [
                1,
                {}
              ]
            }
          }
        }

        """)
    let sent = try body(of: requests)
    let request = try #require(requests.first)
    #expect(request.headers["authorization"] == "Bearer secret")
    #expect(request.headers["x-app"] == "test")
    #expect(request.headers["content-type"] == "application/json")
    #expect(sent["operationName"] as? String == "Hero")
    #expect(sent["variables"] as? [String: String] == ["episode": "JEDI"])
    let document = try #require(sent["query"] as? String)
    for definition in ["query Hero(", "fragment Parts on", "fragment More on"] {
      #expect(document.contains(definition), "\(document)")
    }
    #expect(!document.contains("Broken"))
  }

  /// Servers refuse directives that they do not know, and older ones descriptions.
  @Test func doesNotSendWhatIsForTheClient() async throws {
    let (outcome, requests) = try await run(
      ["own.graphql"],
      files: [
        "own.graphql": #"""
        "The hero."
        query Own("Of which film?" $episode: String) @import(module: "M") @cacheControl(maxAge: 5) {
          hero(episode: $episode) @catch { ...Described }
        }
        """
        What is shown.
        """
        fragment Described on Hero @import(module: "N") { name @include(if: true) }
        """#
      ]
    ) { _, reply in reply.json(#"{"data":{"hero":null}}"#) }
    #expect(outcome.status == 0, "\(outcome)")
    let document = try #require(try body(of: requests)["query"] as? String)
    #expect(
      document == """
        query Own($episode: String) {
          hero(episode: $episode) {
            ...Described
          }
        }

        fragment Described on Hero {
          name @include(if: true)
        }
        """)
  }

  @Test func doesNotSendVariablesThatOnlyDirectivesForTheClientUse() async throws {
    let (outcome, requests) = try await run(
      ["forget.graphql", "--variables", #"{"id": "1", "lists": ["List:1"]}"#],
      files: [
        "schema.graphqls": Self.forgetting,
        "forget.graphql": """
        mutation Forget($id: ID!, $lists: [ID!]) {
          forget(id: $id) @deleteRecord(connections: $lists) { id }
        }
        """,
      ]
    ) { _, reply in reply.json(#"{"data":{"forget":null}}"#) }
    #expect(outcome.status == 0, "\(outcome)")
    let body = try body(of: requests)
    #expect(body["variables"] as? [String: String] == ["id": "1"])
    let document = try #require(body["query"] as? String)
    #expect(
      document == """
        mutation Forget($id: ID!) {
          forget(id: $id) {
            id
          }
        }
        """)
  }

  /// Variables of lists are not sent, so that another use of one would be undefined.
  @Test func sendsNothingWhoseDirectivesForTheClientAreWrong() async throws {
    let (outcome, requests) = try await run(
      ["forget.graphql", "--variables", #"{"id": "1"}"#],
      files: [
        "schema.graphqls": Self.forgetting,
        "forget.graphql":
          "mutation Forget($id: ID!) { forget(id: $id) @deleteRecord(connections: [$id]) { id } }",
      ]
    ) { _, reply in reply.json("{}") }
    #expect(outcome.status == 1, "\(outcome)")
    #expect(
      outcome.errors.contains(
        "'$id' names lists of the cache and is not sent, but it is used here as well."),
      "\(outcome.errors)")
    #expect(requests.isEmpty)
  }

  /// Neither a name nor labels are needed, and the key of the list may be in a file that is not
  /// read.
  @Test func sendsWhatOnlyGeneratedCodeCannotHave() async throws {
    let (outcome, requests) = try await run(
      ["forget.graphql"],
      files: [
        "schema.graphqls": Self.forgetting,
        "forget.graphql": """
        mutation {
          forget(id: "1") @deleteRecord(connections: ["__Heroes_connection"]) {
            ... @defer { id }
            ... @defer { name }
          }
        }
        """,
      ]
    ) { _, reply in reply.json(#"{"data":{"forget":null}}"#) }
    #expect(outcome.status == 0, "\(outcome)")
    let document = try #require(try body(of: requests)["query"] as? String)
    #expect(document.ranges(of: "... @defer {").count == 2, "\(document)")
    #expect(!document.contains("@deleteRecord"), "\(document)")
  }

  private static let forgetting = """
    type Query { hero: Hero }
    type Mutation { forget(id: ID!): Hero }
    type Hero { id: ID!, name: String }
    """

  @Test func readsTheOperationAndVariablesFromElsewhere() async throws {
    let (outcome, requests) = try await run(
      ["-", "--variables", "@variables.json", "--compact"],
      files: ["variables.json": #"{ "episode": null }"#],
      input: "query Named($episode: String) { hero(episode: $episode) { id } }"
    ) { _, reply in reply.json(#"{ "data": { "hero": null } }"#) }
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output == #"{"data":{"hero":null}}"# + "\n")
    #expect(try body(of: requests)["variables"] is [String: NSNull])
  }

  @Test func choosesAnOperationByItsName() async throws {
    let (outcome, requests) = try await run(["two.graphql", "--operation", "Two"]) { _, reply in
      reply.json(#"{"data":null}"#)
    }
    #expect(outcome.status == 0, "\(outcome)")
    let sent = try body(of: requests)
    let document = try #require(sent["query"] as? String)
    #expect(document.contains("query Two") && !document.contains("query One"))
  }

  @Test(arguments: [
    (["two.graphql"], 2, "has 2 operations. Choose one with --operation: One, Two."),
    (["two.graphql", "--operation", "Tow"], 2, "Did you mean 'Two'?"),
    (["parts.graphql"], 2, "'parts.graphql' has no operation."),
    (["broken.graphql"], 1, #"Cannot query field "nothing" on type "Query"."#),
    (["hero.graphql", "--variables", "[]"], 2, "--variables needs a JSON object, not"),
    (["hero.graphql", "--variables", "{episode: 1}"], 2, "--variables is no JSON (1:2)"),
    (["hero.graphql", "--endpoint", "nowhere"], 2, "--endpoint is not an address."),
    (["hero.graphql", "two.graphql"], 2, "Name one file with an operation"),
  ])
  func sendsNothingThatIsWrong(
    _ arguments: [String], status: Int32, naming message: String
  ) async throws {
    let (outcome, requests) = try await run(arguments) { _, reply in reply.json("{}") }
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(requests.isEmpty)
  }

  @Test func anOperationIsCheckedInAProjectWithoutOthers() async throws {
    let configuration = """
      {"schemaNamespace": "A", "input": {"operationSearchPaths": ["none/*.graphql"]},
       "output": {"schemaTypes": {"path": "out", "moduleType": {"other": {}}}}}
      """
    let outcome = try await withFiles([
      "apollo-codegen-config.json": configuration, "schema.graphqls": Self.schema,
    ]) {
      try await $0.apollo(
        ["run", "-", "--endpoint", "http://127.0.0.1:1"], input: "{ hero { nme } }")
    }
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains(#"Cannot query field "nme" on type "Hero"."#), "\(outcome)")
  }

  // MARK: - Responses

  @Test func endsWithOneIfTheResponseHasErrors() async throws {
    let (outcome, _) = try await run(["hero.graphql"]) { _, reply in
      reply.json(#"{"data":null,"errors":[{"message":"No."}]}"#, status: 400)
    }
    #expect(outcome.status == 1)
    #expect(outcome.output.contains(#""message": "No.""#))
  }

  @Test(arguments: ["<html>", "{}", "[1]", ""])
  func saysWhenThereIsNoGraphQLResponse(_ text: String) async throws {
    let (outcome, _) = try await run(["hero.graphql"]) { _, reply in reply.json(text, status: 404) }
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("responded with status 404"), "\(outcome.errors)")
  }

  // MARK: - Subscriptions

  /// The pieces of a response with the events `{"data":{"count":1}}` and `{"data":{"count":2}}`.
  static let responses: [(type: String, pieces: [String])] = [
    (
      "text/event-stream",
      [
        ": hello\n\nevent: next\nda", "ta: {\"data\":\ndata: {\"count\":1}}\n\n",
        "event: next\r\ndata: {\"data\":{\"count\":2}}\r\n\r\nevent: complete\ndata:\n\n",
      ]
    ),
    (
      "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0,application/json",
      [
        "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql\r\n\r\n",
        #"{"payload":{"data":{"count":1}}}"#, "\r\n--grap", "hql\r\nContent-Type: application/json",
        "\r\n\r\n{\"payload\":{\"data\":{\"count\":2}}}\r\n--graphql--\r\n",
      ]
    ),
    (
      "multipart/mixed; boundary=-",
      ["---\r\n\r\n{\"data\":{\"count\":1}}\r\n---\r\n\r\n{\"data\":{\"count\":2}}\r\n-----\r\n"]
    ),
  ]

  @Test(arguments: responses)
  func printsEachEventOfASubscription(type: String, pieces: [String]) async throws {
    let (outcome, requests) = try await run(["events.graphql"]) { _, reply in
      reply.beginChunks(type: type)
      for piece in pieces { reply.chunk(piece) }
      reply.endChunks()
    }
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.output == #"{"data":{"count":1}}"# + "\n" + #"{"data":{"count":2}}"# + "\n")
    #expect(
      requests.first?.headers["accept"]?.hasPrefix("multipart/mixed;subscriptionSpec=1.0") == true)
  }

  @Test func printsTheErrorOfASubscriptionThatIsRefused() async throws {
    let (outcome, _) = try await run(["events.graphql"]) { _, reply in
      reply.json(#"{"errors":[{"message":"No."}]}"#)
    }
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("No."))
  }

  @Test func saysWhenTheResponseOfASubscriptionBreaksOff() async throws {
    let (outcome, _) = try await run(["events.graphql"]) { _, reply in
      reply.beginChunks(type: "text/event-stream")
      reply.chunk("data: {\"data\":{\"count\":1}}\n\n")
      reply.close()
    }
    #expect(outcome.status == 2)
    #expect(outcome.output == #"{"data":{"count":1}}"# + "\n")
    #expect(outcome.errors.contains("cannot be read to its end ("), "\(outcome.errors)")
  }

  @Test func saysWhenASubscriptionIsCut() async throws {
    let (outcome, _) = try await run(["events.graphql"]) { _, reply in
      reply.beginChunks(type: "text/event-stream")
      reply.chunk("data: {\"data\":{\"count\":1}}\n\n")
      reply.endChunks()
    }
    #expect(outcome.status == 2)
    #expect(outcome.output == #"{"data":{"count":1}}"# + "\n")
    #expect(outcome.errors.contains("without ending the subscription"), "\(outcome.errors)")
  }
}
