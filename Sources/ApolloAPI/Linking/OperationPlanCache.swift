/// The operation plans of one definition.
///
/// Not `Sendable`: the lock of ``Selections/plans`` guards it. See ``Selections/withPlans(_:)``.
final class OperationPlanCache {
  /// Unsafely unowned because the definition owns the cache.
  private unowned(unsafe) let definition: Selections
  /// The variables that inclusion conditions read, in ascending order.
  private let variables: [String]
  private var plans = HashTable<(key: Key, plan: OperationPlan)>()
  /// The position of the latest request, which the next one often repeats.
  private var latest: Latest?

  private struct Key: Hashable {
    let schema: ObjectIdentifier
    let rule: Rule

    enum Rule: Hashable {
      case variables([Bool?])
      case constructed(SelectionLayout, keys: Set<String>)
      case around(SelectionLayout, variables: [String: Bool])
    }
  }

  /// A position and the arguments of the request for it.
  private struct Latest {
    let schema: ObjectIdentifier
    let conditions: [Bool?]
    let layout: SelectionLayout
    let position: ObjectPosition
  }

  fileprivate init(_ definition: Selections) {
    self.definition = definition
    variables = definition.conditionVariables()
  }

  /// Returns the plan of a response.
  func plan(schema: any SchemaMetadata.Type, variables values: Variables?) -> OperationPlan {
    plan(schema: schema, conditions: conditions(values))
  }

  /// Returns the position of the objects that a response to one selection set begins with.
  func position(
    for layout: SelectionLayout, schema: any SchemaMetadata.Type, variables values: Variables?
  ) -> ObjectPosition {
    let conditions = conditions(values)
    if let latest, latest.schema == ObjectIdentifier(schema), latest.layout == layout,
      latest.conditions == conditions
    {
      return latest.position
    }
    let position = plan(schema: schema, conditions: conditions).position(for: layout)
    latest = Latest(
      schema: ObjectIdentifier(schema), conditions: conditions, layout: layout, position: position)
    return position
  }

  /// Returns the plan of objects that a program makes as a view.
  ///
  /// - Parameters:
  ///   - schema: The schema of the view.
  ///   - view: The selection set of the view.
  ///   - keys: Response keys that have values although they depend on conditions.
  /// - Returns: The plan, which is made on first use.
  func plan(
    schema: any SchemaMetadata.Type, constructing view: SelectionLayout, keys: Set<String>
  ) -> OperationPlan {
    plan(Key(schema: ObjectIdentifier(schema), rule: .constructed(view, keys: keys)), schema) {
      .constructed(ConstructedView(view.node, keys: keys))
    }
  }

  /// Returns the plan of the objects of a response around a part of it.
  ///
  /// The conditions of the part hold; variables decide the others.
  ///
  /// - Parameters:
  ///   - schema: The schema of the part.
  ///   - part: A selection set of a field of these objects.
  ///   - variables: At least the variables that conditions read.
  /// - Returns: The plan, which is made on first use.
  func plan(
    schema: any SchemaMetadata.Type, around part: SelectionLayout, variables: [String: Bool]
  ) -> OperationPlan {
    // Plans for different values of other variables would not differ.
    let values = variables.filter { self.variables.contains($0.key) }
    return plan(
      Key(schema: ObjectIdentifier(schema), rule: .around(part, variables: values)), schema
    ) {
      .constructed(ConstructedView(around: part.node, variables: values))
    }
  }

  /// The values of the variables that conditions read; `nil` for one without a value.
  private func conditions(_ values: Variables?) -> [Bool?] {
    variables.map { name in
      (values?[name] ?? definition.variableDefaults[name])?.boolValue
    }
  }

  private func plan(schema: any SchemaMetadata.Type, conditions: [Bool?]) -> OperationPlan {
    plan(Key(schema: ObjectIdentifier(schema), rule: .variables(conditions)), schema) {
      var values: [String: Bool] = [:]
      for (name, value) in zip(variables, conditions) { values[name] = value }
      return .variables(values)
    }
  }

  private func plan(
    _ key: Key, _ schema: any SchemaMetadata.Type, _ rule: () -> InclusionRule
  ) -> OperationPlan {
    let hash = key.hashValue
    if let known = plans.find(hash: hash, where: { $0.key == key }) { return known.plan }
    let plan = OperationPlan(of: definition, schema: schema, rule: rule())
    plans.insert((key, plan), hash: hash)
    return plan
  }
}

extension Selections {
  /// Calls `body` with the plans of this definition while no other thread has access to them.
  func withPlans<Result>(_ body: (OperationPlanCache) -> Result) -> Result {
    plans.withLock { plans in
      // Nothing but this function sets it.
      if let plans { return body(unsafeDowncast(plans, to: OperationPlanCache.self)) }
      let made = OperationPlanCache(self)
      plans = made
      return body(made)
    }
  }

  /// The variables that conditions read, here and in the fragments that are spread, in ascending
  /// order.
  fileprivate func conditionVariables() -> [String] {
    var names: Set<String> = []
    var pending = [self]
    var visited = IdentitySet()
    while let selections = pending.popLast() {
      guard visited.insert(selections) else { continue }
      for node in selections.nodes {
        for case .variable(let name) in node.selections.flatMap(\.allConditions).map(\.flag) {
          names.insert(name)
        }
      }
      pending.append(contentsOf: selections.fragments.map { $0.__selections })
    }
    return names.sorted()
  }
}

extension SelectionLayout {
  /// Returns the position of the objects that this selection set contributes to, for the given
  /// values of its definition's variables.
  func position(schema: any SchemaMetadata.Type, variables: Variables?) -> ObjectPosition {
    node.definition.withPlans { $0.position(for: self, schema: schema, variables: variables) }
  }

  /// Returns the plan of this selection set's definition for the given values of its variables.
  package func plan(schema: any SchemaMetadata.Type, variables: Variables?) -> OperationPlan {
    node.definition.withPlans { $0.plan(schema: schema, variables: variables) }
  }
}
