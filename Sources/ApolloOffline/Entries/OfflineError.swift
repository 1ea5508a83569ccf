public import protocol Foundation.LocalizedError

/// A failure of the queue itself.
public struct OfflineError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The kind of a failure. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The client has no queue.
    public static let noQueue = Code(description: "noQueue")
    /// The type of the mutation, its handler, its merge or its updater is not registered.
    public static let notRegistered = Code(description: "notRegistered")
    /// The queue has reached one of its limits.
    public static let full = Code(description: "full")
    /// No session has begun.
    public static let noSession = Code(description: "noSession")
    /// A temporary identifier belongs to another mutation.
    public static let identifierInUse = Code(description: "identifierInUse")
    /// No variable of the mutation can carry its key.
    public static let noPlaceForKey = Code(description: "noPlaceForKey")
    /// The mutation has left the queue without a response.
    public static let ended = Code(description: "ended")
    /// The file belongs to another program, or to a later version of this library.
    public static let foreignFile = Code(description: "foreignFile")
  }

  /// The kind.
  public let code: Code
  /// The problem and what to do about it.
  public let description: String

  /// The same as ``description``.
  public var errorDescription: String? { description }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension OfflineError {
  /// The session of a call has ended before the mutation was in the file.
  static let sessionHasEnded = OfflineError(
    .noSession,
    "No session has begun, or the session of the call has ended. Call 'beginSession(_:)' after the login."
  )

  /// A mutation that has left the queue without a response.
  init(_ ending: OfflineEnding) {
    let reason =
      switch ending {
      case .performed: "The mutation was performed"
      case .assumed: "The mutation was taken for performed"
      case .dropped: "The mutation was dropped"
      case .superseded: "A later change has taken the place of the mutation"
      case .sessionEnded: "The session of the mutation has ended"
      }
    self.init(.ended, "\(reason), so it has no response.")
  }
}
