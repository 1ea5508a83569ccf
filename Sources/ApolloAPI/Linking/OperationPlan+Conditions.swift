extension OperationPlan {
  /// The result of evaluating a selection's conditions.
  enum Inclusion {
    case never
    case now
    /// The selection is deferred: its data may arrive later (`@defer`).
    case later
  }

  /// Evaluates the conditions of an inline fragment or a fragment spread.
  func inclusion(of conditions: [InclusionCondition]) -> Inclusion {
    var inclusion = Inclusion.now
    for condition in conditions {
      switch (rule, condition) {
      case (.constructed(let view), .include(.variable)),
        (.constructed(let view), .skip(.variable)),
        (.constructed(let view), .defer):
        guard view.fulfils(condition) else { return .never }
      case (_, .include(let flag)): guard value(of: flag) else { return .never }
      case (_, .skip(let flag)): guard !value(of: flag) else { return .never }
      case (.variables, .defer(_, let flag)):
        // The `if` of `@defer` has a default, so its variable may lack a value.
        if value(of: flag, withoutValue: true) { inclusion = .later }
      }
    }
    return inclusion
  }

  private func value(
    of flag: InclusionCondition.Flag, withoutValue fallback: Bool = false
  ) -> Bool {
    switch (flag, rule) {
    case (.literal(let value), _): value
    case (.variable(let name), .variables(let values)): values[name] ?? fallback
    // Not reached: constructed views compare whole conditions.
    case (.variable, .constructed): false
    }
  }

  /// Returns whether a field is included.
  func selects(_ field: FieldSelection) -> Bool {
    selects(field.responseKey, if: field.conditions)
  }

  /// Returns whether the occurrence of a field with a change of lists is included.
  func makes(_ edit: ConditionalEdit) -> Bool { inclusion(of: edit.conditions) != .never }

  /// Returns whether a field with a response key and conditions is included.
  func selects(_ responseKey: String, if conditions: [InclusionCondition]) -> Bool {
    if case .constructed(let view) = rule, view.keys.contains(responseKey) { return true }
    return inclusion(of: conditions) != .never
  }

  /// Returns whether objects of a type at a position fulfil a type condition within a selection set
  /// on `parent`.
  func condition(
    _ condition: String, holdsFor typename: String?, within parent: String,
    at position: ObjectPosition
  ) -> Bool {
    guard case .constructed(let view) = rule else {
      return types.condition(
        condition, holdsFor: typename, within: [parent] + position.declaredTypes)
    }
    return condition == parent
      || view.types.contains { type in
        types.condition(condition, holdsFor: types.isAbstract(type) ? nil : type, within: [type])
      }
  }

  /// The values of the variables that conditions read; `nil` for objects that a program makes.
  var variables: [String: Bool]? {
    switch rule {
    case .variables(let values): values
    case .constructed(let view): view.variables
    }
  }

  /// The type of constructed objects, if the view determines it.
  var constructedTypename: String? {
    guard case .constructed(let view) = rule else { return nil }
    return view.types.first { !types.isAbstract($0) }
  }
}

extension ConstructedView {
  /// Returns whether a condition that reads a variable holds, or whether deferred data is present.
  fileprivate func fulfils(_ condition: InclusionCondition) -> Bool {
    if conditions.contains(condition) { return true }
    guard let variables else { return false }
    guard case .variable(let name) = condition.flag else { return false }
    return switch condition {
    case .include: variables[name] ?? false
    case .skip: !(variables[name] ?? false)
    case .defer: false  // deferred data may never arrive
    }
  }
}
