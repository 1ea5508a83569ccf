/// The selections of a definition for given values of the variables in its conditions.
///
/// Owns the positions and layouts that are made for it. Plans live as long as the program. There is
/// one for each combination of conditions that occurred, so the program bounds their number and
/// servers do not.
package final class OperationPlan: Sendable {
  /// The schema whose types decide type conditions.
  package let schema: any SchemaMetadata.Type
  package let types: SchemaTypes
  let rule: InclusionRule
  private let positions = Lock(HashTable<ObjectPosition>())
  let layouts = Lock(LayoutCache())
  private let layoutCount = Lock(0)

  /// See ``position(showing:)``.
  let viewPositions = Lock(HashTable<(view: SelectionLayout, position: ObjectPosition)>())
  /// The positions of the definition's own selection sets, by their number.
  private let ownPositions = Lock<[ObjectPosition?]>([])

  init(of selections: Selections, schema: any SchemaMetadata.Type, rule: InclusionRule) {
    self.schema = schema
    self.types = schema.types
    self.rule = rule
    ownPositions.withLock { $0 = Array(repeating: nil, count: selections.nodes.count) }
  }

  /// Returns the position that one selection set of the plan's definition forms.
  package func position(for layout: SelectionLayout) -> ObjectPosition {
    let index = layout.node.index
    if let position = ownPositions.withLock({ $0[index] }) { return position }
    let position = position(for: [layout])
    ownPositions.withLock { $0[index] = position }
    return position
  }

  /// Returns the position that exactly these selection sets form, in this order.
  package func position(for sources: [SelectionLayout]) -> ObjectPosition {
    position(for: SelectionSources(layouts: sources, immediateCount: sources.count))
  }

  func position(for sources: SelectionSources) -> ObjectPosition {
    positions.withLock { positions in
      let hash = sources.mixedHash
      if let known = positions.find(hash: hash, where: { $0.allSources == sources }) {
        return known
      }
      let position = ObjectPosition(number: positions.count, sources: sources, plan: self)
      positions.insert(position, hash: hash)
      return position
    }
  }

  /// Counts a layout of the plan, and returns the number of those before it.
  func numberOfNextLayout() -> Int {
    layoutCount.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}
