public import GraphQLSyntax

// MARK: - By name

extension Schema {
  /// The table that maps the symbols of the schema to spellings.
  public var names: NameTable { document.names }

  /// Returns the type named `name`, or `nil` if there is none.
  ///
  /// - Complexity: O(1).
  public func type(named name: Symbol) -> NamedType.ID? {
    guard name.index < typesBySymbol.count else { return nil }
    let type = typesBySymbol[name.index]
    return type == Self.noElement ? nil : NamedType.ID(rawValue: type)
  }

  /// Returns the type named `name`, or `nil` if there is none.
  public func type(named name: String) -> NamedType.ID? {
    names.symbol(for: name).flatMap { type(named: $0) }
  }

  /// Returns the directive named `name`, without `@`, or `nil` if there is none.
  ///
  /// - Complexity: O(1).
  public func directive(named name: Symbol) -> DirectiveDefinition.ID? {
    guard name.index < directivesBySymbol.count else { return nil }
    let directive = directivesBySymbol[name.index]
    return directive == Self.noElement ? nil : DirectiveDefinition.ID(rawValue: directive)
  }

  /// Returns the field that the selection `name` refers to, or `nil` if there is none.
  ///
  /// In addition to its own fields, every composite type has `__typename`, and the query root type
  /// has `__schema` and `__type`.
  /// - Complexity: O(1) on average.
  public func field(_ name: Symbol, of type: NamedType.ID) -> Field.ID? {
    ownField(name, of: type) ?? metaField(name, of: type)
  }

  /// Returns the field named `name` that an object or interface defines, or `nil` if there is none.
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

  /// Returns the field named `name` of an input object, or `nil` if there is none.
  ///
  /// - Complexity: O(1) on average.
  public func inputField(_ name: Symbol, of type: NamedType.ID) -> InputValue.ID? {
    guard types[type.index].kind == .inputObject else { return nil }
    return members.position(of: name, in: type.rawValue).map { InputValue.ID(rawValue: UInt32($0)) }
  }

  /// Returns the value named `name` of an enum, or `nil` if there is none.
  ///
  /// - Complexity: O(1) on average.
  public func enumValue(_ name: Symbol, of type: NamedType.ID) -> EnumValue.ID? {
    guard types[type.index].kind == .enum else { return nil }
    return members.position(of: name, in: type.rawValue).map { EnumValue.ID(rawValue: UInt32($0)) }
  }

  /// Returns the argument named `name` of a field or a directive, or `nil` if there is none.
  ///
  /// - Complexity: O(1) on average.
  public func argument(_ name: Symbol, in arguments: NodeList<InputValue>) -> InputValue.ID? {
    guard arguments.count > MemberTable.maximumScannedCount else {
      return arguments.first { inputValues[$0.index].name == name }
    }
    return members.position(of: name, in: MemberTable.owner(ofArgumentsAt: arguments))
      .map { InputValue.ID(rawValue: UInt32($0)) }
  }
}

// MARK: - Root operation types

extension Schema {
  /// Returns the root operation type for `kind`, or `nil` if the schema does not support such
  /// operations.
  public func root(_ kind: OperationKind) -> RootOperation? { roots[Int(kind.rawValue)] }

  /// Returns the type from which operations of `kind` select, or `nil` if the schema does not
  /// support them.
  public func rootType(_ kind: OperationKind) -> NamedType.ID? { root(kind)?.type }
}

// MARK: - Relations of types

extension Schema {
  /// Returns the object types that values of the abstract `type` can have, in the order of
  /// definition.
  ///
  /// The result is empty for types that are not abstract.
  public func possibleTypes(of type: NamedType.ID) -> ArraySlice<NamedType.ID> {
    possible.members(of: type)
  }

  /// Returns whether values of the abstract `type` can have the object type `object`.
  ///
  /// - Complexity: O(1), or O(log *n*) in a sparse set of *n* possible types.
  public func isPossibleType(_ object: NamedType.ID, of type: NamedType.ID) -> Bool {
    possible.contains(object, in: type)
  }

  /// Returns whether every value of the composite type `type` is also a value of `supertype`.
  ///
  /// - Complexity: O(1) for objects, and O(*n*) for interfaces that implement *n* interfaces.
  public func isSubtype(_ type: NamedType.ID, of supertype: NamedType.ID) -> Bool {
    if type == supertype { return true }
    if types[type.index].kind == .object { return possible.contains(type, in: supertype) }
    return mentions[types[type.index].interfaces.indices].contains { $0.type == supertype }
  }

  /// Returns whether every value of `type` is also a value of `supertype`, including lists and
  /// non-null marks.
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

  /// Returns whether an object type belongs to both composite types.
  ///
  /// Spec: 5.5.2.3, "Fragment Spread Is Possible".
  /// - Complexity: O(1) unless both types are abstract, and then O(*n*), where *n* is the number of
  ///   possible types of the narrower one.
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

  /// Returns whether arguments and input fields can have `type`.
  public func isInput(_ type: ResolvedType) -> Bool { types[type.namedType.index].kind.isInput }
}

// MARK: - Resolving

extension Schema {
  /// Returns the type that `reference` names, in a document that continues the names of the schema.
  ///
  /// - Returns: The type, or `nil` if the schema does not define it.
  public func resolve(_ reference: TypeReference) -> ResolvedType? {
    type(named: reference.name.symbol).map { ResolvedType($0, reference.wrapping) }
  }
}
