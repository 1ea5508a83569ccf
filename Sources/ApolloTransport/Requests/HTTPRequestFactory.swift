import ApolloAPI
package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Makes HTTP requests of operations.
///
/// GraphQL over HTTP, sections 5.3 and 5.4.
package struct HTTPRequestFactory: Sendable {
  package var endpoint: URL { didSet { templates = RequestTemplates() } }
  package var additionalHeaders: [String: String] = [:] {
    didSet { templates = RequestTemplates() }
  }
  package var awareness = ClientAwareness.mainBundle
  package var usesGETForQueries = false
  package var sendsOperationIdentifiers = false
  /// The place of an operation's identifier in a request.
  package var identifierForm = OperationMessage.DocumentForm.registeredIdentifier
  /// The creator of the bodies, or `nil` for the bodies of GraphQL over HTTP.
  package var requestCreator: (any RequestCreator)?
  package var subscriptionFormat = HTTPSubscriptionFormat.multipart
  /// A Boolean value that indicates whether a query that the server does not know yet is sent by
  /// GET as well.
  package var usesGETForPersistedQueryRetry = false
  private var templates = RequestTemplates()

  /// Queries whose URL would be longer than this are sent by POST: servers refuse long URLs, each
  /// at a length of its own.
  package var maximumURLByteCount = Self.defaultMaximumURLByteCount

  package static let defaultMaximumURLByteCount = 4_096

  package init(endpoint: URL) { self.endpoint = endpoint }

  package func urlRequest(
    for request: OperationRequest, _ form: OperationMessage.DocumentForm = .text
  ) throws(GraphQLHTTPRequestError) -> URLRequest {
    try outgoingRequest(for: request, form).whole
  }

  package func outgoingRequest(
    for request: OperationRequest, _ form: OperationMessage.DocumentForm
  ) throws(GraphQLHTTPRequestError) -> _OutgoingRequest {
    guard request.files.isEmpty else {
      return _OutgoingRequest(try urlRequest(for: request, files: request.files), for: request)
    }
    let message = try message(request, form)
    let isGET = request.operationType == .query && mayGET(request, form)
    var outgoing = try outgoingRequest(
      message, for: request, isGET: isGET, headers: headers(of: request))
    outgoing.head.allowSilence(of: request.timeout)
    return outgoing
  }

  /// Returns the headers of a request without those of the template. They include the ones that ask
  /// for a response in parts.
  private func headers(of request: OperationRequest) -> [String: String] {
    // The template has the value for a response as a whole.
    let content = request.partsContent
    var headers = request.additionalHeaders
    if !additionalHeaders.hasField("Accept"), content != nil || !additionalHeaders.isEmpty {
      headers.add("Accept", accept(content))
    }
    // Proxies hold compressed parts back until there is enough of them to compress.
    if content != nil, !additionalHeaders.hasField("Accept-Encoding") {
      headers.add("Accept-Encoding", "identity")
    }
    return headers
  }

  /// Returns whether a query is sent by GET. The request decides before the transport.
  private func mayGET(_ request: OperationRequest, _ form: OperationMessage.DocumentForm) -> Bool {
    guard form == .textAndIdentifier else { return request.usesGET ?? usesGETForQueries }
    return usesGETForPersistedQueryRetry && request.usesGET != false
  }

  private func message(
    _ request: OperationRequest, _ form: OperationMessage.DocumentForm
  ) throws(GraphQLHTTPRequestError) -> OperationMessage {
    let form = sendsOperationIdentifiers ? identifierForm : form
    let message =
      // A program's own creator knows whole operations only, whose responses have each part.
      if let requestCreator {
        try OperationMessage(request.operation, form: form, creator: requestCreator)
      } else {
        try OperationMessage(
          request.operation, form: form, completion: request.facts.completion)
      }
    return message.asking(for: request.onError)
  }

  private func awareness(of request: OperationRequest) -> ClientAwareness {
    request.clientAwareness ?? awareness
  }

  /// The media types of the response, the preferred one first.
  private func accept(_ content: PartsContent?) -> String {
    let json = "application/graphql-response+json, application/json;q=0.9"
    return switch (content, subscriptionFormat) {
    case (nil, _): json
    case (.response, _):
      "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, \(json)"
    case (.events, .multipart): "multipart/mixed;subscriptionSpec=1.0, \(json)"
    case (.events, .serverSentEvents): "text/event-stream, \(json)"
    }
  }

  /// The request that carries `message`: by GET when `isGET`, if the URL does not become too long.
  ///
  /// `headers` are those of this request alone.
  private func outgoingRequest(
    _ message: OperationMessage, for operation: OperationRequest, isGET: Bool,
    headers: [String: String]
  ) throws(GraphQLHTTPRequestError) -> _OutgoingRequest {
    var request: _OutgoingRequest
    if isGET, let url = QueryParameters.append(message.queryParameters, to: endpoint),
      url.absoluteString.utf8.count <= maximumURLByteCount
    {
      request = _OutgoingRequest(
        try template(for: operation, message, hasJSONBody: false), for: operation)
      request.head.url = url
      request.head.httpMethod = "GET"
    } else {
      request = _OutgoingRequest(
        try template(for: operation, message, hasJSONBody: true),
        body: Data(message.naming(awareness(of: operation)).json), for: operation)
    }
    if !headers.isEmpty { try set(headers, on: &request.head) }
    return request
  }

  private func template(
    for operation: OperationRequest, _ message: OperationMessage, hasJSONBody: Bool
  ) throws(GraphQLHTTPRequestError) -> URLRequest {
    let key = RequestTemplates.Key(
      operation: OperationHeaders(message, operation.operationType),
      awareness: awareness(of: operation), hasJSONBody: hasJSONBody)
    return try templates.request(for: key) { () throws(GraphQLHTTPRequestError) in
      var request = try baseRequest(key.operation, key.awareness)
      if hasJSONBody { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
      return request
    }
  }

  /// A multipart request with files.
  package func urlRequest(
    for request: OperationRequest, files: [GraphQLFile]
  ) throws(GraphQLHTTPRequestError) -> URLRequest {
    let awareness = awareness(of: request)
    var message = try message(request, .text).naming(awareness)
    let map = try UploadMap(files, variables: message.variables)
    message.variables = map.variables
    var form = MultipartFormData()
    form.append(name: "operations", message.json)
    form.append(name: "map", map.json)
    for (index, part) in map.parts.enumerated() {
      try form.append(name: String(index), part.file)
    }
    form.finish()
    var urlRequest = try baseRequest(
      OperationHeaders(message, request.operationType), awareness)
    try urlRequest.setBody(form.body)
    urlRequest.setValue(
      "multipart/form-data; boundary=\(form.boundary)", forHTTPHeaderField: "Content-Type")
    // The response is read as a whole, but servers refuse '@defer' to clients that accept no parts.
    try set(headers(of: request), on: &urlRequest)
    urlRequest.allowSilence(of: request.timeout)
    return urlRequest
  }

  /// A POST without a body, with every header that all kinds of requests share.
  private func baseRequest(
    _ operation: OperationHeaders, _ awareness: ClientAwareness
  ) throws(GraphQLHTTPRequestError) -> URLRequest {
    guard Origin(endpoint) != nil else {
      throw .unsupportedURL(endpoint.textWithoutSecrets)
    }
    var request = URLRequest(url: endpoint, cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = "POST"
    request.setValue(
      "application/graphql-response+json, application/json;q=0.9", forHTTPHeaderField: "Accept")
    for (name, value) in operation.fields {
      try HeaderField.check(name: name, value: value)
      request.setValue(value, forHTTPHeaderField: name)
    }
    // Tells servers that guard against cross-site requests that no HTML form has sent this.
    request.setValue("true", forHTTPHeaderField: "Apollo-Require-Preflight")
    for (name, value) in awareness.headers {
      try HeaderField.check(name: name, value: value)
      request.setValue(value, forHTTPHeaderField: name)
    }
    try set(additionalHeaders, on: &request)
    return request
  }

  private func set(
    _ headers: [String: String], on request: inout URLRequest
  ) throws(GraphQLHTTPRequestError) {
    // In a fixed order, because the last one of equal names counts, whatever their case.
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      try HeaderField.check(name: name, value: value)
      request.setValue(value, forHTTPHeaderField: name)
    }
  }
}

extension [String: String] {
  /// Returns `true` if there is a header with a name, whatever its case.
  fileprivate func hasField(_ name: String) -> Bool {
    keys.contains { $0.lowercased() == name.lowercased() }
  }

  /// Adds a header, unless there is one with its name.
  fileprivate mutating func add(_ name: String, _ value: String) {
    if !hasField(name) { self[name] = value }
  }
}

extension URLRequest {
  /// Lets the connection stay silent for the whole time of a call that may take longer than the
  /// usual timeout.
  fileprivate mutating func allowSilence(of time: Duration?) {
    if let seconds = time?.clampedSeconds, seconds > timeoutInterval { timeoutInterval = seconds }
  }
}

extension OperationMessage {
  /// The same message with the name of this library, unless a program excludes it.
  package func naming(_ awareness: ClientAwareness) -> OperationMessage {
    guard awareness.includesLibrary, !extensions.contains(where: { $0.0 == "clientLibrary" })
    else { return self }
    var message = self
    message.namesLibrary = true
    return message
  }
}
