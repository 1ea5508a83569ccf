// The memory of an object, on 64-bit platforms. It is one allocation:
//
//     offset   0          8          16       24           32                48
//            ┌──────────┬──────────┬────────┬────────────┬─────────────────┬─────────────────┬──
//            │ class    │reference │ layout │ annotation │ slot 0          │ slot 1          │ …
//            │          │count     │        │            │ 16 bytes        │ 16 bytes        │
//            └──────────┴──────────┴────────┴────────────┴─────────────────┴─────────────────┴──
//             object's header       ``ObjectHead``        ``Slot``, one for each response key
//
// The layout knows which key has which slot, and the type of each slot's value. An example: the
// hero of `{ hero { name height isHuman friends { name } } }`, whose response is `{"name": "Leia
// Organa", "height": null, "isHuman": true, "friends": [{…}, {…}]}`:
//
//     slot  key       holds                bytes used   content
//     0     name      String??             16           the text itself, as up to 15 bytes fit
//     1     height    Double??             10           `.some(nil)`: the key was there
//     2     isHuman   Bool??               1            true
//     3     friends   [ResponseObject?]??  8            a reference to an array of objects
//
// A key that the response does not have leaves `.none` in its slot. A value of more than 16 bytes,
// such as a custom scalar with three words, is in a ``SlotBox``, to which the slot refers.

extension GeneratedCode {
  /// One JSON object of a response in memory. Every selection set is a view of one.
  ///
  /// Any number of views share an object. It was validated when it was made, so that reading a slot
  /// checks nothing. Programs use the views; only generated code and the cache use the object
  /// itself.
  ///
  /// `@unchecked Sendable` because an object is written to only before it is shared, or through its
  /// only reference.
  @frozen
  public struct ResponseObject: @unchecked Sendable {
    @usableFromInline var storage: ObjectStorage

    @inlinable
    init(storage: ObjectStorage) { self.storage = storage }

    /// Returns whether both are the same object, not merely equal ones.
    @inlinable
    public static func === (lhs: Self, rhs: Self) -> Bool { lhs.storage === rhs.storage }

    /// Returns whether they are different objects, equal or not.
    @inlinable
    public static func !== (lhs: Self, rhs: Self) -> Bool { lhs.storage !== rhs.storage }
  }
}

@usableFromInline package typealias ResponseObject = GeneratedCode.ResponseObject

/// Sixteen untyped bytes that hold the value of one field. The layout knows their type.
///
/// A slot for a value of type `T` holds a `T??`: `.none` when the response had no such key,
/// `.some(nil)` when it said `null`. Larger values are held in a ``SlotBox``. Views are stored as
/// their ``ResponseObject``, which has the same bits.
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

/// The head of an object, in front of its slots.
@frozen @usableFromInline
struct ObjectHead {
  /// Unmanaged because layouts live as long as the program.
  @usableFromInline var layout: Unmanaged<ObjectLayout>
  /// Facts about the object besides its fields.
  @usableFromInline var annotation: ObjectAnnotation

  @usableFromInline init(layout: Unmanaged<ObjectLayout>) {
    self.layout = layout
    self.annotation = ObjectAnnotation()
  }
}

/// The head and, in the same allocation, one slot for each response key.
///
/// The head is the first element and not the buffer's header: a header is a variable, and the
/// runtime checks each access to it for exclusivity, which costs more than the rest of reading a
/// field (9 ns of 14).
@usableFromInline
final class ObjectStorage: ManagedBuffer<Void, Slot> {
  deinit {
    withUnsafeMutablePointerToElements { elements in
      let head = UnsafeMutableRawPointer(elements).assumingMemoryBound(to: ObjectHead.self)
      head.pointee.layout._withUnsafeGuaranteedRef { $0.releaseSlots(at: elements + 1) }
      head.pointee.annotation.release()
      // About one object in 256 finds that the last ones are still in the processor's cache.
      if UInt(bitPattern: elements) & 0xFF0 == 0 { Heap.mergeFreedBlocks() }
    }
  }
}

extension ObjectStorage {
  /// Makes an object whose slots are uninitialized. Each one must be initialized before the object
  /// is used or released.
  @inline(__always)
  static func uninitialized(_ layout: Unmanaged<ObjectLayout>) -> ObjectStorage {
    let slotCount = layout._withUnsafeGuaranteedRef { $0.slotCount }
    let buffer = ObjectStorage.create(minimumCapacity: slotCount &+ 1) { _ in }
    let storage = unsafeDowncast(buffer, to: ObjectStorage.self)  // the class it was called on
    storage.head.initialize(to: ObjectHead(layout: layout))
    return storage
  }

  /// The head. Valid while the object is alive.
  @inlinable
  var head: UnsafeMutablePointer<ObjectHead> {
    // A head fits into a slot: both are two words on 64-bit platforms, and a slot is larger on
    // others.
    withUnsafeMutablePointerToElements {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: ObjectHead.self)
    }
  }

  /// Returns the address of a slot. Valid while the object is alive.
  @inlinable
  func slot(_ index: Int) -> UnsafeMutableRawPointer {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0 + index + 1) }
  }
}

extension ResponseObject {
  /// Makes an object whose slots are uninitialized. Each one must be initialized before the object
  /// is used or released.
  static func uninitialized(_ layout: ObjectLayout) -> ResponseObject {
    ResponseObject(storage: ObjectStorage.uninitialized(Unmanaged.passUnretained(layout)))
  }

  /// The layout of the object.
  package var layout: ObjectLayout { storage.head.pointee.layout._withUnsafeGuaranteedRef { $0 } }

  /// The identity of the layout, without a reference to count.
  package var layoutIdentity: ObjectIdentifier {
    storage.head.pointee.layout._withUnsafeGuaranteedRef { ObjectIdentifier($0) }
  }

  /// The identity of the object, without keeping it alive, for tests.
  package var slotAddress: UnsafeMutableRawPointer { slot(0) }

  /// The identity that a ``ResponseObserver`` gives to the object when it is complete, and which
  /// never changes. A cache gives the key of its record.
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

  /// The errors that a server reported for the fields, by response key. Set only before the object
  /// is shared, or through its only reference.
  var fieldErrors: [String: [GraphQLError]] {
    get { fieldFacts?.errors ?? [:] }
    nonmutating set { setFieldErrors(newValue, depth: fieldFacts?.depth ?? 0) }
  }

  /// Sets ``fieldErrors``, and the length of the path to this object in their response.
  func setFieldErrors(_ errors: [String: [GraphQLError]], depth: Int) {
    let facts = fieldFacts
    guard facts != nil || !errors.isEmpty else { return }
    storage.head.pointee.annotation.replaceFacts(
      FieldFacts(errors: errors, depth: depth, forms: facts?.forms ?? [:], identity: identity))
    withExtendedLifetime(storage) {}
  }

  /// Returns the address of a slot. Valid while the object is alive.
  @inlinable
  func slot(_ index: Int) -> UnsafeMutableRawPointer { storage.slot(index) }
}

extension ResponseObject {
  /// A reference to an object that does not keep it alive. Its owner must outlive it.
  package struct Unretained {
    private let storage: Unmanaged<ObjectStorage>

    package init(_ object: borrowing ResponseObject) {
      storage = Unmanaged.passUnretained(object.storage)
    }

    /// Calls `body` with the object, without counting a reference to it.
    package func withObject<Result>(
      _ body: (ResponseObject) throws -> Result
    ) rethrows -> Result {
      try storage._withUnsafeGuaranteedRef { try body(ResponseObject(storage: $0)) }
    }
  }
}
