/// A selection set together with the values of the variables that its conditions read.
///
/// Owns the places and layouts made for it. Plans live as long as the program: there is one for each combination of conditions that
/// the program has used, so their number is bounded by the program, not by what servers send.
package final class OperationPlan: Sendable {
  /// The composite types that type conditions are decided by.
  package let schema: any SchemaMetadata.Type
  let types: SchemaTypes
  let rule: InclusionRule
  private let positions = Lock<[SelectionSources: ObjectPosition]>([:])
  let layouts = Lock(LayoutCache())

  /// See ``position(showing:)``.
  let viewPositions = Lock<[SelectionLayout: ObjectPosition]>([:])
  /// The places of the definition's own selection sets, by their number.
  private let ownPositions = Lock<[ObjectPosition?]>([])

  init(of selections: Selections, schema: any SchemaMetadata.Type, rule: InclusionRule) {
    self.schema = schema
    self.types = schema.types
    self.rule = rule
    ownPositions.withLock { $0 = Array(repeating: nil, count: selections.nodes.count) }
  }

  /// Where objects stand to which one selection set of the plan's definition contributes.
  package func position(for layout: SelectionLayout) -> ObjectPosition {
    let index = layout.node.index
    if let position = ownPositions.withLock({ $0[index] }) { return position }
    let position = position(for: [layout])
    ownPositions.withLock { $0[index] = position }
    return position
  }

  /// Where objects stand to which exactly these selection sets contribute, in this order.
  package func position(for sources: [SelectionLayout]) -> ObjectPosition {
    position(for: SelectionSources(layouts: sources, immediateCount: sources.count))
  }

  func position(for sources: SelectionSources) -> ObjectPosition {
    positions.withLock { positions in
      if let position = positions[sources] { return position }
      let position = ObjectPosition(number: positions.count, sources: sources, plan: self)
      positions[sources] = position
      return position
    }
  }

  /// How many places there are by now.
  var positionCount: Int { positions.withLock { $0.count } }
}

/// The plans of one definition.
struct OperationPlanCache: Sendable {
  private let state = Lock(State())

  fileprivate struct State {
    /// The variables that conditions read; `nil` when nobody asked yet.
    var variables: [String]?
    var plans: [Key: OperationPlan] = [:]
    /// What was asked for last, which is often what is asked for next.
    var recent: Recent?
  }

  /// A place of a plan, and what it was asked for with.
  fileprivate struct Recent {
    let schema: ObjectIdentifier
    let conditions: [Bool]
    let layout: SelectionLayout
    let position: ObjectPosition
  }

  fileprivate struct Key: Hashable {
    let rule: Rule
    let schema: ObjectIdentifier

    enum Rule: Hashable {
      case variables([Bool])
      case constructed(SelectionLayout, keys: Set<String>)
      case around(SelectionLayout, variables: [String: Bool])
    }
  }

  /// The plan of a response.
  func plan(
    of selections: Selections, schema: any SchemaMetadata.Type, variables values: Variables?
  ) -> OperationPlan {
    state.withLock { state in
      state.plan(
        of: selections, schema: schema, conditions: state.conditions(of: selections, values))
    }
  }

  /// Where the objects stand that a response to one selection set begins with.
  func position(
    for layout: SelectionLayout, of selections: Selections, schema: any SchemaMetadata.Type,
    variables values: Variables?
  ) -> ObjectPosition {
    state.withLock { state in
      let conditions = state.conditions(of: selections, values)
      if let recent = state.recent, recent.schema == ObjectIdentifier(schema),
        recent.layout == layout, recent.conditions == conditions
      {
        return recent.position
      }
      let plan = state.plan(of: selections, schema: schema, conditions: conditions)
      let position = plan.position(for: layout)
      state.recent = Recent(
        schema: ObjectIdentifier(schema), conditions: conditions, layout: layout, position: position
      )
      return position
    }
  }

