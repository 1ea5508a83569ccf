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
  /// The layouts of the object types that have occurred; `nil` for the types that generated code does
  /// not know. See ``layout(forTypename:)``.
  let layouts = Lock<[String?: ObjectLayout]>([:])
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

  /// What the selection sets at a position say of its objects and of all that is in them.
  package struct Contents: Sendable {
    /// The variables that arguments of fields read, in ascending order.
    ///
    /// What the fields are called in the cache follows from the values of these. Where there are none, it is the same for every
    /// operation value.
    package let argumentVariables: [String]
    /// Whether some of it may come later than the rest (`@defer`).
    package let mayComeLater: Bool
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
