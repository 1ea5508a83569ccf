import ApolloCodegenLib
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request whose response arrives in pieces, without an end that is known.
final class EventTransfer: NSObject, URLSessionDataDelegate, Sendable {
  /// A piece of a response.
  enum Piece: Sendable {
    case head(status: Int, contentType: String?, fields: [String: String])
    case bytes([UInt8])
  }

  private let continuation: AsyncThrowingStream<Piece, any Error>.Continuation

  private init(_ continuation: AsyncThrowingStream<Piece, any Error>.Continuation) {
    self.continuation = continuation
  }

  /// Sends the request, and follows no redirect.
  ///
  /// The pieces are buffered without a limit: the terminal, which shows them, is faster than a
  /// subscription.
  static func stream(_ request: URLRequest) -> AsyncThrowingStream<Piece, any Error> {
    AsyncThrowingStream { continuation in
      let session = URLSession(
        configuration: .ephemeral(for: request), delegate: EventTransfer(continuation),
        delegateQueue: nil)
      let task = session.dataTask(with: request)
      continuation.onTermination = { _ in
        task.cancel()
        session.finishTasksAndInvalidate()
      }
      task.resume()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let response = response as? HTTPURLResponse
    var fields: [String: String] = [:]
    for (name, value) in response?.allHeaderFields ?? [:] { fields["\(name)"] = "\(value)" }
    continuation.yield(
      .head(
        status: response?.statusCode ?? 0,
        contentType: response?.value(forHTTPHeaderField: "Content-Type"), fields: fields))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    continuation.yield(.bytes(Array(data)))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    continuation.finish(throwing: error)
  }
}

extension SchemaHTTP {
  /// Sends a request, and returns the pieces of its response as they arrive.
  ///
  /// - Throws: ``CommandFailure`` if the address is none, or if a header cannot be sent.
  func stream(_ request: SchemaRequest) throws -> AsyncThrowingStream<
    EventTransfer.Piece, any Error
  > {
    guard Self.isAddress(request.url), let url = URL(string: request.url) else {
      throw CommandFailure("The address of the server is no address. Use http://… or https://….")
    }
    // A subscription may be silent for as long as it likes.
    return EventTransfer.stream(
      try urlRequest(for: request, to: url, timeout: 30 * 24 * 3_600))
  }
}
