extension SelectionLayout {
  /// Where objects stand that a program makes as this view, with values for these response keys although they depend on conditions.
  func constructedPosition(schema: any SchemaMetadata.Type, keys: Set<String> = [])
    -> ObjectPosition
  {
    let plan = node.definition.withPlans {
      $0.plan(schema: schema, constructing: self, keys: keys)
    }
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
    let plan = node.definition.withPlans {
      $0.plan(schema: schema, around: SelectionLayout(part), variables: variables)
    }
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
