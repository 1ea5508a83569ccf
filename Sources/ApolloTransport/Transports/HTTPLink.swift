package import ApolloAPI

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// The part that a delegate takes in the attempts of an operation.
///
/// A protocol although ``HTTPNetworkTransport`` alone conforms: a link knows no transport.
package protocol AttemptHooks: AnyObject, Sendable {
  /// The meaning of a status that reports a failure.
  var httpStatusPolicy: HTTPStatusPolicy { get }

  /// Makes the request of one attempt.
  func request(
    for request: OperationRequest, _ form: OperationMessage.DocumentForm
  ) throws -> _OutgoingRequest

  /// Receives the end of a request.
  func reportCompletion(of request: _OutgoingRequest, response: HTTPResponse?, error: (any Error)?)

  /// Returns if the operation is to be sent again after an error.
  ///
  /// - Throws: The error of the operation, if it is not.
  func decide(
    _ operation: OperationRequest, after error: any Error, of request: _OutgoingRequest,
    response: HTTPURLResponse?
  ) async throws

  /// Returns whether the operation is to be sent again after a response.
  ///
  /// - Throws: `CancellationError`, and the error of a deadline.
  func isToRetry(_ request: OperationRequest, after response: NetworkResponse) async throws -> Bool
}

/// The way of an operation to a server over HTTP, which all HTTP transports share.
///
/// 1. The time is limited, unless the caller of the transport does that.
/// 2. ``PersistedQueries`` decides the form of the document, and whether to send another one.
/// 3. The factory makes the request. Hooks can change it.
/// 4. The sender passes it through the HTTP interceptors to the client.
/// 5. The hooks can decide to begin again at step 3.
///
/// A response is read as a whole, or as a sequence if it may arrive in parts.
package final class HTTPLink: Sendable {
  package let factory: HTTPRequestFactory
  package let persistedQueries: PersistedQueries
  let client: any HTTPClient
  private let statusPolicy: HTTPStatusPolicy
  private let interceptors: @Sendable (any GraphQLOperation) -> [any HTTPInterceptor]

  package init(
    _ factory: HTTPRequestFactory, client: any HTTPClient, persistsQueries: Bool,
    statusPolicy: HTTPStatusPolicy = .strict,
    interceptors: @escaping @Sendable (any GraphQLOperation) -> [any HTTPInterceptor] = { _ in [] }
  ) {
    self.factory = factory
    self.client = client
    self.statusPolicy = statusPolicy
    self.interceptors = interceptors
    persistedQueries = PersistedQueries(
      isEnabled: persistsQueries && !factory.sendsOperationIdentifiers)
  }

  /// The longest time of a call that names none.
  package var timeLimit: Duration? { client.limits.deadline }

  /// Returns the sender for one operation, with the client of its step or else of the transport.
  package func sender(for request: OperationRequest) -> HTTPSender {
    HTTPSender(client: usedClient(for: request), interceptors: interceptors(request.operation))
  }

  private func usedClient(for request: OperationRequest) -> any HTTPClient {
    guard let own = request.facts.client else { return client }
    // The only type of the value, which the facts cannot name.
    return (own as? StepClient)?.client ?? client
  }

  /// Sends an operation with its files and returns the whole response.
  package func response(
    to request: OperationRequest, _ hooks: (any AttemptHooks)? = nil
  ) async throws -> NetworkResponse {
    let sender = sender(for: request)
    return try await request.reportingUpload {
      try await sender.limited(request.facts, request.timeout, url: factory.endpoint) { [self] in
        guard let response = try await begin(request, sender, hooks).next() else {
          preconditionFailure("A response whose body was read is one response.")
        }
        return response
      }
    }
  }

  /// Sends an operation and returns its responses: several for a subscription, or if the server
  /// sends the response in parts.
  package func responses(
    to request: OperationRequest, _ hooks: (any AttemptHooks)? = nil
  ) -> NetworkResponses {
    guard let content = request.partsContent, request.files.isEmpty else {
      return NetworkResponses(one: { try await self.response(to: request, hooks) })
    }
    let responses = NetworkResponses { [self] in
      try await begin(request, sender(for: request), inPartsOf: content, hooks)
    }
    // A subscription has no end of its own: only the time until its head arrives is limited.
    guard content == .response, !request.facts.hasDeadline else { return responses }
    guard let limit = request.timeout ?? usedClient(for: request).limits.deadline else {
      return responses
    }
    return responses.limited(to: limit, url: factory.endpoint)
  }

  // MARK: Attempts

  /// Sends an operation until there is a first response that is not a step of persisted queries.
  /// `content` is the meaning of the parts of the response; without one, its body is read.
  private func begin(
    _ request: OperationRequest, _ sender: HTTPSender, inPartsOf content: PartsContent? = nil,
    _ hooks: (any AttemptHooks)?
  ) async throws -> HTTPResponseReader {
    let record = request.facts.session?.record
    record?.beginNoting()
    guard request.files.isEmpty, content != .events, persistedQueries.areEnabled else {
      return try await send(request, .text, sender, inPartsOf: content, hooks)
    }
    return try await persistedQueries.send(
      operationName: request.operationName, isRepeatable: request.isRepeatable, record: record
    ) {
      try await send(request, $0, sender, inPartsOf: content, hooks)
    }
  }

  /// Sends an operation until the hooks do not ask for another attempt, and returns a reader
  /// of its responses. `content` is `nil` for a response that is read as a whole.
  private func send(
    _ request: OperationRequest, _ form: OperationMessage.DocumentForm, _ sender: HTTPSender,
    inPartsOf content: PartsContent? = nil, _ hooks: (any AttemptHooks)?
  ) async throws -> HTTPResponseReader {
    while true {
      let outgoing =
        try hooks?.request(for: request, form) ?? factory.outgoingRequest(for: request, form)
      var received: HTTPResponse?
      let response: HTTPResponse
      let reader: HTTPResponseReader
      var first: NetworkResponse?
      do {
        response = try await sender.send(
          outgoing, reading: content.map(HTTPSender.Reading.parts) ?? .whole)
        if content == nil {
          received = response
          hooks?.reportCompletion(of: outgoing, response: response, error: nil)
        }
        reader = HTTPResponseReader(
          response, url: outgoing.url, inPartsOf: content, limits: sender.client.limits,
          policy: hooks?.httpStatusPolicy ?? statusPolicy, sent: request.facts.sent)
        // The hooks decide about the first response.
        if hooks != nil { first = try await reader.peek() }
      } catch {
        guard let hooks else { throw error }
        if received == nil { hooks.reportCompletion(of: outgoing, response: nil, error: error) }
        if error is CancellationError || PersistedQueries.isStep(error)
          || missesText(.failure(error), form)
        {
          throw error
        }
        let head = received?.response ?? (error as? GraphQLHTTPResponseError)?.response
        try await hooks.decide(request, after: error, of: outgoing, response: head)
        continue
      }
      guard let hooks, let first, !missesText(.success(first), form) else { return reader }
      if let error = refusal(in: first, of: response, to: outgoing) {
        do {
          try await hooks.decide(request, after: error, of: outgoing, response: error.response)
          continue
        } catch let same as GraphQLHTTPResponseError where same.response === error.response {
          // No retry, and no other error: the response is delivered with its status.
        }
      }
      guard try await hooks.isToRetry(request, after: first) else { return reader }
    }
  }

  /// Returns the failure that the status of a response to the operation reports, such as 401 with
  /// `application/graphql-response+json`, or `nil` if it reports none.
  ///
  /// A response with data has succeeded in part, and a step of persisted queries is no concern of
  /// the hooks.
  private func refusal(
    in first: NetworkResponse, of response: HTTPResponse, to outgoing: _OutgoingRequest
  ) -> GraphQLHTTPResponseError? {
    guard let status = first.http?.statusCode, !(200..<300).contains(status),
      !PersistedQueries.isStep(first)
    else { return nil }
    let error = GraphQLHTTPResponseError(
      .errorResponse, head: response.response, body: first.body, url: outgoing.url)
    return error.outline.hasData || error.outline.errors.isEmpty ? nil : error
  }

  /// Returns whether the response to a hash says that the text is missing, which is no concern of
  /// the hooks, also if the response to another operation has turned hashes off in the meantime.
  private func missesText(
    _ response: Result<NetworkResponse, any Error>, _ form: OperationMessage.DocumentForm
  ) -> Bool {
    form == .identifier && MissingText(response) == .isSaid
  }
}
