import GraphQLSyntax

/// Where things are that validity rules point at.
extension Schema {
  /// The whole definition of a field.
  func span(of id: Field.ID) -> SourceSpan { document[self[id].definition].span }
  /// The whole definition of an argument or input field.
  func span(of id: InputValue.ID) -> SourceSpan { document[self[id].definition].span }
  /// The whole definition of an enum value.
  func span(of id: EnumValue.ID) -> SourceSpan { document[self[id].definition].span }
  /// The whole definition of a directive.
  func span(of id: DirectiveDefinition.ID) -> SourceSpan { document[self[id].definition].span }
  /// The type of a field.
  func typeSpan(of id: Field.ID) -> SourceSpan { document[self[id].definition].type.span }
  /// The type of an argument or input field.
  func typeSpan(of id: InputValue.ID) -> SourceSpan { document[self[id].definition].type.span }

  /// The first `@deprecated` among `directives`.
  func deprecationSpan(in directives: some Sequence<Directive>) -> SourceSpan? {
    directives.first { $0.name.symbol == .deprecated }?.span
  }

  /// The definition of a type and its first extensions.
  func sitePlaces(of id: NamedType.ID) -> [Place] {
    let type = self[id]
    let extensions = extensions[type.extensions.indices].prefix(Mentions.greatestPlaceCount)
      .map { document[$0.definition] }
    return ([document[type.definition]] + extensions).map {
      Place($0.span, $0.isExtension ? "extended here" : "defined here")
    }
  }
}
