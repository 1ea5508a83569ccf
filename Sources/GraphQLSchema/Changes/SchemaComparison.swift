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
struct SchemaComparison {
  let old: Schema
  let new: Schema
  private(set) var changes: [SchemaChange] = []

  init(old: Schema, new: Schema) {
    self.old = old
    self.new = new
  }

  mutating func report(
    _ kind: SchemaChange.Kind, _ coordinate: String, _ message: String, related: String? = nil
  ) {
    changes.append(
      SchemaChange(kind: kind, coordinate: coordinate, message: message, related: related))
  }
}

/// The elements of two lists, paired by name.
///
/// `removed` has the order of the old list; `added` and `kept` have that of the new list.
struct Pairing<Old, New> {
  var removed: [(name: String, element: Old)] = []
  var added: [(name: String, element: New)] = []
  var kept: [(name: String, old: Old, new: New)] = []

  init(
    _ old: some Sequence<Old>, by oldName: (Old) -> String, _ new: some Sequence<New>,
    by newName: (New) -> String
  ) {
    let oldElements = old.map { (name: oldName($0), element: $0) }
    let newElements = new.map { (name: newName($0), element: $0) }
    let known = Dictionary(oldElements.map { ($0.name, $0.element) }) { first, _ in first }
    for (name, element) in newElements {
      if let old = known[name] {
        kept.append((name, old, element))
      } else {
        added.append((name, element))
      }
    }
    let names = Set(newElements.map(\.name))
    removed = oldElements.filter { !names.contains($0.name) }
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
    let pairs = Pairing(
      old.introspectedTypes, by: { [old] in old.name(of: $0) },
      new.introspectedTypes, by: { [new] in new.name(of: $0) })
    for (name, id) in pairs.removed {
      report(
        .typeRemoved, name,
        old[id].isBuiltIn
          ? "Standard scalar \(name) was removed because it is not referenced anymore."
          : "\(name) was removed.")
    }
    for (name, id) in pairs.added {
      report(
        .typeAdded, name,
        new[id].isBuiltIn ? "Standard scalar \(name) was added." : "\(name) was added.")
    }
    for (name, oldType, newType) in pairs.kept where !new[newType].isBuiltIn {
      compare(name, oldType, newType)
    }
  }

  private mutating func compare(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    compareDescriptions(
      old.description(of: oldType), new.description(of: newType), of: name, called: name)
    let (oldKind, newKind) = (old[oldType].kind, new[newType].kind)
    guard oldKind == newKind else {
      return report(
        .typeChangedKind, name,
        "\(name) changed from \(oldKind.noun) to \(newKind.noun).")
    }
    switch oldKind {
    case .scalar: break
    case .object, .interface:
      compareFields(name, oldType, newType)
      compareInterfaces(name, oldType, newType)
    case .union: compareMembers(name, oldType, newType)
    case .enum: compareValues(name, oldType, newType)
    case .inputObject:
      compareOneOf(name, oldType, newType)
      compareInputFields(name, oldType, newType)
    }
  }

  private mutating func compareOneOf(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    guard old[oldType].isOneOf != new[newType].isOneOf else { return }
    report(
      .oneOfChanged, name,
      new[newType].isOneOf ? "\(name) became a OneOf input." : "\(name) is no OneOf input anymore.")
  }

  private mutating func compareInterfaces(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = pair(\.interfaces, oldType, newType)
    for (interface, _) in pairs.removed {
      report(
        .implementedInterfaceRemoved, name,
        "\(name) no longer implements interface \(interface).", related: interface)
    }
    for (interface, _) in pairs.added {
      report(
        .implementedInterfaceAdded, name,
        "\(interface) added to interfaces implemented by \(name).")
    }
  }

  private mutating func compareMembers(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = pair(\.members, oldType, newType)
    for (member, _) in pairs.removed {
      report(.typeRemovedFromUnion, name, "\(member) was removed from union type \(name).")
    }
    for (member, _) in pairs.added {
      report(.typeAddedToUnion, name, "\(member) was added to union type \(name).")
    }
  }

  private func pair(
    _ mentions: KeyPath<Schema.NamedType, NodeList<Schema.TypeMention>>,
    _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) -> Pairing<Schema.TypeMention, Schema.TypeMention> {
    Pairing(
      old[old[oldType][keyPath: mentions]], by: { old.name(of: $0.type) },
      new[new[newType][keyPath: mentions]], by: { new.name(of: $0.type) })
  }

  private mutating func compareValues(
    _ name: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = Pairing(
      old[oldType].enumValues, by: { [old] in old.spelling(old[$0].name) },
      new[newType].enumValues, by: { [new] in new.spelling(new[$0].name) })
    for (value, _) in pairs.removed {
      let coordinate = "\(name).\(value)"
      report(.valueRemovedFromEnum, coordinate, "Enum value \(coordinate) was removed.")
    }
    for (value, _) in pairs.added {
      let coordinate = "\(name).\(value)"
      report(.valueAddedToEnum, coordinate, "Enum value \(coordinate) was added.")
    }
    for (value, oldValue, newValue) in pairs.kept {
      let coordinate = "\(name).\(value)"
      compareDescriptions(
        old.description(of: oldValue), new.description(of: newValue), of: coordinate,
        called: "enum value \(coordinate)")
      compareDeprecations(
        old.deprecationReason(in: old.directives(of: oldValue)),
        new.deprecationReason(in: new.directives(of: newValue)), of: coordinate)
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
