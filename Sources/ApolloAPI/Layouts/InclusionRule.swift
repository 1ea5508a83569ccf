/// What decides which selections apply to the objects of a plan.
enum InclusionRule: Sendable {
  /// The objects of a response: variables decide the conditions, by their names, and an object's type the type conditions.
  case variables([String: Bool])
  /// The objects that an initializer makes: what its view stands for holds, and nothing else.
  case made(MadeView)
}

/// What holds of an object that a program makes as a view.
///
/// An object made as a `Hero` is not `asDroid`, whatever its `__typename` says: the initializer did not ask for what that would show.
/// One that is made as a `Hero.AsDroid` is, and can be looked at as a `Hero` as well.
struct MadeView: Hashable, Sendable {
  /// The types that the view and what is written around it are selected on.
  let types: [String]
  /// The conditions of the view and of everything that is written around it.
  let conditions: Set<InclusionCondition>
  /// Response keys that have values although they depend on conditions.
  let keys: Set<String>

  init(_ view: SelectionNode, keys: Set<String>) {
    types = view.path.map(\.parentType)
    conditions = Set(sequence(first: view, next: \.parent).flatMap(\.conditions))
    self.keys = keys
  }
}

/// Whether a selection takes part.
enum Inclusion {
  case never
  case now
  /// It is deferred: its data may be missing at first (`@defer`).
  case later
}

extension Plan {
  /// Whether an inline fragment or a fragment spread with these conditions takes part, and whether its data may come later.
  func inclusion(of conditions: [InclusionCondition]) -> Inclusion {
    var inclusion = Inclusion.now
    for condition in conditions {
      switch (rule, condition) {
      case (.made(let view), .include(.variable)), (.made(let view), .skip(.variable)),
        (.made(let view), .defer):
        guard view.conditions.contains(condition) else { return .never }
      case (_, .include(let flag)): guard value(of: flag) else { return .never }
      case (_, .skip(let flag)): guard !value(of: flag) else { return .never }
      case (.variables, .defer(_, let flag)): if value(of: flag) { inclusion = .later }
      }
    }
    return inclusion
  }

  private func value(of flag: InclusionCondition.Flag) -> Bool {
    switch (flag, rule) {
    case (.literal(let value), _): value
    case (.variable(let name), .variables(let values)): values[name] ?? false
    case (.variable, .made): false  // not reached: what was made looks at whole conditions
    }
  }

  /// Whether a field takes part.
  func selects(_ field: FieldSelection) -> Bool {
    selects(field.responseKey, if: field.conditions)
  }

  /// Whether a field with this response key takes part that depends on conditions.
  func selects(_ responseKey: String, if conditions: [InclusionCondition]) -> Bool {
    if case .made(let view) = rule, view.keys.contains(responseKey) { return true }
    return inclusion(of: conditions) != .never
  }

  /// Whether objects of a type fulfil a type condition that is written in a selection set on `parent`.
  func condition(
    _ condition: String, holdsFor typename: String?, within parent: String
  ) -> Bool {
    guard case .made(let view) = rule else {
      return types.condition(condition, holdsFor: typename, within: parent)
    }
    return condition == parent
      || view.types.contains { type in
        types.condition(condition, holdsFor: types.isAbstract(type) ? nil : type, within: type)
      }
  }

  /// The type of the objects that are made, if the view leaves no choice.
  var madeTypename: String? {
    guard case .made(let view) = rule else { return nil }
    return view.types.first { !types.isAbstract($0) }
  }
}

// MARK: - Where a view's objects stand

extension SelectionLayout {
  /// Where objects stand that a program makes as this view, with values for these response keys although they depend on conditions.
  func madePlace(schema: any SchemaMetadata.Type, keys: Set<String> = []) -> Place {
    let definition = node.definition!  // set when the node was made
    let plan = definition.plans.plan(of: definition, schema: schema, making: self, keys: keys)
    return plan.place(showing: self)
  }

  /// The selection sets whose fields this view shows, whatever their conditions and types: what meets at the place that it was
  /// written for.
  fileprivate func contributors(schema: any SchemaMetadata.Type) -> [SelectionLayout] {
    let path = node.path
    let root = path[path.count - 1]  // the path begins with the node itself
    guard let parent = root.parent, let key = root.fieldKey else { return [SelectionLayout(root)] }
    let place = SelectionLayout(parent).madePlace(schema: schema, keys: [key])
    let field = place.layout(forTypename: place.plan.madeTypename).field(withKey: key)
    return field?.place?.contributors ?? [SelectionLayout(root)]
  }
}

extension Plan {
  /// The place whose objects have what a view shows, and nothing else.
  package func place(showing view: SelectionLayout) -> Place {
    if let place = shownPlaces.withLock({ $0[view] }) { return place }
    // Outside the lock: it asks other plans.
    let place = place(for: view.contributors(schema: schema))
    shownPlaces.withLock { $0[view] = place }
    return place
  }
}
