extension ResponseObject {
  /// Returns the layout of the fields that a view shows of this object.
  func visibleLayout(asSeenBy view: SelectionLayout) -> ObjectLayout {
    let sources = layout.position.sources
    if sources.count == 1, sources[0] == view { return layout }
    return visibleLayout(at: layout.position.plan.position(showing: view))
  }

  /// Returns the layout of this object at another position.
  @inline(__always)
  func visibleLayout(at position: ObjectPosition) -> ObjectLayout {
    layout.position === position ? layout : adaptedLayout(at: position)
  }

  /// The same for an object of another position or plan, which keeps the conditions under which it
  /// was made.
  @inline(never)
  func adaptedLayout(at position: ObjectPosition) -> ObjectLayout {
    let plan = layout.position.plan
    let position = position.plan === plan ? position : plan.position(for: position.allSources)
    return position.layout(forTypename: layout.typename ?? typename)
  }

  /// Returns field `index` of a layout of this object, and the slot of its value; `nil` when this
  /// object has none.
  ///
  /// The field is that of the given layout, because a view may show less of the objects below than
  /// they hold.
  @inline(__always)
  func position(
    of index: Int, in visible: ObjectLayout
  ) -> (field: UnsafePointer<FieldLayout>, slot: UnsafeMutableRawPointer)? {
    let field = visible.fields.baseAddress! + index  // there is a field with this index
    if visible === layout { return (field, slot(field.pointee.slot)) }
    return adaptedSlot(for: field).map { (field, $0) }
  }

  /// Returns the slot of a field of another layout; `nil` when there is none, or one of another
  /// type.
  @inline(never)
  private func adaptedSlot(for field: UnsafePointer<FieldLayout>) -> UnsafeMutableRawPointer? {
    guard let index = layout.fieldIndex(withKey: field.pointee.responseKey) else { return nil }
    let own = layout.fields.baseAddress! + index  // there is a field with this index
    guard own.pointee.slotType.hasSameType(as: field.pointee.slotType) else { return nil }
    return slot(own.pointee.slot)
  }
}
