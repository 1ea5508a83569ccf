public import protocol Foundation.LocalizedError

/// A wrong use of a store.
///
/// ```swift
/// do {
///   try await store.withinReadTransaction { _ in try await store.clearCache() }
/// } catch let error as StoreError where error.code == .reentrantTransaction {
///   print(error)
/// }
/// ```
///
/// What a cache throws is not a `StoreError`.
public struct StoreError: Error, Hashable, Sendable {
  /// The kind of mistake. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `transactionEnded`.
    public let description: String

    package init(description: String) { self.description = description }

    /// A transaction was started inside of a transaction on the same store. It would wait for
    /// itself.
    public static let reentrantTransaction = Code(description: "reentrantTransaction")
    /// A transaction was used after its body had returned.
    public static let transactionEnded = Code(description: "transactionEnded")
    /// A transaction reads synchronously from a cache that can only be read asynchronously.
    public static let requiresAsynchronousReading = Code(description: "requiresAsynchronousReading")
    /// The records of a cache that cannot list them were collected or trimmed.
    public static let requiresEnumeration = Code(description: "requiresEnumeration")
  }

  /// The kind of mistake.
  public let code: Code

  package init(_ code: Code) { self.code = code }

  package static let reentrantTransaction = StoreError(.reentrantTransaction)
  package static let transactionEnded = StoreError(.transactionEnded)
  package static let requiresEnumeration = StoreError(.requiresEnumeration)
  package static let requiresAsynchronousReading = StoreError(.requiresAsynchronousReading)
}

extension StoreError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and what to do about it.
  public var description: String {
    switch code {
    case .reentrantTransaction:
      "A transaction was started inside of a transaction on the same store. "
        + "Use the transaction that is already there."
    case .transactionEnded:
      "A transaction was used after its body had returned. Start another one."
    case .requiresAsynchronousReading:
      "The cache of this store can only be read asynchronously. "
        + "Read with 'load' instead of a transaction."
    case .requiresEnumeration:
      "The cache of this store cannot list its records. "
        + "Implement 'recordKeys()' of the cache to collect or trim them."
    default: "The store was used in a wrong way (\(code)). See its documentation."
    }
  }
}
