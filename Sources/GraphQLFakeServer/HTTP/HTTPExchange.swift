import enum ApolloAPI.JSONValue
import struct ApolloAPI.ResponseLimits
import GraphQLSyntax

/// The response of a ``FakeServer`` to an HTTP request, before any byte of it is sent.
///
/// GraphQL over HTTP, sections 5, "Request", and 6, "Response". Parts of responses have the type
/// `multipart/mixed` with `deferSpec=20220824`; events of subscriptions that type with
/// `subscriptionSpec=1.0`, or `text/event-stream` as graphql-sse sends them.
package struct HTTPExchange: Sendable {
  /// The form of the body.
  package enum Framing: Hashable, Sendable {
    /// One JSON text.
    case whole
    /// Parts with a boundary. Those of a subscription have an envelope.
    case multipart(hasEnvelope: Bool)
    case eventStream
  }

  /// A request.
  package struct Request: Sendable {
    package var method: String
    /// The parameters of the URL.
    package var parameters: [(name: String, value: String)]
    package var accept: String
    package var contentType: String
    package var body: [UInt8]

    package init(
      method: String, parameters: [(name: String, value: String)] = [], accept: String = "",
      contentType: String = "", body: [UInt8] = []
    ) {
      self.method = method
      self.parameters = parameters
      self.accept = accept.lowercased()
      self.contentType = contentType.lowercased()
      self.body = body
    }
  }

  package let status: Int
  package let framing: Framing
  /// The fields besides the length, in their order.
  package let headers: [(name: String, value: String)]
  /// The texts to send, each after its delay. ``frame(_:)`` puts them into the body.
  package let response: FakeServerResponse
  /// The name of the operation, for logs.
  package private(set) var operationName: String?

  private init(
    _ status: Int, _ contentType: String, _ response: FakeServerResponse,
    _ framing: Framing = .whole, headers: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.framing = framing
    self.headers = [("Content-Type", contentType)] + headers
    self.response = response
  }

  /// Executes a request.
  package init(_ request: Request, _ server: FakeServer) {
    let refusal: HTTPExchange?
    let read: FakeServerRequest?
    switch request.method {
    case "POST": (read, refusal) = Self.readBody(request)
    case "GET", "HEAD": (read, refusal) = Self.readParameters(request)
    default:
      (read, refusal) = (
        nil,
        Self.refusal(
          405, "Send a POST or a GET request, not '\(request.method)'.",
          headers: [("Allow", "GET, POST")])
      )
    }
    guard let read else {
      self = refusal ?? Self.refusal(400, "The request has no operation.")
      return
    }
    if request.method != "POST", server.kind(of: read) == .mutation {
      self = Self.refusal(405, "Send a mutation by POST.", headers: [("Allow", "POST")])
      return
    }
    self.init(read, accept: request.accept, server)
    operationName = read.operationName
  }

  private init(_ request: FakeServerRequest, accept: String, _ server: FakeServer) {
    let takesParts = accept.contains("multipart/mixed") && !accept.contains("subscriptionspec")
    let response = server.respond(to: request, acceptsParts: takesParts)
    switch response.kind {
    case .whole:
      let isNew = accept.contains("application/graphql-response+json")
      let type = isNew ? "application/graphql-response+json" : "application/json"
      // Without data, the operation was not executed.
      let isExecuted = response.text.hasPrefix(#"{"data":"#)
      self.init(isNew && !isExecuted ? 400 : 200, "\(type); charset=utf-8", response)
    case .parts:
      self.init(
        200, #"multipart/mixed; boundary="-"; deferSpec=20220824"#,
        response, .multipart(hasEnvelope: false))
    case .events:
      if accept.contains("subscriptionspec") {
        self.init(
          200, #"multipart/mixed; boundary="-"; subscriptionSpec=1.0"#,
          response, .multipart(hasEnvelope: true))
      } else if accept.contains("text/event-stream") {
        self.init(
          200, "text/event-stream; charset=utf-8", response, .eventStream,
          headers: [("Cache-Control", "no-store")])
      } else {
        self = Self.refusal(
          406,
          "A subscription needs 'Accept: text/event-stream', or 'multipart/mixed;subscriptionSpec=1.0'."
        )
      }
    }
  }

  private static func refusal(
    _ status: Int, _ message: String, headers: [(name: String, value: String)] = []
  ) -> HTTPExchange {
    HTTPExchange(
      status, "application/json; charset=utf-8",
      FakeServerResponse(.whole, [.requestErrors([(message, nil)])]), headers: headers)
  }

  // MARK: Reading

  /// The limits of variables, whose values are coerced recursively.
  private static let limits = ResponseLimits(depth: 100)

  private static func readBody(_ request: Request) -> (FakeServerRequest?, HTTPExchange?) {
    guard request.contentType.isEmpty || request.contentType.hasPrefix("application/json") else {
      return (nil, refusal(415, "Send the request as 'application/json'."))
    }
    guard let json = try? JSONValue(jsonBytes: request.body, limits: Self.limits) else {
      return (nil, refusal(400, "The body is no JSON."))
    }
    return read(json)
  }

  private static func read(_ json: JSONValue) -> (FakeServerRequest?, HTTPExchange?) {
    if json["query"]?.stringValue == nil, json["extensions"]?["persistedQuery"] != nil {
      // A client sends the text then, and from then on always.
      let body =
        #"{"errors":[{"message":"PersistedQueryNotSupported","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}"#
      return (
        nil,
        HTTPExchange(
          200, "application/json; charset=utf-8",
          FakeServerResponse(.whole, [.init(delay: .zero, body: Array(body.utf8))]))
      )
    }
    guard let found = FakeServerRequest(json) else {
      return (nil, refusal(400, "The request is no JSON object with a text in 'query'."))
    }
    return (found, nil)
  }

  private static func readParameters(_ request: Request) -> (FakeServerRequest?, HTTPExchange?) {
    func value(_ name: String) -> String? { request.parameters.first { $0.name == name }?.value }
    var members: [String: JSONValue] = [:]
    if let query = value("query") { members["query"] = .string(query) }
    if let name = value("operationName") { members["operationName"] = .string(name) }
    for name in ["variables", "extensions"] {
      guard let text = value(name), !text.isEmpty else { continue }
      guard let json = try? JSONValue(jsonBytes: Array(text.utf8), limits: Self.limits) else {
        return (nil, refusal(400, "The parameter '\(name)' is no JSON."))
      }
      members[name] = json
    }
    return read(.object(members))
  }

  // MARK: Framing

  /// The bytes before the first part: a boundary without the end of its line, which follows with
  /// the first part, or with the end of a body without parts.
  package var prologue: String { framing.isMultipart ? "---" : "" }

  /// Returns a part as it is sent. The boundary follows at once, so that the client need not wait
  /// for the next part to know that this one is whole.
  package func frame(_ part: FakeServerResponse.Part) -> String {
    switch framing {
    case .whole: return part.text
    case .eventStream: return "event: next\ndata: \(part.text)\n\n"
    case .multipart(let hasEnvelope):
      let text = hasEnvelope ? #"{"payload":\#(part.text)}"# : part.text
      return "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\(text)\r\n---"
    }
  }

  /// The bytes after the last part.
  package var epilogue: String {
    switch framing {
    case .whole: ""
    case .multipart: "--\r\n"
    case .eventStream: "event: complete\ndata: \n\n"
    }
  }
}

extension HTTPExchange.Framing {
  fileprivate var isMultipart: Bool {
    if case .multipart = self { true } else { false }
  }
}
