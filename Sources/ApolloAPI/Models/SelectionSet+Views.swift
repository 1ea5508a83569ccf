extension GeneratedCode {
  /// The conformances of every model besides ``SelectionSet``: models can be compared, printed and
  /// inspected.
  ///
  /// Models print themselves by their mirrors: one conformance serves `print`, `dump` and
  /// debuggers, and each one adds to the size of a program.
  public typealias ModelValue = Hashable & CustomReflectable
}

extension GeneratedCode {
  /// The conformances of models of whole objects besides ``RootSelectionSet``.
  public typealias RootModelValue = GeneratedCode.ModelValue & Codable
}

package typealias ModelValue = GeneratedCode.ModelValue
package typealias RootModelValue = GeneratedCode.RootModelValue

extension GeneratedCode {
  /// The fragments that a selection set spreads: `hero.fragments.heroDetails`.
  ///
  /// A conforming type is a struct whose only stored property is the object, as models are.
  public protocol FragmentContainer: Sendable {}
}

@usableFromInline package typealias FragmentContainer = GeneratedCode.FragmentContainer

extension GeneratedCode {
  /// The fragments that a selection set spreads, some of which may arrive later, as ``Deferred``
  /// ones.
  public protocol DeferringFragmentContainer: Sendable {
    /// The object of the selection set.
    var __object: GeneratedCode.ResponseObject { get }
  }
}

@usableFromInline package typealias DeferringFragmentContainer = GeneratedCode
  .DeferringFragmentContainer

// MARK: - Looking at an object

extension SelectionSet {
  /// The object that the view shows.
  @inlinable
  public var __object: GeneratedCode.ResponseObject {
    // A view consists of the reference to its object. If the sizes differ, this traps.
    unsafeBitCast(self, to: ResponseObject.self)
  }

  /// Creates a view of `object`, whose layout must fulfil it.
  @inlinable
  public init(__object: GeneratedCode.ResponseObject) {
    self = unsafeBitCast(__object, to: Self.self)  // as above
  }
}

extension FragmentContainer {
  /// The object of the selection set.
  @inlinable
  public var __object: GeneratedCode.ResponseObject {
    unsafeBitCast(self, to: ResponseObject.self)  // as above
  }

  /// Creates the fragments of `object`.
  @inlinable
  public init(__object: GeneratedCode.ResponseObject) {
    self = unsafeBitCast(__object, to: Self.self)  // as above
  }
}

// MARK: - Reading

// Not through `__object`, because counting references to it would take longer than all the rest. A
// view consists of that reference, and `withExtendedLifetime` keeps the object alive while it is
// read.
extension SelectionSet {
  /// Returns the value of accessor `index`. Generated properties call this.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func __value<Value: GeneratedCode.SlotValue>(_ index: Int) -> Value {
    let value: Value = unsafeBitCast(self, to: Unmanaged<ObjectStorage>.self)
      .value(index, Self.__layout)
    withExtendedLifetime(self) {}
    return value
  }

  /// Returns the value of accessor `index`, or `nil` when it is null or was not selected.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func __value<Value: GeneratedCode.SlotValue>(_ index: Int) -> Value? {
    let value: Value? = unsafeBitCast(self, to: Unmanaged<ObjectStorage>.self)
      .value(index, Self.__layout)
    withExtendedLifetime(self) {}
    return value
  }
}

// Separate from the above, so that the compiler specializes them once for each type of value and
// not also for each model.
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
  /// The name of the object's type, or `nil` when the operation did not select it and the schema
  /// leaves it open.
  public var __typename: String? { __object.typename }

  /// Returns this object as a type case or conditional fragment, or `nil` when it does not fulfil
  /// that.
  @inlinable
  public func _asInlineFragment<View: SelectionSet>() -> View? { __object.view() }
}

extension InlineFragment {
  /// This object as the selection set around the fragment.
  public var asRootEntityType: RootEntityType { RootEntityType(__object: __object) }
}

extension RootSelectionSet {
  /// Creates a view of an inline fragment's object as the selection set around it.
  public init<View: InlineFragment>(_ fragment: View) where View.RootEntityType == Self {
    self.init(__object: fragment.__object)
  }
}

extension FragmentContainer {
  /// Returns a fragment that every object at this position fulfils.
  @inlinable
  public func _toFragment<View: Fragment>() -> View { View(__object: __object) }

  /// Returns a fragment that depends on a condition or on the object's type, or `nil` when the
  /// object does not fulfil it.
  @inlinable
  public func _toFragment<View: Fragment>() -> View? { __object.view() }
}

extension DeferringFragmentContainer {
  /// Returns a fragment that every object at this position fulfils.
  @inlinable
  public func _toFragment<View: Fragment>() -> View { View(__object: __object) }

  /// Returns a fragment that depends on a condition or on the object's type, or `nil` when the
  /// object does not fulfil it.
  @inlinable
  public func _toFragment<View: Fragment>() -> View? { __object.view() }
}

extension ResponseObject {
  // Inlinable like its callers, so that no type is looked up at run time: 4 ns instead of 40.
  @inlinable
  func view<View: SelectionSet>() -> View? {
    fulfils(View.__layout) ? View(__object: self) : nil
  }

  @usableFromInline
  func fulfils(_ view: SelectionLayout) -> Bool {
    layout.fulfils(view) && (layout.deferred.isEmpty || hasArrived(view))
  }
}
