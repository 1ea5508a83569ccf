/// How a server may answer an operation.
public protocol OperationResponseFormat: Sendable {}

/// All at once.
public enum SingleResponseFormat: OperationResponseFormat {}

/// In parts: first what is not deferred, then, fragment by fragment, what is (`@defer`).
public enum IncrementalDeferredResponseFormat: OperationResponseFormat {}

extension GraphQLOperation {
  /// Whether a part of the data may come later than the rest.
  public static var hasDeferredFragments: Bool {
    ResponseFormat.self == IncrementalDeferredResponseFormat.self
  }
}
