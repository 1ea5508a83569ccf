import GraphQLSyntax

extension Schema {
  /// How this schema differs from an earlier one.
  ///
  /// The schemas need not share names. Operations are affected by a change when they use what its
  /// ``SchemaChange/coordinate`` names.
  ///
  /// - Complexity: O(*n*) on average, in the size of both schemas.
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

  mutating func report(_ kind: SchemaChange.Kind, _ coordinate: String, _ message: String) {
    changes.append(SchemaChange(kind: kind, coordinate: coordinate, message: message))
  }
}

/// The elements of two lists, paired by name.
///
/// `removed` are in the order of the old list, everything else in that of the new one.
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
        "\(name) no longer implements interface \(interface).")
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

// MARK: - Fields

extension SchemaComparison {
  private mutating func compareFields(
    _ type: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = Pairing(
      old[oldType].fields, by: { [old] in old.spelling(old[$0].name) },
      new[newType].fields, by: { [new] in new.spelling(new[$0].name) })
    for (field, _) in pairs.removed {
      report(.fieldRemoved, "\(type).\(field)", "Field \(type).\(field) was removed.")
    }
    for (field, _) in pairs.added {
      report(.fieldAdded, "\(type).\(field)", "Field \(type).\(field) was added.")
    }
    for (field, oldField, newField) in pairs.kept {
      compare("\(type).\(field)", oldField, newField)
    }
  }

  private mutating func compare(
    _ coordinate: String, _ oldField: Schema.Field.ID, _ newField: Schema.Field.ID
  ) {
    compareDescriptions(
      old.description(of: oldField), new.description(of: newField), of: coordinate,
      called: "field \(coordinate)")
    compareDeprecations(
      old.deprecationReason(in: old.directives(of: oldField)),
      new.deprecationReason(in: new.directives(of: newField)), of: coordinate)
    compareArguments(coordinate, old[oldField].arguments, new[newField].arguments)
    let (oldType, newType) = (old[oldField].type, new[newField].type)
    let (oldName, newName) = (old.spelling(oldType), new.spelling(newType))
    guard oldName != newName else { return }
    report(
      isSafeOutput(from: oldType, to: newType) ? .fieldChangedKindSafe : .fieldChangedKind,
      coordinate, "Field \(coordinate) changed type from \(oldName) to \(newName).")
  }

  private mutating func compareInputFields(
    _ type: String, _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = pair(old[oldType].inputFields, new[newType].inputFields)
    for (field, _) in pairs.removed {
      report(.fieldRemoved, "\(type).\(field)", "Field \(type).\(field) was removed.")
    }
    for (field, id) in pairs.added {
      let coordinate = "\(type).\(field)"
      if new[id].isRequired {
        report(.requiredInputFieldAdded, coordinate, "A required field \(coordinate) was added.")
      } else {
        report(.optionalInputFieldAdded, coordinate, "An optional field \(coordinate) was added.")
      }
    }
    for (field, oldField, newField) in pairs.kept {
      let coordinate = "\(type).\(field)"
      compareDescriptions(
        old.description(of: oldField), new.description(of: newField), of: coordinate,
        called: "input-field \(coordinate)")
      compareTypes(
        coordinate, oldField, newField, breaking: .fieldChangedKind, safe: .fieldChangedKindSafe,
        "Field \(coordinate) changed type")
      compareDefaults(
        coordinate, oldField, newField, changed: .inputFieldDefaultValueChanged,
        added: .inputFieldDefaultValueAdded)
    }
  }

  func pair(
    _ oldValues: NodeList<Schema.InputValue>, _ newValues: NodeList<Schema.InputValue>
  ) -> Pairing<Schema.InputValue.ID, Schema.InputValue.ID> {
    Pairing(
      oldValues, by: { old.spelling(old[$0].name) }, newValues, by: { new.spelling(new[$0].name) })
  }

  private mutating func compareArguments(
    _ field: String, _ oldArguments: NodeList<Schema.InputValue>,
    _ newArguments: NodeList<Schema.InputValue>
  ) {
    let pairs = pair(oldArguments, newArguments)
    for (name, _) in pairs.removed {
      let coordinate = "\(field)(\(name):)"
      report(.argumentRemoved, coordinate, "Argument \(coordinate) was removed.")
    }
    for (name, id) in pairs.added {
      let coordinate = "\(field)(\(name):)"
      if new[id].isRequired {
        report(.requiredArgumentAdded, coordinate, "A required argument \(coordinate) was added.")
      } else {
        report(.optionalArgumentAdded, coordinate, "An optional argument \(coordinate) was added.")
      }
    }
    for (name, oldArgument, newArgument) in pairs.kept {
      compareArguments("\(field)(\(name):)", oldArgument, newArgument)
    }
  }

