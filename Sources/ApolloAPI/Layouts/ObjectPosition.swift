/// Where an object can stand in a response: the selection sets that contribute to it, in order.
package final class ObjectPosition: Sendable {
  /// A small number, unique in the plan.
  package let number: Int
  /// The selection sets; the first one is primary, and decides the order of the slots.
  package let sources: [SelectionLayout]
  /// How many of them say what every object here has. What the rest selects may come later (`@defer`).
  let immediateCount: Int
  /// Unsafely unowned because plans live as long as the program.
  package unowned(unsafe) let plan: OperationPlan
  /// The type of every object here, unless the schema leaves it open.
  package let staticTypename: String?
  /// The key that the object's type is told with, if it is.
  let typenameKey: String?
  private let layouts = Lock<[String?: ObjectLayout]>([:])
  /// See ``contents``; `nil` when nobody asked yet.
  let cachedContents = Lock<Contents?>(nil)

  init(number: Int, sources: SelectionSources, plan: OperationPlan) {
    self.number = number
    self.sources = sources.layouts
    self.immediateCount = sources.immediateCount
    self.plan = plan
    staticTypename = self.sources.map(\.parentType).first { !plan.types.isAbstract($0) }
    typenameKey = self.sources.lazy.compactMap(\.node.typenameKey).first
  }

  /// The layout of the objects here whose type is `typename`.
  ///
  /// Types that the generated code does not know share one layout, whose `typename` is `nil`: what a server sends does not
  /// make the program remember more and more.
  package func layout(forTypename typename: String?) -> ObjectLayout {
    let known = staticTypename ?? typename.flatMap { plan.types.knows($0) ? $0 : nil }
    if let layout = layouts.withLock({ $0[known] }) { return layout }
    // Outside the lock: it asks the plan for places.
    let layout = ObjectLayout.link(self, typename: known)
    return layouts.withLock { layouts in
      if let winner = layouts[known] { return winner }
      layouts[known] = layout
      return layout
    }
  }
}

/// The selection sets that contribute to the objects at a position, the deferred ones last.
struct SelectionSources: Hashable {
  let layouts: [SelectionLayout]
  /// The number of selection sets that every object has from the start. Those after them may arrive
  /// later (`@defer`).
  let immediateCount: Int
}

extension ObjectPosition {
  var allSources: SelectionSources {
    SelectionSources(layouts: sources, immediateCount: immediateCount)
  }
}

extension SelectionNode {
  /// The response key of `__typename`, if it is selected whatever the type and the variables.
  var typenameKey: String? {
    for case .field(let field) in selections
    where field.name == "__typename" && field.conditions.isEmpty {
      return field.responseKey
    }
    return nil
  }
}
