/// The layouts that objects at each place turned out to have, so that a reader seldom has to ask the place, which locks.
struct LayoutCache: Sendable {
  /// By the numbers of the places.
  private(set) var entries: [Entry] = []
  /// Whether something was learned since the memory was handed out.
  private(set) var hasChanged = false

  /// The layouts at one place.
  struct Entry {
    var first: Unmanaged<ObjectLayout>?
    /// Whether all objects here have the first layout.
    var isStatic = false
    var others: [Unmanaged<ObjectLayout>] = []
  }

  /// Learns of a layout. Only those with an opening can be recognized, and the only one at its place.
  mutating func remember(_ layout: ObjectLayout, at position: ObjectPosition) {
    let layout = Unmanaged.passUnretained(layout)
    let isStatic = position.staticTypename != nil
    guard isStatic || layout._withUnsafeGuaranteedRef({ $0.openingCount > 0 }) else { return }
    while entries.count <= position.number { entries.append(Entry()) }
    let isFirst = entries[position.number].first == nil
    if isFirst {
      entries[position.number].first = layout
      entries[position.number].isStatic = isStatic
    } else {
      // Objects that do not begin with their type are not recognized, and remembered only once.
      let isKnown =
        entries[position.number].first?.isSame(as: layout) == true
        || entries[position.number].others.contains { $0.isSame(as: layout) }
      guard !isKnown else { return }
      entries[position.number].others.append(layout)
    }
    hasChanged = true
  }

  /// The memory for the next reader.
  func handedOut() -> LayoutCache {
    var memory = self
    memory.hasChanged = false
    return memory
  }
}
