public import GraphQLSyntax

// MARK: - Spelling

extension Schema {
  /// Returns the spelling of `name`.
  public func spelling(_ name: Symbol) -> String { document.names[name] }

  /// Returns the name of `type`.
  public func name(of type: NamedType.ID) -> String { document.names[types[type.index].name] }

  /// Returns `type` in GraphQL notation: `[Character!]!`.
  public func spelling(_ type: ResolvedType) -> String {
    type.wrapping.description(of: name(of: type.namedType))
  }

  /// Returns the schema coordinate `Type.field`.
  ///
  /// Spec: 3.14, "Schema Coordinates".
  public func coordinate(of id: Field.ID) -> String {
    "\(name(of: self[id].owner)).\(spelling(self[id].name))"
  }

  /// Returns the schema coordinate `Type.field(argument:)`, `@directive(argument:)` or
  /// `InputObject.field`.
  public func coordinate(of id: InputValue.ID) -> String {
    let name = spelling(self[id].name)
    return switch self[id].owner {
    case .field(let field): "\(coordinate(of: field))(\(name):)"
    case .directive(let directive): "@\(spelling(self[directive].name))(\(name):)"
    case .inputObject(let type): "\(self.name(of: type)).\(name)"
    }
  }

  /// Returns the schema coordinate `Enum.VALUE`.
  public func coordinate(of id: EnumValue.ID) -> String {
    "\(name(of: self[id].owner)).\(spelling(self[id].name))"
  }
}

// MARK: - Default values and directives

extension Schema {
  /// Returns the default value of an argument or input field, or `nil` without one.
  public func defaultValue(of id: InputValue.ID) -> Value? {
    document[self[id].definition].defaultValue
  }

  /// Returns the directives applied to the definition of a type and then to its extensions.
  public func directives(of id: NamedType.ID) -> [Directive] {
    sites(of: id).flatMap { document[$0.directives] }
  }

  /// Returns the directives applied to a field.
  public func directives(of id: Field.ID) -> ArraySlice<Directive> {
    document[document[self[id].definition].directives]
  }

  /// Returns the directives applied to an argument or input field.
  public func directives(of id: InputValue.ID) -> ArraySlice<Directive> {
    document[document[self[id].definition].directives]
  }

  /// Returns the directives applied to an enum value.
  public func directives(of id: EnumValue.ID) -> ArraySlice<Directive> {
    document[document[self[id].definition].directives]
  }

  /// Returns the directives applied to the definition of a directive and then to its extensions.
  public func directives(of id: DirectiveDefinition.ID) -> [Directive] {
    ([self[id].definition] + self[id].extensions).flatMap { document[document[$0].directives] }
  }

  /// The directives applied to the schema definition and its extensions.
  public var appliedDirectives: [Directive] {
    schemaDefinitions.flatMap { document[document[$0].directives] }
  }
}

// MARK: - Definitions

extension Schema {
  /// Returns the definition of a type, followed by its extensions.
  public func sites(of id: NamedType.ID) -> [TypeDefinition] {
    let type = self[id]
    return [document[type.definition]]
      + extensions[type.extensions.indices].map { document[$0.definition] }
  }

  /// The types that are not built in.
  public var definedTypes: NodeList<NamedType> { list(builtIns.types, types.count) }
  /// The fields of types that are not built in.
  public var definedFields: NodeList<Field> { list(builtIns.fields, fields.count) }
  /// The arguments and input fields of elements that are not built in.
  public var definedInputValues: NodeList<InputValue> {
    list(builtIns.inputValues, inputValues.count)
  }
  /// The values of enums that are not built in.
  public var definedEnumValues: NodeList<EnumValue> { list(builtIns.enumValues, enumValues.count) }
  /// The directives that are not built in.
  public var definedDirectives: NodeList<DirectiveDefinition> {
    list(builtIns.directives, directives.count)
  }
  /// All directives in effect: the defined ones, then the built-in ones that no definition
  /// replaces.
  public var effectiveDirectives: [DirectiveDefinition.ID] {
    definedDirectives
      + list(0, builtIns.directives).filter { directive(named: self[$0].name) == $0 }
  }

  private func list<Element>(_ start: Int, _ end: Int) -> NodeList<Element> {
    NodeList(start: UInt32(start), end: UInt32(end))
  }
}
