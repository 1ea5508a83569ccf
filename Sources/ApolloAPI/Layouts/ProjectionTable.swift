/// Where the views that an object fulfils find their values: for each view, the slot of each accessor.
///
/// Open-addressed by the identity of the view, at most half full; it lives as long as its layout, which is for ever.
///
/// `@unchecked Sendable` because the pointers are to memory that is written before the initializer returns and never freed.
struct ProjectionTable: @unchecked Sendable {
  /// One view. Without slots, the bucket is empty.
  private struct Bucket {
    var view: UnsafeMutableRawPointer?
    var slots: UnsafePointer<Int16>?
  }

  private let buckets: UnsafePointer<Bucket>
  private let mask: Int

  /// - Parameter projections: for each view, which no other one equals, where its accessors read; negative for nowhere.
  init(_ projections: [(view: SelectionLayout, slots: [Int16])]) {
    var capacity = 2
    while capacity < projections.count * 2 { capacity *= 2 }
    mask = capacity - 1
    let buckets = UnsafeMutablePointer<Bucket>.allocate(capacity: capacity)
    buckets.initialize(repeating: Bucket(), count: capacity)
    for (view, slots) in projections {
      var index = Self.hash(view) & mask
      while buckets[index].slots != nil { index = (index + 1) & mask }
      let memory = UnsafeMutablePointer<Int16>.allocate(capacity: max(slots.count, 1))
      for (accessor, slot) in slots.enumerated() { (memory + accessor).initialize(to: slot) }
      buckets[index] = Bucket(view: view.reference.toOpaque(), slots: UnsafePointer(memory))
    }
    self.buckets = UnsafePointer(buckets)
  }

  /// The slot of each accessor of a view, or `nil` when it is not in the table.
  @inline(__always)
  func slots(of view: SelectionLayout) -> UnsafePointer<Int16>? {
    let identity = view.reference.toOpaque()
    var index = Self.hash(view) & mask
    while let slots = buckets[index].slots {
      if buckets[index].view == identity { return slots }
      index = (index + 1) & mask
    }
    return nil
  }

  /// Objects of classes lie at multiples of 16. Neighbours are views of one definition.
  @inline(__always)
  private static func hash(_ view: SelectionLayout) -> Int {
    let address = UInt(bitPattern: view.reference.toOpaque())
    return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 10))
  }
}
