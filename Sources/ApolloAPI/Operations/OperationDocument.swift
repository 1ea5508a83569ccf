/// What is sent to the server to name an operation: its text, its identifier, or both.
public struct OperationDocument: Sendable {
  /// The SHA-256 of the text, when the server knows operations by identifier.
  public let operationIdentifier: String?
  /// The text, unless only the identifier is to be sent.
  public let definition: OperationDefinition?

  /// A document from an identifier, a definition, or both.
  public init(operationIdentifier: String? = nil, definition: OperationDefinition? = nil) {
    precondition(
      operationIdentifier != nil || definition != nil,
      "An operation document needs an identifier or a definition")
    self.operationIdentifier = operationIdentifier
    self.definition = definition
  }
}

/// The text of an operation and the fragments it needs.
public struct OperationDefinition: Sendable {
  /// The operation's own text.
  public let operationDefinition: String
  /// Every fragment that it uses, directly or not, in the order their texts are sent.
  public let fragments: [any Fragment.Type]

  /// A definition from its text and fragments.
  public init(_ operationDefinition: String, fragments: [any Fragment.Type] = []) {
    self.operationDefinition = operationDefinition
    self.fragments = fragments
  }

  /// The whole text: the operation, then each fragment on a line of its own.
  public var queryDocument: String {
    var text = operationDefinition
    for fragment in fragments { text += "\n" + fragment.fragmentDefinition }
    return text
  }
}
