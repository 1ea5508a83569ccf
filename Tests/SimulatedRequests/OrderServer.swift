package import Apollo
package import ApolloAPI
package import ApolloTransport
import Foundation
import TestOperations

/// A server whose responses a test sends part by part, in any order.
///
/// Isolation: `state` is guarded by a lock.
package final class OrderServer: SubscriptionNetworkTransport, InterceptingNetworkTransport {
  /// One request that has arrived.
  package struct Call: Sendable {
    package let request: OperationRequest
    /// The responses that were not read.
    fileprivate let unread: Lock<[NetworkResponse]>
    fileprivate let arrivals: AsyncThrowingStream<Void, any Error>.Continuation
    package let hasEnded: Lock<Bool>

    package var operation: any GraphQLOperation { request.operation }

    /// Sends a body that is not the last one.
    package func send(_ body: String) {
      var response = NetworkResponse(body: Data(body.utf8))
      response.sent = request.facts.sent?.noteEvent()
      add(response)
    }

    /// Sends a body whose lists may lack elements.
    package func sendPart(_ body: String) {
      var response = NetworkResponse(body: Data(body.utf8))
      response.isPartial = true
      add(response)
    }

    private func add(_ response: NetworkResponse) {
      unread.withLock { $0.append(response) }
      arrivals.yield()
    }

    /// Ends the responses, after a last body if there is one.
    package func end(_ body: String? = nil) {
      if let body { send(body) }
      arrivals.finish()
    }

    package func fail(_ error: any Error) { arrivals.finish(throwing: error) }
  }

  private struct State {
    var calls: [Call] = []
    var arrivals: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }
  private let state = Lock(State())
  private let interceptors: (any InterceptorProvider)?

  package init(interceptors: (any InterceptorProvider)? = nil) { self.interceptors = interceptors }

  package func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    interceptors
  }

  /// The requests so far, in order.
  package var calls: [Call] { state.withLock { $0.calls } }

  /// Returns the request with this number, counted from 0, when it has arrived.
  package func call(_ number: Int) async -> Call {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if state.calls.count <= number { state.arrivals.append((number, continuation)) }
        return state.calls.count > number
      }
      if hasArrived { continuation.resume() }
    }
    return calls[number]
  }

  package func responses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses { [self] in
      var call: (unread: Lock<[NetworkResponse]>, iterator: Arrivals.Iterator)?
      return { [self] in
        if call == nil {
          let (arrivals, unread) = begin(request)
          call = (unread, arrivals.makeAsyncIterator())
        }
        guard try await call?.iterator.next() != nil else { return nil }
        return call?.unread.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      }
    }
  }

  package func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let (arrivals, unread) = begin(request)
    for try await _ in arrivals {}
    guard let last = unread.withLock({ $0.popLast() }) else { throw CancellationError() }
    return last
  }

  private typealias Arrivals = AsyncThrowingStream<Void, any Error>

  private func begin(
    _ request: OperationRequest
  ) -> (Arrivals, unread: Lock<[NetworkResponse]>) {
    let (stream, continuation) = Arrivals.makeStream()
    let (hasEnded, unread) = (Lock(false), Lock<[NetworkResponse]>([]))
    continuation.onTermination = { end in
      hasEnded.withLock { $0 = true }
      // Nobody reads the rest.
      if case .cancelled = end { unread.withLock { $0 = [] } }
    }
    let call = Call(
      request: request, unread: unread, arrivals: continuation, hasEnded: hasEnded)
    let arrived = state.withLock { state in
      state.calls.append(call)
      defer { state.arrivals.removeAll { $0.count < state.calls.count } }
      return state.arrivals.filter { $0.count < state.calls.count }
    }
    for arrival in arrived { arrival.1.resume() }
    return (stream, unread)
  }
}

/// The bodies of responses.
package enum HeroBody {
  package static func hero(_ name: String, friends: String = "null") -> String {
    #"{"data":{"hero":\#(object("1", name, #","friends":\#(friends)"#))}}"#
  }

  package static func rename(_ name: String, id: String = "1") -> String {
    #"{"data":{"rename":\#(object(id, name))}}"#
  }

  package static func event(_ name: String, id: String = "1") -> String {
    #"{"data":{"heroChanged":\#(object(id, name))}}"#
  }

  /// The first part of a deferred response.
  package static func part(_ name: String) -> String {
    #"{"data":{"hero":\#(object("1", name))}}"#
  }

  package static func object(_ id: String, _ name: String, _ rest: String = "") -> String {
    #"{"__typename":"Hero","id":"\#(id)","name":"\#(name)"\#(rest)}"#
  }
}
