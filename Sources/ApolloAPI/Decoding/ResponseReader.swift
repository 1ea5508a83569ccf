/// Reads the data of a response into objects, in one walk over the bytes.
///
/// Layouts say what to expect, so in the usual case a key is one comparison and its value goes straight into its slot. Objects and
/// lists that are open lie on a stack of the reader's own: nesting takes no stack of the thread.
struct ResponseReader: ~Copyable {
  var json: JSONReader
  /// Nulls where none may be. They took the objects around them with them, and are to be explained by errors.
  var violations: [Violation] = []
  var layouts: LayoutCache
  let listener: (any ResponseObserver)?
  /// Which fields may be left out, besides those that are deferred.
  let missing: Missing
  /// The innermost one is on top, all others are in a value. Objects are owned by their places here.
  var containers: ScratchStack<OpenContainer>
  /// Which fields beyond the 64th have values, for all open objects that have so many.
  var wideFilled: [UInt64] = []
  /// The elements so far of open lists of objects, each owned by its place here.
  var elements: ScratchStack<Unmanaged<ObjectStorage>?>
  /// The elements so far of a list of strings.
  var strings = ScratchStack<String>()
  /// The elements so far of open lists of lists.
  var trees: [ObjectTree] = []
  private var root: ResponseObject?

  /// Which fields may be left out.
  enum Missing {
    case none
    /// Those that may be null, as in JSON that did not come from a server.
    case nullable
    /// Any, as in a part of an object.
    case any
  }

  init(
    _ json: JSONReader, layouts: LayoutCache = LayoutCache(),
    listener: (any ResponseObserver)?, missing: Missing
  ) {
    self.json = json
    self.layouts = layouts
    self.listener = listener
    self.missing = missing
    // Eight levels and some elements fit. Only one reader at a time reads from the same bytes.
    let middle = 8 * MemoryLayout<OpenContainer>.stride
    containers = ScratchStack(in: UnsafeMutableRawBufferPointer(rebasing: json.scratch[..<middle]))
    elements = ScratchStack(in: UnsafeMutableRawBufferPointer(rebasing: json.scratch[middle...]))
  }

  /// Reads the object of the root, or `nil` when a null where none may be has taken it.
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

  /// Reads a part of an object that has a layout already; returns `nil` as above.
  mutating func readPart(_ layout: ObjectLayout) throws(ReadFailure) -> ResponseObject? {
    guard json.next == UInt8(ascii: "{") else { throw json.wrongType(expected: "an object") }
    do {
      try json.open()
      open(Unmanaged.passUnretained(layout))
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

  /// Begins an object; the next byte is its opening brace.
  @inline(__always)
  mutating func openObject(at position: Unmanaged<ObjectPosition>) throws(ReadFailure) {
    try json.open()
    open(try layout(at: position))
  }

  /// Begins an object whose opening brace has been consumed.
  @inline(__always)
  private mutating func open(_ layout: Unmanaged<ObjectLayout>) {
    let object = Unmanaged.passRetained(ObjectStorage.uninitialized(layout))
    let fields = layout._withUnsafeGuaranteedRef { $0.fields }
    containers.push(OpenContainer(object, fields, base: wideFilled.count))
    if fields.count > 64 { addWideWords() }
    if json.isNextOpening(of: layout) { takeOpening(of: layout) }
  }

  /// Consumes `"__typename":"Droid"`, which comes next.
  @inline(__always)
  private mutating func takeOpening(of layout: Unmanaged<ObjectLayout>) {
    let object = containers.top
    layout._withUnsafeGuaranteedRef { layout in
      json.cursor += layout.openingCount
      let field = object.pointee.fields + layout.openingField
      object.pointee.slot(of: field).initializeSlot(as: String??.self, to: layout.typename)
      object.pointee.index = layout.openingField
    }
    fill(object.pointee.index)
  }

  /// Reads fields of the object on top until the value of one is an object or a list of such, which is opened, or until the object
  /// ends.
  private mutating func readFields() throws(ReadFailure) {
    let object = containers.top
    if object.pointee.index >= 0 {
      guard try json.continues(until: UInt8(ascii: "}")) else { return try closeObject() }
    } else if json.next == UInt8(ascii: "}") {
      json.close()
      return try closeObject()
    }
    repeat {
      guard let index = try nextField(expected: object.pointee.index &+ 1) else { continue }
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
    let storage = object.object!  // it is no list
    if object.fieldCount > 64 { wideFilled.removeSubrange(object.base...) }
    containers.pop(to: containers.count &- 1)
    guard object.isWhole else {
      storage.release()
      return deliver(nil)
    }
    deliver(listener == nil ? storage : tell(of: storage))
  }

  /// Tells the listener of an object. Owns the object before, and afterwards the one to take instead of it.
  @inline(never)
  private func tell(of storage: Unmanaged<ObjectStorage>) -> Unmanaged<ObjectStorage> {
    let object = ResponseObject(storage: storage.takeRetainedValue())
    return .passRetained((listener?.didComplete(object) ?? object).storage)
  }

  /// Puts an object that has been read where it belongs; `nil` when a null has taken it.
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
