import GraphQLSyntax

extension Schema {
  /// Returns the changes from an earlier version of the schema to this one.
  ///
  /// 1. Pair the elements of both schemas by name: root types, types, directives, and then the
  ///    members of each pair.
  /// 2. An element of the old schema without a partner was removed; one of the new schema was
  ///    added.
  /// 3. Compare the properties of each pair: kind, type, default value, description, deprecation.
  ///
  /// A changed type is safe if it only narrows the values of a field, or only widens the accepted
  /// values of an argument or input field. An operation can be affected by a change if it uses the
  /// element that ``SchemaChange/coordinate`` or ``SchemaChange/related`` identifies.
  /// - Parameter old: The earlier version. It need not share names with this schema.
  /// - Returns: The changes, first those of root types, then of types, then of directives.
  /// - Complexity: O(*n*) on average, where *n* is the size of both schemas.
  public func changes(since old: Schema) -> [SchemaChange] {
    var comparison = SchemaComparison(old: old, new: self)
    comparison.compareRoots()
    comparison.compareTypes()
    comparison.compareDirectives()
    return comparison.changes
  }
}

/// Compares two schemas by the spellings of their names.
///
/// Most elements have not changed. Therefore, names are compared as symbols of the new schema,
/// strings as written, and texts for reports are made only when there is a change.
struct SchemaComparison {
  let old: Schema
  let new: Schema
  private(set) var changes: [SchemaChange] = []
  private var pairing: NamePairing

  init(old: Schema, new: Schema) {
    self.old = old
    self.new = new
    pairing = NamePairing(counterparts: new.names.counterparts(of: old.names), in: new.names)
  }

  mutating func report(
    _ kind: SchemaChange.Kind, _ coordinate: String, _ message: String, related: String? = nil
  ) {
    changes.append(
      SchemaChange(kind: kind, coordinate: coordinate, message: message, related: related))
  }

  /// Pairs elements of both schemas, which are given with all elements of their kind.
  ///
  /// It takes the arrays because a closure that took a schema would copy it, with its many arrays,
  /// for each list.
  mutating func pair<Element: NamedElement>(
    _ oldElements: some Collection<NodeID<Element>>, of allOld: [Element],
    _ newElements: some Collection<NodeID<Element>>, of allNew: [Element]
  ) -> Pairs<NodeID<Element>, NodeID<Element>> {
    pairing.pair(
      oldElements, { allOld[$0.index].name }, newElements, { allNew[$0.index].name })
  }

  /// Returns whether a type of the old schema and one of the new schema have the same notation.
  func areEqual(_ oldType: ResolvedType, _ newType: ResolvedType) -> Bool {
    oldType.wrapping == newType.wrapping && isSameName(oldType, newType)
  }

  /// Returns whether the named types inside two types have the same name.
  func isSameName(_ oldType: ResolvedType, _ newType: ResolvedType) -> Bool {
    pairing.counterpart(of: old[oldType.namedType].name) == new[newType.namedType].name
  }
}

// MARK: - Types

extension SchemaComparison {
  mutating func compareRoots() {
    for kind in OperationKind.allCases {
      guard let type = old.rootType(kind) else { continue }
      let (name, newName) = (old.name(of: type), new.rootType(kind).map { new.name(of: $0) })
      guard name != newName, newName != nil || new.type(named: name) != nil else { continue }
      report(
        .rootTypeChanged, name,
        newName.map { "The \(kind) root type changed from \(name) to \($0)." }
          ?? "\(name) is no longer the \(kind) root type.")
    }
  }

  mutating func compareTypes() {
    let pairs = pair(
      old.introspectedTypes, of: old.types, new.introspectedTypes, of: new.types)
    for id in pairs.removed {
      let name = old.name(of: id)
      report(
        .typeRemoved, name,
        old[id].isBuiltIn
          ? "Standard scalar \(name) was removed because it is not referenced anymore."
          : "\(name) was removed.")
    }
    for id in pairs.added {
      let name = new.name(of: id)
      report(
        .typeAdded, name,
        new[id].isBuiltIn ? "Standard scalar \(name) was added." : "\(name) was added.")
    }
    for (oldType, newType) in pairs.kept where !new[newType].isBuiltIn {
      compare(oldType, newType)
    }
  }

