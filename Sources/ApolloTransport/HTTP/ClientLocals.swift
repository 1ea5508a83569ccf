/// The task-local values of one request that are meant for its client.
///
/// They reach it through clients of the program that wrap it. Other code of the program that runs
/// around the request, such as a hook of the client that gets a token, may send requests of its
/// own, for which they are not meant.
struct ClientLocals: Sendable {
  private let progress = UploadProgressReporter.current
  private let isEndless = TransferLimits.areForEndlessResponse
  private let connectionWait = TransferLimits.connectionWait
  private let needsNewConnection = TransferLimits.needsNewConnection
  private let allowedSilence = TransferLimits.allowedSilence

  private var isEmpty: Bool {
    progress == nil && !isEndless && connectionWait == nil && !needsNewConnection
      && allowedSilence == nil
  }

  /// Runs code of the program, whose own requests have none of the values.
  func hidden<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await isEmpty ? body() : Self.with(nil, body)
  }

  /// Runs code of the program that does not wait. The tasks that it starts have none of the values.
  func hidden<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard !isEmpty else { return try body() }
    return try UploadProgressReporter.$current.withValue(nil) {
      try TransferLimits.$areForEndlessResponse.withValue(false) {
        try TransferLimits.$connectionWait.withValue(nil) {
          try TransferLimits.$needsNewConnection.withValue(false) {
            try TransferLimits.$allowedSilence.withValue(nil, operation: body)
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
    _ locals: ClientLocals?, _ body: () async throws -> Result
  ) async throws -> Result {
    try await UploadProgressReporter.$current.withValue(locals?.progress) {
      try await TransferLimits.$areForEndlessResponse.withValue(locals?.isEndless ?? false) {
        try await TransferLimits.$connectionWait.withValue(locals?.connectionWait) {
          try await TransferLimits.$needsNewConnection.withValue(
            locals?.needsNewConnection ?? false
          ) {
            try await TransferLimits.$allowedSilence.withValue(
              locals?.allowedSilence, operation: body)
          }
        }
      }
    }
  }
}
