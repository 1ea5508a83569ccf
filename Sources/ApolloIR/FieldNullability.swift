/// The treatment of an error of a field.
package enum CatchTreatment: String, Hashable, Sendable {
  /// The property has the value or the error.
  case result = "RESULT"
  /// The property is `nil`.
  case null = "NULL"
  /// Reading the property throws the error.
  case throwing = "THROW"
}

/// The effect of the null of a field with `@required`, besides making the object around it null.
package enum RequiredAction: String, Hashable, Sendable {
  case silent = "NONE"
  /// The errors of the response have one that says so.
  case logged = "LOG"
  /// Nothing becomes null: reading the property throws.
  case throwing = "THROW"
}

/// The treatment of nulls and errors of a field and of the elements of its lists.
package struct FieldNullability: Hashable, Sendable {
  /// The treatment of one value.
  package struct Level: Hashable, Sendable {
    /// The treatment of an error, or `nil` if there is none.
    package var treatment: CatchTreatment?
    /// `true` if the value is never null where there is no error.
    package var isNonNull: Bool
    /// `true` if the schema says that the value is never null.
    package var isNonNullInSchema: Bool

    /// `true` if the property of the value differs from that without directives.
    var isSpecial: Bool {
      switch treatment {
      case .result, .throwing: true
      case .null: isNonNullInSchema
      case nil: isNonNull != isNonNullInSchema
      }
    }
  }

  /// The field's value, then the elements of its lists from the outside to the inside.
  package var levels: [Level]
  /// The levels with a `@catch`, of a field in an operation with `@throwOnFieldError`.
  package var caughtLevels: [Int] = []
  /// The levels whose values are null only because of an error, of such a field.
  package var certainLevels: [Int] = []

  /// The action of its `@required`, if that makes the object around the field null.
  package var requiredAction: RequiredAction?

  package init(levels: [Level]) { self.levels = levels }

  /// Creates the treatment of a field without directives.
  init(untreated type: ValueType) {
    levels = []
    var type = type
    while true {
      let isNonNull = type.isNonNull
      levels.append(Level(treatment: nil, isNonNull: isNonNull, isNonNullInSchema: isNonNull))
      guard case .list(let element) = type.nullable else { return }
      type = element
    }
  }

  /// Returns whether the property treats the value at a level, or one deeper, in a special way.
  package func isSpecial(from level: Int) -> Bool {
    levels.dropFirst(level).contains(where: \.isSpecial)
  }

  /// The treatment in a selection that a condition may leave out. The property is optional, and
  /// shows the value of another selection of the field then, with each null in its lists.
  package var ofConditionalField: FieldNullability {
    var treatment = self
    for index in levels.indices where levels[index].treatment == nil {
      treatment.levels[index].isNonNull = levels[index].isNonNullInSchema
    }
    return treatment
  }

  /// Returns the type of the stored values.
  ///
  /// Where `@catch` handles an error, a value may be null although the schema rules that out: a
  /// server that does not propagate errors sends null.
  package func storedType(of type: ValueType) -> ValueType { storedType(of: type, at: 0) }

  /// Returns the type of the parameter for the value, which is not null if the property promises
  /// that.
  package func parameterType(of type: ValueType) -> ValueType {
    certainLevels.contains(0) || requiredAction != nil
      ? .nonNull(storedType(of: type).nullable) : storedType(of: type)
  }

  private func storedType(of type: ValueType, at level: Int) -> ValueType {
    var stored = type.nullable
    if case .list(let element) = stored { stored = .list(storedType(of: element, at: level + 1)) }
    return type.isNonNull && levels[level].treatment == nil ? .nonNull(stored) : stored
  }
}

/// The treatment of nulls and errors in an operation or a fragment.
package struct DefinitionNullability: Hashable, Sendable {
  /// The treatment of errors that no `@catch` handles.
  package var standard: CatchTreatment?
  /// `true` for an operation with `@throwOnFieldError`: it has data only without such errors.
  package var endsOperation = false

  package init() {}
}
