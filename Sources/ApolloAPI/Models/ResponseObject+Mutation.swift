extension ResponseObject {
  /// Sets what accessor `index` of a view with `view` reads.
  @usableFromInline
  mutating func set<Value: SlotValue>(_ value: Value?, _ index: Int, _ view: SelectionLayout) {
    let slotIndex = layout.direct == view.reference.toOpaque() ? index : projectedSlot(index, view)
    guard slotIndex >= 0 else { return }
    makeUnique()
    let step = layout.step(ofSlot: slotIndex)
    // Made before the old value goes: a value that does not fit traps, and nothing may be half done then.
    var replacement = Slot(bits: (0, 0))
    withUnsafeMutableBytes(of: &replacement) { bytes in
      let new = bytes.baseAddress!  // a slot has 16 bytes
      Self.initialize(new, step, with: value)
      let slot = slot(slotIndex)
      step.pointee.operations.destroy(slot)
      slot.copyMemory(from: new, byteCount: bytes.count)  // moves the value
    }
    forgetErrors(of: step.pointee.responseKey)
    withExtendedLifetime(storage) {}
  }

  /// Forgets what a server reported about a field, which has another value now.
  private func forgetErrors(of key: String) {
    guard var errors = fieldErrors?.byKey, errors.removeValue(forKey: key) != nil else { return }
    fieldErrors = errors.isEmpty ? nil : FieldErrors(errors)
  }

  /// Initializes a slot with a value that a program made, or null.
  static func initialize<Value: SlotValue>(
    _ slot: UnsafeMutableRawPointer, _ step: UnsafePointer<ReadStep>, with value: Value?
  ) {
    guard let value else { return step.pointee.initializeEmpty(slot, isNull: true) }
    let operations = step.pointee.operations
    guard let objectOperations = step.pointee.objectOperations else {
      precondition(
        operations.valueType == Value.self,
        "'\(step.pointee.responseKey)' holds \(operations.valueType), not \(Value.self)")
      store(value, in: slot)
      return operations.didStore(slot)
    }
    // A view has the bits of its object, and a list of views those of the list of objects.
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: 1) { temporary in
      let views = UnsafeMutableRawPointer(temporary.baseAddress!)  // there is one
      store(value, in: views)
      let objects = objectOperations.objects(views).adapted(to: step.pointee.objectPlace)
      operations.destroy(views)
      precondition(
        objectOperations.initialize(slot, objects),
        "'\(step.pointee.responseKey)' holds \(operations.valueType), not \(Value.self)")
    }
  }

  private static func store<Value: SlotValue>(_ value: Value, in slot: UnsafeMutableRawPointer) {
    if MemoryLayout<Value??>.size <= MemoryLayout<Slot>.size {
      slot.initializeSlot(as: Value??.self, to: value)
    } else {
      slot.initializeSlot(as: SlotBox<Value>??.self, to: SlotBox(value))
    }
  }
}
