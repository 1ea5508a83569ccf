/// Which accessors of a view have a field behind them in a plan.
///
/// An object is laid out for everything that contributes to its place, so a slot may be there although the field that an accessor
/// stands for was left out by its condition: another fragment selected the key. A leaf is the same whoever selected it, and
/// every accessor shows it. An object may lack the fields that the accessor's model promises, so that accessor must read nothing.
struct ViewSelection {
  private let plan: OperationPlan
  private let view: SelectionNode
  /// The view's own fields of objects by their keys: whether one of them is selected.
  private var ownObjects: [String: Bool] = [:]

  init(of view: SelectionNode, plan: OperationPlan) {
    self.plan = plan
    self.view = view
    for case .field(let field) in view.selections where field.child != nil {
      ownObjects[field.responseKey] =
        plan.selects(field) || ownObjects[field.responseKey] ?? false
    }
  }

  /// Whether the accessor with this key may read a slot with this key.
  ///
  /// An accessor for what is selected elsewhere shows a field that every object of the view has, unless the literal says what
  /// that field depends on.
  func includes(_ key: String) -> Bool {
    if let conditions = view.mergedConditions[key] { return plan.selects(key, if: conditions) }
    return ownObjects[key] ?? true
  }
}
