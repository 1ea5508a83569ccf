#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends HTTP requests: everything between a transport and the network.
///
/// ``CurlClient`` is the default on Linux and ``URLSessionClient`` on Apple platforms. A client of
/// your own can wrap one of them, or replace them in tests:
///
/// ```swift
/// final class Recording: HTTPClient {
///   let base: any HTTPClient = DefaultHTTPClient()
///   var limits: TransferLimits { base.limits }
///
///   func response(to request: URLRequest) async throws -> HTTPResponse {
///     let response = try await base.response(to: request)
///     print(request.url?.path ?? "", response.response.statusCode)
///     return response
///   }
///
///   func invalidate() { base.invalidate() }
/// }
/// ```
///
/// The contract of every client:
///
/// 1. *Order.* ``response(to:)`` returns when the head has arrived; informational responses (1xx)
///    are skipped. The chunks of the body follow in their order.
/// 2. *One end.* A request ends exactly once: ``response(to:)`` throws, or the sequence of chunks
///    ends after the last one, or it throws. A body that ends without an error is complete by the
///    rules of HTTP: a length that was announced is reached, and the last chunk has arrived.
/// 3. *Errors.* They are ``NetworkError``, or `CancellationError` when the task is cancelled.
/// 4. *Cancellation.* Cancelling the task that waits, or releasing the response before its end,
///    cancels the request and frees its connection.
/// 5. *Buffering.* One chunk, of bounded size, waits for the reader. While it waits, the client
///    reads nothing more from the connection, so a slow reader slows the server down.
/// 6. *Ownership.* The client owns the work behind a request until that has ended, and a request
///    that is under way keeps its client alive. No thread of the client calls the user's code.
/// 7. *Sending once.* A client sends a request at most once. It reports a connection that ends
///    without a response as ``NetworkError/Code/connectionLost``; the transport repeats queries.
/// 8. *Redirects* are followed to the same origin only, and only where the method and the body
///    survive.
public protocol HTTPClient: AnyObject, Sendable {
  /// The time and memory that each request may take.
  var limits: TransferLimits { get }

  /// Sends a request and returns its response when the head has arrived.
  ///
  /// The request's `timeoutInterval` is the longest silence of the connection.
  ///
  /// - Throws: ``NetworkError``, or `CancellationError`.
  func response(to request: URLRequest) async throws -> HTTPResponse

  /// Cancels every request and closes all connections. Later requests fail with
  /// ``NetworkError/Code/invalidated``.
  func invalidate()

  /// Sends a request of a transport of this package. By default, ``response(to:)`` sends it.
  ///
  /// For the clients of this package, which can send a body without a copy, end at a deadline by
  /// themselves, or send several queries together.
  func _response(to request: _OutgoingRequest) async throws -> HTTPResponse

  /// `true` if the requests of transports end at the deadline of their call, and with its session,
  /// by themselves. By default `false`.
  var _keepsDeadlines: Bool { get }
}

extension HTTPClient {
  /// Sends the request with ``response(to:)``.
  public func _response(to request: _OutgoingRequest) async throws -> HTTPResponse {
    try await response(to: request.whole)
  }

  /// `false`.
  public var _keepsDeadlines: Bool { false }
}

// `CURL` is set in Package.swift: on Linux, unless a test builds the other engine there.
#if CURL
  /// The client that transports use unless another one is given.
  public typealias DefaultHTTPClient = CurlClient
#else
  /// The client that transports use unless another one is given.
  public typealias DefaultHTTPClient = URLSessionClient
#endif

/// Sends a request, and sends it again where a redirect may be followed.
///
/// The hooks, if there are any, take part in the decision.
func followingRedirects(
  of request: URLRequest, limit: Int, hooks: (any HTTPClientHooks)? = nil,
  send: (URLRequest, URL) async throws -> HTTPResponse
) async throws -> HTTPResponse {
  var request = request
  var hopsLeft = limit
  while true {
    let url = request.url ?? URL(fileURLWithPath: "/")
    let response = try await send(request, url)
    guard RedirectRule.concerns(status: response.head.statusCode),
      var next = try RedirectRule.next(
        after: response.response, to: request, url: url, hopsLeft: hopsLeft)
    else { return response }
    if let hooks {
      let proposed = next
      let changed = try await ClientLocals().hidden {
        try await hooks.redirect(proposed, after: response.response)
      }
      guard let changed else { return response }
      guard let target = changed.url, Origin(target) == Origin(url) else {
        throw NetworkError(
          .redirectRefused, url: url, detail: "the client's own redirect leads to another origin")
      }
      next = changed
    }
    try HeaderField.check(next)
    request = next
    hopsLeft -= 1
  }
}
