import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its response. It follows no redirect, and stops reading a response that is too
/// large.
// Because the session calls its delegate on one serial queue, and mutable state is accessed only
// there, or before the task is started.
final class SchemaTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  typealias Answer = (response: HTTPURLResponse, body: [UInt8])

  struct BodyTooLarge: Error {}

  /// The failure of a response that had begun.
  struct Interruption: Error { var failure: URLError }

  /// The greatest size of a response. No schema is larger.
  static let maximumByteCount = 128 << 20

  /// The continuation, or `nil` once the response or a failure has been delivered.
  private var continuation: CheckedContinuation<Answer, any Error>?
  private var response: HTTPURLResponse?
  private var body: [UInt8] = []

  /// Returns the response to a request, within `timeout` seconds.
  ///
  /// - Throws: `URLError`, ``Interruption`` or ``BodyTooLarge``.
  static func response(
    to request: URLRequest, within timeout: Double
  ) async throws -> Answer {
    let transfer = SchemaTransfer()
    let session = URLSession(
      configuration: .ephemeral(for: request), delegate: transfer, delegateQueue: nil)
    let task = session.dataTask(with: request)
    // On Linux, a session has no limit for a whole response.
    let limit = DispatchWorkItem {
      session.delegateQueue.addOperation { transfer.finish(URLError(.timedOut)) }
    }
    // Not in a delegate method: on Linux, cancelling waits for the queue that calls them.
    defer {
      limit.cancel()
      task.cancel()
      session.finishTasksAndInvalidate()
    }
    return try await withCheckedThrowingContinuation { continuation in
      transfer.continuation = continuation
      DispatchQueue.global().asyncAfter(deadline: .now() + timeout, execute: limit)
      task.resume()
    }
  }

  private func finish(_ result: Result<Answer, any Error>) {
    continuation?.resume(with: result)
    continuation = nil
    body = []
  }

  private func finish(_ error: (any Error)?) {
    if let failure = error as? URLError, response != nil, failure.code != .timedOut {
      return finish(.failure(Interruption(failure: failure)))
    }
    if let error { return finish(.failure(error)) }
    guard let response else { return finish(.failure(URLError(.badServerResponse))) }
    finish(.success((response, body)))
  }

  // MARK: - What the session asks and reports

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Cancels authentication challenges.
  ///
  /// On Linux a challenge arrives after the whole response, and the system's handling of it never
  /// ends. The result is the response that requires authentication.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      finish(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    self.response = response as? HTTPURLResponse
    let isTooLarge = response.expectedContentLength > Int64(Self.maximumByteCount)
    if isTooLarge { finish(.failure(BodyTooLarge())) }
    completionHandler(isTooLarge ? .cancel : .allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard continuation != nil else { return }
    guard body.count + data.count <= Self.maximumByteCount else {
      return finish(.failure(BodyTooLarge()))
    }
    body += data
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    finish(error)
  }
}
