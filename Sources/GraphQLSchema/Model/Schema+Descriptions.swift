public import GraphQLSyntax

// MARK: - Descriptions

extension Schema {
  /// The description of the type's definition.
  public func description(of id: NamedType.ID) -> String? {
    document[self[id].definition].description.map { document.string($0) }
  }

  /// The field's description.
  public func description(of id: Field.ID) -> String? {
    document[self[id].definition].description.map { document.string($0) }
  }

  /// The argument's or input field's description.
  public func description(of id: InputValue.ID) -> String? {
    document[self[id].definition].description.map { document.string($0) }
  }

  /// The enum value's description.
  public func description(of id: EnumValue.ID) -> String? {
    document[self[id].definition].description.map { document.string($0) }
  }

  /// The directive's description.
  public func description(of id: DirectiveDefinition.ID) -> String? {
    document[self[id].definition].description.map { document.string($0) }
  }

  /// The description of the schema definition.
  public var description: String? {
    schemaDefinitions.lazy.compactMap { document[$0].description }.first.map { document.string($0) }
  }
}

// MARK: - Arguments of directives

extension Schema {
  /// Why something is deprecated: the `reason` of the first `@deprecated` among `directives`.
  ///
  /// - Returns: Nil when nothing is deprecated; the directive's default reason when none is given.
  public func deprecationReason(in directives: some Sequence<Directive>) -> String? {
    guard let directive = directives.first(where: { $0.name.symbol == .deprecated }) else {
      return nil
    }
    return string(.reason, of: directive) ?? Self.defaultDeprecationReason
  }

  /// The default of `@deprecated(reason:)`.
  public static let defaultDeprecationReason = "No longer supported"

  /// The address of a custom scalar's specification (`@specifiedBy`).
  public func specifiedByURL(of id: NamedType.ID) -> String? {
    directives(of: id).first { $0.name.symbol == .specifiedBy }.flatMap { string(.url, of: $0) }
  }

  /// A string argument of an applied directive; nil when it is absent or not a string.
  public func string(_ argument: Symbol, of directive: Directive) -> String? {
    let value = document[directive.arguments].first { $0.name.symbol == argument }?.value
    guard case .string(let literal) = value?.content else { return nil }
    return document.string(literal)
  }
}
