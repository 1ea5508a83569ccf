extension LayoutCache {
  /// The layout of the object whose first key comes next, or `nil` when it has to be found out.
  @inline(__always)
  func layout(_ position: Int, for json: JSONReader) -> Unmanaged<ObjectLayout>? {
    guard position < entries.count, let first = entries[position].first else { return nil }
    if entries[position].isStatic || json.isNextOpening(of: first) { return first }
    return entries[position].others.first { json.isNextOpening(of: $0) }
  }
}

extension OperationPlan {
  /// What the last reader of this plan learned.
  var layoutMemory: LayoutCache {
    get { layouts.get() }
    set {
      guard newValue.hasChanged else { return }
      layouts.withLock { $0 = newValue.handedOut() }
    }
  }
}
