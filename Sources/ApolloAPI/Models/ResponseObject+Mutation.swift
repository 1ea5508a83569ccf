extension ResponseObject {
  /// Sets the value of accessor `index` of a view.
  ///
  /// A missing value that is set to `nil` stays missing: an assignment through optional chaining,
  /// such as `hero?.name = "Luke"`, sets `hero` to `nil` if it is `nil`.
  @usableFromInline
  mutating func set<Value: SlotValue>(_ value: Value?, _ index: Int, _ view: SelectionLayout) {
    let slotIndex =
      layout.primaryView == view.reference.toOpaque() ? index : projectedSlot(index, view)
    guard slotIndex >= 0 else { return }
    let field = layout.field(ofSlot: slotIndex)
    if value == nil, isMissing(field.pointee) { return }
    makeUnique()
    // Made before the old value is released: a value of another type traps, which must leave the
    // object intact.
    var replacement = Slot(bits: (0, 0))
    withUnsafeMutableBytes(of: &replacement) { bytes in
      let new = bytes.baseAddress!  // a slot has 16 bytes
      Self.initialize(new, field, with: value)
      let slot = slot(slotIndex)
      field.pointee.slotType.release(slot)
      slot.copyMemory(from: new, byteCount: bytes.count)  // a move
    }
    forgetErrors(of: field.pointee.responseKey)
    forgetForm(inSlot: slotIndex)
    withExtendedLifetime(storage) {}
  }

  /// Returns the value of accessor `index` of a view, and leaves null in its place until it is set
  /// again. Returns `nil`, and leaves what is there, if there is no value.
  @usableFromInline
  mutating func take<Value: SlotValue>(_ index: Int, _ view: SelectionLayout) -> Value? {
    guard case .some(.some(let value)) = read(Value.self, index, view) else { return nil }
    makeUnique()
    let slotIndex =
      layout.primaryView == view.reference.toOpaque() ? index : projectedSlot(index, view)
    let slotType = layout.field(ofSlot: slotIndex).pointee.slotType
    let slot = slot(slotIndex)
    slotType.release(slot)
    slotType.initializeEmpty(slot, isNull: true)
    forgetForm(inSlot: slotIndex)
    withExtendedLifetime(storage) {}
    return value
  }

  /// Removes the errors of a field, which has another value now.
  private func forgetErrors(of key: String) {
    if fieldErrors[key] != nil { fieldErrors[key] = nil }
  }

  /// Initializes a slot with a value of the program, or with null.
  static func initialize<Value: SlotValue>(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>, with value: Value?
  ) {
    guard let value else { return field.pointee.slotType.initializeEmpty(slot, isNull: true) }
    let slotType = field.pointee.slotType
    guard slotType.holdsObjects else {
      precondition(
        slotType.initialize(slot, with: value),
        "'\(field.pointee.responseKey)' does not hold values of type \(Value.self)")
      return
    }
    // A view has the bits of its object, and a list of views those of the list of objects.
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: 1) { temporary in
      let views = UnsafeMutableRawPointer(temporary.baseAddress!)  // not empty
      SlotType.store(value, in: views)
      // After a change of one element, which is what most lists that are set come from.
      if slotType.holdsList(of: field.pointee.objectPosition, views) {
        return slot.copyMemory(from: views, byteCount: MemoryLayout<Slot>.size)  // a move
      }
      let objects = slotType.objects(views).adapted(to: field.pointee.objectPosition)
      slotType.release(views)
      precondition(
        slotType.initialize(slot, objects),
        "'\(field.pointee.responseKey)' does not hold values of type \(Value.self)")
    }
  }
}
