extension SelectionLayout {
  /// Returns the position of objects that a program makes as this view.
  ///
  /// - Parameters:
  ///   - schema: The schema of the view.
  ///   - keys: Response keys that have values although they depend on conditions.
  /// - Returns: The position, in a plan of this view's own.
  func constructedPosition(schema: any SchemaMetadata.Type, keys: Set<String> = [])
    -> ObjectPosition
  {
    let plan = node.definition.withPlans {
      $0.plan(schema: schema, constructing: self, keys: keys)
    }
    return plan.position(showing: self)
  }

  /// Returns the selection sets whose fields this view shows: the sources of the position that it
  /// was written for, for any type of the object around it.
  ///
  /// In a response, fields that their conditions exclude contribute nothing. Objects that a program
  /// makes can have all of them.
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

  /// Returns the position of the objects of a response that have the field whose selection set is
  /// `part`.
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
  /// Returns the position whose objects have exactly the fields that a view shows.
  package func position(showing view: SelectionLayout) -> ObjectPosition {
    let hash = view.mixedHash
    let known = viewPositions.withLock { $0.find(hash: hash) { $0.view == view } }
    if let known { return known.position }
    // Outside the lock, because it requests positions from other plans.
    let position = position(for: view.sources(in: self))
    viewPositions.withLock { positions in
      if positions.find(hash: hash, where: { $0.view == view }) == nil {
        positions.insert((view, position), hash: hash)
      }
    }
    return position
  }
}
