/// A selection set whose properties can be set. Copies are independent: a shared object is copied
/// before it changes.
///
/// An object keeps the type that it was made with. Setting `__typename` changes that field alone:
/// the type cases that the object fulfills stay, and so does its cache key. Make another model for
/// an object of another type.
public protocol MutableSelectionSet<Schema>: SelectionSet {
  /// The object that the view shows.
  var __object: GeneratedCode.ResponseObject { get set }
}

/// A mutable selection set of a whole object.
public protocol MutableRootSelectionSet<Schema>: MutableSelectionSet, RootSelectionSet {}

extension GeneratedCode {
  /// The fragments of a mutable selection set, whose properties can be set through it:
  /// `hero.fragments.heroDetails.name = "R2"`.
  public protocol MutableFragmentContainer: GeneratedCode.FragmentContainer {
    /// The object of the selection set.
    var __object: GeneratedCode.ResponseObject { get set }
  }
}

@usableFromInline package typealias MutableFragmentContainer = GeneratedCode
  .MutableFragmentContainer

extension MutableSelectionSet {
  /// Takes over the values of another view of this object, such as `asDroid` after a change.
  ///
  /// Has no effect when the view is `nil`, or when this object does not fulfil it.
  public mutating func _set<View: SelectionSet>(_ view: View?) {
    if let view { __object.assign(view.__object, asSeenBy: View.__layout) }
  }

  /// Changes this object through a type case or conditional fragment, if it fulfils that.
  ///
  /// ```swift
  /// hero.mutateIfFulfilled(\.asDroid) { $0.primaryFunction = "Astromech" }
  /// ```
  ///
  /// - Parameters:
  ///   - view: A conversion of this model, such as `\.asDroid`.
  ///   - body: A closure that changes the view. Not called if the object does not fulfil it.
  /// - Returns: `true` if `body` was called.
  /// - Throws: The error of `body`; nothing changes then.
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
  /// Takes over the values of a fragment. Has no effect when it is `nil`, or when this object does
  /// not fulfil it.
  public mutating func _set<View: Fragment>(_ fragment: View?) {
    if let fragment { __object.assign(fragment.__object, asSeenBy: View.__layout) }
  }
}

extension ResponseObject {
  /// Takes over the values that a view shows of another object, usually a changed copy of this one,
  /// with their errors. What the view does not show stays.
  fileprivate mutating func assign(_ other: ResponseObject, asSeenBy view: SelectionLayout) {
    guard layout.fulfils(view) else { return }
    let visible = other.visibleLayout(asSeenBy: view)
    if visible === layout, other.layout === layout { return self = other }
    makeUnique()
    for key in visible.fields.map(\.responseKey) { assign(key, from: other) }
  }

  private func assign(_ key: String, from other: ResponseObject) {
    guard let index = layout.fieldIndex(withKey: key), other.layout.fieldIndex(withKey: key) != nil
    else { return }
    let field = layout.fields.baseAddress! + index  // there is a field with this index
    let slot = slot(field.pointee.slot)
    // Made before the old value is released: a value of another type traps, which must leave the
    // object intact.
    var replacement = Slot(bits: (0, 0))
    withUnsafeMutableBytes(of: &replacement) { bytes in
      let new = bytes.baseAddress!  // a slot has 16 bytes
      if layout === other.layout {
        field.pointee.slotType.copy(other.slot(field.pointee.slot), to: new)
      } else {
        other.initialize(new, field)
      }
      field.pointee.slotType.release(slot)
      slot.copyMemory(from: new, byteCount: bytes.count)  // a move
    }
    takeForm(of: field, from: other)
    takeErrors(ofField: key, from: other)
    withExtendedLifetime((storage, other)) {}
  }

  /// Takes over the errors of a field, whose value has been taken over. Its own errors are about
  /// its former value.
  private func takeErrors(ofField key: String, from other: ResponseObject) {
    var errors = fieldErrors
    let news = other.fieldErrors[key]
    guard news != nil || errors[key] != nil else { return }
    errors[key] = nil
    // There is one depth for all errors of an object: that of the errors that stay counts.
    let source = errors.isEmpty ? other.fieldFacts : fieldFacts
    errors[key] = news
    setFieldErrors(errors, depth: source?.depth ?? 0)
  }
}
