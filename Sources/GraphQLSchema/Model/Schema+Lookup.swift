public import GraphQLSyntax

// MARK: - By name

extension Schema {
  /// The table that maps the schema's symbols to spellings.
  public var names: NameTable { document.names }

  /// The type named `name`.
  ///
  /// - Complexity: O(1).
  public func type(named name: Symbol) -> NamedType.ID? {
    guard name.index < typesBySymbol.count else { return nil }
    let type = typesBySymbol[name.index]
    return type == Self.noElement ? nil : NamedType.ID(rawValue: type)
  }

  /// The type named `name`.
  public func type(named name: String) -> NamedType.ID? {
    names.symbol(for: name).flatMap { type(named: $0) }
  }

  /// The directive named `name`, without `@`.
  ///
  /// - Complexity: O(1).
  public func directive(named name: Symbol) -> DirectiveDefinition.ID? {
    guard name.index < directivesBySymbol.count else { return nil }
    let directive = directivesBySymbol[name.index]
    return directive == Self.noElement ? nil : DirectiveDefinition.ID(rawValue: directive)
  }

  /// The field that a selection of `name` on `type` means, meta-fields included.
  ///
  /// `__typename` is a field of every object, interface and union; `__schema` and `__type` of the
  /// query root type.
  /// - Complexity: O(1) on average.
  public func field(_ name: Symbol, of type: NamedType.ID) -> Field.ID? {
    ownField(name, of: type) ?? metaField(name, of: type)
  }

  /// The field named `name` that an object or interface defines itself.
  ///
  /// - Complexity: O(1) on average.
  public func ownField(_ name: Symbol, of type: NamedType.ID) -> Field.ID? {
    guard types[type.index].kind.isComposite else { return nil }
    return members.position(of: name, in: type.rawValue).map { Field.ID(rawValue: UInt32($0)) }
  }

  private func metaField(_ name: Symbol, of type: NamedType.ID) -> Field.ID? {
    switch name {
    case .typename: types[type.index].kind.isComposite ? metaFields.typename : nil
    case .introspectionSchemaField: root(.query)?.type == type ? metaFields.schema : nil
    case .introspectionTypeField: root(.query)?.type == type ? metaFields.type : nil
    default: nil
    }
  }

  /// The field named `name` of an input object.
  ///
  /// - Complexity: O(1) on average.
  public func inputField(_ name: Symbol, of type: NamedType.ID) -> InputValue.ID? {
    guard types[type.index].kind == .inputObject else { return nil }
    return members.position(of: name, in: type.rawValue).map { InputValue.ID(rawValue: UInt32($0)) }
  }

  /// The value named `name` of an enum.
  ///
  /// - Complexity: O(1) on average.
  public func enumValue(_ name: Symbol, of type: NamedType.ID) -> EnumValue.ID? {
    guard types[type.index].kind == .enum else { return nil }
    return members.position(of: name, in: type.rawValue).map { EnumValue.ID(rawValue: UInt32($0)) }
  }

  /// The argument named `name` among `arguments` of a field or a directive.
  ///
  /// - Complexity: O(1) on average.
  public func argument(_ name: Symbol, in arguments: NodeList<InputValue>) -> InputValue.ID? {
    guard arguments.count > MemberTable.greatestScannedCount else {
      return arguments.first { inputValues[$0.index].name == name }
    }
    return members.position(of: name, in: MemberTable.owner(ofArgumentsAt: arguments))
      .map { InputValue.ID(rawValue: UInt32($0)) }
  }
}

// MARK: - Root operation types

extension Schema {
  /// The root type for operations of `kind`, if the schema has such operations.
  public func root(_ kind: OperationKind) -> RootOperation? { roots[Int(kind.rawValue)] }

  /// The type where operations of `kind` start, if the schema has such operations.
  public func rootType(_ kind: OperationKind) -> NamedType.ID? { root(kind)?.type }
}

// MARK: - Relations of types

extension Schema {
  /// The objects that a value of the abstract `type` can be, in the order of definition.
  ///
  /// Empty for types that are not abstract.
  public func possibleTypes(of type: NamedType.ID) -> ArraySlice<NamedType.ID> {
    possible.members(of: type)
  }

  /// Whether values of the abstract `type` can be of the object type `object`.
  ///
  /// - Complexity: O(1).
  public func isPossibleType(_ object: NamedType.ID, of type: NamedType.ID) -> Bool {
    possible.contains(object, in: type)
  }

  /// Whether every value of the composite type `type` is one of `supertype` as well.
  ///
  /// - Complexity: O(1) for objects, O(*n*) for interfaces that implement *n* interfaces.
  public func isSubtype(_ type: NamedType.ID, of supertype: NamedType.ID) -> Bool {
    if type == supertype { return true }
    if types[type.index].kind == .object { return possible.contains(type, in: supertype) }
    return mentions[types[type.index].interfaces.indices].contains { $0.type == supertype }
  }

  /// Whether every value of `type` is one of `supertype` as well, lists and non-nulls considered.
  ///
  /// Spec: 3.6, "Type Validation", `IsValidImplementationFieldType`.
  public func isSubtype(_ type: ResolvedType, of supertype: ResolvedType) -> Bool {
    var (type, supertype) = (type, supertype)
    while true {
      if supertype.isNonNull && !type.isNonNull { return false }
      switch (type.item, supertype.item) {
      case (let item?, let superitem?): (type, supertype) = (item, superitem)
      case (nil, nil): return isSubtype(type.namedType, of: supertype.namedType)
      default: return false
      }
    }
  }

  /// Whether an object can be of both composite types.
  ///
  /// Spec: 5.5.2.3, "Fragment Spread Is Possible".
  /// - Complexity: O(1) unless both are abstract; then O(*n*) in the possible types of the
  ///   narrower.
  public func doTypesOverlap(_ first: NamedType.ID, _ second: NamedType.ID) -> Bool {
    if first == second { return true }
    let areAbstract = (types[first.index].kind.isAbstract, types[second.index].kind.isAbstract)
    return switch areAbstract {
    case (true, true): possible.overlap(first, second)
    case (true, false): possible.contains(second, in: first)
    case (false, true): possible.contains(first, in: second)
    case (false, false): false
    }
  }

  /// Whether arguments and input fields can have `type`.
  public func isInput(_ type: ResolvedType) -> Bool { types[type.namedType.index].kind.isInput }
}

// MARK: - Resolving

extension Schema {
  /// The type that `reference` names, in a document that continues the schema's names.
  ///
  /// - Returns: Nil when the schema has no type of that name.
  public func resolve(_ reference: TypeReference) -> ResolvedType? {
    type(named: reference.name.symbol).map { ResolvedType($0, reference.wrapping) }
  }
}
