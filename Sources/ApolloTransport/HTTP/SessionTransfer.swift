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
  /// Keeps the client, and so the session, until the exchange has ended.
  private let client: URLSessionClient
  private let progress = Lock((hasHead: false, byteCount: 0))

  init(_ task: URLSessionDataTask, url: URL, client: URLSessionClient) {
    self.url = url
    self.task = task
    self.client = client
    exchange = Exchange(url: url)
  }

  // MARK: The exchange's side

  func resume() { task.resume() }

  func stop() {
    client.remove(self)
    client.cancel(task)
  }

  // MARK: The session's side

  /// Returns `false` when the rest of the response is not wanted.
  func received(_ response: URLResponse) -> Bool {
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
    return exchange.deliver(.foundation(head))
  }

  func received(_ data: Data) {
    let byteCount = progress.withLock { progress in
      progress.byteCount += data.count
      return progress.byteCount
    }
    if byteCount > maximumByteCount { return fail(tooLarge) }
    data.withUnsafeBytes { exchange.append($0) }
    exchange.deliver(nil)
    // On Linux a task that was suspended does not go on reliably.
    #if !canImport(FoundationNetworking)
      if !exchange.hasRoom() { task.suspend() }
    #endif
  }

  func completed(_ error: (any Error)?) {
    client.remove(self)
    guard let error else { return exchange.ended(.success(())) }
    let hasHead = progress.withLock { $0.hasHead }
    exchange.ended(.failure(NetworkError(error, url: url, hasHead: hasHead)))
  }

  /// The connection ended without a response, and the session would send the body again.
  func lostConnection() {
    fail(
      NetworkError(
        .connectionLost, url: url, detail: NetworkError.progress(hasHead: false)))
  }

  func fail(_ error: NetworkError) {
    exchange.ended(.failure(error))
    stop()
  }

  private var maximumByteCount: Int { client.limits.maximumResponseByteCount }

  private var tooLarge: NetworkError {
    NetworkError(
      .responseTooLarge, url: url, detail: "the limit of \(maximumByteCount) bytes",
      answerHadBegun: true)
  }
}
