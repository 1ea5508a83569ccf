package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// The shared part of all HTTP transports: one request, one whole response, within its limits.
package struct HTTPSender: Sendable {
  package var client: any HTTPClient
  /// The interceptors between a transport and the session. The first sees the request first and the
  /// response last.
  package var interceptors: [any HTTPInterceptor] = []

  package init(client: any HTTPClient, interceptors: [any HTTPInterceptor] = []) {
    self.client = client
    self.interceptors = interceptors
  }

  /// Status, headers and body as they came.
  package struct WholeResponse: Sendable {
    var received: ReceivedHead
    package var body: Data
    package var url: URL

    package var head: HTTPURLResponse { received.foundation }

    /// The response as one to an operation. The parts of a response are merged.
    ///
    /// - Throws: ``GraphQLHTTPResponseError``, ``ResponseStreamError``.
    package func classified() throws -> NetworkResponse {
      guard let framing = ResponseAssembler.Framing(received) else {
        return try ResponseClassifier.classify(received, body: body, url: url)
      }
      let body = try ResponseAssembler.lastBody(in: body, framing)
      return NetworkResponse(body: body, http: received.details)
    }
  }

  /// Runs a call of a transport. Limits its time, unless the caller does.
  package func call(
    _ request: OperationRequest, url: URL,
    _ body: @escaping @Sendable () async throws -> NetworkResponse
  ) async throws -> NetworkResponse {
    guard !request.hasDeadline, let limit = request.timeout ?? client.limits.deadline else {
      return try await body()
    }
    return try await CallDeadline(limit).limit(url: url, body)
  }

  /// Sends `request` and reads the whole response.
  ///
  /// A server may close a connection that was kept open at the very moment it is used again. What
  /// is safe to repeat is then sent once more.
  ///
  /// - Parameters:
  ///   - outgoing: The request.
  ///   - isRepeatable: Whether nothing changes when the server gets the request twice.
  ///   - events: Reports the steps of the call.
  ///   - deadline: The time at which the request ends by itself, if the client is one of this
  ///     package.
  /// - Returns: The response.
  /// - Throws: ``NetworkError``, ``GraphQLHTTPRequestError``, the errors of interceptors, or
  ///   `CancellationError`.
  package func send(
    _ outgoing: OutgoingRequest, isRepeatable: Bool, events: CallEventRecorder? = nil,
    deadline: CallDeadline? = nil
  ) async throws -> WholeResponse {
    let url = outgoing.head.url ?? URL(fileURLWithPath: "/")
    guard Origin(url) != nil else {
      throw GraphQLHTTPRequestError.unsupportedURL(url.textWithoutSecrets)
    }
    let context = SendingContext(
      isRepeatable: isRepeatable, events: events, deadline: deadline)
    events?.recordBuilt(outgoing.whole)
    do {
      return try await wholeResponse(to: outgoing, url: url, context)
    } catch let error as NetworkError
      where isRepeatable && error.code == .connectionLost && !error.responseHadBegun
    {
      return try await wholeResponse(to: outgoing, url: url, context)
    }
  }

  /// Sends `request` and returns a reader of its responses when the head has arrived.
  ///
  /// A subscription is limited in the size of each part, and in the time until its head arrives. A
  /// connection that is silent for too long counts as lost.
  package func begin(
    _ request: URLRequest, for operation: OperationRequest, content: PartsContent
  ) async throws -> ResponseReader {
    let url = request.url ?? URL(fileURLWithPath: "/")
    guard Origin(url) != nil else {
      throw GraphQLHTTPRequestError.unsupportedURL(url.textWithoutSecrets)
    }
    let context = SendingContext(isRepeatable: false, events: operation.events)
    operation.events?.recordBuilt(request)
    let response = try await TransferLimits.$areForEndlessResponse.withValue(content == .events) {
      guard !operation.hasDeadline, let limit = operation.timeout ?? client.limits.deadline else {
        return try await proceed(OutgoingRequest(request), context, with: interceptors[...])
      }
      return try await CallDeadline(limit).limit(url: url) {
        try await proceed(OutgoingRequest(request), context, with: interceptors[...])
      }
    }
    operation.openingHandler?(
      ResponseAssembler.Framing(response.head) == nil ? .wholeResponse : .opened)
    return ResponseReader(response, url: url, content: content, limits: client.limits)
  }

  @Sendable
  private func wholeResponse(
    to request: OutgoingRequest, url: URL, _ context: SendingContext
  ) async throws -> WholeResponse {
    let response = try await proceed(request, context, with: interceptors[...])
    return WholeResponse(received: response.head, body: try await response.body(), url: url)
  }

  @Sendable
  private func proceed(
    _ request: OutgoingRequest, _ context: SendingContext,
    with interceptors: ArraySlice<any HTTPInterceptor>
  ) async throws -> HTTPResponse {
    guard let first = interceptors.first else {
      // Behind the interceptors and delegates, which can set any header.
      try HeaderField.check(request.head)
      return try await response(to: request, context)
    }
    return try await first.intercept(request: request.whole) { request in
      try await proceed(OutgoingRequest(request), context, with: interceptors.dropFirst())
    }
  }

  private func response(
    to request: OutgoingRequest, _ context: SendingContext
  ) async throws -> HTTPResponse {
    guard let events = context.events else { return try await exchange(request, context) }
    events.recordSent()
    do {
      let response = try await exchange(request, context)
      UploadProgressReporter.current?.deliver()
      events.recordResponse(response.head)
      return response
    } catch {
      events.noteFailure(error)
      throw error
    }
  }
}

extension HTTPSender {
  private func exchange(
    _ request: OutgoingRequest, _ context: SendingContext
  ) async throws -> HTTPResponse {
    if let client = client as? DefaultHTTPClient, type(of: client) == DefaultHTTPClient.self {
      return try await client.response(to: request, before: context.deadline)
    }
    if context.isRepeatable, let client = client as? BatchingHTTPClient {
      return try await client.response(toQuery: request.whole)
    }
    return try await client.response(to: request.whole)
  }
}

/// The facts about one request of a transport that its way to the client needs.
private struct SendingContext: Sendable {
  /// `true` if nothing changes when the server gets the request twice.
  var isRepeatable: Bool
  var events: CallEventRecorder?
  /// The time at which the request ends by itself.
  var deadline: CallDeadline?
}
