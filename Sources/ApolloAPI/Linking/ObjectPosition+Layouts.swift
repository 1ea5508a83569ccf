extension ObjectPosition {
  /// Returns the layout of the objects of a type, and links it on first use.
  ///
  /// Types that generated code does not know share one layout, whose `typename` is `nil`, so that
  /// the number of layouts does not depend on what a server sends.
  package func layout(forTypename typename: String?) -> ObjectLayout {
    let known = staticTypename ?? typename.flatMap { plan.types.knows($0) ? $0 : nil }
    if let layout = layouts.withLock({ $0.layout(of: known) }) { return layout }
    // Outside the lock, because linking requests positions from the plan.
    let layout = ObjectLayout.link(self, typename: known)
    return layouts.withLock { layouts in
      if let winner = layouts.layout(of: known) { return winner }
      layouts.insert(layout, of: known)
      return layout
    }
  }
}

extension ObjectLayout {
  /// Links the selection sets of a position for one type of object (specification 6.3.2, "Field
  /// Collection").
  ///
  /// 1. Walks the position's sources in order. Fields, inline fragments and spreads that the plan's
  ///    conditions or the type exclude are skipped; a fragment is visited once.
  /// 2. Groups the fields by response key. The first one determines the type; the selection sets of
  ///    all of them become the sources of the position of its objects.
  /// 3. Repeats this for the deferred fragments, so that their fields come last: most servers send
  ///    them later, if at all. A fragment that several of them spread is visited for each, because
  ///    it arrives with any of them.
  /// 4. Assigns a slot to each field, first to those of the first source, so that its model reads
  ///    slot *i* with accessor *i*.
  /// 5. Finds the slot of each accessor for every selection set that was visited: the views that
  ///    the objects fulfil.
  static func link(_ position: ObjectPosition, typename: String?) -> ObjectLayout {
    var collector = FieldCollector(position, typename: typename)
    for (index, source) in position.sources.enumerated() {
      collector.collect(source.node, index < position.immediateCount ? .now : .later)
    }
    collector.collectDeferred()
    let fields = collector.fields(startingWith: position.sources[0].keys)
    var slots: [String: Int] = [:]
    for field in fields { slots[field.responseKey] = field.slot }
    let views = collector.fulfilled.map { node in
      (view: SelectionLayout(node), slots: position.plan.slots(of: node, among: slots))
    }
    return ObjectLayout(
      position: position, typename: typename, fields: fields, views: views,
      deferred: collector.deferred.map { SelectionLayout($0) })
  }
}