  /// Compares two arguments of a field or a directive.
  mutating func compareArguments(
    _ coordinate: String, _ oldArgument: Schema.InputValue.ID, _ newArgument: Schema.InputValue.ID
  ) {
    compareTypes(
      coordinate, oldArgument, newArgument, breaking: .argumentChangedKind,
      safe: .argumentChangedKindSafe, "Argument \(coordinate) has changed type")
    compareDefaults(
      coordinate, oldArgument, newArgument, changed: .argumentDefaultValueChanged,
      added: .argumentDefaultValueAdded)
    compareDescriptions(
      old.description(of: oldArgument), new.description(of: newArgument), of: coordinate,
      called: "argument \(coordinate)")
  }
}

// MARK: - Types of values

extension SchemaComparison {
  private mutating func compareTypes(
    _ coordinate: String, _ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID,
    breaking: SchemaChange.Kind, safe: SchemaChange.Kind, _ subject: String
  ) {
    let (oldType, newType) = (old[oldValue].type, new[newValue].type)
    let (oldName, newName) = (old.spelling(oldType), new.spelling(newType))
    guard oldName != newName else { return }
    report(
      isSafeInput(from: oldType, to: newType) ? safe : breaking, coordinate,
      "\(subject) from \(oldName) to \(newName).")
  }

  /// Whether whoever could read the old type can read the new one.
  private func isSafeOutput(from oldType: ResolvedType, to newType: ResolvedType) -> Bool {
    if oldType.isNonNull && !newType.isNonNull { return false }
    switch (oldType.item, newType.item) {
    case (let oldItem?, let newItem?): return isSafeOutput(from: oldItem, to: newItem)
    case (nil, nil): return isSameName(oldType, newType)
    default: return false
    }
  }

  /// Whether whoever gave the old type gives the new one.
  private func isSafeInput(from oldType: ResolvedType, to newType: ResolvedType) -> Bool {
    if newType.isNonNull && !oldType.isNonNull { return false }
    switch (oldType.item, newType.item) {
    case (let oldItem?, let newItem?): return isSafeInput(from: oldItem, to: newItem)
    case (nil, nil): return isSameName(oldType, newType)
    default: return false
    }
  }

  private func isSameName(_ oldType: ResolvedType, _ newType: ResolvedType) -> Bool {
    old.name(of: oldType.namedType) == new.name(of: newType.namedType)
  }
}

// MARK: - Details

extension SchemaComparison {
  private mutating func compareDefaults(
    _ coordinate: String, _ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID,
    changed: SchemaChange.Kind, added: SchemaChange.Kind
  ) {
    let oldDefault = old.defaultValue(of: oldValue).map { old.canonicalText(of: $0) }
    let newDefault = new.defaultValue(of: newValue).map { new.canonicalText(of: $0) }
    switch (oldDefault, newDefault) {
    case (.some, nil): report(changed, coordinate, "\(coordinate) defaultValue was removed.")
    case (nil, let after?):
      report(added, coordinate, "\(coordinate) added a defaultValue \(after).")
    case (let before?, let after?) where before != after:
      report(
        changed, coordinate,
        "\(coordinate) has changed defaultValue from \(before) to \(after).")
    default: break
    }
  }

  mutating func compareDescriptions(
    _ before: String?, _ after: String?, of coordinate: String, called subject: String
  ) {
    guard before != after else { return }
    report(
      .descriptionChanged, coordinate,
      after.map { "Description of \(subject) has changed to \"\($0)\"." }
        ?? "Description of \(subject) was removed.")
  }

  private mutating func compareDeprecations(
    _ before: String?, _ after: String?, of coordinate: String
  ) {
    guard before != after else { return }
    report(
      .deprecationChanged, coordinate,
      after.map { "\(coordinate) is deprecated: \($0)" } ?? "\(coordinate) is no longer deprecated."
    )
  }
}

extension Schema {
  /// A constant with the fields of its objects in the order of their names.
  ///
  /// Recurses as deep as the parser lets values be nested.
  fileprivate func canonicalText(of value: Value) -> String {
    switch value.content {
    case .list(let items):
      return "[\(document[items].map { canonicalText(of: $0) }.joined(separator: ", "))]"
    case .object(let fields):
      let texts = document[fields].map {
        "\(spelling($0.name.symbol)): \(canonicalText(of: $0.value))"
      }
      return texts.isEmpty ? "{}" : "{ \(texts.sorted().joined(separator: ", ")) }"
    default: return document.printed(value)
    }
  }
}

extension TypeKind {
  /// `an Object type`.
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
