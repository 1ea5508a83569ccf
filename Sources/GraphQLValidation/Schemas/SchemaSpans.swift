import GraphQLSchema
import GraphQLSyntax

/// The spans that validity rules point at.
extension Schema {
  /// Returns the span of a field definition.
  func span(of id: Field.ID) -> SourceSpan { document[self[id].definition].span }
  /// Returns the span of an argument definition or input field.
  func span(of id: InputValue.ID) -> SourceSpan { document[self[id].definition].span }
  /// Returns the span of an enum value definition.
  func span(of id: EnumValue.ID) -> SourceSpan { document[self[id].definition].span }
  /// Returns the span of a directive definition.
  func span(of id: DirectiveDefinition.ID) -> SourceSpan { document[self[id].definition].span }
  /// Returns the span of a field's type.
  func typeSpan(of id: Field.ID) -> SourceSpan { document[self[id].definition].type.span }
  /// Returns the span of the type of an argument or input field.
  func typeSpan(of id: InputValue.ID) -> SourceSpan { document[self[id].definition].type.span }

  /// Returns the span of the first `@deprecated` in `directives`, or `nil` if there is none.
  func deprecationSpan(in directives: some Sequence<Directive>) -> SourceSpan? {
    directives.first { $0.name.symbol == .deprecated }?.span
  }

  /// Returns the spans of a type's definition and of its first extensions.
  func definitionSpans(of id: NamedType.ID) -> [Diagnostic.Note] {
    let type = self[id]
    let extensions = extensions[type.extensions.indices].prefix(Mentions.maximumSpanCount)
      .map { document[$0.definition] }
    return ([document[type.definition]] + extensions).map {
      Diagnostic.Note($0.isExtension ? "extended here" : "defined here", at: $0.span)
    }
  }
}
