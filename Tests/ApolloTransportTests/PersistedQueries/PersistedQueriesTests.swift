import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PersistedQueriesTests {
  /// The words of a server that does not know a hash, or knows none at all.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var errors: String
    var status: Int
    var type = "application/json"
    var testDescription: String { "\(status) \(type) \(errors)" }
  }

  private static let notFound = [200, 400, 404, 500].flatMap { status in
    [
      Refusal(errors: #"{"message":"PersistedQueryNotFound"}"#, status: status),
      Refusal(
        errors: #"{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}"#,
        status: status, type: "application/graphql-response+json"),
    ]
  }

  private static let notSupported = [200, 400].flatMap { status in
    [
      Refusal(errors: #"{"message":"PersistedQueryNotSupported"}"#, status: status),
      Refusal(
        errors: #"{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}"#,
        status: status),
    ]
  }

  private enum Form: Equatable { case hash, hashAndText, text }

  private func form(_ request: ReceivedRequest) -> Form {
    let text = request.bodyText + (request.target.removingPercentEncoding ?? "")
    let hasText = text.contains("{ __typename id name")
    return text.contains("sha256Hash") ? (hasText ? .hashAndText : .hash) : .text
  }

  private func server(refusing refusal: Refusal, _ refused: Set<Form>) throws -> LoopbackServer {
    try LoopbackServer { request, reply in
      if refused.contains(form(request)) {
        reply.json(#"{"errors":[\#(refusal.errors)]}"#, status: refusal.status, type: refusal.type)
      } else {
        reply.json(#"{"data":{}}"#)
      }
    }
  }

  @Test(arguments: notFound)
  func sendsTheTextWhenTheHashIsNotKnown(_ refusal: Refusal) async throws {
    let server = try server(refusing: refusal, [.hash])
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    for operation: any GraphQLOperation in [
      HeroAPI.HeroQuery(), HeroAPI.RenameMutation(id: "1", name: "x"),
    ] {
      #expect(
        try await transport.send(OperationRequest(operation)).body == Data(#"{"data":{}}"#.utf8))
    }
    #expect(server.requests.map(form) == [.hash, .hashAndText, .hash, .hashAndText])
  }

  @Test(arguments: notSupported)
  func givesUpOnAServerThatKnowsNoHashes(_ refusal: Refusal) async throws {
    let server = try server(refusing: refusal, [.hash, .hashAndText])
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    for _ in 0..<2 { _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery())) }
    #expect(server.requests.map(form) == [.hash, .text, .text])
  }

  /// The words of servers that have never heard of persisted queries: Strawberry, Ariadne,
  /// graphene-django, graphql-ruby, graph-gophers and datasette.
  private static let missingTexts: [(status: Int, type: String, body: String)] = [
    (400, "text/plain", "No GraphQL query found in the request"),
    (400, "application/json", #"{"errors":[{"message":"The query must be a string."}]}"#),
    (400, "application/json", #"{"errors":[{"message":"Must provide query string."}]}"#),
    (200, "application/json", #"{"errors":[{"message":"No query string was present"}]}"#),
    (200, "application/json", #"{"errors":[{"message":"no operations in query document"}]}"#),
    (400, "application/json", #"{"error":"Missing query"}"#),
  ]

  @Test(arguments: missingTexts.indices)
  func recognizesAServerThatMissesTheText(_ index: Int) async throws {
    let (status, type, body) = Self.missingTexts[index]
    let server = try LoopbackServer { request, reply in
      if form(request) == .text { return reply.json(#"{"data":{}}"#) }
      reply.json(body, status: status, type: type)
    }
    defer { server.stop() }
    for operation: any GraphQLOperation in [
      HeroAPI.HeroQuery(), HeroAPI.RenameMutation(id: "1", name: "x"),
    ] {
      let transport = HTTPNetworkTransport(
        url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
      let earlier = server.requests.count
      for _ in 0..<2 { _ = try await transport.send(OperationRequest(operation)) }
      #expect(server.requests.dropFirst(earlier).map(form) == [.hash, .text, .text])
    }
  }

  /// An earlier version, or another server behind the same address, has taken the place of one that
  /// knew them.
  @Test(arguments: missingTexts.indices)
  func recognizesAServerThatKnowsNoHashesAnyMore(_ index: Int) async throws {
    let (status, type, body) = Self.missingTexts[index]
    let knowsHashes = Lock(true)
    let server = try LoopbackServer { request, reply in
      if knowsHashes.get() || form(request) == .text { return reply.json(#"{"data":{}}"#) }
      reply.json(body, status: status, type: type)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    _ = knowsHashes.exchange(false)
    for _ in 0..<2 { _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery())) }
    #expect(server.requests.map(form) == [.hash, .hash, .text, .text])
  }

  /// A resolver says so, in a server that hides paths: the mutation may have been carried out.
  @Test func aMessageThatOnlyBeginsLikeAMissingTextIsFinalAfterHashesWereKnown() async throws {
    let fails = Lock(false)
    let server = try LoopbackServer { _, reply in
      guard fails.get() else { return reply.json(#"{"data":{}}"#) }
      reply.json(#"{"data":null,"errors":[{"message":"Missing query parameter: id"}]}"#)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    _ = fails.exchange(true)
    let mutation = HeroAPI.RenameMutation(id: "1", name: "x")
    for _ in 0..<2 { _ = try await transport.send(OperationRequest(mutation)) }
    #expect(server.requests.map(form) == [.hash, .hash, .hash])
  }

  /// A failure without words: starlette-graphene3, MLflow, and graphql-js with `[{}]`.
  @Test(arguments: [
    (500, "text/plain", "Internal Server Error"), (500, "text/html", "<html>"),
    (200, "application/json", #"{"errors":[{}]}"#), (400, "text/plain", "bad request"),
  ])
  func sendsTheTextOfAQueryWhenAnUnknownServerFails(
    _ status: Int, _ type: String, _ body: String
  ) async throws {
    let server = try LoopbackServer { request, reply in
      if form(request) == .text { return reply.json(#"{"data":{}}"#) }
      reply.json(body, status: status, type: type)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    for _ in 0..<2 { _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery())) }
    #expect(server.requests.map(form) == [.hash, .text, .text])
  }

  /// The words of gqlgen, Absinthe, Lighthouse, Hot Chocolate, Hasura and others, which are not
  /// known to the client.
  private static let unknownWords: [(status: Int, message: String)] = [
    (422, "no operation provided"), (400, "No query document supplied"),
    (200, #"GraphQL Request must include at least one of those two parameters: "query""#),
    (400, "Either the parameter query or the parameter id has to be set."),
    (200, #"key "query" not found"#), (400, "Syntax Error: Unexpected <EOF>"),
    (500, "the request has no document"),
  ]

  @Test(arguments: unknownWords.indices)
  func sendsTheTextOfAQueryThatIsRefusedInUnknownWords(_ index: Int) async throws {
    let (status, message) = Self.unknownWords[index]
    let errors = #"{"errors":[{"message":\#(JSONValue.string(message).description)}]}"#
    let server = try LoopbackServer { request, reply in
      if form(request) == .text { return reply.json(#"{"data":{}}"#) }
      reply.json(errors, status: status)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    _ = try await transport.send(OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x")))
    #expect(server.requests.map(form) == [.hash, .text, .text])
  }

  /// Codes of Apollo, The Guild, Hasura, Hot Chocolate, Spring and others that name another cause.
  private static let codes = [
    "UNAUTHENTICATED", "FORBIDDEN", "GRAPHQL_VALIDATION_FAILED", "UNAUTHORIZED", "ACCESS_DENIED",
    "access-denied", "invalid-jwt", "permission-error", "AUTH_NOT_AUTHENTICATED", "RATE_LIMITED",
    "TOO_MANY_REQUESTS", "OPERATION_RESOLUTION_FAILURE", "SERVICE_UNAVAILABLE", "ValidationError",
    "TOKEN_EXPIRED", "COMPLEXITY_LIMIT_EXCEEDED",
  ]

  @Test(arguments: codes, [200, 400])
  func sendsNoTextWhereACodeNamesAnotherCause(_ code: String, _ status: Int) async throws {
    let member = code == "ValidationError" ? "classification" : "code"
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"errors":[{"message":"no","extensions":{"\#(member)":"\#(code)"}}]}"#, status: status)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    // A status of 400 fails.
    _ = try? await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    #expect(server.requests.map(form) == [.hash])
  }

  /// Codes that servers have for any request, or for a text that is empty.
  @Test(arguments: [
    "BAD_REQUEST", "BAD_USER_INPUT", "GRAPHQL_PARSE_FAILED", "INTERNAL_SERVER_ERROR",
    "parse-failed", "HC0009", "QUERY_REQUIRED", "InvalidSyntax",
  ])
  func sendsTheTextWhereACodeMayMeanThatItIsMissing(_ code: String) async throws {
    let server = try LoopbackServer { request, reply in
      if form(request) == .text { return reply.json(#"{"data":{}}"#) }
      reply.json(#"{"errors":[{"message":"no","extensions":{"code":"\#(code)"}}]}"#)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    #expect(server.requests.map(form) == [.hash, .text])
  }

  @Test func namesPersistedQueriesIfTheTextIsRefusedToo() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"errors":[{"message":"no operation provided"}]}"#, status: 422)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(
      error?.description.hasSuffix(
        "Correct the operation or its variables. The server has refused the hash of the document as well: turn automatic persisted queries off if it has none."
      ) == true, "\(String(describing: error))")
    #expect(server.requests.map(form) == [.hash, .text])
  }

  @Test(arguments: [
    (500, "text/plain", "Internal Server Error"),
    (422, "application/json", #"{"errors":[{"message":"no operation provided"}]}"#),
  ])
  func sendsNoMutationAgainWhenTheReasonIsNotKnown(
    _ status: Int, _ type: String, _ body: String
  ) async throws {
    let server = try LoopbackServer { _, reply in reply.json(body, status: status, type: type) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x")))
    }
    #expect(error?.description.contains("turn automatic persisted queries off") == true)
    #expect(server.requests.map(form) == [.hash])
  }

  /// A server that has shown that it knows hashes fails for another reason.
  @Test func sendsNoTextToAServerThatKnowsHashes() async throws {
    let isDown = Lock(false)
    let server = try LoopbackServer { _, reply in
      if isDown.get() { return reply.json("down", status: 500, type: "text/plain") }
      reply.json(#"{"data":{}}"#)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    _ = isDown.exchange(true)
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(error?.description.contains("persisted") == false)
    #expect(server.requests.map(form) == [.hash, .hash])
  }

  @Test(arguments: notFound)
  func doesNotAskAThirdTime(_ refusal: Refusal) async throws {
    let server = try server(refusing: refusal, [.hash, .hashAndText])
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    let error = await #expect(throws: APQError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(error == APQError(.persistedQueryRetryFailed, operationName: "Hero"))
    #expect(server.requests.count == 2)
  }

  /// Errors that name a persisted query in responses that come from an execution.
  private static let executed = [
    #"{"data":{"rename":null},"errors":[{"message":"PersistedQueryNotFound"}]}"#,
    #"{"data":{},"errors":[{"message":"PersistedQueryNotSupported"}]}"#,
    #"{"data":null,"errors":[{"message":"PersistedQueryNotFound","path":["rename"]}]}"#,
    #"{"errors":[{"message":"?","path":["rename"],"extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#,
    #"{"errors":[{"message":"PersistedQueryNotFound"},{"message":"no","path":["rename"]}]}"#,
  ]

  @Test(arguments: executed, [200, 400, 500])
  func aResponseOfAnExecutionIsTheAnswer(_ body: String, _ status: Int) async throws {
    let server = try LoopbackServer { _, reply in reply.json(body, status: status) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    let request = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x"))
    if status == 200 {
      #expect(try await transport.send(request).body == Data(body.utf8))
    } else {
      await #expect(throws: GraphQLHTTPResponseError.self) { try await transport.send(request) }
    }
    #expect(server.requests.map(form) == [.hash])
  }

  /// Some servers send `data` as null in responses to requests that they have not executed.
  @Test(arguments: [
    #"{"data":null,"errors":[{"message":"PersistedQueryNotFound"}]}"#,
    #"{"data":null,"errors":[{"message":"PersistedQueryNotFound","path":null}]}"#,
  ])
  func dataThatIsNullIsNoAnswer(_ body: String) async throws {
    let server = try LoopbackServer { request, reply in
      reply.json(form(request) == .hash ? body : #"{"data":{}}"#)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    #expect(server.requests.map(form) == [.hash, .hashAndText])
  }

  @Test func oneHashIsEnoughForAServerThatKnowsIt() async throws {
    let server = try server(refusing: Self.notFound[0], [])
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    #expect(server.requests.map(form) == [.hash])
  }

  @Test func otherErrorsAreTheCallers() async throws {
    let refusal = Refusal(errors: #"{"message":"provided sha does not match query"}"#, status: 400)
    let server = try server(refusing: refusal, [.hash])
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true)
    await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    (false, false, ["POST", "POST"]), (true, false, ["GET", "POST"]), (true, true, ["GET", "GET"]),
    (false, true, ["POST", "GET"]),
  ])
  func choosesTheMethodOfEachRequest(_ queries: Bool, _ retries: Bool, _ methods: [String])
    async throws
  {
    let server = try server(refusing: Self.notFound[0], [.hash])
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), useGETForQueries: queries,
      enableAutoPersistedQueries: true,
      useGETForPersistedQueryRetry: retries)
    _ = try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    #expect(server.requests.map(\.method) == methods)
    #expect(server.requests.map(form) == [.hash, .hashAndText])
  }
}
