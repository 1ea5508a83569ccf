/// The fields of the objects of one type at one position, with every condition decided.
///
/// A layout is linked when the first such object arrives, never changes, and lives as long as the
/// program.
///
/// `@unchecked Sendable` because the stored pointers are to memory that is written before the
/// initializer returns and never freed.
@usableFromInline
package final class ObjectLayout: @unchecked Sendable {
  /// The identity of the selection set whose accessor *i* reads slot *i*. If there is none, an
  /// address that is not a selection set's.
  @usableFromInline let primaryView: UnsafeMutableRawPointer
  /// The position of the objects. Unsafely unowned because positions live as long as the program.
  package unowned(unsafe) let position: ObjectPosition
  /// The same, for comparisons.
  let positionReference: Unmanaged<ObjectPosition>
  /// The type of the objects; `nil` for all types that generated code does not know.
  package let typename: String?
  /// The fields, in the order in which a server sends them.
  package let fields: UnsafeBufferPointer<FieldLayout>
  /// The number of slots of an object.
  let slotCount: Int
  /// The index of the field with each response key.
  let keys: ResponseKeyTable
  private let views: ViewSlots
  /// The slots that may hold a reference.
  private let heldSlots: UnsafeBufferPointer<HeldSlot>
  /// The bytes with which most objects of this layout begin.
  let opening: Opening
  /// The index of the field after each field in the order of the selections: 0 before the first
  /// one, and the number of fields after the last one. See ``FieldOrder``.
  let selectionOrder: UnsafePointer<Int16>
  /// A small number that is unique in the plan.
  let number: Int
  /// The index of the field `__typename`, or `nil`.
  let typenameField: Int?
  /// Present in objects that are made to find out which accessors are used: the recorder of reads,
  /// and the slots of the views. `views` is empty then, so that reading other objects pays nothing.
  private let recording: (recorder: AccessRecorder, views: ViewSlots)?
  /// The views whose data may arrive later.
  let deferred: [SelectionLayout]

  /// `"__typename":"Droid"`. Empty when the type is unknown or its name is not selected.
  struct Opening {
    /// Padded to whole words, and two more words.
    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// The number of bytes up to the colon, and with it.
    let keyCount: Int
    /// The index of the field in the opening; meaningless when there is no opening.
    let field: Int

    /// The type's name in quotes.
    var typename: UnsafePointer<UInt8> {
      @inline(__always) get { bytes + keyCount }
    }
    var typenameCount: Int {
      @inline(__always) get { count &- keyCount }
    }
    /// The offset at which white space shows that there is some after the colon. 0, where there is
    /// none, when the key is so long that the offset could be beyond the reader's padding.
    var blankOffset: Int {
      @inline(__always) get { keyCount <= JSONReader.padding / 2 ? keyCount : 0 }
    }
  }

  private struct HeldSlot {
    let index: UInt16
    let kind: SlotType.Kind
  }

  /// Makes a layout.
  ///
  /// - Parameters:
  ///   - position: The position of the objects.
  ///   - typename: The type of the objects.
  ///   - fields: The fields, in the order in which a server sends them.
  ///   - views: For each view that the objects fulfil, the slot of each accessor.
  ///   - deferred: The views whose data may arrive later.
  init(
    position: ObjectPosition, typename: String?, fields: [FieldLayout],
    views: [(view: SelectionLayout, slots: [Int16])], deferred: [SelectionLayout]
  ) {
    self.position = position
    self.deferred = deferred
    positionReference = .passUnretained(position)
    self.typename = typename
    self.fields = allocateForever(fields)
    recording = nil
    slotCount = fields.count
    keys = ResponseKeyTable(fields.map(\.responseKey))
    typenameField = fields.firstIndex { $0.name == "__typename" }

    opening = Opening(position.typenameKey, typename: typename, among: fields)
    selectionOrder = allocateForever((0...fields.count).map(Int16.init)).baseAddress!  // not empty
    number = position.plan.numberOfNextLayout()

    self.views = ViewSlots(views)
    let primary = position.sources[0]
    let primarySlots = views.first { $0.view == primary }?.slots ?? []
    let isInOrder = primarySlots.enumerated().allSatisfy { $0 == Int($1) }
    primaryView =
      isInOrder ? primary.reference.toOpaque() : UnsafeMutableRawPointer(mutating: opening.bytes)
    heldSlots = allocateForever(
      fields.filter { !$0.slotType.isTrivial }
        .map { HeldSlot(index: UInt16($0.slot), kind: $0.slotType.kind) })
  }

  /// The same layout for a single object whose reads are recorded. It has no primary view, so that
  /// every read comes through ``slot(ofAccessor:in:)``.
  init(_ layout: ObjectLayout, recording recorder: AccessRecorder) {
    recording = (recorder, layout.views)
    primaryView = UnsafeMutableRawPointer(mutating: layout.opening.bytes)
    position = layout.position
    positionReference = layout.positionReference
    typename = layout.typename
    fields = layout.fields
    slotCount = layout.slotCount
    keys = layout.keys
    views = ViewSlots([])
    heldSlots = layout.heldSlots
    opening = layout.opening
    selectionOrder = layout.selectionOrder
    number = layout.number
    typenameField = layout.typenameField
    deferred = layout.deferred
  }

  // MARK: - Views

  /// Returns the slot that an accessor of a view reads; negative when the object has no such field.
  @inline(__always)
  func slot(ofAccessor index: Int, in view: SelectionLayout) -> Int {
    guard let slots = views.slots(of: view) else {
      return recordedSlot(ofAccessor: index, in: view)
    }
    return Int(slots[index])
  }

  @inline(never)
  private func recordedSlot(ofAccessor index: Int, in view: SelectionLayout) -> Int {
    guard let recording, let slots = recording.views.slots(of: view) else {
      preconditionFailure(
        "A view of \(view.parentType) looks at an object that was not laid out for it")
    }
    recording.recorder.record(view.keys[index])
    return Int(slots[index])
  }

  /// Returns whether the objects fulfil a view, as soon as all of its data has arrived.
  @inline(__always)
  package func fulfils(_ view: SelectionLayout) -> Bool {
    views.slots(of: view) != nil || recording?.views.slots(of: view) != nil
  }

  // MARK: - Release

  /// Releases the values of an object.
  ///
  /// 1. Slots without references, such as numbers, are not listed and need no work.
  /// 2. References whose representation is known (strings, objects, lists) are moved out of the
  ///    slot and released in line.
  /// 3. An enum is released only when its flag is set, for a value in memory of its own.
  /// 4. Every other value is released through its metatype.
  @usableFromInline
  func releaseSlots(at slots: UnsafeMutablePointer<Slot>) {
    for held in heldSlots {
      let slot = UnsafeMutableRawPointer(slots + Int(held.index))
      switch held.kind {
      // Moved out, not deinitialized: a move is released in line, without the type's witness table.
      case .string, .id, .text: _ = slot.assumingMemoryBound(to: String??.self).move()
      case .object: _ = slot.assumingMemoryBound(to: ResponseObject??.self).move()
      case .objects, .nestedObjects, .strings, .leaves:
        _ = slot.assumingMemoryBound(to: [ResponseObject]??.self).move()
      case .int, .double, .bool: break
      case .enumeration where Slot.flag(in: slot) == 0: break
      case .enumeration, .leaf: field(ofSlot: Int(held.index)).pointee.slotType.release(slot)
      }
    }
  }

  // MARK: - Fields

  /// Returns the field whose value a slot holds.
  func field(ofSlot slot: Int) -> UnsafePointer<FieldLayout> {
    let index = fields.firstIndex { $0.slot == slot }!  // every slot belongs to a field
    return fields.baseAddress! + index
  }

  /// Returns the index of the field with a response key.
  package func fieldIndex(withKey key: String) -> Int? {
    var key = key
    return key.withUTF8 { keys.index(of: $0) }
  }

  /// Returns the field with a response key.
  package func field(withKey key: String) -> FieldLayout? {
    fieldIndex(withKey: key).map { fields[$0] }
  }
}

extension ObjectLayout.Opening {
  /// - Parameters:
  ///   - typenameKey: The response key of `__typename`, if it is selected.
  ///   - typename: The type of the objects; `nil` if it is not known.
  ///   - fields: The fields of the layout.
  fileprivate init(_ typenameKey: String?, typename: String?, among fields: [FieldLayout]) {
    // Any other string than `String!` is read like the other fields.
    let index = fields.firstIndex {
      $0.responseKey == typenameKey && $0.slotType.kind == .string
    }
    guard let index, let typename else {
      self.init(bytes: allocateForever([UInt8]()), count: 0, keyCount: 0, field: 0)
      return
    }
    let key = Array("\"\(fields[index].responseKey)\":".utf8)
    let bytes = key + Array("\"\(typename)\"".utf8)
    self.init(bytes: allocateForever(bytes), count: bytes.count, keyCount: key.count, field: index)
  }
}
