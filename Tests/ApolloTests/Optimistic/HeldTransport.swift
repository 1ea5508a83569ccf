import Apollo
import ApolloAPI
import Foundation

/// A transport whose requests wait for a test to answer them, in any order.
final class HeldTransport: UploadingNetworkTransport, InterceptingNetworkTransport {
  private typealias Continuation = CheckedContinuation<String, any Error>

  private struct State {
    var requests: [Continuation?] = []
    var arrivals: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }
  private let state = Lock(State())
  private let interceptors: (any InterceptorProvider)?

  init(interceptors: (any InterceptorProvider)? = nil) {
    self.interceptors = interceptors
  }

  func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    interceptors
  }

  /// The number of requests so far.
  var requestCount: Int { state.withLock { $0.requests.count } }

  /// Returns when so many requests were sent.
  func untilSent(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isSent = state.withLock { state in
        if state.requests.count < count { state.arrivals.append((count, continuation)) }
        return state.requests.count >= count
      }
      if isSent { continuation.resume() }
    }
  }

  /// Responds to the request with this number, counted from 0.
  func respond(to number: Int, _ result: Result<String, any Error>) {
    take(number)?.resume(with: result)
  }

  private func take(_ number: Int) -> Continuation? {
    state.withLock { $0.requests[number].take() }
  }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let number = Lock<Int?>(nil)
    let text = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: Continuation) in
        let arrived = state.withLock { state in
          number.withLock { $0 = state.requests.count }
          state.requests.append(continuation)
          let arrived = state.arrivals.filter { $0.count <= state.requests.count }
          state.arrivals.removeAll { $0.count <= state.requests.count }
          return arrived
        }
        for arrival in arrived { arrival.1.resume() }
        if Task.isCancelled { cancel(number.get()) }
      }
    } onCancel: {
      cancel(number.get())
    }
    return NetworkResponse(body: Data(text.utf8))
  }

  func upload(_ request: OperationRequest, files: [GraphQLFile]) async throws -> NetworkResponse {
    try await send(request)
  }

  private func cancel(_ number: Int?) {
    if let number { take(number)?.resume(throwing: CancellationError()) }
  }
}

extension HeldTransport {
  /// Responds to the mutation with this number.
  func rename(_ number: Int, to name: String) {
    respond(
      to: number,
      .success(#"{"data":{"rename":{"__typename":"Hero","id":"1","name":"\#(name)"}}}"#))
  }

  /// Responds to the query with this number.
  func hero(_ number: Int, named name: String) {
    respond(
      to: number,
      .success(
        #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"\#(name)","friends":null}}}"#))
  }
}
