import ApolloAPI
import Apollo
import Foundation

/// A transport without a network. A closure returns the responses.
final class ScriptedTransport: NetworkTransport {
  private let responses: @Sendable (OperationRequest, Int) async throws -> String
  private let count = Lock(0)

  /// - Parameter responses: A closure that receives a request and the number of earlier ones, and
  ///   returns JSON text.
  init(_ responses: @escaping @Sendable (OperationRequest, Int) async throws -> String) {
    self.responses = responses
  }

  /// The number of requests so far.
  var requestCount: Int { count.get() }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let number = count.withLock { count in
      defer { count += 1 }
      return count
    }
    return NetworkResponse(body: Data(try await responses(request, number).utf8))
  }
}
