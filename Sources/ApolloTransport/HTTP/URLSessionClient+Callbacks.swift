internal import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The calls with a callback, as in Apollo iOS 0.27 to 1.x.
///
/// ```swift
/// let client = URLSessionClient(callbackQueue: nil)
/// let task = client.sendRequest(URLRequest(url: url)) { result in
///   print((try? result.get())?.1.statusCode ?? 0)
/// }
/// // later:
/// client.cancel(task: task)
/// ```
///
/// They send requests through ``URLSessionClient/response(to:)``, with its limits, its rules for
/// redirects and its hooks. Transports call that method as well, so a subclass that changes every
/// request overrides it.
extension URLSessionClient {
  /// A closure that receives the parts of a response as they came.
  public typealias RawCompletion =
    @Sendable (_ data: Data?, _ response: HTTPURLResponse?, _ error: (any Error)?) -> Void

  /// A closure that receives the body and the head of a response, or the reason of a failure.
  public typealias Completion =
    @Sendable (_ result: Result<(Data, HTTPURLResponse), any Error>) -> Void
}

/// One call of ``URLSessionClient/sendRequest(_:rawTaskCompletionHandler:completion:)``.
struct SessionCall: Sendable {
  var work: Task<Void, Never>
  var rawCompletion: URLSessionClient.RawCompletion?
  var completion: URLSessionClient.Completion
}

/// A task that was made before its request is sent, so that the caller has a reference to it.
final class PreparedSessionTask: Sendable {
  @TaskLocal static var current: PreparedSessionTask?

  private let request: URLRequest
  private let task: Lock<URLSessionDataTask?>

  init(_ task: URLSessionDataTask, for request: URLRequest) {
    self.request = request
    self.task = Lock(task)
  }

  /// Returns the task, once, if it is one for `request`.
  func take(for request: URLRequest) -> URLSessionDataTask? {
    request == self.request ? task.exchange(nil) : nil
  }

  /// Cancels a task that no request has used.
  func discard() { task.exchange(nil)?.cancel() }
}

extension URLSessionClient {
  func startCall(
    _ request: URLRequest, _ task: URLSessionDataTask, _ rawCompletion: RawCompletion?,
    _ completion: @escaping Completion
  ) {
    let identifier = task.taskIdentifier
    let prepared = PreparedSessionTask(task, for: request)
    calls.withLock { calls in
      let work = Task {
        let result: Result<(Data, HTTPURLResponse), any Error>
        do {
          result = .success(try await self.wholeResponse(to: request, prepared))
        } catch {
          result = .failure(error)
        }
        prepared.discard()
        self.endCall(identifier, result)
      }
      calls[identifier] = SessionCall(
        work: work, rawCompletion: rawCompletion, completion: completion)
    }
  }

  private func wholeResponse(
    to request: URLRequest, _ prepared: PreparedSessionTask
  ) async throws -> (Data, HTTPURLResponse) {
    let response = try await PreparedSessionTask.$current.withValue(prepared) {
      try await self.response(to: request)
    }
    return (try await response.body(), response.response)
  }

  /// Delivers a result, unless the call was cancelled or cleared. The call ends on the queue of its
  /// callback, where the result may wait for a long time.
  private func endCall(
    _ identifier: Int, _ result: Result<(Data, HTTPURLResponse), any Error>
  ) {
    report(result, to: calls.withLock { $0[identifier]?.rawCompletion })
    onCallbackQueue {
      let ended = self.calls.withLock { $0.removeValue(forKey: identifier) }
      ended?.completion(result)
    }
  }

  func deliver(
    _ result: Result<(Data, HTTPURLResponse), any Error>, _ rawCompletion: RawCompletion?,
    _ completion: @escaping Completion
  ) {
    report(result, to: rawCompletion)
    onCallbackQueue { completion(result) }
  }

  private func report(
    _ result: Result<(Data, HTTPURLResponse), any Error>, to rawCompletion: RawCompletion?
  ) {
    switch result {
    case .success((let body, let head)): rawCompletion?(body, head, nil)
    case .failure(let error): rawCompletion?(nil, nil, error)
    }
  }

  private func onCallbackQueue(_ work: @escaping @Sendable () -> Void) {
    guard let callbackQueue else { return work() }
    callbackQueue.addOperation(work)
  }
}
