extension ResponseObject {
  /// The value of accessor `index` of a view with `layout`.
  ///
  /// Reading traps when there is none, which generated code rules out: a property that may have no
  /// value is optional. Setting copies the object first if it is shared.
  ///
  /// - Complexity: O(1) to read; O(*n*) in the fields to set, if the object has to be copied.
  @inlinable
  public subscript<Value: GeneratedCode.SlotValue>(index: Int, layout: GeneratedCode.SelectionLayout)
    -> Value
  {
    get {
      guard case .some(.some(let value)) = read(Value.self, index, layout) else {
        Self.missingValue(index, layout)
      }
      return value
    }
    set { set(newValue, index, layout) }
    _modify {
      guard var value: Value = take(index, layout) else { Self.missingValue(index, layout) }
      defer { set(value, index, layout) }
      yield &value
    }
  }

  /// The value of accessor `index` of a view with `layout`, or `nil` when it is null or was not
  /// selected.
  ///
  /// Setting a field that this object does not have, because of its type or a condition, has no
  /// effect.
  ///
  /// An object or a list can be changed in place: nothing else has a reference to it meanwhile, so
  /// that an element of a list changes without a copy of the others.
  ///
  /// - Complexity: O(1) to read; O(*n*) in the fields to set, if the object has to be copied.
  @inlinable
  public subscript<Value: GeneratedCode.SlotValue>(index: Int, layout: GeneratedCode.SelectionLayout)
    -> Value?
  {
    get { read(Value.self, index, layout) ?? nil }
    set { set(newValue, index, layout) }
    _modify {
      var value: Value? = take(index, layout)
      let wasNil = if case nil = value { true } else { false }
      defer {
        // What was absent, or failed, stays so unless there is a value now.
        if case nil = value, wasNil {} else { set(value, index, layout) }
      }
      yield &value
    }
  }

  @inlinable
  func read<Value: SlotValue>(
    _ type: Value.Type, _ index: Int, _ layout: SelectionLayout
  ) -> Value?? {
    let slotIndex =
      storage.head.pointee.layout._withUnsafeGuaranteedRef { $0.primaryView }
        == layout.reference.toOpaque()
      ? index : projectedSlot(index, layout)
    guard slotIndex >= 0 else { return nil }
    defer { withExtendedLifetime(storage) {} }
    return Self.load(type, from: slot(slotIndex))
  }

  /// Reads a slot that holds a `Value??`. A view, or a list of views, has the bits of its objects.
  ///
  /// This is the one place that makes views of objects without a conversion: a view is a struct of
  /// exactly one `ResponseObject`, which is a struct of exactly one class reference, so `View??`
  /// and `ResponseObject??`, `[View]??` and `[ResponseObject]??` have equal representations.
  @inlinable
  static func load<Value: SlotValue>(_: Value.Type, from slot: UnsafeMutableRawPointer) -> Value?? {
    if MemoryLayout<Value??>.size <= MemoryLayout<Slot>.size {
      return slot.assumingMemoryBound(to: Value??.self).pointee
    }
    switch slot.assumingMemoryBound(to: SlotBox<Value>??.self).pointee {
    case .none: return nil
    case .some(.none): return .some(nil)
    case .some(.some(let box)): return box.value
    }
  }

  /// Returns the slot of accessor `index` of a view that is not the primary one; negative when
  /// there is none.
  @usableFromInline
  func projectedSlot(_ index: Int, _ view: SelectionLayout) -> Int {
    layout.slot(ofAccessor: index, in: view)
  }

  @usableFromInline
  static func missingValue(_ index: Int, _ view: SelectionLayout) -> Never {
    preconditionFailure(
      "'\(view.keys[index])' has no value in this \(view.parentType); generated code and response layout disagree"
    )
  }
}
