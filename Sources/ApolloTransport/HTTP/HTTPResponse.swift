import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The response to one HTTP request: its head, and its body as the chunks arrive.
///
/// Releasing a response whose chunks have not all been read cancels the request.
///
/// ```swift
/// let response = try await client.response(to: request)
/// for try await chunk in response.chunks { print(chunk.count) }
/// ```
public struct HTTPResponse: Sendable {
  /// The status and the headers.
  public var response: HTTPURLResponse {
    get { head.foundation }
    set { head = .foundation(newValue) }
  }

  /// The decompressed body, in pieces of any size. One task may read it, once.
  public var chunks: AsyncThrowingStream<Data, any Error> {
    get {
      switch content {
      case .stream(let stream): stream
      case .source(let source): AsyncThrowingStream { try await source.next() }
      case .whole(let body):
        AsyncThrowingStream { continuation in
          continuation.yield(body)
          continuation.finish()
        }
      }
    }
    set { content = .stream(newValue) }
  }

  private enum Content {
    // `indirect`: the layout of a stream is unknown to the compiler, and so would be that of every
    // response.
    indirect case stream(AsyncThrowingStream<Data, any Error>)
    case source(any HTTPBody)
    case whole(Data)
  }

  /// The status and the headers as they were received.
  private(set) var head: ReceivedHead
  private var content: Content
  /// The position in time of the attempt that it responds to, if it was sent for a call. A response
  /// that an interceptor makes anew has none.
  package var attempt: UInt64?
  /// The record of the attempt, if its call keeps one.
  package var sendingAttempt: SendingAttempt?

  /// A response with a given body, such as one that an interceptor makes instead of sending a
  /// request.
  public init(response: HTTPURLResponse, chunks: AsyncThrowingStream<Data, any Error>) {
    head = .foundation(response)
    content = .stream(chunks)
  }

  /// A response whose body was read.
  init(head: ReceivedHead, body: Data, attempt: UInt64? = nil) {
    self.head = head
    self.attempt = attempt
    content = .whole(body)
  }

  init(head: ReceivedHead, exchange: Exchange) {
    self.head = head
    content = .source(ExchangeBody(exchange))
  }

  /// Reads the whole body.
  ///
  /// - Throws: ``NetworkError``, or `CancellationError`.
  public func body() async throws -> Data {
    switch content {
    case .source(let source): return try await source.rest()
    case .whole(let body): return body
    case .stream: break
    }
    var body = Data()
    for try await chunk in chunks { body.append(chunk) }
    // A stream that is iterated by a cancelled task ends without an error.
    try Task.checkCancellation()
    return body
  }
}

extension HTTPResponse {
  /// The same response, whose body was read.
  func read() async throws -> HTTPResponse {
    var response = HTTPResponse(head: head, body: try await body(), attempt: attempt)
    response.sendingAttempt = sendingAttempt
    return response
  }

  /// The body, if it was read.
  package var readBody: Data? {
    if case .whole(let body) = content { body } else { nil }
  }

  /// `true` if bytes of the body have arrived that were not read yet, as far as that is known.
  var hasBufferedBytes: Bool {
    guard case .source(let source) = content else { return false }
    return source.hasBufferedBytes
  }

  /// Notes the positions in time at which the bytes of events arrive from now on, as far as the
  /// body is the network's own.
  func noteArrivals(_ arrivals: EventArrivals) {
    if case .source(let source) = content { source.noteArrivals(arrivals) }
  }

  /// The same response with another reading end around its own, unless the body was read or comes
  /// from the program.
  func wrapping(_ wrapped: (any HTTPBody) -> any HTTPBody) -> HTTPResponse {
    guard case .source(let source) = content else { return self }
    var response = self
    response.content = .source(wrapped(source))
    return response
  }

  /// The same response, whose reading fails if the body is too large, unless the body was read.
  func limited(to byteCount: Int, url: URL) -> HTTPResponse {
    if case .whole = content { return self }
    let stream = chunks
    let received = Lock(0)
    var response = self
    response.chunks = AsyncThrowingStream {
      // All iterators of a stream have one position.
      var iterator = stream.makeAsyncIterator()
      guard let chunk = try await iterator.next() else { return nil }
      let total = received.withLock { received in
        received += chunk.count
        return received
      }
      guard total <= byteCount else {
        throw NetworkError(
          .responseTooLarge, url: url, detail: "the limit of \(byteCount) bytes",
          responseHadBegun: true)
      }
      return chunk
    }
    return response
  }

  /// The same response, whose reading ends with a session, unless the body was read.
  func ending(with session: CallSession) -> HTTPResponse {
    guard case .stream(let stream) = content else { return wrapping { SessionBody($0, session) } }
    var response = self
    response.chunks = AsyncThrowingStream {
      try await session.stopping {
        // All iterators of a stream have one position.
        var iterator = stream.makeAsyncIterator()
        return try await iterator.next()
      }
    }
    return response
  }

  /// The same response, whose reading calls the hooks of a client.
  func observed(by hooks: any HTTPClientHooks, _ request: URLRequest) -> HTTPResponse {
    wrapping { HookedBody($0, hooks, request) }
  }
}

/// The reading end of a body. Its release cancels a request that has not ended.
protocol HTTPBody: AnyObject, Sendable {
  /// The next chunk, or `nil` at the end.
  func next() async throws -> Data?
  /// The rest of the body.
  func rest() async throws -> Data
  /// `true` if bytes have arrived that were not read yet.
  var hasBufferedBytes: Bool { get }
  /// Notes when bytes arrive from now on.
  func noteArrivals(_ arrivals: EventArrivals)
  /// Ends the request. Reading throws `CancellationError` from then on.
  func cancel()
}

/// The reading end of an exchange.
private final class ExchangeBody: HTTPBody {
  private let exchange: Exchange

  init(_ exchange: Exchange) { self.exchange = exchange }

  deinit { exchange.cancel() }

  func next() async throws -> Data? { try await exchange.nextChunk() }

  func rest() async throws -> Data { try await exchange.rest() }

  var hasBufferedBytes: Bool { exchange.hasBufferedBytes }

  func noteArrivals(_ arrivals: EventArrivals) { exchange.noteArrivals(arrivals) }

  func cancel() { exchange.cancel() }
}
