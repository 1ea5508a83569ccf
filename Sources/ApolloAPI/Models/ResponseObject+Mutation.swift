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
    withExtendedLifetime(storage) {}
  }

  /// Makes sure that nobody else sees what is changed.
  private mutating func makeUnique() {
    guard !isKnownUniquelyReferenced(&storage) else { return }
    let copy = ResponseObject.uninitialized(layout)
    for step in layout.steps {
      step.operations.initialize(copy.slot(step.slot), copying: slot(step.slot))
    }
    withExtendedLifetime(storage) {}
    self = copy
  }

  /// Initializes a slot with a value that a program made, or null.
  fileprivate static func initialize<Value: SlotValue>(
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
      slot.initializeMemory(as: Value??.self, to: value)
    } else {
      slot.initializeMemory(as: SlotBox<Value>??.self, to: SlotBox(value))
    }
  }
}

extension ResponseObject {
  /// This object as it would be at another place: with the fields that are selected there.
  ///
  /// Traps when a field that may not be null has no value here.
  func adapted(to place: Place) -> ResponseObject {
    guard layout.place !== place else { return self }
    let target = place.layout(forTypename: typename)
    let object = ResponseObject.uninitialized(target)
    for index in target.steps.indices {
      let step = target.steps.baseAddress! + index  // there is a field with this index
      initialize(object.slot(step.pointee.slot), step)
    }
    withExtendedLifetime(storage) {}
    return object
  }

  /// Initializes a slot of another object with the value that this one has under the same key.
  private func initialize(_ slot: UnsafeMutableRawPointer, _ step: UnsafePointer<ReadStep>) {
    let operations = step.pointee.operations
    let own = layout.fieldIndex(withKey: step.pointee.responseKey).map { layout.steps[$0] }
    guard let own, own.hasValue(self.slot(own.slot)) else {
      precondition(
        !step.pointee.isNonNull,
        "'\(step.pointee.responseKey)' has no value, but is needed where the object is put")
      let isNull = own.map { !$0.operations.isMissing(self.slot($0.slot)) } ?? false
      return step.pointee.initializeEmpty(slot, isNull: isNull)
    }
    precondition(
      type(of: own.operations) == type(of: operations),
      "'\(step.pointee.responseKey)' has another type where the object is put")
    guard let objectOperations = step.pointee.objectOperations else {
      return operations.initialize(slot, copying: self.slot(own.slot))
    }
    let objects = objectOperations.objects(self.slot(own.slot))
    // Both are of the same type, so it cannot fail.
    _ = objectOperations.initialize(slot, objects.adapted(to: step.pointee.objectPlace))
  }
}

extension ObjectTree {
  fileprivate func adapted(to place: Place) -> ObjectTree {
    switch self {
    case .null: .null
    case .object(let object): .object(object.adapted(to: place))
    case .list(let elements): .list(elements.map { $0.adapted(to: place) })
    }
  }
}

extension ObjectLayout {
  func step(ofSlot slot: Int) -> UnsafePointer<ReadStep> {
    let index = steps.firstIndex { $0.slot == slot }!  // every slot belongs to a field
    return steps.baseAddress! + index
  }
}

// MARK: - Initializers

extension SelectionSet {
  /// A model from values, by response key. Generated initializers call this.
  ///
  /// Traps when a field that may not be null has no value. Fields that conditions rule out are dropped.
  ///
  /// - Parameters:
  ///   - values: the values; `__typename` says the type when the schema leaves it open.
  ///   - variables: the values of the variables that `@include` and `@skip` depend on.
  public init(
    __values values: KeyValuePairs<String, (any SlotValue)?>, variables: Variables? = nil
  ) {
    let layout = Self.__layout
    let place = layout.plan(schema: Schema.self, variables: variables).place(for: layout)
    let typename = values.first { $0.key == place.typenameKey }?.value as? String
    let objectLayout = place.layout(forTypename: typename)
    let object = ResponseObject.uninitialized(objectLayout)
    for index in objectLayout.steps.indices {
      let step = objectLayout.steps.baseAddress! + index  // there is a field with this index
      let value = values.first { $0.key == step.pointee.responseKey }?.value
      let slot = object.slot(step.pointee.slot)
      if let value {
        ResponseObject.initialize(slot, step, opening: value)
      } else {
        precondition(!step.pointee.isNonNull, "'\(step.pointee.responseKey)' has no value")
        step.pointee.initializeEmpty(slot, isNull: true)
      }
    }
    self.init(__object: object)
  }
}

extension ResponseObject {
  fileprivate static func initialize(
    _ slot: UnsafeMutableRawPointer, _ step: UnsafePointer<ReadStep>, opening value: any SlotValue
  ) {
    func open<Value: SlotValue>(_ value: Value) { initialize(slot, step, with: value) }
    open(value)
  }
}
