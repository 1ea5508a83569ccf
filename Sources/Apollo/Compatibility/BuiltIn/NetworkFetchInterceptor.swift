public import ApolloAPI
public import ApolloTransport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The step of a ``RequestChain`` that sends the operation.
///
/// It proceeds with the response, whatever its status is. If the server delivers the response in
/// parts, it proceeds once for each part, with everything that has arrived so far. A call that
/// takes the whole response, such as a mutation, gets it once.
public struct NetworkFetchInterceptor: ApolloInterceptor {
  private let client: (any HTTPClient)?

  /// Creates a step.
  ///
  /// - Parameter client: The client that sends the HTTP requests, or `nil` for that of the
  ///   transport.
  public init(client: (any HTTPClient)? = nil) { self.client = client }

  /// Sends the operation and proceeds with the response.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.performFetch { exchange in
      do {
        try await fetch(request, in: exchange) { response, completion in
          response.origin = ChainResponse<Operation>.Origin(exchange: exchange)
          chain.proceedAsync(
            request: request, response: response, interceptor: self, completion: completion)
        } completion: {
          completion($0)
        }
      } catch {
        guard request.call.takesResults(of: exchange) else { return }
        chain.handleErrorAsync(error, request: request, response: response, completion: completion)
      }
    }
  }

  private func fetch<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>, in exchange: ServerExchange,
    _ proceed:
      @Sendable (
        ChainResponse<Operation>, @escaping RequestChainCompletion<Operation.Data>
      ) -> Void,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) async throws {
    var sending = request.graphQLRequest
    if let client { sending.facts.client = StepClient(client) }
    let operation = sending.transportRequest(exchange)
    let partsContent = request.partsContent(of: operation)
    guard let link = request.call.link else {
      guard partsContent != nil else {
        let response = try await request.call.context.send(sending, in: exchange)
        return proceed(ChainResponse(response, request), completion)
      }
      let parts = try request.call.context.responses(to: sending, in: exchange)
      return try await proceedWithEach(of: parts, in: exchange, request, proceed, completion)
    }
    let sender = link.sender(for: operation)
    let outgoing = _OutgoingRequest(try request.toURLRequest(), for: operation)
    guard let content = partsContent else {
      let received = try await operation.reportingUpload { try await sender.send(outgoing) }
      var response = NetworkResponse(body: received.readBody ?? Data())
      if operation.partsContent == .response {
        // The body that was read may have all parts.
        let reader = HTTPResponseReader(
          received, url: outgoing.url, inPartsOf: nil, limits: sender.client.limits, policy: nil)
        if let merged = try await reader.next() { response = merged }
      }
      response.attempt = received.attempt
      return proceed(ChainResponse(received.response, response), completion)
    }
    let parts = NetworkResponses {
      let response = try await sender.send(outgoing, reading: .parts(content))
      // The next steps judge the status of a whole response, as they do without '@defer'.
      return HTTPResponseReader(
        response, url: outgoing.url, inPartsOf: content, limits: sender.client.limits,
        policy: content == .response ? nil : .strict, sent: operation.facts.sent)
    }
    try await proceedWithEach(of: parts, in: exchange, request, proceed, completion)
  }

  /// Proceeds with each part of a response, or each event of a subscription, until steps begin
  /// anew.
  private func proceedWithEach<Operation: GraphQLOperation>(
    of parts: NetworkResponses, in exchange: ServerExchange, _ request: HTTPRequest<Operation>,
    _ proceed: (ChainResponse<Operation>, @escaping RequestChainCompletion<Operation.Data>)
      -> Void, _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) async throws {
    for try await part in parts {
      await waitForSteps(of: part, in: exchange, request, proceed, completion)
      // The parts of another request take the place of these, whose connection is released.
      guard request.call.exchange === exchange else { return }
      await request.call.results.waitUntilTaken()
    }
    let written = try await request.call.writeShort(of: exchange)
    // A step may have begun anew during the write.
    guard let written, request.call.takesResults(of: exchange) else { return }
    completion(.success(GraphQLResult(written)))
  }

  /// Proceeds with a part, and waits until the steps have completed or forgotten it, or have begun
  /// anew.
  ///
  /// So the parts stay in order although a step works asynchronously.
  private func waitForSteps<Operation: GraphQLOperation>(
    of part: NetworkResponse, in exchange: ServerExchange, _ request: HTTPRequest<Operation>,
    _ proceed: (ChainResponse<Operation>, @escaping RequestChainCompletion<Operation.Data>)
      -> Void, _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) async {
    let end = AsyncStream<Never>.makeStream()
    guard request.call.beginPart(of: exchange, end.continuation) else { return }
    do {
      let observer = ContinuationOwner(end.continuation)
      proceed(ChainResponse(part, request)) { result in
        completion(result)
        observer.finish()
      }
    }
    for await _ in end.stream {}
  }
}

/// Finishes a stream when it is told to, or when its last reference is released.
private final class ContinuationOwner: Sendable {
  private let continuation: AsyncStream<Never>.Continuation

  init(_ continuation: AsyncStream<Never>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }

  func finish() { continuation.finish() }
}

extension HTTPRequest {
  /// Returns the meaning of the parts that the next steps receive one by one, or `nil` if they
  /// receive the whole response: then it is written once, with the changes of the program.
  fileprivate func partsContent(of operation: OperationRequest) -> PartsContent? {
    guard let content = operation.partsContent, operation.files.isEmpty else { return nil }
    return content == .response && isWhole ? nil : content
  }
}

extension ChainResponse {
  /// A response with the head that the transport knows.
  fileprivate convenience init(_ response: NetworkResponse, _ request: HTTPRequest<Operation>) {
    let url = response.url ?? request.graphQLEndpoint
    let head = HTTPURLResponse(
      url: url, statusCode: response.http?.statusCode ?? 200, httpVersion: "HTTP/1.1",
      headerFields: response.http?.headers)
    guard let head else {
      preconditionFailure("Foundation makes a response of every status and every field.")
    }
    self.init(head, response)
  }
}
