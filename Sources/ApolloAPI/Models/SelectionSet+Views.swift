/// What models are besides views: values that can be compared, printed and looked into.
///
/// They print themselves by their mirrors: for `print`, `dump` and debuggers one conformance does, and every one costs each model.
public typealias ModelValue = Hashable & CustomReflectable

/// What models of whole objects are besides views.
public typealias RootModelValue = ModelValue & Codable

/// Gives the fragments that a selection set spreads: `hero.fragments.heroDetails`.
///
/// A conforming type is a struct whose only stored property is the object, as models are.
public protocol FragmentContainer: Sendable {}

/// Gives the fragments that a selection set spreads when some of them may arrive later, which it keeps as ``Deferred`` ones.
public protocol DeferringFragmentContainer: Sendable {
  /// The object of the selection set.
  var __object: ResponseObject { get }
}

// MARK: - Looking at an object

extension SelectionSet {
  /// What the view looks at.
  @inlinable
  public var __object: ResponseObject {
    // A view has the bits of the reference that it stores, and nothing else. Where sizes differ, this traps.
    unsafeBitCast(self, to: ResponseObject.self)
  }

  /// A view of `object`, which must have been laid out for it.
  @inlinable
  public init(__object: ResponseObject) {
    self = unsafeBitCast(__object, to: Self.self)  // as above
  }
}

extension FragmentContainer {
  /// The object of the selection set.
  @inlinable
  public var __object: ResponseObject {
    unsafeBitCast(self, to: ResponseObject.self)  // as for views
  }

  /// The fragments of `object`.
  @inlinable
  public init(__object: ResponseObject) {
    self = unsafeBitCast(__object, to: Self.self)  // as for views
  }
}

// MARK: - Reading

// Not by way of `__object`: counting references to it would take longer than all the rest. A view has the bits of that reference, and
// `withExtendedLifetime` keeps the object alive while it is read.
extension SelectionSet {
  /// The value of accessor `index`: generated properties call this.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func __value<Value: SlotValue>(_ index: Int) -> Value {
    let value: Value = unsafeBitCast(self, to: Unmanaged<ObjectStorage>.self)
      .value(index, Self.__layout)
    withExtendedLifetime(self) {}
    return value
  }

  /// The value of accessor `index`, or `nil` when it is null or was not selected.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func __value<Value: SlotValue>(_ index: Int) -> Value? {
    let value: Value? = unsafeBitCast(self, to: Unmanaged<ObjectStorage>.self)
      .value(index, Self.__layout)
    withExtendedLifetime(self) {}
    return value
  }
}

// Apart from the above, so that the compiler specializes them once for each type of value, not once for each type of value and model.
extension Unmanaged<ObjectStorage> {
  @inlinable
  func value<Value: SlotValue>(_ index: Int, _ layout: SelectionLayout) -> Value {
    _withUnsafeGuaranteedRef { ResponseObject(storage: $0)[index, layout] }
  }

  @inlinable
  func value<Value: SlotValue>(_ index: Int, _ layout: SelectionLayout) -> Value? {
    _withUnsafeGuaranteedRef { ResponseObject(storage: $0)[index, layout] }
  }
}

// MARK: - Conversions between views of one object

extension SelectionSet {
  /// The name of the object's type, or `nil` when the operation did not ask for it and the schema leaves it open.
  public var __typename: String? { __object.typename }

  /// This object as a type case or conditional fragment, or `nil` when it is not one.
  @inlinable
  public func _asInlineFragment<View: SelectionSet>() -> View? { __object.view() }
}

extension InlineFragment {
  /// This object as the selection set around the fragment.
  public var asRootEntityType: RootEntityType { RootEntityType(__object: __object) }
}

extension RootSelectionSet {
  /// The object of an inline fragment as the selection set around it.
  public init<View: InlineFragment>(_ fragment: View) where View.RootEntityType == Self {
    self.init(__object: fragment.__object)
  }
}

extension FragmentContainer {
  /// A fragment that every object of this place fulfils.
  @inlinable
  public func _toFragment<View: Fragment>() -> View { View(__object: __object) }

  /// A fragment that depends on a condition or on the object's type, or `nil` when the object does not fulfil it.
  @inlinable
  public func _toFragment<View: Fragment>() -> View? { __object.view() }
}

extension DeferringFragmentContainer {
  /// A fragment that every object of this place fulfils.
  @inlinable
  public func _toFragment<View: Fragment>() -> View { View(__object: __object) }

  /// A fragment that depends on a condition or on the object's type, or `nil` when the object does not fulfil it.
  @inlinable
  public func _toFragment<View: Fragment>() -> View? { __object.view() }
}

extension ResponseObject {
  // Inlinable, as are its callers, so that no type has to be looked up at run time: 4 ns instead of 40.
  @inlinable
  func view<View: SelectionSet>() -> View? {
    fulfils(View.__layout) ? View(__object: self) : nil
  }

  @usableFromInline
  func fulfils(_ view: SelectionLayout) -> Bool {
    layout.fulfils(view) && (layout.deferred.isEmpty || hasArrived(view))
  }
}
