/// For each view that the objects of a layout fulfil, the slot that each accessor reads.
///
/// An open-addressed table by the identity of the view, with so many buckets that nearly every view
/// is found in its first one. It lives as long as its layout, which is as long as the program.
///
/// `@unchecked Sendable` because the pointers are to memory that is written before the initializer
/// returns and never freed.
struct ViewSlots: @unchecked Sendable {
  /// One view; 0 for an empty bucket.
  private struct Bucket {
    var view: UInt
    var slots: UnsafePointer<Int16>
  }

  private let buckets: UnsafePointer<Bucket>
  private let mask: UInt

  /// - Parameter slots: For each view, without repetitions, the slots of its accessors; negative
  ///   for an accessor without a field.
  init(_ slots: [(view: SelectionLayout, slots: [Int16])]) {
    let views = slots.map { Self.identity($0.view) }
    let capacity = Self.capacity(for: views)
    mask = UInt(capacity - 1)
    let nowhere = UnsafeMutablePointer<Int16>.allocate(capacity: 1)
    nowhere.initialize(to: -1)
    let buckets = UnsafeMutablePointer<Bucket>.allocate(capacity: capacity)
    buckets.initialize(repeating: Bucket(view: 0, slots: nowhere), count: capacity)
    for (view, slots) in zip(views, slots.map(\.slots)) {
      var index = Self.hash(view) & mask
      while buckets[Int(index)].view != 0 { index = (index + 1) & mask }
      let memory = UnsafeMutablePointer<Int16>.allocate(capacity: max(slots.count, 1))
      for (accessor, slot) in slots.enumerated() { (memory + accessor).initialize(to: slot) }
      buckets[Int(index)] = Bucket(view: view, slots: memory)
    }
    self.buckets = UnsafePointer(buckets)
  }

  /// The least power of two that gives every view a bucket of its own, up to eight buckets for each
  /// view.
  private static func capacity(for views: [UInt]) -> Int {
    var capacity = 2
    while capacity < views.count * 2 { capacity *= 2 }
    while capacity < views.count * 8 {
      let mask = UInt(capacity - 1)
      if Set(views.map { hash($0) & mask }).count == views.count { break }
      capacity *= 2
    }
    return capacity
  }

  /// Returns the slot of each accessor of a view, or `nil` when the objects do not fulfil it.
  @inline(__always)
  func slots(of view: SelectionLayout) -> UnsafePointer<Int16>? {
    let identity = Self.identity(view)
    var bucket = buckets + Int(bitPattern: Self.hash(identity) & mask)
    if bucket.pointee.view == identity { return bucket.pointee.slots }
    var index = Self.hash(identity)
    while bucket.pointee.view != 0 {
      index &+= 1
      bucket = buckets + Int(bitPattern: index & mask)
      if bucket.pointee.view == identity { return bucket.pointee.slots }
    }
    return nil
  }

  @inline(__always)
  private static func identity(_ view: SelectionLayout) -> UInt {
    UInt(bitPattern: view.reference.toOpaque())
  }

  /// Objects of classes lie at multiples of 16. Neighbours are views of one definition.
  @inline(__always)
  private static func hash(_ identity: UInt) -> UInt { (identity >> 4) ^ (identity >> 10) }
}
