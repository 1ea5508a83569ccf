extension LayoutCache {
  /// Returns the layout of the object whose first key comes next, or `nil` when it must be looked
  /// up.
  @inline(__always)
  func layout(_ position: Int, for json: JSONReader) -> Unmanaged<ObjectLayout>? {
    guard position < entries.count, let first = entries[position].first else { return nil }
    if entries[position].isStatic || json.nextOpeningCount(of: first) > 0 { return first }
    return entries[position].others.first { json.nextOpeningCount(of: $0) > 0 }
  }

  /// Returns the layout whose type name comes next, in quotes, or `nil` when it must be looked up.
  func layout(_ position: Int, withTypenameNextIn json: JSONReader) -> Unmanaged<ObjectLayout>? {
    guard position < entries.count, let first = entries[position].first else { return nil }
    if json.isNextTypename(of: first) { return first }
    return entries[position].others.first { json.isNextTypename(of: $0) }
  }
}

extension JSONReader {
  fileprivate func isNextTypename(of layout: Unmanaged<ObjectLayout>) -> Bool {
    layout._withUnsafeGuaranteedRef { layout in
      let opening = layout.opening
      return opening.count > 0 && isNext(opening.typename, opening.typenameCount)
    }
  }
}

extension OperationPlan {
  /// The layouts that occurred in the latest responses of this plan.
  var layoutCache: LayoutCache {
    get { layouts.get() }
    set {
      guard newValue.hasChanged else { return }
      layouts.withLock { $0 = newValue.copyForReader() }
    }
  }
}
