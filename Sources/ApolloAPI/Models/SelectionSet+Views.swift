extension GeneratedCode {
  /// The conformances of every model besides ``SelectionSet``: models can be compared.
  ///
  /// Each conformance adds to the size of every model and to the time that it takes to compile.
  /// The generator's option `additionalConformances` adds `Codable` and `CustomReflectable`, whose
  /// requirements ``RootSelectionSet`` and ``SelectionSet`` implement. A model without them is
  /// printed and dumped as its ``ResponseObject``.
  public typealias ModelValue = Hashable
}

extension GeneratedCode {
  /// The conformances of models of whole objects besides ``RootSelectionSet``.
  public typealias RootModelValue = GeneratedCode.ModelValue
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
  @_transparent
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

// In a debug build, a generic function looks up types at run time, which takes ten times as long as
// all the rest of reading a field. Therefore the code that depends on types is made a part of the
// property that reads, and the rest is not generic.
#if DEBUG
  extension SelectionSet {
    /// Returns the value of accessor `index`. Generated properties call this.
    ///
    /// - Complexity: O(1).
    @_transparent
    public func __value<Value: GeneratedCode.SlotValue>(_ index: Int) -> Value {
      guard case .some(.some(let value)) = __read(Value.self, index) else {
        ResponseObject.missingValue(index, Self.__layout)
      }
      return value
    }

    /// Returns the value of accessor `index`, or `nil` when it is null or was not selected.
    ///
    /// - Complexity: O(1).
    @_transparent
    public func __value<Value: GeneratedCode.SlotValue>(_ index: Int) -> Value? {
      guard case .some(.some(let value)) = __read(Value.self, index) else { return nil }
      return value
    }

    /// Returns the contents of the slot of accessor `index`: `nil` when there is no slot, and
    /// `.some(nil)` when it is null.
    @_transparent
    @usableFromInline
    func __read<Value: GeneratedCode.SlotValue>(_: Value.Type, _ index: Int) -> Value?? {
      var value: Value??
      let object = unsafeBitCast(self, to: UnsafeRawPointer.self)  // a view is one reference
      if let slot = ObjectStorage.slot(ofAccessor: index, in: Self.__layout, of: object) {
        if MemoryLayout<Value??>.size <= MemoryLayout<Slot>.size {
          value = slot.assumingMemoryBound(to: Value??.self).pointee
        } else {
          value = ResponseObject.load(Value.self, from: UnsafeMutableRawPointer(mutating: slot))
        }
      }
      _fixLifetime(self)
      return value
    }
  }

  extension ObjectStorage {
    /// Finds the slot that an accessor of a view reads.
    ///
    /// - Parameters:
    ///   - index: The index of the accessor.
    ///   - view: The layout of the view.
    ///   - object: The address of the object, which is alive.
    /// - Returns: The address of the slot, or `nil` when there is none.
    @usableFromInline
    static func slot(
      ofAccessor index: Int, in view: SelectionLayout, of object: UnsafeRawPointer
    ) -> UnsafeRawPointer? {
      // The elements follow the two words with which every object of a class begins. The method of
      // `ManagedBuffer` that returns their address is generic.
      let alignment = MemoryLayout<Slot>.alignment
      let elements = object + (2 * MemoryLayout<Int>.size + alignment - 1) / alignment * alignment
      let layout = elements.assumingMemoryBound(to: ObjectHead.self).pointee.layout
      var slot = index
      if layout._withUnsafeGuaranteedRef({ $0.primaryView }) != view.reference.toOpaque() {
        slot = layout._withUnsafeGuaranteedRef { $0.slot(ofAccessor: index, in: view) }
        guard slot >= 0 else { return nil }
      }
      return elements + (slot + 1) * MemoryLayout<Slot>.stride
    }
  }
#else
  // Not through `__object`, because counting references to it would take longer than all the rest.
  // A view consists of that reference, and `_fixLifetime` keeps the object alive while it is read.
  //
  // Transparent, and not `withExtendedLifetime`, because the optimizer would make a copy of each
  // generic function for each model before it inlines it: a tenth of the time for a schema's
  // module.
  extension SelectionSet {
    /// Returns the value of accessor `index`. Generated properties call this.
    ///
    /// - Complexity: O(1).
    @_transparent
    public func __value<Value: GeneratedCode.SlotValue>(_ index: Int) -> Value {
      let value: Value = unsafeBitCast(self, to: Unmanaged<ObjectStorage>.self)
        .value(index, Self.__layout)
      _fixLifetime(self)
      return value
    }

    /// Returns the value of accessor `index`, or `nil` when it is null or was not selected.
    ///
    /// - Complexity: O(1).
    @_transparent
    public func __value<Value: GeneratedCode.SlotValue>(_ index: Int) -> Value? {
      let value: Value? = unsafeBitCast(self, to: Unmanaged<ObjectStorage>.self)
        .value(index, Self.__layout)
      _fixLifetime(self)
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
#endif

// Views of objects have functions of their own, which read a `ResponseObject`: the functions above
// would be compiled once more for each view in the schema's module. Only the conversion is.
extension SelectionSet {
  /// Returns the object of accessor `index` as a view. Generated properties call this.
  ///
  /// - Complexity: O(1).
  @_transparent
  public func __view<View: SelectionSet>(_ index: Int) -> View {
    View(__object: __value(index))
  }

  /// Returns the object of accessor `index` as a view, or `nil` when it is null or was not
  /// selected.
  ///
  /// - Complexity: O(1).
  @_transparent
  public func __view<View: SelectionSet>(_ index: Int) -> View? {
    let object: GeneratedCode.ResponseObject? = __value(index)
    return unsafeBitCast(object, to: View?.self)  // as in `__object`
  }

  /// Returns the objects of accessor `index` as views. Generated properties call this.
  ///
  /// - Complexity: O(1).
  @_transparent
  public func __views<View: SelectionSet>(_ index: Int) -> [View] {
    let objects: [GeneratedCode.ResponseObject] = __value(index)
    return unsafeBitCast(objects, to: [View].self)  // as in `__object`
  }

  /// Returns the objects of accessor `index` as views, or `nil` when the list is null or was not
  /// selected.
  ///
  /// - Complexity: O(1).
  @_transparent
  public func __views<View: SelectionSet>(_ index: Int) -> [View]? {
    let objects: [GeneratedCode.ResponseObject]? = __value(index)
    return unsafeBitCast(objects, to: [View]?.self)  // as in `__object`
  }

  /// Returns the objects of accessor `index`, each of which may be null, as views.
  ///
  /// - Complexity: O(1).
  @_transparent
  public func __views<View: SelectionSet>(_ index: Int) -> [View?] {
    let objects: [GeneratedCode.ResponseObject?] = __value(index)
    return unsafeBitCast(objects, to: [View?].self)  // as in `__object`
  }

  /// Returns the objects of accessor `index`, each of which may be null, as views, or `nil` when
  /// the list is null or was not selected.
  ///
  /// - Complexity: O(1).
  @_transparent
  public func __views<View: SelectionSet>(_ index: Int) -> [View?]? {
    let objects: [GeneratedCode.ResponseObject?]? = __value(index)
    return unsafeBitCast(objects, to: [View?]?.self)  // as in `__object`
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
