extension OperationPlan {
  /// Returns the slot that each accessor of a view reads; negative when the accessor must read
  /// nothing.
  ///
  /// An object has a slot for every key that some selection set at its position contributes, even
  /// if the view's own field with that key is excluded by a condition. A leaf is the same whichever
  /// field selected it, so every accessor shows it. An object may lack the fields that the
  /// accessor's model promises, so the accessor reads nothing. An accessor for a field that is
  /// merged from elsewhere shows it, unless the literal says what that field depends on.
  ///
  /// - Parameters:
  ///   - view: The selection set of the view.
  ///   - slots: The slot of each response key.
  /// - Returns: The slots in the order of the accessors.
  func slots(of view: SelectionNode, among slots: [String: Int]) -> [Int16] {
    /// The number of selected fields for each key whose own fields are objects.
    var ownObjectCounts: [String: Int] = [:]
    for case .field(let field) in view.selections where field.child != nil {
      ownObjectCounts[field.responseKey, default: 0] += selects(field) ? 1 : 0
    }
    return view.keys.map { key in
      let isShown =
        view.mergedConditions[key].map { selects(key, if: $0) }
        ?? ownObjectCounts[key].map { $0 > 0 } ?? true
      return isShown ? Int16(slots[key] ?? -1) : -1
    }
  }
}
