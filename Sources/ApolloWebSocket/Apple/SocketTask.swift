#if !CURL
  internal import Foundation

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// The part of `URLSessionWebSocketTask` that a connection calls.
  ///
  /// A protocol, so that tests can play the system: no other `URLSession` than that of Apple
  /// platforms is certain to have WebSockets.
  protocol SocketTask: AnyObject, Sendable {
    func resume()
    func cancel()
    func cancel(with code: URLSessionWebSocketTask.CloseCode, reason: Data?)
    func send(
      _ message: URLSessionWebSocketTask.Message,
      completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    func receive(
      completionHandler:
        @escaping @Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void)
    func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void)
  }

  extension URLSessionWebSocketTask: SocketTask {}

  /// Passes the calls of a session on to a connection.
  final class SessionSocketDelegate: NSObject, URLSessionWebSocketDelegate, Sendable {
    private let core: SessionSocketCore

    init(_ core: SessionSocketCore) { self.core = core }

    func urlSession(
      _ session: URLSession, webSocketTask task: URLSessionWebSocketTask,
      didOpenWithProtocol subprotocol: String?
    ) { core.opened(subprotocol: subprotocol) }

    func urlSession(
      _ session: URLSession, webSocketTask task: URLSessionWebSocketTask,
      didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) { core.closed(code.rawValue, reason: reason) }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) { core.completed(error, response: task.response as? HTTPURLResponse) }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(core.redirected(to: request)) }
  }
#endif
