/// An object or a list of objects whose end has not been read yet.
///
/// Trivial, so that a stack of these costs nothing to move: the reader owns the objects.
struct OpenContainer {
  /// The object that is made; of a list, `nil`.
  let object: Unmanaged<ObjectStorage>?
  /// Of an object, its first slot.
  private let slots: UnsafeMutableRawPointer
  /// Of an object, its fields. Of a list, the field that it is the value of.
  let fields: UnsafePointer<FieldLayout>
  /// How many fields an object has.
  let fieldCount: Int
  /// Of an object, the field that was read last, or that is being read; negative before the first one. Of a list, the number of
  /// elements that have been read.
  var index: Int
  /// Which of the first 64 fields have values.
  private var filled: UInt64 = 0
  /// How many fields have none.
  private(set) var missingCount: Int
  /// Whether no null has taken this object or list.
  var isWhole = true
  /// Of a list, whether an element has been opened.
  var isResumed = false
  /// Of a list, how many lists of the same field are around it.
  let depth: Int
  /// Of a list, where its elements begin on the reader's stack. Of an object with more than 64 fields, where the bits of those begin.
  let base: Int

  /// An object, all of whose slots are uninitialized.
  @inline(__always)
  init(_ object: Unmanaged<ObjectStorage>, _ fields: UnsafeBufferPointer<FieldLayout>, base: Int) {
    self.object = object
    slots = object._withUnsafeGuaranteedRef { $0.slot(0) }
    self.fields = fields.baseAddress!  // it was allocated
    fieldCount = fields.count
    index = -1
    missingCount = fields.count
    depth = 0
    self.base = base
  }

  /// A list that is the value of a field, or an element of a list that is.
  @inline(__always)
  init(listOf field: UnsafePointer<FieldLayout>, depth: Int, base: Int) {
    object = nil
    slots = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(field))  // not used
    fields = field
    fieldCount = 0
    index = 0
    missingCount = 0
    self.depth = depth
    self.base = base
  }

  /// The field that is being read, or whose list is being read.
  var field: UnsafePointer<FieldLayout> {
    @inline(__always) get { object == nil ? fields : fields + index }
  }

  /// Where the value of a field belongs.
  @inline(__always)
  func slot(of field: UnsafePointer<FieldLayout>) -> UnsafeMutableRawPointer {
    slots + field.pointee.slotOffset
  }

  /// The field of the response path that leads into what is being read here.
  var pathEntry: PathEntry { object == nil ? .index(index) : .field(field.pointee.responseKey) }

  // MARK: - Which fields have values

  /// How many words of bits an object needs beside its own.
  var overflowWordCount: Int {
    @inline(__always) get { fieldCount > 64 ? (fieldCount &- 1) / 64 : 0 }
  }

  /// Whether one of the first 64 fields has a value.
  @inline(__always)
  func isFilled(_ index: Int) -> Bool { filled & (1 &<< UInt64(index)) != 0 }

  /// Notes that one of the first 64 fields has a value.
  @inline(__always)
  mutating func fill(_ index: Int) {
    filled |= 1 &<< UInt64(index)
    missingCount &-= 1
  }

  /// Notes that a field has a value whose bit is kept elsewhere.
  mutating func fillWide() { missingCount &-= 1 }
}
