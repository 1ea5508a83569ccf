/// A selection set together with the values of the variables that its conditions read.
///
/// Owns the places and layouts made for it. Plans live as long as the program: there is one for each combination of conditions that
/// the program has used, so their number is bounded by the program, not by what servers send.
package final class Plan: Sendable {
  /// The composite types that type conditions are decided by.
  package let schema: any SchemaMetadata.Type
  let types: SchemaTypes
  let rule: InclusionRule
  private let places = Guarded<[Place.Contributors: Place]>([:])
  let layouts = Guarded(LayoutMemory())

  /// See ``place(showing:)``.
  let shownPlaces = Guarded<[SelectionLayout: Place]>([:])
  /// The places of the definition's own selection sets, by their number.
  private let ownPlaces = Guarded<[Place?]>([])

  init(of selections: Selections, schema: any SchemaMetadata.Type, rule: InclusionRule) {
    self.schema = schema
    self.types = schema.types
    self.rule = rule
    ownPlaces.withLock { $0 = Array(repeating: nil, count: selections.nodes.count) }
  }

  /// Where objects stand to which one selection set of the plan's definition contributes.
  package func place(for layout: SelectionLayout) -> Place {
    let index = layout.node.index
    if let place = ownPlaces.withLock({ $0[index] }) { return place }
    let place = place(for: [layout])
    ownPlaces.withLock { $0[index] = place }
    return place
  }

  /// Where objects stand to which exactly these selection sets contribute, in this order.
  package func place(for contributors: [SelectionLayout]) -> Place {
    place(for: Place.Contributors(layouts: contributors, immediateCount: contributors.count))
  }

  func place(for contributors: Place.Contributors) -> Place {
    places.withLock { places in
      if let place = places[contributors] { return place }
      let place = Place(number: places.count, contributors: contributors, plan: self)
      places[contributors] = place
      return place
    }
  }

  /// How many places there are by now.
  var placeCount: Int { places.withLock(\.count) }
}

/// The plans of one definition.
struct PlanCache: Sendable {
  private let state = Guarded(State())

  fileprivate struct State {
    /// The variables that conditions read; `nil` when nobody asked yet.
    var variables: [String]?
    var plans: [Key: Plan] = [:]
    /// What was asked for last, which is often what is asked for next.
    var recent: Recent?
  }

  /// A place of a plan, and what it was asked for with.
  fileprivate struct Recent {
    let schema: ObjectIdentifier
    let conditions: [Bool]
    let layout: SelectionLayout
    let place: Place
  }

  fileprivate struct Key: Hashable {
    let rule: Rule
    let schema: ObjectIdentifier

    enum Rule: Hashable {
      case variables([Bool])
      case made(SelectionLayout, keys: Set<String>)
      case around(SelectionLayout, variables: [String: Bool])
    }
  }

  /// The plan of a response.
  func plan(
    of selections: Selections, schema: any SchemaMetadata.Type, variables values: Variables?
  ) -> Plan {
    state.withLock { state in
      state.plan(
        of: selections, schema: schema, conditions: state.conditions(of: selections, values))
    }
  }

  /// Where the objects stand that a response to one selection set begins with.
  func place(
    for layout: SelectionLayout, of selections: Selections, schema: any SchemaMetadata.Type,
    variables values: Variables?
  ) -> Place {
    state.withLock { state in
      let conditions = state.conditions(of: selections, values)
      if let recent = state.recent, recent.schema == ObjectIdentifier(schema),
        recent.layout == layout, recent.conditions == conditions
      {
        return recent.place
      }
      let plan = state.plan(of: selections, schema: schema, conditions: conditions)
      let place = plan.place(for: layout)
      state.recent = Recent(
        schema: ObjectIdentifier(schema), conditions: conditions, layout: layout, place: place)
      return place
    }
  }

  /// The plan of objects that are made as a view, with values for these response keys although they depend on conditions.
  func plan(
    of selections: Selections, schema: any SchemaMetadata.Type, making view: SelectionLayout,
    keys: Set<String>
  ) -> Plan {
    state.withLock { state in
      let key = Key(rule: .made(view, keys: keys), schema: ObjectIdentifier(schema))
      if let plan = state.plans[key] { return plan }
      let rule = InclusionRule.made(MadeView(view.node, keys: keys))
      let plan = Plan(of: selections, schema: schema, rule: rule)
      state.plans[key] = plan
      return plan
    }
  }

  /// The plan of the objects of a response around a part of it: what the part depends on holds, and variables decide the rest.
  /// `variables` has at least those that conditions read.
  func plan(
    of selections: Selections, schema: any SchemaMetadata.Type, around part: SelectionLayout,
    variables: [String: Bool]
  ) -> Plan {
    state.withLock { state in
      let names = state.conditionVariables(of: selections)
      // Others would make plans that do not differ.
      let values = variables.filter { names.contains($0.key) }
      let key = Key(rule: .around(part, variables: values), schema: ObjectIdentifier(schema))
      if let plan = state.plans[key] { return plan }
      let rule = InclusionRule.made(MadeView(around: part.node, variables: values))
      let plan = Plan(of: selections, schema: schema, rule: rule)
      state.plans[key] = plan
      return plan
    }
  }
}

extension PlanCache.State {
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
  ) -> Plan {
    let key = PlanCache.Key(rule: .variables(conditions), schema: ObjectIdentifier(schema))
    if let plan = plans[key] { return plan }
    let named = Dictionary(
      zip(variables ?? [], conditions), uniquingKeysWith: { first, _ in first })
    let plan = Plan(of: selections, schema: schema, rule: .variables(named))
    plans[key] = plan
    return plan
  }
}

extension SelectionLayout {
  /// Where objects stand to which this selection set contributes, for the given values of its definition's variables.
  func place(schema: any SchemaMetadata.Type, variables: Variables?) -> Place {
    let definition = node.definition!  // set when the node was made
    return definition.plans.place(
      for: self, of: definition, schema: schema, variables: variables)
  }

  /// The plan of this selection set's definition for the given values of its variables.
  package func plan(schema: any SchemaMetadata.Type, variables: Variables?) -> Plan {
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
