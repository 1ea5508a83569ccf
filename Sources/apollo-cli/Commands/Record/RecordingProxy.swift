#if DeveloperCommands
  import ApolloCodegenLib
  import ApolloRecording
  import Foundation
  import GraphQLSyntax
  import LocalHTTP

  import enum ApolloAPI.JSONValue

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Passes requests on to a server, and records them with what comes back.
  struct RecordingProxy: Sendable {
    private let endpoint: String
    private let headers: [(name: String, value: String)]
    private let log: RecordingLog

    /// The fields that concern one connection.
    private static let connectionFields: Set<String> = [
      "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive",
      "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    init(
      _ endpoint: String, headers: [ApolloCodegenConfiguration.SchemaDownload.Header],
      _ log: RecordingLog
    ) {
      self.endpoint = endpoint
      self.headers = headers.map { ($0.key, $0.value) }
      self.log = log
    }

    /// The address without user, password, query and fragment.
    private var recordedURL: String {
      guard var components = URLComponents(string: endpoint) else { return "" }
      (components.user, components.password, components.query, components.fragment) =
        (nil, nil, nil, nil)
      return components.string ?? ""
    }

    /// Passes one request on.
    func pass(_ request: LocalRequest, _ response: LocalResponse) async {
      guard !request.asksForWebSocket else {
        Terminal.note("\(request.method) \(request.path): a WebSocket, which is not passed on.")
        response.send(status: 501, "WebSockets are not passed on. Send subscriptions over HTTP.")
        return
      }
      let sent = RecordedMessage(request)
      let call = sent.map { log.begin($0.request) }
      if call == nil {
        Terminal.note("\(request.method) \(request.path): passed on, but not recorded.")
      }
      var hasEnded = false
      do {
        try await exchange(request, response, call, sent, hasEnded: &hasEnded)
      } catch is CancellationError {
        if let call, !hasEnded { log.add(.cancelled, to: call) }
        response.breakOff()
      } catch {
        let message = (error as? URLError)?.localizedDescription ?? "\(error)"
        if let call, !hasEnded {
          log.add(.failure(.init(type: "\(type(of: error))", message: message)), to: call)
        }
        // A program must not take the parts that it has received for the whole response.
        response.breakOff()
        response.send(status: 502, "The server did not respond: \(message)")
      }
    }

    /// Sends a request and passes the response on.
    ///
    /// All lines about bytes are written before these are passed on: a program may end the proxy
    /// when it has them. `hasEnded` is set with the last line of the call.
    private func exchange(
      _ request: LocalRequest, _ response: LocalResponse, _ call: Int?, _ sent: RecordedMessage?,
      hasEnded: inout Bool
    ) async throws {
      var head = RecordedResponse()
      var events = EventParser(contentType: nil)
      var body: [UInt8] = []
      for try await piece in EventTransfer.stream(try urlRequest(for: request)) {
        switch piece {
        case .head(let status, let contentType, let fields):
          head = RecordedResponse(status: status, url: recordedURL, headers: fields)
          events = EventParser(contentType: contentType)
          guard events.hasEvents else { continue }
          response.begin(status: status, headers: passedOn(fields))
        case .bytes(let bytes):
          guard events.hasEvents else {
            body += bytes
            continue
          }
          if let call, !hasEnded {
            for event in events.append(bytes) {
              log.add(head.event(event, isSubscription: sent?.isSubscription ?? false), to: call)
            }
            if events.isAtEnd {
              log.add(.end, to: call)
              hasEnded = true
            }
          }
          guard response.write(bytes) else { throw CancellationError() }
        }
        try Task.checkCancellation()
      }
      try Task.checkCancellation()
      if events.hasEvents {
        if let call, !hasEnded { log.add(.end, to: call) }
        hasEnded = true
        return response.end()
      }
      head.body = body
      if let call {
        if head.isGraphQL {
          log.add(.response(head.response), to: call)
          log.add(.end, to: call)
        } else {
          log.add(.failure(head.failure), to: call)
        }
        hasEnded = true
      }
      response.send(status: head.status, headers: passedOn(head.headers), body: body)
    }

    private func urlRequest(for request: LocalRequest) throws(CommandFailure) -> URLRequest {
      let query = request.target.drop { $0 != "?" }
      let separator = endpoint.contains("?") && !query.isEmpty ? "&" : "?"
      let address = query.isEmpty ? endpoint : "\(endpoint)\(separator)\(query.dropFirst())"
      guard let url = URL(string: address) else {
        throw CommandFailure("The request has no address that can be sent.")
      }
      var urlRequest = URLRequest(url: url)
      // A subscription may be silent for as long as it likes.
      urlRequest.timeoutInterval = 30 * 24 * 3_600
      urlRequest.httpMethod = request.method
      if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
      for header in request.headers where !Self.connectionFields.contains(header.name.lowercased())
      {
        urlRequest.addValue(header.value, forHTTPHeaderField: header.name)
      }
      for header in headers where request.header(header.name) == nil {
        urlRequest.setValue(header.value, forHTTPHeaderField: header.name)
      }
      return urlRequest
    }

    /// Returns the fields of a response for the program. The body has been decompressed. That of a
    /// request is passed on as it came, so the field with its coding is too.
    private func passedOn(_ fields: [String: String]) -> [LocalRequest.Header] {
      fields.sorted { $0.key < $1.key }
        .filter { field in
          let name = field.key.lowercased()
          return name != "content-encoding" && !Self.connectionFields.contains(name)
        }
        .map { LocalRequest.Header($0.key, $0.value) }
    }
  }

  /// A request of GraphQL over HTTP, as a recording has it.
  private struct RecordedMessage {
    let request: RecordedEvent.Request
    var isSubscription: Bool { request.type == OperationKind.subscription.recordedName }

    /// Creates the request, or `nil` if it is none that a recording can have: an upload, a batch.
    init?(_ request: LocalRequest) {
      let message: JSONValue
      if request.method == "GET" {
        var members: [String: JSONValue] = [:]
        for (name, value) in request.parameters {
          let json = try? JSONValue(jsonBytes: Array(value.utf8))
          members[name] = name == "variables" ? json ?? .null : .string(value)
        }
        message = .object(members)
      } else {
        guard let body = try? JSONValue(jsonBytes: request.body) else { return nil }
        message = body
      }
      let query = message["query"]?.stringValue
      var operation = message["operationName"]?.stringValue
      guard query != nil || operation != nil else { return nil }
      // A request without the text names the type in a header, if an Apollo client sends it.
      let type = request.header("X-Apollo-Operation-Type")
      var kind = OperationKind.allCases.first { $0.recordedName == type } ?? .query
      if let query {
        let (document, _) = Document.parsing(query)
        let found = document.operations.first {
          operation == nil || $0.name.map(document.spelling) == operation
        }
        kind = found?.kind ?? kind
        operation = operation ?? found?.name.map(document.spelling)
      }
      let variables = message["variables"] ?? .null
      self.request = RecordedEvent.Request(
        type: kind.recordedName, operation: operation ?? "",
        variables: variables.objectValue == nil ? [:] : variables,
        headers: Dictionary(
          request.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" }),
        document: query)
    }
  }

  extension OperationKind {
    fileprivate var recordedName: String {
      switch self {
      case .query: "query"
      case .mutation: "mutation"
      case .subscription: "subscription"
      }
    }
  }

  /// A response as it comes from the server.
  private struct RecordedResponse {
    var status = 0
    var url = ""
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var response: RecordedEvent.Response {
      RecordedEvent.Response(
        status: status, url: url,
        headers: headers.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value },
        body: body)
    }

    /// `true` for a GraphQL response, whose status is a success or whose type says so.
    var isGraphQL: Bool {
      guard let json = try? JSONValue(jsonBytes: body), json.objectValue != nil else {
        return false
      }
      let type = headers.first { $0.key.lowercased() == "content-type" }?.value.lowercased() ?? ""
      return (200..<300).contains(status) || type.hasPrefix("application/graphql-response+json")
    }

    /// The error that the client makes of it.
    var failure: RecordedEvent.Failure {
      let kind =
        (200..<300).contains(status)
        ? body.isEmpty ? "emptyBody" : "unexpectedContentType" : "errorResponse"
      return RecordedEvent.Failure(
        type: "GraphQLHTTPResponseError", message: "The server responded with status \(status).",
        facts: ["kind": .string(kind)], response: response)
    }

    /// A part of a response, or an event of a subscription.
    func event(_ body: [UInt8], isSubscription: Bool) -> RecordedEvent.Content {
      var response = response
      response.body = body
      return isSubscription ? .response(response) : .part(response)
    }
  }
#endif
