/// What decides which selections apply to the objects of a plan.
enum InclusionRule: Sendable {
  /// The objects of a response: variables decide the conditions, by their names, and an object's type the type conditions.
  case variables([String: Bool])
  /// The objects that an initializer makes: what its view stands for holds, and nothing else.
  case constructed(ConstructedView)
}

/// What holds of an object because a program makes it, or looks at it, as a view.
///
/// An object made as a `Hero` is not `asDroid`, whatever its `__typename` says: the initializer did not ask for what that would show.
/// One that is made as a `Hero.AsDroid` is, and can be looked at as a `Hero` as well.
struct ConstructedView: Hashable, Sendable {
  /// The types that the view and what is written around it are selected on.
  let types: [String]
  /// The conditions of the view and of everything that is written around it.
  let conditions: Set<InclusionCondition>
  /// Response keys that have values although they depend on conditions.
  let keys: Set<String>
  /// The values of the variables that other conditions read; `nil` when the program makes the object, which has no variables.
  let variables: [String: Bool]?

  /// What holds of an object that a program makes as `view`.
  init(_ view: SelectionNode, keys: Set<String>) {
    types = view.path.map(\.parentType)
    conditions = Set(sequence(first: view, next: \.parent).flatMap(\.conditions))
    self.keys = keys
    variables = nil
  }

  /// What holds of the object around `part`, a selection set of one of its fields, in a response.
  init(around part: SelectionNode, variables: [String: Bool]) {
    types = part.parent?.path.map(\.parentType) ?? []
    conditions = Set(sequence(first: part, next: \.parent).flatMap(\.conditions))
    keys = []
    self.variables = variables
  }

  /// Whether a condition that reads a variable holds, or data come that are deferred.
  fileprivate func fulfils(_ condition: InclusionCondition) -> Bool {
    if conditions.contains(condition) { return true }
    guard let variables else { return false }
    guard case .variable(let name) = condition.flag else { return false }
    return switch condition {
    case .include: variables[name] ?? false
    case .skip: !(variables[name] ?? false)
    case .defer: false  // such data may never come
    }
  }
}

/// Whether a selection takes part.
enum Inclusion {
  case never
  case now
  /// It is deferred: its data may be missing at first (`@defer`).
  case later
}

extension OperationPlan {
  /// Whether an inline fragment or a fragment spread with these conditions takes part, and whether its data may come later.
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
      case (.variables, .defer(_, let flag)): if value(of: flag) { inclusion = .later }
      }
    }
    return inclusion
  }

  private func value(of flag: InclusionCondition.Flag) -> Bool {
    switch (flag, rule) {
    case (.literal(let value), _): value
    case (.variable(let name), .variables(let values)): values[name] ?? false
    case (.variable, .constructed): false  // not reached: what was made looks at whole conditions
    }
  }

  /// Whether a field takes part.
  func selects(_ field: FieldSelection) -> Bool {
    selects(field.responseKey, if: field.conditions)
  }

  /// Whether a field with this response key takes part that depends on conditions.
  func selects(_ responseKey: String, if conditions: [InclusionCondition]) -> Bool {
    if case .constructed(let view) = rule, view.keys.contains(responseKey) { return true }
    return inclusion(of: conditions) != .never
  }

  /// Whether objects of a type fulfil a type condition that is written in a selection set on `parent`.
  func condition(
    _ condition: String, holdsFor typename: String?, within parent: String
  ) -> Bool {
    guard case .constructed(let view) = rule else {
      return types.condition(condition, holdsFor: typename, within: parent)
    }
    return condition == parent
      || view.types.contains { type in
        types.condition(condition, holdsFor: types.isAbstract(type) ? nil : type, within: type)
      }
  }

  /// The values of the variables that conditions read; `nil` when the plan is of objects that a program makes.
  fileprivate var variables: [String: Bool]? {
    switch rule {
    case .variables(let values): values
    case .constructed(let view): view.variables
    }
  }

  /// The type of the objects that are made, if the view leaves no choice.
  var constructedTypename: String? {
    guard case .constructed(let view) = rule else { return nil }
    return view.types.first { !types.isAbstract($0) }
  }
}

// MARK: - Where a view's objects stand

extension SelectionLayout {
  /// Where objects stand that a program makes as this view, with values for these response keys although they depend on conditions.
  func constructedPosition(schema: any SchemaMetadata.Type, keys: Set<String> = [])
    -> ObjectPosition
  {
    let definition = node.definition!  // set when the node was made
    let plan = definition.plans.plan(of: definition, schema: schema, making: self, keys: keys)
    return plan.position(showing: self)
  }

  /// The selection sets whose fields this view shows: what meets at the place that it was written for, whatever the type of
  /// the object around it.
  ///
  /// In a response, fields that their conditions leave out contribute nothing. What a program makes can have all of them.
  fileprivate func sources(in plan: OperationPlan) -> [SelectionLayout] {
    let path = node.path
    let root = path[path.count - 1]  // the path begins with the node itself
    guard let parent = root.parent, let key = root.fieldKey else { return [SelectionLayout(root)] }
    let around = SelectionLayout(parent)
    let position =
      plan.variables.map { around.position(around: root, schema: plan.schema, variables: $0) }
      ?? around.constructedPosition(schema: plan.schema, keys: [key])
    let field = position.layout(forTypename: position.plan.constructedTypename).field(withKey: key)
    return field?.position?.sources ?? [SelectionLayout(root)]
  }

  /// Where the objects of a response stand that this view looks at and that have the field that `part` is selected of.
  private func position(
    around part: SelectionNode, schema: any SchemaMetadata.Type, variables: [String: Bool]
  ) -> ObjectPosition {
    let definition = node.definition!  // set when the node was made
    let plan = definition.plans.plan(
      of: definition, schema: schema, around: SelectionLayout(part), variables: variables)
    return plan.position(showing: self)
  }
}

extension OperationPlan {
  /// The place whose objects have what a view shows, and nothing else.
  package func position(showing view: SelectionLayout) -> ObjectPosition {
    if let position = viewPositions.withLock({ $0[view] }) { return position }
    // Outside the lock: it asks other plans.
    let position = position(for: view.sources(in: self))
    viewPositions.withLock { $0[view] = position }
    return position
  }
}
