import ApolloAPI

/// The wait of a request for a connection, while all connections to its host are in use.
///
/// A client notes it, in any task and below any wrapper. The sender of the request, which limits
/// the time until the head of the response arrives, then names the cause of a call that ends there.
final class ConnectionWait: Sendable {
  private let handler: (@Sendable (NetworkError?) -> Void)?
  private let connectionCount = Lock(0)

  /// - Parameter handler: Receives the wait as an error, and `nil` at its end.
  init(handler: (@Sendable (NetworkError?) -> Void)?) { self.handler = handler }

  /// Notes that all of so many connections are in use.
  func begins(connectionCount: Int) { self.connectionCount.withLock { $0 = connectionCount } }

  /// Notes that the request has a connection.
  func ends() { connectionCount.withLock { $0 = 0 } }

  /// Calls the handler, which is code of the program.
  func report(_ error: NetworkError?) { handler?(error) }

  /// Runs the request. If it ends at its deadline while it waits, the error names the wait.
  func explaining<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as NetworkError {
      throw error.whileWaiting(forOneOf: connectionCount.withLock { $0 })
    }
  }
}
