/// What can be wrong with the use of a store, as opposed to what its cache throws.
public enum StoreError: Error, Hashable, Sendable {
  /// A transaction was begun from within a transaction on the same store, which would wait for
  /// itself.
  case reentrantTransaction
  /// A transaction was used after its body had returned.
  case transactionEnded
}

extension StoreError: CustomStringConvertible {
  /// What went wrong, and what to do.
  public var description: String {
    switch self {
    case .reentrantTransaction:
      "A transaction was begun inside a transaction on the same store. "
        + "Use the transaction that is already there."
    case .transactionEnded:
      "A transaction was used after its body had returned. Begin another one."
    }
  }
}
