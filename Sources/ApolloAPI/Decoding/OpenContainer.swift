/// An object or a list of objects whose end has not been read yet.
///
/// Trivial, so that a stack of these costs nothing to move: the reader owns the objects.
struct OpenContainer {
  /// The object; `nil` for a list.
  let object: Unmanaged<ObjectStorage>?
  /// The first slot of an object.
  private let slots: UnsafeMutableRawPointer
  /// The fields of an object; for a list, the field whose value it is.
  let fields: UnsafePointer<FieldLayout>
  /// The number of fields of an object.
  let fieldCount: Int
  /// For an object, the index of the field that is expected after each one; see ``FieldOrder``.
  var order: UnsafePointer<Int16>
  /// For an object, the index of the latest field, negative before the first one. For a list, the
  /// number of elements that have been read.
  var index: Int
  /// A bit for each of the first 64 fields: whether it has a value.
  private var filled: UInt64 = 0
  /// The number of fields without a value.
  private(set) var missingCount: Int
  /// `false` once a null propagates to this object or list.
  var isWhole = true
  /// For a list, whether an element has been opened.
  var isResumed = false
  /// For a list, the number of lists of the same field around it.
  let depth: Int
  /// For a list, the index of its first element on the reader's stack. For an object with more than
  /// 64 fields, the index of the first word of bits for the others.
  let base: Int

  /// Opens an object whose slots are all uninitialized.
  @inline(__always)
  init(
    _ object: Unmanaged<ObjectStorage>, _ fields: UnsafeBufferPointer<FieldLayout>,
    order: UnsafePointer<Int16>, base: Int
  ) {
    self.object = object
    slots = object._withUnsafeGuaranteedRef { $0.slot(0) }
    self.fields = fields.baseAddress!  // it was allocated
    fieldCount = fields.count
    self.order = order
    index = -1
    missingCount = fields.count
    depth = 0
    self.base = base
  }

  /// Opens a list: the value of a field, or an element of such a list.
  @inline(__always)
  init(listOf field: UnsafePointer<FieldLayout>, depth: Int, base: Int) {
    object = nil
    slots = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(field))  // not used
    fields = field
    fieldCount = 0
    order = UnsafeRawPointer(field).assumingMemoryBound(to: Int16.self)  // not used
    index = 0
    missingCount = 0
    self.depth = depth
    self.base = base
  }

  /// The field that is being read, or whose list is being read.
  var field: UnsafePointer<FieldLayout> {
    @inline(__always) get { object == nil ? fields : fields + index }
  }

  /// The index of the field that is expected next; the number of fields when none is.
  var expectedField: Int {
    @inline(__always) get { Int(order[index &+ 1]) }
  }

  /// Returns the slot of a field.
  @inline(__always)
  func slot(of field: UnsafePointer<FieldLayout>) -> UnsafeMutableRawPointer {
    slots + field.pointee.slotOffset
  }

  /// The entry of the response path that leads to the value being read.
  var pathEntry: PathEntry { object == nil ? .index(index) : .field(field.pointee.responseKey) }

  // MARK: - Which fields have values

  /// The number of words that hold the bits of the fields after the first 64.
  var overflowWordCount: Int {
    @inline(__always) get { fieldCount > 64 ? (fieldCount &- 1) / 64 : 0 }
  }

  /// Returns whether one of the first 64 fields has a value.
  @inline(__always)
  func isFilled(_ index: Int) -> Bool { filled & (1 &<< UInt64(index)) != 0 }

  /// Marks one of the first 64 fields as read.
  @inline(__always)
  mutating func fill(_ index: Int) {
    filled |= 1 &<< UInt64(index)
    missingCount &-= 1
  }

  /// Counts a field as read whose bit is kept in the reader.
  mutating func fillOverflow() { missingCount &-= 1 }
}
