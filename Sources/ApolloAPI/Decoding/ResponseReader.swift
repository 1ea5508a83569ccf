/// Reads the data of a response into objects, in one pass over the bytes.
///
/// 1. The position of the root, or of a field's objects, has a layout for each type. An object
///    usually begins with `__typename`, so its first bytes decide the layout; see ``LayoutCache``.
/// 2. The layout lists the fields in the order in which servers send them. The next key is compared
///    with the expected one; a key in another order is looked up, and its place noted for the next
///    object; one that was not selected is skipped.
/// 3. The field's ``SlotType/Kind`` decides how the value is read. A leaf goes straight into its
///    slot.
/// 4. An object or a list of objects is opened: it is pushed on a stack of the reader's own, so
///    that nesting takes no stack of the thread, and steps 1 to 4 repeat for it.
/// 5. At its end, an object must have every field that is neither deferred nor allowed to be
///    missing. It is popped, shown to the observer and stored in the slot, or in the list, that it
///    belongs to.
/// 6. A null that the schema rules out is recorded as a violation and propagates to the nearest
///    value around it that may be null.
struct ResponseReader: ~Copyable {
  var json: JSONReader
  /// The nulls that the schema rules out, and the missing fields. Errors of the response must
  /// explain them.
  var violations: [Violation] = []
  var layouts: LayoutCache
  let observer: (any ResponseObserver)?
  /// The fields that may be left out, besides those that are deferred.
  let missing: Missing
  /// The open objects and lists, the innermost one on top. The stack owns the objects.
  var containers: ScratchStack<OpenContainer>
  /// A bit for each field after the 64th of the open objects: whether it has a value.
  var overflowFilled: [UInt64] = []
  /// The elements of the open lists of objects, which the stack owns.
  var elements: ScratchStack<Unmanaged<ObjectStorage>?>
  /// The nulls that the schema rules out, in the list of leaves that is being read.
  var leafNulls = LeafNulls()
  /// The type names of objects that do not begin with them.
  var typenames = TypenameScan()
  /// The elements of the open lists of lists.
  var trees: [ObjectTree] = []
  private var root: ResponseObject?

  /// The fields that may be left out.
  enum Missing {
    case none
    /// Nullable fields, as in JSON that does not come from a server.
    case nullable
  }

  init(
    _ json: JSONReader, layouts: LayoutCache = LayoutCache(),
    observer: (any ResponseObserver)?, missing: Missing
  ) {
    self.json = json
    self.layouts = layouts
    self.observer = observer
    self.missing = missing
    // Eight levels and some elements fit. Only one reader at a time uses the same bytes.
    let middle = 8 * MemoryLayout<OpenContainer>.stride
    containers = ScratchStack(in: UnsafeMutableRawBufferPointer(rebasing: json.scratch[..<middle]))
    elements = ScratchStack(in: UnsafeMutableRawBufferPointer(rebasing: json.scratch[middle...]))
  }

  /// Reads the root object. Returns `nil` when a null propagates to it.
  mutating func readRoot(at position: ObjectPosition) throws(ReadFailure) -> ResponseObject? {
    guard json.next == UInt8(ascii: "{") else { throw json.wrongType(expected: "an object") }
    do {
      try openObject(at: Unmanaged.passUnretained(position))
      try readOpenContainers()
    } catch {
      abandon(error)
      throw error
    }
    return root
  }

  @inline(__always)
  private mutating func readOpenContainers() throws(ReadFailure) {
    repeat {
      if containers.top.pointee.object == nil { try readElements() } else { try readFields() }
    } while !containers.isEmpty
  }

  // MARK: - Objects

  /// Opens an object; the next byte is its opening brace.
  @inline(__always)
  mutating func openObject(at position: Unmanaged<ObjectPosition>) throws(ReadFailure) {
    try json.open()
    open(try layout(at: position))
  }

  /// Opens an object whose opening brace has been consumed.
  @inline(__always)
  private mutating func open(_ layout: Unmanaged<ObjectLayout>) {
    let object = Unmanaged.passRetained(ObjectStorage.uninitialized(layout))
    let fields = layout._withUnsafeGuaranteedRef { $0.fields }
    containers.push(
      OpenContainer(
        object, fields, order: layouts.order(of: layout), base: overflowFilled.count))
    if fields.count > 64 { addOverflowWords() }
    let openingCount = json.nextOpeningCount(of: layout)
    if openingCount > 0 { takeOpening(of: layout, openingCount) }
  }

  /// Consumes `"__typename":"Droid"`, which comes next.
  @inline(__always)
  private mutating func takeOpening(of layout: Unmanaged<ObjectLayout>, _ byteCount: Int) {
    let object = containers.top
    json.cursor += byteCount
    layout._withUnsafeGuaranteedRef { layout in
      let field = object.pointee.fields + layout.opening.field
      object.pointee.slot(of: field).initializeSlot(as: String??.self, to: layout.typename)
      object.pointee.index = layout.opening.field
    }
    fill(object.pointee.index)
  }

  /// Reads fields of the object on top until one of them opens an object or a list, or until the
  /// object ends.
  private mutating func readFields() throws(ReadFailure) {
    let object = containers.top
    if object.pointee.index >= 0 {
      guard try json.continues(until: UInt8(ascii: "}")) else { return try closeObject() }
    } else if json.next == UInt8(ascii: "}") {
      json.close()
      return try closeObject()
    }
    repeat {
      guard let index = try nextField(expected: object.pointee.expectedField) else { continue }
      object.pointee.index = index
      guard !isFilled(index) else { throw duplicateKey() }
      let field = object.pointee.fields + index
      guard try readValue(of: field, into: object.pointee.slot(of: field)) else { return }
      if index < 64 { object.pointee.fill(index) } else { fill(index) }
    } while try json.continues(until: UInt8(ascii: "}"))
    try closeObject()
  }

  /// Ends the object on top.
  @inline(__always)
  private mutating func closeObject() throws(ReadFailure) {
    if containers.top.pointee.missingCount > 0 { try handleMissing() }
    let object = containers.top.pointee
    let storage = object.object!  // it is not a list
    if object.fieldCount > 64 { overflowFilled.removeSubrange(object.base...) }
    containers.pop(to: containers.count &- 1)
    guard object.isWhole else {
      storage.release()
      return deliver(nil)
    }
    deliver(observer == nil ? storage : notifyObserver(of: storage))
  }

  /// Shows an object to the observer. Consumes the reference, and returns one to the object to use
  /// in its place.
  @inline(never)
  private func notifyObserver(of storage: Unmanaged<ObjectStorage>) -> Unmanaged<ObjectStorage> {
    let object = ResponseObject(storage: storage.takeRetainedValue())
    return .passRetained((observer?.didComplete(object) ?? object).storage)
  }

  /// Stores an object in the slot or the list that it belongs to; `nil` when a null propagates to
  /// it.
  @inline(__always)
  private mutating func deliver(_ object: Unmanaged<ObjectStorage>?) {
    guard !containers.isEmpty else {
      root = object.map { ResponseObject(storage: $0.takeRetainedValue()) }
      return
    }
    let parent = containers.top
    if parent.pointee.object == nil {
      if let object { addElement(object) } else { addNullElement() }
      return
    }
    let field = parent.pointee.field
    let slot = parent.pointee.slot(of: field)
    if let object {
      // The slot takes over the reference.
      slot.initializeMemory(as: Slot.self, to: Slot(bits: (0, 0)))
      slot.initializeMemory(as: Unmanaged<ObjectStorage>.self, to: object)
    } else {
      nullify(field, slot)
    }
    fill(parent.pointee.index)
  }
}