  private mutating func compare(_ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID) {
    let name = new.name(of: newType)
    compareDescriptions(
      old.literal(describing: oldType), new.literal(describing: newType), of: name, called: name)
    let (oldKind, newKind) = (old[oldType].kind, new[newType].kind)
    guard oldKind == newKind else {
      return report(
        .typeChangedKind, name,
        "\(name) changed from \(oldKind.noun) to \(newKind.noun).")
    }
    switch oldKind {
    case .scalar: compareSpecifications(name, oldType, newType)
    case .object, .interface:
      compareFields(oldType, newType)
      compareInterfaces(name, oldType, newType)
    case .union: compareMembers(name, oldType, newType)
    case .enum: compareValues(oldType, newType)
    case .inputObject:
      compareOneOf(name, oldType, newType)
      compareInputFields(oldType, newType)
    }
  }

  /// Compares the `@oneOf` of two input objects.
  ///
  /// If `@oneOf` is removed, the input takes more values, so every operation and every value that
  /// it sends stay valid. The generated type changes, however, so the change is dangerous, like an
  /// added optional field in the reference implementation.
  private mutating func compareOneOf(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    guard old[oldType].isOneOf != new[newType].isOneOf else { return }
    if new[newType].isOneOf {
      report(.oneOfAdded, name, "\(name) became a OneOf input.")
    } else {
      report(.oneOfChanged, name, "\(name) is no OneOf input anymore.")
    }
  }

  /// Compares the URLs of the specifications of two scalars. Values that follow another
  /// specification can be read in another way.
  private mutating func compareSpecifications(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let (before, after) = (old.specifiedByURL(of: oldType), new.specifiedByURL(of: newType))
    guard before != after else { return }
    func quoted(_ url: String?) -> String { url.map { "\"\($0)\"" } ?? "none" }
    report(
      .specifiedByChanged, name,
      "The specification of \(name) changed from \(quoted(before)) to \(quoted(after)).")
  }

  private mutating func compareInterfaces(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = pair(\.interfaces, oldType, newType)
    for interface in pairs.removed.map({ old.name(of: $0.type) }) {
      report(
        .implementedInterfaceRemoved, name,
        "\(name) no longer implements interface \(interface).", related: interface)
    }
    for interface in pairs.added.map({ new.name(of: $0.type) }) {
      report(
        .implementedInterfaceAdded, name,
        "\(interface) added to interfaces implemented by \(name).")
    }
  }

  private mutating func compareMembers(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = pair(\.members, oldType, newType)
    for member in pairs.removed.map({ old.name(of: $0.type) }) {
      report(.typeRemovedFromUnion, name, "\(member) was removed from union type \(name).")
    }
    for member in pairs.added.map({ new.name(of: $0.type) }) {
      report(.typeAddedToUnion, name, "\(member) was added to union type \(name).")
    }
  }

  private mutating func pair(
    _ mentions: KeyPath<Schema.NamedType, NodeList<Schema.TypeMention>>,
    _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) -> Pairs<Schema.TypeMention, Schema.TypeMention> {
    let (oldTypes, newTypes) = (old.types, new.types)
    return pairing.pair(
      old[old[oldType][keyPath: mentions]], { oldTypes[$0.type.index].name },
      new[new[newType][keyPath: mentions]], { newTypes[$0.type.index].name })
  }

  private mutating func compareValues(
    _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = pair(
      old[oldType].enumValues, of: old.enumValues, new[newType].enumValues, of: new.enumValues)
    for value in pairs.removed {
      let coordinate = old.coordinate(of: value)
      report(.valueRemovedFromEnum, coordinate, "Enum value \(coordinate) was removed.")
    }
    for value in pairs.added {
      let coordinate = new.coordinate(of: value)
      report(.valueAddedToEnum, coordinate, "Enum value \(coordinate) was added.")
    }
    for (oldValue, newValue) in pairs.kept {
      compare(oldValue, newValue)
    }
  }

  private mutating func compare(
    _ oldValue: Schema.EnumValue.ID, _ newValue: Schema.EnumValue.ID
  ) {
    let descriptions = (old.literal(describing: oldValue), new.literal(describing: newValue))
    if !areEqual(descriptions.0, descriptions.1) {
      let coordinate = new.coordinate(of: newValue)
      compareDescriptions(
        descriptions.0, descriptions.1, of: coordinate, called: "enum value \(coordinate)")
    }
    if old[oldValue].isDeprecated || new[newValue].isDeprecated {
      compareDeprecations(
        old.deprecationReason(in: old.directives(of: oldValue)),
        new.deprecationReason(in: new.directives(of: newValue)), of: new.coordinate(of: newValue))
    }
  }
}

extension TypeKind {
  /// The name of the kind with an article, as in `an Object type`.
  fileprivate var noun: String {
    switch self {
    case .scalar: "a Scalar type"
    case .object: "an Object type"
    case .interface: "an Interface type"
    case .union: "a Union type"
    case .enum: "an Enum type"
    case .inputObject: "an Input type"
    }
  }
}
