/// What a document consists of. Extensions are the same nodes as what they extend, marked
/// `isExtension`.
///
/// Spec: 2.2, "Document".
public enum Definition: Hashable, Sendable {
  case operation(OperationDefinition.ID)
  case fragment(FragmentDefinition.ID)
  case schema(SchemaDefinition.ID)
  case type(TypeDefinition.ID)
  case directive(DirectiveDefinition.ID)
}

extension Document {
  /// Where `definition` is in the text.
  public func span(of definition: Definition) -> SourceSpan {
    switch definition {
    case .operation(let id): self[id].span
    case .fragment(let id): self[id].span
    case .schema(let id): self[id].span
    case .type(let id): self[id].span
    case .directive(let id): self[id].span
    }
  }
}

extension Definition {
  /// Whether it can be executed: operations and fragments.
  public var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    case .schema, .type, .directive: false
    }
  }
}
