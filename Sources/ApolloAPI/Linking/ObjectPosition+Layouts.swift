extension ObjectPosition {
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

extension ObjectLayout {
  /// Collects the fields of a place for one type of object (specification 6.3.2, "Field Collection").
  ///
  /// What is deferred comes last: most servers answer it later, if at all.
  static func link(_ position: ObjectPosition, typename: String?) -> ObjectLayout {
    var collector = FieldCollector(plan: position.plan, typename: typename)
    for (index, contributor) in position.sources.enumerated() {
      collector.collect(contributor.node, index < position.immediateCount ? .now : .later)
    }
    collector.collectWhatIsDeferred()
    let fields = collector.fields(startingWith: position.sources[0].keys)
    let slots = Dictionary(uniqueKeysWithValues: fields.map { ($0.responseKey, Int16($0.slot)) })
    let views = collector.fulfilled.map { node in
      (view: SelectionLayout(node), slots: position.plan.slots(of: node, among: slots))
    }
    return ObjectLayout(
      position: position, typename: typename, fields: fields, views: views,
      deferred: Set(collector.deferred.map { SelectionLayout($0) }))
  }
}
