import ApolloAPI

/// The task-local values of one request.
///
/// They are meant to reach its client through clients of the program that wrap it. Other code of
/// the program that runs around the request, such as an interceptor that refreshes a token or a
/// delegate, may send requests of its own, for which they are not meant.
struct RequestLocals: Sendable {
  private let sharing = ExchangeSharing.current
  private let progress = UploadProgressReporter.current
  private let isEndless = TransferLimits.areForEndlessResponse
  private let connectionWait = TransferLimits.connectionWait
  private let needsNewConnection = TransferLimits.needsNewConnection

  private var isEmpty: Bool {
    sharing == nil && progress == nil && !isEndless && connectionWait == nil && !needsNewConnection
  }

  /// Runs code of the program, whose own requests have none of the values.
  func hidden<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await isEmpty ? body() : Self.with(nil, body)
  }

  /// Runs code of the program that does not wait. The tasks that it starts have none of the values.
  func hidden<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard !isEmpty else { return try body() }
    return try ExchangeSharing.$current.withValue(nil) {
      try UploadProgressReporter.$current.withValue(nil) {
        try TransferLimits.$areForEndlessResponse.withValue(false) {
          try TransferLimits.$connectionWait.withValue(nil) {
            try TransferLimits.$needsNewConnection.withValue(false, operation: body)
          }
        }
      }
    }
  }

  /// Sends the request with its values.
  func restored<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await isEmpty ? body() : Self.with(self, body)
  }

  private static func with<Result>(
    _ locals: RequestLocals?, _ body: () async throws -> Result
  ) async throws -> Result {
    try await ExchangeSharing.$current.withValue(locals?.sharing) {
      try await UploadProgressReporter.$current.withValue(locals?.progress) {
        try await TransferLimits.$areForEndlessResponse.withValue(locals?.isEndless ?? false) {
          try await TransferLimits.$connectionWait.withValue(locals?.connectionWait) {
            try await TransferLimits.$needsNewConnection.withValue(
              locals?.needsNewConnection ?? false, operation: body)
          }
        }
      }
    }
  }
}
