/// The form in which a server may respond to an operation.
public protocol OperationResponseFormat: Sendable {}

/// One response with all data.
public enum SingleResponseFormat: OperationResponseFormat {}

/// A response in parts: first all data that is not deferred, then the deferred fragments
/// (`@defer`).
public enum IncrementalDeferredResponseFormat: OperationResponseFormat {}

extension GraphQLOperation {
  /// `true` if a part of the data may arrive later than the rest.
  public static var hasDeferredFragments: Bool {
    ResponseFormat.self == IncrementalDeferredResponseFormat.self
  }
}
