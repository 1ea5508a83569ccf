import GraphQLSyntax

extension SchemaComparison {
  mutating func compareTypes(
    _ coordinate: String, _ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID,
    breaking: SchemaChange.Kind, safe: SchemaChange.Kind, _ subject: String
  ) {
    let (oldType, newType) = (old[oldValue].type, new[newValue].type)
    let (oldName, newName) = (old.spelling(oldType), new.spelling(newType))
    guard oldName != newName else { return }
    report(
      isSafeInput(from: oldType, to: newType) ? safe : breaking, coordinate,
      "\(subject) from \(oldName) to \(newName).",
      related: ownerThatRequires(coordinate, oldValue, newValue))
  }

  /// Returns the owner of an argument or input field that becomes required, else `nil`.
  ///
  /// Operations that omit the value mention only the owner.
  private func ownerThatRequires(
    _ coordinate: String, _ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID
  ) -> String? {
    guard new[newValue].isRequired && !old[oldValue].isRequired else { return nil }
    let end = coordinate.firstIndex(of: "(") ?? coordinate.firstIndex(of: ".")
    return end.map { String(coordinate[..<$0]) }
  }

  /// Returns whether code that reads values of the old type can read those of the new type.
  func isSafeOutput(from oldType: ResolvedType, to newType: ResolvedType) -> Bool {
    if oldType.isNonNull && !newType.isNonNull { return false }
    switch (oldType.item, newType.item) {
    case (let oldItem?, let newItem?): return isSafeOutput(from: oldItem, to: newItem)
    case (nil, nil): return isSameName(oldType, newType)
    default: return false
    }
  }

  /// Returns whether every value of the old type is a value of the new type.
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

// MARK: - Defaults, descriptions, deprecations

extension SchemaComparison {
  mutating func compareDefaults(
    _ coordinate: String, _ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID,
    changed: SchemaChange.Kind, added: SchemaChange.Kind
  ) {
    let oldDefault = old.defaultValue(of: oldValue).map { CanonicalConstant.text(of: $0, in: old) }
    let newDefault = new.defaultValue(of: newValue).map { CanonicalConstant.text(of: $0, in: new) }
    switch (oldDefault, newDefault) {
    case (.some, nil):
      report(
        changed, coordinate, "\(coordinate) defaultValue was removed.",
        related: ownerThatRequires(coordinate, oldValue, newValue))
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

  mutating func compareDeprecations(
    _ before: String?, _ after: String?, of coordinate: String
  ) {
    guard before != after else { return }
    report(
      .deprecationChanged, coordinate,
      after.map { "\(coordinate) is deprecated: \($0)" } ?? "\(coordinate) is no longer deprecated."
    )
  }
}