  /// The plan of objects that are made as a view, with values for these response keys although they depend on conditions.
  func plan(
    of selections: Selections, schema: any SchemaMetadata.Type, making view: SelectionLayout,
    keys: Set<String>
  ) -> OperationPlan {
    state.withLock { state in
      let key = Key(rule: .constructed(view, keys: keys), schema: ObjectIdentifier(schema))
      if let plan = state.plans[key] { return plan }
      let rule = InclusionRule.constructed(ConstructedView(view.node, keys: keys))
      let plan = OperationPlan(of: selections, schema: schema, rule: rule)
      state.plans[key] = plan
      return plan
    }
  }

  /// The plan of the objects of a response around a part of it: what the part depends on holds, and variables decide the rest.
  /// `variables` has at least those that conditions read.
  func plan(
    of selections: Selections, schema: any SchemaMetadata.Type, around part: SelectionLayout,
    variables: [String: Bool]
  ) -> OperationPlan {
    state.withLock { state in
      let names = state.conditionVariables(of: selections)
      // Others would make plans that do not differ.
      let values = variables.filter { names.contains($0.key) }
      let key = Key(rule: .around(part, variables: values), schema: ObjectIdentifier(schema))
      if let plan = state.plans[key] { return plan }
      let rule = InclusionRule.constructed(ConstructedView(around: part.node, variables: values))
      let plan = OperationPlan(of: selections, schema: schema, rule: rule)
      state.plans[key] = plan
      return plan
    }
  }
}

extension OperationPlanCache.State {
  /// The variables that conditions read, here and in the fragments that are spread.
  fileprivate mutating func conditionVariables(of selections: Selections) -> [String] {
    if let variables { return variables }
    let names = selections.conditionVariables()
    variables = names
    return names
  }

  /// The values of the variables that conditions read.
  fileprivate mutating func conditions(of selections: Selections, _ values: Variables?) -> [Bool] {
    conditionVariables(of: selections).map { name in
      (values?[name] ?? selections.variableDefaults[name])?.boolValue ?? false
    }
  }

  fileprivate mutating func plan(
    of selections: Selections, schema: any SchemaMetadata.Type, conditions: [Bool]
  ) -> OperationPlan {
    let key = OperationPlanCache.Key(rule: .variables(conditions), schema: ObjectIdentifier(schema))
    if let plan = plans[key] { return plan }
    let named = Dictionary(
      zip(variables ?? [], conditions), uniquingKeysWith: { first, _ in first })
    let plan = OperationPlan(of: selections, schema: schema, rule: .variables(named))
    plans[key] = plan
    return plan
  }
}

extension SelectionLayout {
  /// Where objects stand to which this selection set contributes, for the given values of its definition's variables.
  func position(schema: any SchemaMetadata.Type, variables: Variables?) -> ObjectPosition {
    let definition = node.definition!  // set when the node was made
    return definition.plans.position(
      for: self, of: definition, schema: schema, variables: variables)
  }

  /// The plan of this selection set's definition for the given values of its variables.
  package func plan(schema: any SchemaMetadata.Type, variables: Variables?) -> OperationPlan {
    let definition = node.definition!  // set when the node was made
    return definition.plans.plan(of: definition, schema: schema, variables: variables)
  }
}

extension Selections {
  /// The variables that conditions read, here and in the fragments that are spread, in ascending order.
  func conditionVariables() -> [String] {
    var names: Set<String> = []
    var pending = [self]
    var visited: Set<ObjectIdentifier> = []
    while let selections = pending.popLast() {
      guard visited.insert(ObjectIdentifier(selections)).inserted else { continue }
      for node in selections.nodes {
        for case .variable(let name) in node.selections.flatMap(\.conditions).map(\.flag) {
          names.insert(name)
        }
      }
      pending.append(contentsOf: selections.fragments.map { $0.__selections })
    }
    return names.sorted()
  }
}

extension Selection {
  var conditions: [InclusionCondition] {
    switch self {
    case .field(let field): field.conditions
    case .inlineFragment(_, let conditions), .fragmentSpread(_, let conditions): conditions
    }
  }
}

extension InclusionCondition {
  var flag: Flag {
    switch self {
    case .include(let flag), .skip(let flag), .defer(_, let flag): flag
    }
  }
}
