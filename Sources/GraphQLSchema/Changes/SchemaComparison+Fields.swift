import GraphQLSyntax

extension SchemaComparison {
  mutating func compareFields(_ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID) {
    let pairs = pair(old[oldType].fields, of: old.fields, new[newType].fields, of: new.fields)
    for coordinate in pairs.removed.map({ old.coordinate(of: $0) }) {
      report(.fieldRemoved, coordinate, "Field \(coordinate) was removed.")
    }
    for coordinate in pairs.added.map({ new.coordinate(of: $0) }) {
      report(.fieldAdded, coordinate, "Field \(coordinate) was added.")
    }
    for (oldField, newField) in pairs.kept { compare(oldField, newField) }
  }

  private mutating func compare(_ oldField: Schema.Field.ID, _ newField: Schema.Field.ID) {
    let descriptions = (old.literal(describing: oldField), new.literal(describing: newField))
    if !areEqual(descriptions.0, descriptions.1) {
      let coordinate = new.coordinate(of: newField)
      compareDescriptions(
        descriptions.0, descriptions.1, of: coordinate, called: "field \(coordinate)")
    }
    if old[oldField].isDeprecated || new[newField].isDeprecated {
      compareDeprecations(
        old.deprecationReason(in: old.directives(of: oldField)),
        new.deprecationReason(in: new.directives(of: newField)), of: new.coordinate(of: newField))
    }
    compareArguments(old[oldField].arguments, new[newField].arguments)
    let (oldType, newType) = (old[oldField].type, new[newField].type)
    guard !areEqual(oldType, newType) else { return }
    let coordinate = new.coordinate(of: newField)
    report(
      isSafeOutput(from: oldType, to: newType) ? .fieldChangedKindSafe : .fieldChangedKind,
      coordinate,
      "Field \(coordinate) changed type from \(old.spelling(oldType)) to \(new.spelling(newType)).")
  }

  mutating func compareInputFields(
    _ oldType: Schema.NamedType.ID, _ newType: Schema.NamedType.ID
  ) {
    let pairs = pair(old[oldType].inputFields, new[newType].inputFields)
    for coordinate in pairs.removed.map({ old.coordinate(of: $0) }) {
      report(.fieldRemoved, coordinate, "Field \(coordinate) was removed.")
    }
    for id in pairs.added {
      let coordinate = new.coordinate(of: id)
      if new[id].isRequired {
        report(.requiredInputFieldAdded, coordinate, "A required field \(coordinate) was added.")
      } else {
        report(.optionalInputFieldAdded, coordinate, "An optional field \(coordinate) was added.")
      }
    }
    for (oldField, newField) in pairs.kept where !areEqual(oldField, newField) {
      let coordinate = new.coordinate(of: newField)
      compareDescriptions(
        old.literal(describing: oldField), new.literal(describing: newField), of: coordinate,
        called: "input-field \(coordinate)")
      compareTypes(
        coordinate, oldField, newField, breaking: .fieldChangedKind, safe: .fieldChangedKindSafe,
        "Field \(coordinate) changed type")
      compareDefaults(
        coordinate, oldField, newField, changed: .inputFieldDefaultValueChanged,
        added: .inputFieldDefaultValueAdded)
      compareDeprecations(oldField, newField, of: coordinate)
    }
  }

  mutating func pair(
    _ oldValues: NodeList<Schema.InputValue>, _ newValues: NodeList<Schema.InputValue>
  ) -> Pairs<Schema.InputValue.ID, Schema.InputValue.ID> {
    pair(oldValues, of: old.inputValues, newValues, of: new.inputValues)
  }

  private mutating func compareArguments(
    _ oldArguments: NodeList<Schema.InputValue>, _ newArguments: NodeList<Schema.InputValue>
  ) {
    let pairs = pair(oldArguments, newArguments)
    for coordinate in pairs.removed.map({ old.coordinate(of: $0) }) {
      report(.argumentRemoved, coordinate, "Argument \(coordinate) was removed.")
    }
    for id in pairs.added {
      let coordinate = new.coordinate(of: id)
      if new[id].isRequired {
        report(.requiredArgumentAdded, coordinate, "A required argument \(coordinate) was added.")
      } else {
        report(.optionalArgumentAdded, coordinate, "An optional argument \(coordinate) was added.")
      }
    }
    for (oldArgument, newArgument) in pairs.kept {
      compareArguments(oldArgument, newArgument)
    }
  }

  /// Compares two arguments of a field or a directive.
  mutating func compareArguments(
    _ oldArgument: Schema.InputValue.ID, _ newArgument: Schema.InputValue.ID
  ) {
    guard !areEqual(oldArgument, newArgument) else { return }
    let coordinate = new.coordinate(of: newArgument)
    compareTypes(
      coordinate, oldArgument, newArgument, breaking: .argumentChangedKind,
      safe: .argumentChangedKindSafe, "Argument \(coordinate) has changed type")
    compareDefaults(
      coordinate, oldArgument, newArgument, changed: .argumentDefaultValueChanged,
      added: .argumentDefaultValueAdded)
    compareDescriptions(
      old.literal(describing: oldArgument), new.literal(describing: newArgument), of: coordinate,
      called: "argument \(coordinate)")
    compareDeprecations(oldArgument, newArgument, of: coordinate)
  }
}
