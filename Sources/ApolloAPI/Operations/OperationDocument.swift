/// The document of an operation in a request: its text, its identifier, or both.
public struct OperationDocument: Sendable {
  /// The SHA-256 of the text, for servers that know operations by identifier.
  public let operationIdentifier: String?
  /// The text; `nil` to send only the identifier.
  public let definition: OperationDefinition?

  /// Creates a document from an identifier, a definition, or both.
  public init(operationIdentifier: String? = nil, definition: OperationDefinition? = nil) {
    precondition(
      operationIdentifier != nil || definition != nil,
      "An operation document needs an identifier or a definition")
    self.operationIdentifier = operationIdentifier
    self.definition = definition
  }
}

/// The text of an operation and the fragments that it uses.
public struct OperationDefinition: Sendable {
  /// The operation's own text.
  public let operationDefinition: String
  /// Every fragment that it uses, directly or not, in the order of their texts.
  public let fragments: [any Fragment.Type]

  /// Creates a definition from its text and fragments.
  public init(_ operationDefinition: String, fragments: [any Fragment.Type] = []) {
    self.operationDefinition = operationDefinition
    self.fragments = fragments
  }

  /// The whole text: the operation, then each fragment on its own line.
  public var queryDocument: String {
    var text = operationDefinition
    for fragment in fragments { text += "\n" + fragment.fragmentDefinition }
    return text
  }
}
