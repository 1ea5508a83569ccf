import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The decisions and events of a client in which its subclasses take part.
///
/// ``CurlClient`` and ``URLSessionClient`` have the same hooks, so a subclass of
/// ``DefaultHTTPClient`` compiles on every platform:
///
/// ```swift
/// // Unchecked as its superclass is, which guards its state. It has none of its own.
/// final class SigningClient: DefaultHTTPClient, @unchecked Sendable {
///   override func authorize(
///     _ request: URLRequest, after response: HTTPURLResponse
///   ) async throws -> URLRequest? {
///     var request = request
///     request.setValue("Bearer \(try await newToken())", forHTTPHeaderField: "Authorization")
///     return request
///   }
///
///   override func didComplete(_ request: URLRequest, with error: (any Error)?) {
///     print(request.url?.path ?? "", error ?? "succeeded")
///   }
///
///   private func newToken() async throws -> String { "…" }
/// }
/// ```
///
/// Each method of a session's delegate that subclasses of ``URLSessionClient`` override has a
/// counterpart:
///
/// | method of the delegate | hook of every client |
/// | :-- | :-- |
/// | `urlSession(_:task:didReceive:completionHandler:)`, a password or a token | ``authorize(_:after:)`` |
/// | the same, the server's trust or a client's certificate | `CurlClient.Configuration.tls` |
/// | `urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)` | ``redirect(_:after:)`` |
/// | `urlSession(_:dataTask:didReceive:completionHandler:)`, the head | ``didReceive(_:to:)`` |
/// | `urlSession(_:dataTask:didReceive:)`, bytes | ``didReceive(_:of:)`` |
/// | `urlSession(_:task:didCompleteWithError:)` | ``didComplete(_:with:)`` |
///
/// The methods of the delegate name sessions and tasks, which libcurl does not have, so overrides
/// of them compile against ``URLSessionClient`` alone.
///
/// Hooks run in the task that waits for the response or reads its body, in the order of the events.
/// A client that is no subclass runs none of them.
///
/// Requests that hooks send are no part of the call: the progress of its upload and its limits do
/// not concern them.
public protocol HTTPClientHooks: HTTPClient {
  /// Returns the request to send instead of one that was rejected with status 401 or 407, or `nil`
  /// to accept that response as the result. Called once for each request.
  ///
  /// - Throws: The error with which the request fails.
  func authorize(_ request: URLRequest, after response: HTTPURLResponse) async throws -> URLRequest?

  /// Returns the request to send for a redirect that may be followed, or `nil` to accept the
  /// redirect itself as the result. Its URL must have the origin of `request`.
  ///
  /// - Throws: The error with which the request fails.
  func redirect(_ request: URLRequest, after response: HTTPURLResponse) async throws -> URLRequest?

  /// Called with the head of the final response.
  func didReceive(_ response: HTTPURLResponse, to request: URLRequest)

  /// Called with the decompressed bytes of the body when they are read, in their order.
  func didReceive(_ bytes: Data, of request: URLRequest)

  /// Called once at the end of a request, with the error if it failed.
  ///
  /// The error of a response that is released before its end is a `CancellationError`.
  func didComplete(_ request: URLRequest, with error: (any Error)?)
}

extension HTTPClientHooks {
  /// Sends a request through a client's hooks.
  func callingHooks(
    for request: URLRequest, send: (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    do {
      var other = request
      let first = try await responseUnlessRejected(to: &other, send: send)
      let response = if let first { first } else { try await send(other) }
      ClientLocals().hidden { didReceive(response.response, to: request) }
      return response.observed(by: self, request)
    } catch {
      ClientLocals().hidden { didComplete(request, with: error) }
      throw error
    }
  }

  /// Sends a request. Returns `nil` if the response rejects it, and replaces it by the one to send
  /// instead. The response is released then: the other request may wait for its connection.
  private func responseUnlessRejected(
    to request: inout URLRequest, send: (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse? {
    let rejected = request
    let response = try await send(rejected)
    guard [401, 407].contains(response.response.statusCode) else { return response }
    let other = try await ClientLocals().hidden {
      try await authorize(rejected, after: response.response)
    }
    guard let other else { return response }
    try HeaderField.check(other)
    request = other
    return nil
  }
}

/// A body whose reading calls the hooks of a client.
final class HookedBody: HTTPBody {
  private let base: any HTTPBody
  private let hooks: any HTTPClientHooks
  private let request: URLRequest
  private let hasEnded = Lock(false)

  init(_ base: any HTTPBody, _ hooks: any HTTPClientHooks, _ request: URLRequest) {
    self.base = base
    self.hooks = hooks
    self.request = request
  }

  deinit { end(CancellationError()) }

  func next() async throws -> Data? {
    try await observing {
      guard let chunk = try await base.next() else {
        end(nil)
        return nil
      }
      received(chunk)
      return chunk
    }
  }

  func rest() async throws -> Data {
    try await observing {
      let rest = try await base.rest()
      if !rest.isEmpty { received(rest) }
      end(nil)
      return rest
    }
  }

  var hasBufferedBytes: Bool { base.hasBufferedBytes }

  func noteArrivals(_ arrivals: EventArrivals) { base.noteArrivals(arrivals) }

  func cancel() { base.cancel() }

  private func observing<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch {
      end(error)
      throw error
    }
  }

  private func received(_ bytes: Data) {
    ClientLocals().hidden { hooks.didReceive(bytes, of: request) }
  }

  private func end(_ error: (any Error)?) {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isFirst { ClientLocals().hidden { hooks.didComplete(request, with: error) } }
  }
}
