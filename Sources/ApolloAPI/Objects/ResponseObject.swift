/// One JSON object of a response, read into slots: what every selection set is a view of.
///
/// Any number of views share an object. It was validated when it was made, so reading a slot checks nothing. Programs use the
/// views; only generated code and the cache meet the object itself.
///
/// `@unchecked Sendable` because an object is written to only by who made it and has not shown it yet, or by a mutation that has
/// found its reference to be the only one.
@frozen
public struct ResponseObject: @unchecked Sendable {
  @usableFromInline var storage: ObjectStorage

  @inlinable
  init(storage: ObjectStorage) { self.storage = storage }

  /// Whether both are the very same object, not merely equal.
  @inlinable
  public static func === (lhs: Self, rhs: Self) -> Bool { lhs.storage === rhs.storage }

  /// Whether they are two objects, be they equal or not.
  @inlinable
  public static func !== (lhs: Self, rhs: Self) -> Bool { lhs.storage !== rhs.storage }
}

/// Sixteen untyped bytes. What lies in them is known to the layout alone.
///
/// A slot for a value of type `T` holds a `T??`: `.none` when the response had no such key, `.some(nil)` when it said `null`.
/// Larger values are held in a ``SlotBox``. Views are stored as their ``ResponseObject``, which has the same bits.
@frozen @usableFromInline
struct Slot {
  @usableFromInline var bits: (UInt64, UInt64)
}

/// A value that does not fit a slot.
@usableFromInline
final class SlotBox<Value: Sendable>: Sendable {
  @usableFromInline let value: Value
  @usableFromInline init(_ value: Value) { self.value = value }
}

/// What precedes the slots of an object, in the place of one more slot.
@frozen @usableFromInline
struct ObjectHead {
  /// Unmanaged because layouts live as long as the program.
  @usableFromInline var layout: Unmanaged<ObjectLayout>
  /// What else is known of the object, see ``ObjectAnnotation``.
  @usableFromInline var annotation: ObjectAnnotation

  @usableFromInline init(layout: Unmanaged<ObjectLayout>) {
    self.layout = layout
    self.annotation = ObjectAnnotation()
  }
}

/// The head and, in the same allocation, one slot for each response key.
///
/// The head is the first element, not the buffer's header: a header is a variable, and at each access to it the runtime would note
/// who has access to what, which costs more than all the rest of reading a field (9 ns of 14).
@usableFromInline
final class ObjectStorage: ManagedBuffer<Void, Slot> {
  deinit {
    withUnsafeMutablePointerToElements { elements in
      let head = UnsafeMutableRawPointer(elements).assumingMemoryBound(to: ObjectHead.self)
      head.pointee.layout._withUnsafeGuaranteedRef { $0.releaseSlots(at: elements + 1) }
      head.pointee.annotation.release()
    }
  }
}

extension ObjectStorage {
  /// An object without contents: every slot must be initialized before it is used or destroyed.
  @inline(__always)
  static func uninitialized(_ layout: Unmanaged<ObjectLayout>) -> ObjectStorage {
    let slotCount = layout._withUnsafeGuaranteedRef { $0.slotCount }
    let buffer = ObjectStorage.create(minimumCapacity: slotCount &+ 1) { _ in }
    let storage = unsafeDowncast(buffer, to: ObjectStorage.self)  // the class it was called on
    storage.head.initialize(to: ObjectHead(layout: layout))
    return storage
  }

  /// The head, which is initialized when the object is made. Valid while the object is alive.
  @inlinable
  var head: UnsafeMutablePointer<ObjectHead> {
    // A head fits into a slot: both are two words on 64-bit platforms, and a slot is larger on others.
    withUnsafeMutablePointerToElements {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: ObjectHead.self)
    }
  }

  /// Where slot `index` lies. Valid while the object is alive.
  @inlinable
  func slot(_ index: Int) -> UnsafeMutableRawPointer {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0 + index + 1) }
  }
}

extension ResponseObject {
  /// An object without contents: every slot must be initialized before it is used or destroyed.
  static func uninitialized(_ layout: ObjectLayout) -> ResponseObject {
    ResponseObject(storage: ObjectStorage.uninitialized(Unmanaged.passUnretained(layout)))
  }

  /// What the object holds, for its place and type.
  package var layout: ObjectLayout { storage.head.pointee.layout._withUnsafeGuaranteedRef { $0 } }

  /// Tells layouts apart, without counting references to them: they live for ever.
  package var layoutIdentity: ObjectIdentifier {
    storage.head.pointee.layout._withUnsafeGuaranteedRef { ObjectIdentifier($0) }
  }

  /// Tells objects apart, as `===` does, without keeping them alive.
  package var slotAddress: UnsafeMutableRawPointer { slot(0) }

  /// The identity that a ``ResponseObserver`` gives to the object when it is complete, and which never
  /// changes. A cache gives the key of its record.
  ///
  /// Copies have no identity, because they are made to be changed.
  package var identity: ObjectIdentity? {
    get {
      defer { withExtendedLifetime(storage) {} }
      return storage.head.pointee.annotation.identity
    }
    nonmutating set {
      storage.head.pointee.annotation.replaceIdentity(newValue)
      withExtendedLifetime(storage) {}
    }
  }

  /// What a server reported about the fields. Set only by who has the only reference, or has not shown the object yet.
  var fieldErrors: FieldErrors? {
    get {
      defer { withExtendedLifetime(storage) {} }
      return storage.head.pointee.annotation.errors
    }
    nonmutating set {
      guard fieldErrors != nil || newValue != nil else { return }
      storage.head.pointee.annotation.replace(identity: identity, errors: newValue?.byKey)
      withExtendedLifetime(storage) {}
    }
  }

  /// Where slot `index` lies. Valid while the object is alive.
  @inlinable
  func slot(_ index: Int) -> UnsafeMutableRawPointer { storage.slot(index) }
}
