/// The layouts that objects had in the latest responses, so that decoding seldom takes a lock.
///
/// 1. A reader copies the cache of its plan.
/// 2. For each object it looks at the first layout of the position. If the type is static, that is
///    the one; otherwise the layout's opening, such as `"__typename":"Droid"`, is compared with the
///    next bytes.
/// 3. If none matches, it asks the position, which locks, and adds the layout to its copy.
/// 4. At the end, a copy that has changed replaces the plan's cache.
struct LayoutCache: Sendable {
  /// The layouts by the numbers of their positions.
  private(set) var entries: [Entry] = []
  /// `true` if a layout was added since the copy was made.
  private(set) var hasChanged = false

  /// The layouts at one position.
  struct Entry {
    var first: Unmanaged<ObjectLayout>?
    /// `true` if all objects at the position have the first layout.
    var isStatic = false
    var others: [Unmanaged<ObjectLayout>] = []
  }

  /// Adds a layout that can be recognized: one with an opening, or the only one of its position.
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
      // Objects that do not begin with their type are not recognized, so their layout may be known
      // already.
      let isKnown =
        entries[position.number].first?.isSame(as: layout) == true
        || entries[position.number].others.contains { $0.isSame(as: layout) }
      guard !isKnown else { return }
      entries[position.number].others.append(layout)
    }
    hasChanged = true
  }

  /// Returns a copy for the next reader.
  func copyForReader() -> LayoutCache {
    var memory = self
    memory.hasChanged = false
    return memory
  }
}
