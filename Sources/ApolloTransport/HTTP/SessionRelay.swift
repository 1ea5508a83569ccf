import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate that a session retains.
///
/// A session keeps its delegate alive until it is invalidated, so a client that was its session's
/// delegate could never be released. This object stands between the two and holds the client
/// weakly.
///
/// It lacks the method for challenges of the whole session, so that Foundation asks the one for
/// tasks about certificates as well, and clients that override that one still judge them. By
/// default, the client passes such a challenge on to its method for the session.
final class SessionRelay: NSObject, URLSessionDataDelegate, Sendable {
  // Because a weak reference is thread-safe to read, and it is written once, before the session is
  // made.
  nonisolated(unsafe) private weak var client: URLSessionClient?

  init(_ client: URLSessionClient) { self.client = client }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    client?.urlSession(session, didBecomeInvalidWithError: error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let client else { return completionHandler(.cancelAuthenticationChallenge, nil) }
    #if canImport(FoundationNetworking)
      client.urlSession(
        session, task: task, didReceive: challenge, completionHandler: completionHandler)
    #else
      let isOfTLS = [
        NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
      ].contains(challenge.protectionSpace.authenticationMethod)
      client.urlSession(session, task: task, didReceive: challenge) { disposition, credential in
        // The error of the task only says that it was cancelled.
        if isOfTLS, disposition == .cancelAuthenticationChallenge {
          client.noteRefusedConnection(of: task)
        }
        completionHandler(disposition, credential)
      }
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let client else { return completionHandler(nil) }
    client.urlSession(
      session, task: task, willPerformHTTPRedirection: response, newRequest: request,
      completionHandler: completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    guard let client else { return completionHandler(nil) }
    client.urlSession(session, task: task, needNewBodyStream: completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData byteCount: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    client?.urlSession(
      session, task: task, didSendBodyData: byteCount, totalBytesSent: totalBytesSent,
      totalBytesExpectedToSend: totalBytesExpectedToSend)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let client else { return completionHandler(.cancel) }
    client.urlSession(
      session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    client?.urlSession(session, dataTask: dataTask, didReceive: data)
  }

  #if !canImport(FoundationNetworking)
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
      client?.urlSession(session, taskIsWaitingForConnectivity: task)
    }
  #endif

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    client?.urlSession(session, task: task, didFinishCollecting: metrics)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    guard let client else { return completionHandler(nil) }
    client.urlSession(
      session, dataTask: dataTask, willCacheResponse: proposedResponse,
      completionHandler: completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    client?.urlSession(session, task: task, didCompleteWithError: error)
  }
}
