import ApolloAPI

/// The task-local values of one request: those of its client, and the query that may share it.
///
/// Code of the program that runs around the request, such as an interceptor that refreshes a token
/// or a delegate, may send requests of its own, for which they are not meant.
struct RequestLocals: Sendable {
  private let sharing = ExchangeSharing.current
  private let client = ClientLocals()

  /// Runs code of the program, whose own requests have none of the values.
  func hidden<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard sharing != nil else { return try await client.hidden(body) }
    return try await ExchangeSharing.$current.withValue(nil) { try await client.hidden(body) }
  }

  /// Runs code of the program that does not wait. The tasks that it starts have none of the values.
  func hidden<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard sharing != nil else { return try client.hidden(body) }
    return try ExchangeSharing.$current.withValue(nil) { try client.hidden(body) }
  }

  /// Sends the request with its values.
  func restored<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard sharing != nil else { return try await client.restored(body) }
    return try await ExchangeSharing.$current.withValue(sharing) {
      try await client.restored(body)
    }
  }
}
