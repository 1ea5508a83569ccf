import ApolloAPI
import Apollo
import Foundation

/// A transport without a network: a closure answers.
final class ScriptedTransport: NetworkTransport {
  private let answers: @Sendable (OperationRequest, Int) async throws -> String
  private let count = Lock(0)

  /// - Parameter answers: Takes the request and how many there were before it, and returns JSON text.
  init(_ answers: @escaping @Sendable (OperationRequest, Int) async throws -> String) {
    self.answers = answers
  }

  /// How many requests there were.
  var requestCount: Int { count.get() }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let number = count.withLock { count in
      defer { count += 1 }
      return count
    }
    return NetworkResponse(body: Data(try await answers(request, number).utf8))
  }
}
