public import GraphQLSyntax

// MARK: - Descriptions

extension Schema {
  /// Returns the description of the type's definition, or `nil` without one.
  public func description(of id: NamedType.ID) -> String? {
    document.string(literal(describing: id))
  }

  /// Returns the description of the field, or `nil` without one.
  public func description(of id: Field.ID) -> String? {
    document.string(literal(describing: id))
  }

  /// Returns the description of the argument or input field, or `nil` without one.
  public func description(of id: InputValue.ID) -> String? {
    document.string(literal(describing: id))
  }

  /// Returns the description of the enum value, or `nil` without one.
  public func description(of id: EnumValue.ID) -> String? {
    document.string(literal(describing: id))
  }

  /// Returns the description of the directive, or `nil` without one.
  public func description(of id: DirectiveDefinition.ID) -> String? {
    document.string(literal(describing: id))
  }

  /// The description of the schema definition, or `nil` without one.
  public var description: String? { document.string(descriptionLiteral) }
}

// MARK: - Literals of descriptions

extension Schema {
  func literal(describing id: NamedType.ID) -> StringLiteral? {
    document[self[id].definition].description
  }

  func literal(describing id: Field.ID) -> StringLiteral? {
    document[self[id].definition].description
  }

  func literal(describing id: InputValue.ID) -> StringLiteral? {
    document[self[id].definition].description
  }

  func literal(describing id: EnumValue.ID) -> StringLiteral? {
    document[self[id].definition].description
  }

  func literal(describing id: DirectiveDefinition.ID) -> StringLiteral? {
    document[self[id].definition].description
  }

  /// The literal of the description of the schema definition, or `nil` without one.
  var descriptionLiteral: StringLiteral? {
    schemaDefinitions.lazy.compactMap { document[$0].description }.first
  }
}

// MARK: - Arguments of directives

extension Schema {
  /// Returns the reason for a deprecation, which is the `reason` of the first `@deprecated`.
  ///
  /// - Parameter directives: The directives of an element.
  /// - Returns: The reason, the default reason if the argument is missing, or `nil` if the element
  ///   is not deprecated.
  public func deprecationReason(in directives: some Sequence<Directive>) -> String? {
    guard let directive = directives.first(where: { $0.name.symbol == .deprecated }) else {
      return nil
    }
    return string(.reason, of: directive) ?? Self.defaultDeprecationReason
  }

  /// The default value of `@deprecated(reason:)`.
  public static let defaultDeprecationReason = "No longer supported"

  /// Returns the URL of a custom scalar's specification (`@specifiedBy`), or `nil` without one.
  public func specifiedByURL(of id: NamedType.ID) -> String? {
    directives(of: id).first { $0.name.symbol == .specifiedBy }.flatMap { string(.url, of: $0) }
  }

  /// Returns a string argument of an applied directive, or `nil` if it is missing or not a string.
  public func string(_ argument: Symbol, of directive: Directive) -> String? {
    let value = document[directive.arguments].first { $0.name.symbol == argument }?.value
    guard case .string(let literal) = value?.content else { return nil }
    return document.string(literal)
  }
}
