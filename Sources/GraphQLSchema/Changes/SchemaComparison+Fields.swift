import GraphQLSyntax

extension SchemaComparison {
  mutating func compareFields(
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

  mutating func compareInputFields(
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
