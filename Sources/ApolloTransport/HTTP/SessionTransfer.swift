import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One task of a session: turns the calls of the session's delegate into events of an exchange.
final class SessionTransfer: Transfer {
  let url: URL
  let task: URLSessionDataTask
  let exchange: Exchange
  /// Keeps the client alive, and with it the session, as long as the transfer.
  private let client: URLSessionClient
  private let beginning = ContinuousClock.now
  private let keptConnectionTime = NetworkError.keptConnectionTime
  private let uploadProgress = UploadProgressReporter.current
  private let hasBody: Bool
  /// The limit of the task that sends the request.
  private let maximumByteCount: Int
  /// The session calls its delegate on one queue, one call at a time. The lock is there because the
  /// compiler cannot see that.
  private let progress = Lock(Progress())

  private struct Progress {
    var hasHead = false
    /// The number of bytes of the body received so far, after decompression.
    var byteCount = 0
    /// `true` if the client has cancelled a challenge of TLS, such as a certificate.
    var hasRefusedConnection = false
  }

  init(_ task: URLSessionDataTask, url: URL, client: URLSessionClient) {
    self.url = url
    self.task = task
    self.client = client
    hasBody = !(task.originalRequest?.httpBody ?? Data()).isEmpty
    maximumByteCount = client.limits.currentMaximumByteCount
    exchange = Exchange(url: url)
  }

  // MARK: The exchange's side

  func resume() { task.resume() }

  func stop() {
    client.remove(self)
    client.cancel(task)
  }

  // MARK: The session's side

  /// Handles the decision of the client to make no secure connection. The session cancels the task.
  func refusedConnection() { progress.withLock { $0.hasRefusedConnection = true } }

  /// Handles the head of the response. Returns `false` if the task is to be cancelled.
  func receivedHead(_ response: URLResponse) -> Bool {
    guard let head = response as? HTTPURLResponse else {
      fail(NetworkError(.notHTTP, url: url))
      return false
    }
    // Informational responses precede the final one (RFC 9110, section 15.2); Linux reports them.
    if (100..<200).contains(head.statusCode) { return true }
    if head.expectedContentLength > Int64(maximumByteCount) {
      fail(tooLarge)
      return false
    }
    progress.withLock { $0.hasHead = true }
    return exchange.deliverHead(.foundation(head))
  }

  /// Handles the number of bytes of the request's body that have been sent.
  func sent(_ byteCount: Int64, of total: Int64) {
    guard total > 0 else { return }  // its size is unknown
    uploadProgress?.note(Int(byteCount), of: Int(total))
  }

  /// Handles bytes of the body.
  func receivedBody(_ data: Data) {
    let byteCount = progress.withLock { progress in
      progress.byteCount += data.count
      return progress.byteCount
    }
    if byteCount > maximumByteCount { return fail(tooLarge) }
    data.withUnsafeBytes { exchange.append($0) }
    exchange.deliverBytes()
    suspendIfFull()
  }

  /// Suspends the task while the buffer of the exchange is full.
  ///
  /// On Linux a suspended task does not always resume. There, up to `maximumByteCount` bytes wait
  /// for a slow reader.
  private func suspendIfFull() {
    #if !canImport(FoundationNetworking)
      guard !exchange.hasRoom() else { return }
      task.suspend()
      // The reader may have emptied the buffer, and resumed the task, just before it was suspended.
      if exchange.hasRoom() { task.resume() }
    #endif
  }

  /// Handles the end of the task: successful if `error` is `nil`.
  func completed(_ error: (any Error)?) {
    client.remove(self)
    let (hasHead, isRefused) = progress.withLock { ($0.hasHead, $0.hasRefusedConnection) }
    guard let error else {
      // On Linux, the head of a redirect without a location is not reported, and its body is lost.
      let head =
        hasHead ? nil : (task.response as? HTTPURLResponse).map { ReceivedHead.foundation($0) }
      return exchange.ended(.success(()), head: head)
    }
    exchange.ended(
      .failure(
        NetworkError(
          error, url: url, hasHead: hasHead, isRefused: isRefused,
          age: ContinuousClock.now - beginning, keptConnectionTime: keptConnectionTime,
          sentByteCount: hasBody ? task.countOfBytesSent : nil)))
  }

  /// Fails the exchange, because the connection was lost and the session is about to send the body
  /// a second time.
  func lostConnection() {
    fail(
      NetworkError(
        .connectionLost, url: url, detail: NetworkError.progress(hasHead: false),
        endedKeptConnection: ContinuousClock.now - beginning <= keptConnectionTime))
  }

  /// Ends the exchange first, so that the cancellation of the task is not reported as its error.
  func fail(_ error: NetworkError) {
    exchange.ended(.failure(error))
    stop()
  }

  private var tooLarge: NetworkError {
    NetworkError(
      .responseTooLarge, url: url, detail: "the limit of \(maximumByteCount) bytes",
      responseHadBegun: true)
  }
}
