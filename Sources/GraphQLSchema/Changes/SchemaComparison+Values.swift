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

  /// What has the argument or input field, if that may no longer be left out: who did so uses
  /// nothing but the owner.
  private func ownerThatRequires(
    _ coordinate: String, _ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID
  ) -> String? {
    guard new[newValue].isRequired && !old[oldValue].isRequired else { return nil }
    let end = coordinate.firstIndex(of: "(") ?? coordinate.firstIndex(of: ".")
    return end.map { String(coordinate[..<$0]) }
  }

  /// Whether whoever could read the old type can read the new one.
  func isSafeOutput(from oldType: ResolvedType, to newType: ResolvedType) -> Bool {
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
