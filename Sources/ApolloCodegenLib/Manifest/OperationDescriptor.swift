/// What is known of an operation by who computes its identifier.
public struct OperationDescriptor: Hashable, Sendable {
  /// What an operation does.
  public enum Kind: String, Hashable, Sendable {
    /// It reads data.
    case query
    /// It changes data.
    case mutation
    /// It asks for a stream of events.
    case subscription
  }

  /// The name in the document.
  public let name: String
  /// What it does.
  public let kind: Kind
  /// The text that is sent: the operation, then the fragments that it needs by name, each on a line of its own.
  public let document: String
}

/// Computes the identifier of an operation, for servers that know operations by other identifiers than the SHA-256 of their text.
///
/// The same operation must have the same identifier each time.
public typealias OperationIdentifierProvider = @Sendable (OperationDescriptor) -> String
