import ApolloAPI

/// The task-local values of one request.
///
/// They reach its client through clients that wrap it. Code of the program that runs around the
/// request, such as an interceptor that refreshes a token, may send requests of its own, for which
/// they are not meant.
struct RequestLocals: Sendable {
  private let sharing = ExchangeSharing.current
  private let progress = UploadProgressReporter.current
  private let isEndless = TransferLimits.areForEndlessResponse
  private let waitReporter = TransferLimits.waitReporter
  private let needsNewConnection = TransferLimits.needsNewConnection

  private var isEmpty: Bool {
    sharing == nil && progress == nil && !isEndless && waitReporter == nil && !needsNewConnection
  }

  /// Runs code of the program, whose own requests have none of the values.
  func hidden<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await isEmpty ? body() : Self.with(nil, body)
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
          try await TransferLimits.$waitReporter.withValue(locals?.waitReporter) {
            try await TransferLimits.$needsNewConnection.withValue(
              locals?.needsNewConnection ?? false, operation: body)
          }
        }
      }
    }
  }
}
