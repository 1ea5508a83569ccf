import ApolloAPI
package import ApolloWebSocket

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// A connector for tests, which decide on every attempt to connect.
///
/// ```swift
/// let connector = ScriptedConnector()
/// async let socket = connector.connect(to: request, subprotocols: ["graphql-transport-ws"])
/// let server = try await connector.nextAttempt().accept("graphql-transport-ws")
/// ```
package final class ScriptedConnector: WebSocketConnector {
  /// One call of ``connect(to:subprotocols:)`` that has not returned.
  package struct Attempt: Sendable {
    package let request: URLRequest
    package let subprotocols: [String]
    fileprivate let outcome: WaitingQueue<Result<ScriptedConnection, any Error>>

    /// Opens the connection and returns it.
    @discardableResult
    package func accept(_ subprotocol: String?) -> ScriptedConnection {
      let connection = ScriptedConnection(subprotocol: subprotocol)
      outcome.end(with: .success(connection))
      return connection
    }

    package func fail(_ error: any Error) { outcome.end(with: .failure(error)) }
  }

  private let attempts = WaitingQueue<Attempt>()
  private let count = Lock(0)

  package init() {}

  /// The number of calls of ``connect(to:subprotocols:)`` so far.
  package var attemptCount: Int { count.get() }

  /// The next attempt, when there is one.
  package func nextAttempt() async throws -> Attempt { try await attempts.next() }

  package func connect(
    to request: URLRequest, subprotocols: [String]
  ) async throws -> any WebSocketConnection {
    let attempt = Attempt(request: request, subprotocols: subprotocols, outcome: WaitingQueue())
    count.withLock { $0 += 1 }
    attempts.append(attempt)
    return try await attempt.outcome.next().get()
  }
}
