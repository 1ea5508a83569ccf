/// The layouts that objects had in the latest responses, so that decoding seldom takes a lock, and
/// the order of their fields.
///
/// 1. A reader copies the cache of its plan.
/// 2. For each object it looks at the first layout of the position. If the type is static, that is
///    the one; otherwise the layout's opening, such as `"__typename":"Droid"`, is compared with the
///    next bytes.
/// 3. If none matches, it asks the position, which locks, and adds the layout to its copy.
/// 4. When a field comes in another place than expected, it notes the order.
/// 5. At the end, a copy that has changed replaces the plan's cache.
struct LayoutCache: Sendable {
  /// The layouts by the numbers of their positions.
  private(set) var entries: [Entry] = []
  /// The orders of fields by the numbers of the layouts; `nil` for the order of the selections.
  private var orders: [FieldOrder?] = []
  /// The orders that were replaced, which objects that are being read may still use.
  private var replacedOrders: [FieldOrder] = []
  /// `true` if something was added since the copy was made.
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
    guard isStatic || layout._withUnsafeGuaranteedRef({ $0.opening.count > 0 }) else { return }
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

  /// Returns the field that is expected after each field of a layout. Valid while the cache is
  /// alive.
  @inline(__always)
  func order(of layout: Unmanaged<ObjectLayout>) -> UnsafePointer<Int16> {
    layout._withUnsafeGuaranteedRef { layout in
      guard layout.number < orders.count, let order = orders[layout.number] else {
        return layout.selectionOrder
      }
      return UnsafePointer(order.successors)
    }
  }

  /// Notes that one field of an object came after another.
  ///
  /// - Parameters:
  ///   - field: The index of the field.
  ///   - previous: The index of the field before it, or -1.
  ///   - layout: The layout of the object.
  /// - Returns: The order of the layout from now on.
  mutating func note(
    _ field: Int, after previous: Int, in layout: ObjectLayout
  ) -> UnsafePointer<Int16> {
    while orders.count <= layout.number { orders.append(nil) }
    hasChanged = true
    if let order = orders[layout.number] {
      if !order.isShared {
        order.successors[previous + 1] = Int16(field)
        return UnsafePointer(order.successors)
      }
      replacedOrders.append(order)
    }
    let known = order(of: .passUnretained(layout))
    let order = FieldOrder(copying: known, fieldCount: layout.fields.count)
    order.successors[previous + 1] = Int16(field)
    orders[layout.number] = order
    return UnsafePointer(order.successors)
  }

  /// Returns a copy for the next reader.
  func copyForReader() -> LayoutCache {
    var memory = self
    memory.hasChanged = false
    memory.replacedOrders = []
    for order in orders where order?.isShared == false { order?.isShared = true }
    return memory
  }
}
