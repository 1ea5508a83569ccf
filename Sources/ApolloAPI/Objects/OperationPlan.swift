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
