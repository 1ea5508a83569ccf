/// A top-level definition of a document, or an extension.
///
/// An extension uses the same node as the definition it extends, with `isExtension` set.
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
  /// Returns the span of `definition`.
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
  /// A Boolean value that indicates whether the definition is an operation or a fragment.
  public var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    case .schema, .type, .directive: false
    }
  }
}
