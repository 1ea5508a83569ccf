/// The layouts that objects at each place turned out to have lately, so that a reader seldom has to ask the place, which locks.
struct LayoutMemory: Sendable {
  private var entries: [Entry] = []
  /// Whether something was learned since the memory was handed out.
  private(set) var hasChanged = false

  /// The last layouts at one place, the next one to be replaced first.
  private struct Entry {
    var first: Unmanaged<ObjectLayout>?
    var second: Unmanaged<ObjectLayout>?
    var third: Unmanaged<ObjectLayout>?
    /// Whether all objects here have the first layout.
    var isStatic = false
  }

  /// The layout of the object whose first key comes next, or `nil` when it has to be found out.
  @inline(__always)
  func layout(_ place: Int, for json: JSONReader) -> Unmanaged<ObjectLayout>? {
    guard place < entries.count else { return nil }
    let entry = entries[place]
    guard let first = entry.first else { return nil }
    if entry.isStatic || begins(json, first) { return first }
    if let second = entry.second, begins(json, second) { return second }
    if let third = entry.third, begins(json, third) { return third }
    return nil
  }

  @inline(__always)
  private func begins(_ json: JSONReader, _ layout: Unmanaged<ObjectLayout>) -> Bool {
    layout._withUnsafeGuaranteedRef { layout in
      layout.openingCount > 0 && json.isNext(layout.opening, layout.openingCount)
    }
  }

  mutating func remember(_ layout: ObjectLayout, at place: Place) {
    hasChanged = true
    while entries.count <= place.number { entries.append(Entry()) }
    let entry = entries[place.number]
    entries[place.number] = Entry(
      first: Unmanaged.passUnretained(layout), second: entry.first, third: entry.second,
      isStatic: place.staticTypename != nil)
  }

  /// The memory for the next reader.
  func handedOut() -> LayoutMemory {
    var memory = self
    memory.hasChanged = false
    return memory
  }
}

extension Plan {
  /// What the last reader of this plan learned.
  var layoutMemory: LayoutMemory {
    get { layouts.withLock(\.self) }
    set {
      guard newValue.hasChanged else { return }
      layouts.withLock { $0 = newValue.handedOut() }
    }
  }
}
