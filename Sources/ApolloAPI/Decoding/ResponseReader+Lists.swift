// Lists of objects, and lists of lists of them.

extension ResponseReader {
  /// Opens a list; the next byte is its opening bracket.
  @inline(__always)
  mutating func openList(_ field: UnsafePointer<FieldLayout>, depth: Int) throws(ReadFailure) {
    try json.open()
    let isInnermost = depth &+ 1 == field.pointee.slotType.rank
    let base = isInnermost ? elements.count : trees.count
    containers.push(OpenContainer(listOf: field, depth: depth, base: base))
  }

  /// Reads elements of the list on top until one is opened, or until the list ends.
  mutating func readElements() throws(ReadFailure) {
    let list = containers.top
    if list.pointee.isResumed {
      guard try json.continues(until: UInt8(ascii: "]")) else { return closeList() }
    } else {
      list.pointee.isResumed = true
      if json.next == UInt8(ascii: "]") {
        json.close()
        return closeList()
      }
    }
    let field = list.pointee.field
    let depth = list.pointee.depth &+ 1
    repeat {
      if try openElement(of: field, depth: depth) { return }
    } while try json.continues(until: UInt8(ascii: "]"))
    closeList()
  }

  /// Opens the object or list that comes next and returns `true`, or takes a null and returns
  /// `false`.
  @inline(__always)
  private mutating func openElement(
    of field: UnsafePointer<FieldLayout>, depth: Int
  ) throws(ReadFailure) -> Bool {
    do throws(ReadFailure) {
      if depth == field.pointee.slotType.rank {
        guard json.next == UInt8(ascii: "{") else { return try takeNull(field, depth: depth) }
        try openObject(at: field.pointee.positionReference!)  // objects have a position
      } else {
        guard json.next == UInt8(ascii: "[") else { return try takeNull(field, depth: depth) }
        try openList(field, depth: depth)
      }
      return true
    } catch {
      throw error.adding(.index(containers.top.pointee.index))
    }
  }

  /// Takes a null in the list on top. Returns `false`.
  @inline(never)
  private mutating func takeNull(
    _ field: UnsafePointer<FieldLayout>, depth: Int
  ) throws(ReadFailure) -> Bool {
    let offset = json.offset
    guard json.consumeNull() else {
      throw json.wrongType(expected: depth == field.pointee.slotType.rank ? "an object" : "a list")
    }
    if field.pointee.slotType.isNonNull(at: depth) {
      addViolation(at: offset, [.index(containers.top.pointee.index)])
    }
    addNullElement()
    return false
  }

  // MARK: - Elements of the list on top

  @inline(__always)
  mutating func addElement(_ object: Unmanaged<ObjectStorage>) {
    elements.push(object)
    containers.top.pointee.index &+= 1
  }

  /// Adds a null to the list on top. If elements are non-null, the null propagates to the list.
  @inline(never)
  mutating func addNullElement() {
    let list = containers.top
    let depth = list.pointee.depth + 1
    if list.pointee.field.pointee.slotType.isNonNull(at: depth) {
      list.pointee.isWhole = false
    } else if depth == list.pointee.field.pointee.slotType.rank {
      elements.push(nil)
    } else {
      trees.append(.null)
    }
    list.pointee.index += 1
  }

  // MARK: - The end

  /// Ends the list on top and stores it in its slot or in the list around it.
  private mutating func closeList() {
    let list = containers.top.pointee
    containers.pop(to: containers.count &- 1)
    if list.field.pointee.slotType.rank > 1 { return closeNestedList(list) }
    let object = containers.top
    let slot = object.pointee.slot(of: list.field)
    if !list.isWhole {
      releaseElements(from: list.base)
      nullify(list.field, slot)
    } else if list.field.pointee.hasNonNullElements {
      // No element is null: such a list would not be whole.
      slot.initializeSlot(
        as: [ResponseObject]??.self,
        to: takeElements(from: list.base) { ResponseObject(storage: $0!.takeRetainedValue()) })
    } else {
      slot.initializeSlot(
        as: [ResponseObject?]??.self, to: takeNullableElements(from: list.base))
    }
    fill(object.pointee.index)
  }

  private mutating func closeNestedList(_ list: OpenContainer) {
    let tree = takeTree(of: list)
    if list.depth > 0 {
      guard let tree else { return addNullElement() }
      trees.append(tree)
      containers.top.pointee.index += 1
      return
    }
    let object = containers.top
    let slot = object.pointee.slot(of: list.field)
    let isSet = tree.map { list.field.pointee.slotType.initialize(slot, $0) }
    if isSet != true { nullify(list.field, slot) }
    fill(object.pointee.index)
  }

  /// Makes one value of the elements of a nested list; `nil` when a null propagates beyond the
  /// list.
  private mutating func takeTree(of list: OpenContainer) -> ObjectTree? {
    guard list.depth + 1 == list.field.pointee.slotType.rank else {
      let lists = Array(trees[list.base...])
      trees.removeSubrange(list.base...)
      return list.isWhole ? .list(lists) : nil
    }
    guard list.isWhole else {
      releaseElements(from: list.base)
      return nil
    }
    return .list(takeNullableElements(from: list.base).map { $0.map(ObjectTree.object) ?? .null })
  }

  /// Moves elements into a list of exactly their number.
  ///
  /// Most lists are short, and appending to those is twice as fast as
  /// `Array(unsafeUninitializedCapacity:)`, which looks up types at run time.
  @inline(__always)
  private mutating func takeElements<Element>(
    from base: Int, _ convert: (Unmanaged<ObjectStorage>?) -> Element
  ) -> [Element] {
    let owned = elements.elements(from: base)
    var list: [Element] = []
    list.reserveCapacity(owned.count)
    for element in owned { list.append(convert(element)) }
    elements.pop(to: base)
    return list
  }

  private mutating func takeNullableElements(from base: Int) -> [ResponseObject?] {
    takeElements(from: base) { $0.map { ResponseObject(storage: $0.takeRetainedValue()) } }
  }

  /// Releases the elements that are not in a list yet.
  @inline(never)
  mutating func releaseElements(from base: Int) {
    for element in elements.elements(from: base) { element?.release() }
    elements.pop(to: base)
  }
}
