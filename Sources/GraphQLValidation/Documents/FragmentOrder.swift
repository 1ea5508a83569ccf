import GraphQLSchema
import GraphQLSyntax

extension ValidatedDocument {
  /// The fragments, each one after those that it spreads.
  ///
  /// A valid document has no cycles, so facts of fragments can be computed in this order, each from
  /// those before it, without recursion through spreads.
  ///
  /// - Complexity: O(*n*), where *n* is the number of spreads in the fragments.
  var fragmentsAfterTheirSpreads: [FragmentDefinition.ID] {
    var order: [FragmentDefinition.ID] = []
    var isEntered = Array(repeating: false, count: document.fragments.count)
    for index in document.fragments.indices where !isEntered[index] {
      isEntered[index] = true
      var pending = [(id: FragmentDefinition.ID(rawValue: UInt32(index)), next: 0)]
      while let (id, next) = pending.last {
        let spreads = facts.spreads(in: .fragment(id)).dropFirst(next)
        guard let spread = spreads.first else {
          order.append(id)
          pending.removeLast()
          continue
        }
        pending[pending.count - 1].next += 1
        guard let fragment = fragment(named: document[spread].name.symbol),
          !isEntered[fragment.index]
        else { continue }
        isEntered[fragment.index] = true
        pending.append((fragment, 0))
      }
    }
    return order
  }
}
