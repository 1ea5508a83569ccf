/// Which accessors of a view have a field of their own behind them in a plan.
///
/// An object is laid out for everything that contributes to its place, so a slot may be there although the field that an accessor
/// stands for was left out by its condition: another fragment selected the key, perhaps with other fields of its objects. Such an
/// accessor must read nothing.
struct ViewSelection {
  private let plan: Plan
  private let view: SelectionNode
  /// The view's selection set and those written around it, which all hold where the view does.
  private let path: [SelectionNode]
  /// The keys that fields on the path have, whatever their conditions.
  private var declared: Set<String> = []
  /// The keys that really are selected, on the path or by fragments that are merged into the view. Objects count on the path alone:
  /// those that only a fragment selects have nothing of what the accessor's model shows.
  private var selected: Set<String> = []
  private var visited: Set<ObjectIdentifier> = []

  init(of view: SelectionNode, plan: Plan) {
    self.plan = plan
    self.view = view
    path = view.path
    for node in path {
      for case .field(let field) in node.selections { declared.insert(field.responseKey) }
    }
    for node in path { collect(node, isOnPath: true) }
  }

  /// Whether the accessor with this key may read a slot with this key.
  ///
  /// A key that no field on the path has was merged from elsewhere. A leaf stands for whatever fills the slot; an object must be
  /// the one that the merged field selects, and the literal says what that field depends on.
  func includes(_ key: String) -> Bool {
    if let conditions = view.mergedConditions[key] { return plan.selects(key, if: conditions) }
    return !declared.contains(key) || selected.contains(key)
  }

  private mutating func collect(_ node: SelectionNode, isOnPath: Bool) {
    guard visited.insert(ObjectIdentifier(node)).inserted else { return }
    for selection in node.selections {
      switch selection {
      case .field(let field):
        guard isOnPath || field.child == nil, plan.selects(field) else { continue }
        selected.insert(field.responseKey)
      case .inlineFragment(let fragment, let conditions): collect(fragment, conditions)
      case .fragmentSpread(let index, let conditions):
        collect(node.definition.fragments[index].__selections.nodes[0], conditions)
      }
    }
  }

  /// Collects a fragment that is merged into the view: one without conditions, on a type that every object of the view has.
  private mutating func collect(_ fragment: SelectionNode, _ conditions: [InclusionCondition]) {
    let type = view.parentType
    let typename = plan.types.isAbstract(type) ? nil : type
    guard conditions.isEmpty,
      plan.condition(fragment.parentType, holdsFor: typename, within: type)
    else { return }
    collect(fragment, isOnPath: false)
  }
}
