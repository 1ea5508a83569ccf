import ApolloAPI
import Foundation

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

  /// Does the work for an operation. Limits its time, unless the caller does.
  func limited<Result: Sendable>(
    _ facts: CallFacts, _ timeout: Duration?, url: URL,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard !facts.hasDeadline, let limit = timeout ?? client.limits.deadline else {
      return try await body()
    }
    return try await CallDeadline(limit).limit(url: url, body)
  }

  /// The way in which a response is read.
  package enum Reading: Sendable {
    /// As a whole: the response has arrived with its body.
    case whole
    /// In the parts in which it may arrive, from its head on.
    case parts(PartsContent)
  }

  /// Sends `request` and returns the response: with its body, or as soon as its head has arrived if
  /// it may come in parts.
  ///
  /// A server may close a connection that was kept open at the very moment it is used again. What
  /// is safe to repeat is then sent once more, on a new connection. A request whose connection is
  /// lost later, or that had a new one, is not: the server has had it, and interceptors decide
  /// about retries.
  ///
  /// A subscription is limited in the size of each part, and in the time until its head arrives. A
  /// connection that is silent for too long counts as lost. A response that is not in parts has the
  /// limit of any other, also for interceptors that read it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reading: The way in which the response is read.
  /// - Returns: The response.
  /// - Throws: ``NetworkError``, ``GraphQLHTTPRequestError``, the errors of interceptors, or
  ///   `CancellationError`.
  package func send(
    _ request: _OutgoingRequest, reading: Reading = .whole
  ) async throws -> HTTPResponse {
    request.facts.session?.record?.beginNoting()
    guard Origin(request.url) != nil else {
      throw GraphQLHTTPRequestError.unsupportedURL(request.url.textWithoutSecrets)
    }
    if let events = request.facts.events {
      RequestLocals().hidden { events.recordBuilt(request.whole) }
    }
    switch reading {
    case .whole:
      return try await repeatingOnce(request.isRepeatable) {
        try await proceed(request, with: interceptors[...]).read()
      }
    case .parts(let content):
      return try await begin(request, inPartsOf: content)
    }
  }

  /// Sends `request` and returns the head of a response that may come in parts, whose time is
  /// limited here.
  private func begin(
    _ request: _OutgoingRequest, inPartsOf content: PartsContent
  ) async throws -> HTTPResponse {
    let wait = request.connectionWait(content)
    // Other queries can neither share a response in parts, nor be sent together with this one.
    let isRepeatable = request.isRepeatable
    var request = request
    request.isRepeatable = false
    let response = try await TransferLimits.$areForEndlessResponse.withValue(content == .events) {
      try await TransferLimits.$connectionWait.withValue(wait) {
        try await wait.explaining { [request] in
          try await limited(request.facts, request.timeout, url: request.url) {
            try await repeatingOnce(isRepeatable) {
              try await proceed(request, with: interceptors[...])
            }
          }
        }
      }
    }
    request.facts.openingHandler?(
      ResponseAssembler.Framing(response.head) == nil ? .wholeResponse : .opened)
    return response
  }

  /// Sends what is safe to repeat again if a connection ended as it was used again.
  private func repeatingOnce<Response>(
    _ isRepeatable: Bool, _ send: () async throws -> Response
  ) async throws -> Response {
    do {
      return try await send()
    } catch let error as NetworkError where isRepeatable && error.endedKeptConnection {
      return try await TransferLimits.$needsNewConnection.withValue(true) { try await send() }
    }
  }

  @Sendable
  private func proceed(
    _ request: _OutgoingRequest, with interceptors: ArraySlice<any HTTPInterceptor>
  ) async throws -> HTTPResponse {
    guard let first = interceptors.first else {
      // Behind the interceptors and delegates, which can set any header.
      try HeaderField.check(request.head)
      guard request.isRepeatable, let caller = ExchangeSharing.current else {
        return try await response(to: request)
      }
      return try await caller.response(to: request, through: client) {
        try await response(to: request)
      }
    }
    let locals = RequestLocals()
    return try await locals.hidden {
      try await first.intercept(request: request.whole) { changed in
        try await locals.restored {
          try await proceed(request.replacing(changed), with: interceptors.dropFirst())
        }
      }
    }
  }

  private func response(to request: _OutgoingRequest) async throws -> HTTPResponse {
    // Interceptors, delegates and steps of a chain may have waited, or ask for another attempt.
    try request.facts.session?.check()
    let number = request.facts.sent?.noteAttempt()
    var response = try await attempt(request)
    response.attempt = number
    // The client cannot limit it: it does not know whether the response comes in parts.
    guard TransferLimits.areForEndlessResponse, ResponseAssembler.Framing(response.head) == nil
    else { return response }
    return response.limited(to: client.limits.maximumResponseByteCount, url: request.url)
  }

  private func attempt(_ request: _OutgoingRequest) async throws -> HTTPResponse {
    guard let record = request.facts.session?.record else {
      return try await exchange(request)
    }
    let attempt = try record.beginAttempt()
    var request = request
    request.facts.session?.attempt = attempt
    do {
      return try await noted(try await exchange(request), in: attempt)
    } catch {
      if let error = error as? NetworkError, error.hasSentNothing { attempt.endWithoutEffect() }
      throw error
    }
  }

  /// Returns the response to an attempt, which notes what the server has done.
  ///
  /// The status of a refusal can be that of an error inside of the result, so the body decides. It
  /// is read here: interceptors may leave it unread, send the request again, or throw an error of
  /// their own.
  private func noted(
    _ response: HTTPResponse, in attempt: SendingAttempt
  ) async throws -> HTTPResponse {
    var response = response
    response.sendingAttempt = attempt
    let statusCode = response.head.statusCode
    attempt.respond(statusCode: statusCode)
    if SendingRecord.isRefusal(statusCode), let body = try await response.readUnlessInParts(),
      ResponseOutline(body).hasResult
    {
      attempt.respond()
    }
    return response
  }

  private func exchange(_ request: _OutgoingRequest) async throws -> HTTPResponse {
    guard let events = request.facts.events else {
      return try await client.sendAllowingSilence(request)
    }
    // Observers may send requests of their own.
    RequestLocals().hidden { events.recordSent() }
    do {
      let response = try await client.sendAllowingSilence(request)
      UploadProgressReporter.current?.deliver()
      RequestLocals().hidden { events.recordResponse(response.head) }
      return response
    } catch {
      events.noteFailure(error)
      throw error
    }
  }
}

extension _OutgoingRequest {
  /// A wait for a connection, which the state handler of a subscription receives.
  fileprivate func connectionWait(_ content: PartsContent) -> ConnectionWait {
    guard content == .events, let stateHandler = facts.stateHandler else {
      return ConnectionWait(handler: nil)
    }
    return ConnectionWait { error in stateHandler(error.map { .interrupted($0) } ?? .resumed) }
  }
}
