extension LayoutCache {
  /// Returns the layout of the object whose first key comes next, or `nil` when it must be looked
  /// up.
  @inline(__always)
  func layout(_ position: Int, for json: JSONReader) -> Unmanaged<ObjectLayout>? {
    guard position < entries.count, let first = entries[position].first else { return nil }
    if entries[position].isStatic || json.isNextOpening(of: first) { return first }
    return entries[position].others.first { json.isNextOpening(of: $0) }
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
