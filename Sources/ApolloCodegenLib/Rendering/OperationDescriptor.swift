/// The facts of an operation from which its identifier is computed.
///
/// ```swift
/// let generator = Generator(configuration, rootFolder: folder) { operation in
///   "\(operation.name)-v2"
/// }
/// ```
public struct OperationDescriptor: Hashable, Sendable {
  /// The kind of an operation.
  public enum Kind: String, Hashable, Sendable {
    /// An operation that reads data.
    case query
    /// An operation that changes data.
    case mutation
    /// An operation that subscribes to a stream of events.
    case subscription
  }

  /// The name in the document.
  public let name: String
  /// The kind of the operation.
  public let kind: Kind
  /// The text that is sent: the operation, then the fragments that it uses sorted by name, each on
  /// its own line.
  public let document: String
}

/// Computes the identifier of an operation, for servers whose identifiers are not the SHA-256 of
/// the operation's text.
///
/// An operation must have the same identifier each time.
public typealias OperationIdentifierProvider = @Sendable (OperationDescriptor) -> String
