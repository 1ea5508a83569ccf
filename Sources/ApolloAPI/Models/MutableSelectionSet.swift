/// A selection set whose properties can be set. Copies are independent: what is shared is copied when it is changed.
public protocol MutableSelectionSet<Schema>: SelectionSet {
  /// What the view looks at.
  var __object: ResponseObject { get set }
}

/// A mutable selection set that stands for a whole object.
public protocol MutableRootSelectionSet<Schema>: MutableSelectionSet, RootSelectionSet {}

/// The fragments of a mutable selection set, whose properties can be set through it: `hero.fragments.heroDetails.name = "R2"`.
public protocol MutableFragmentContainer: FragmentContainer {
  /// The object of the selection set.
  var __object: ResponseObject { get set }
}

extension MutableSelectionSet {
  /// Takes over what another view of this object shows, such as `asDroid` after it was changed.
  ///
  /// Has no effect when the view is `nil`, or is one that this object does not fulfil.
  public mutating func _set<View: SelectionSet>(_ view: View?) {
    if let view { __object.assign(view.__object, asSeenBy: View.__layout) }
  }

  /// Changes this object as a type case or conditional fragment, if it is one.
  ///
  /// ```swift
  /// hero.mutateIfFulfilled(\.asDroid) { $0.primaryFunction = "Astromech" }
  /// ```
  ///
  /// - Parameters:
  ///   - view: a conversion of this model, such as `\.asDroid`.
  ///   - body: changes the object. It is not called for objects that are something else.
  /// - Returns: whether `body` was called.
  /// - Throws: what `body` throws; nothing is changed then.
  @discardableResult
  public mutating func mutateIfFulfilled<View: MutableSelectionSet>(
    _ view: KeyPath<Self, View?>, _ body: (inout View) throws -> Void
  ) rethrows -> Bool {
    guard var changed = self[keyPath: view] else { return false }
    try body(&changed)
    _set(changed)
    return true
  }
}

extension MutableFragmentContainer {
  /// Takes over what a fragment shows. Has no effect when there is none, or this object does not fulfil it.
  public mutating func _set<View: Fragment>(_ fragment: View?) {
    if let fragment { __object.assign(fragment.__object, asSeenBy: View.__layout) }
  }
}

extension ResponseObject {
  /// Takes over what a view shows of another object, which usually is a changed copy of this one.
  fileprivate mutating func assign(_ other: ResponseObject, asSeenBy view: SelectionLayout) {
    guard layout !== other.layout else { return self = other }
    guard layout.fulfils(view) else { return }
    let visible = other.visibleLayout(asSeenBy: view)
    makeUnique()
    for key in visible.fields.map(\.responseKey) { assign(key, from: other) }
  }

  private func assign(_ key: String, from other: ResponseObject) {
    guard let index = layout.fieldIndex(withKey: key), other.layout.fieldIndex(withKey: key) != nil
    else { return }
    let field = layout.fields.baseAddress! + index  // there is a field with this index
    let slot = slot(field.pointee.slot)
    // Made before the old value goes: a value that does not fit traps, and nothing may be half done then.
    var replacement = Slot(bits: (0, 0))
    withUnsafeMutableBytes(of: &replacement) { bytes in
      let new = bytes.baseAddress!  // a slot has 16 bytes
      other.initialize(new, field)
      field.pointee.slotType.release(slot)
      slot.copyMemory(from: new, byteCount: bytes.count)  // moves the value
    }
    withExtendedLifetime(storage) {}
  }
}
