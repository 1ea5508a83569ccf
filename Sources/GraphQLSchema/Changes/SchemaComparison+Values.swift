import GraphQLSyntax

extension SchemaComparison {
  mutating func compareTypes(
    _ coordinate: String, _ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID,
    breaking: SchemaChange.Kind, safe: SchemaChange.Kind, _ subject: String
  ) {
    let (oldType, newType) = (old[oldValue].type, new[newValue].type)
    guard !areEqual(oldType, newType) else { return }
    report(
      isSafeInput(from: oldType, to: newType) ? safe : breaking, coordinate,
      "\(subject) from \(old.spelling(oldType)) to \(new.spelling(newType)).",
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

  /// Returns whether two arguments or input fields have the same type, default value and
  /// description, as far as that shows without normalizing default values.
  func areEqual(_ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID) -> Bool {
    areEqual(old[oldValue].type, new[newValue].type)
      && areEqual(old.literal(describing: oldValue), new.literal(describing: newValue))
      && areWrittenEqually(old.defaultValue(of: oldValue), new.defaultValue(of: newValue))
      && !old[oldValue].isDeprecated && !new[newValue].isDeprecated
  }

  /// Compares the deprecations of two arguments or input fields.
  mutating func compareDeprecations(
    _ oldValue: Schema.InputValue.ID, _ newValue: Schema.InputValue.ID, of coordinate: String
  ) {
    compareDeprecations(
      old.deprecationReason(in: old.directives(of: oldValue)),
      new.deprecationReason(in: new.directives(of: newValue)), of: coordinate)
  }

  private func areWrittenEqually(_ oldValue: Value?, _ newValue: Value?) -> Bool {
    guard let oldValue, let newValue else { return oldValue == nil && newValue == nil }
    return old.document.sources.bytes(of: oldValue.span)
      == new.document.sources.bytes(of: newValue.span)
  }

  /// Returns whether two strings have the same value, byte for byte.
  func areEqual(_ oldLiteral: StringLiteral?, _ newLiteral: StringLiteral?) -> Bool {
    guard let oldLiteral, let newLiteral else { return oldLiteral == nil && newLiteral == nil }
    // Strings that are written in the same way are equal. Nearly all are.
    return old.document.sources.bytes(of: oldLiteral.span)
      == new.document.sources.bytes(of: newLiteral.span)
      || old.document.string(oldLiteral).utf8.elementsEqual(new.document.string(newLiteral).utf8)
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
      // Of a value that was nullable, the changed type is what makes it required.
      report(
        changed, coordinate, "\(coordinate) defaultValue was removed.",
        related: old[oldValue].type.isNonNull
          ? ownerThatRequires(coordinate, oldValue, newValue) : nil)
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
    _ before: StringLiteral?, _ after: StringLiteral?, of coordinate: String,
    called subject: String
  ) {
    guard !areEqual(before, after) else { return }
    report(
      .descriptionChanged, coordinate,
      new.document.string(after).map { "Description of \(subject) has changed to \"\($0)\"." }
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
