/// What an object holds: a place, for objects of one type. Everything conditional has been decided.
///
/// Layouts are made when the first such object arrives, never change, and live as long as the program.
///
/// `@unchecked Sendable` because the stored pointers are to memory that is written before the initializer returns and never freed.
@usableFromInline
package final class ObjectLayout: @unchecked Sendable {
  /// The identity of the selection set whose accessor *i* reads slot *i*; if there is none, an address that is no selection set's.
  @usableFromInline let direct: UnsafeMutableRawPointer
  /// Where the objects stand. Unsafely unowned because places live as long as their plan, which is for ever.
  package unowned(unsafe) let position: ObjectPosition
  /// The same, for comparing.
  let positionReference: Unmanaged<ObjectPosition>
  /// The type of the objects; `nil` for all types together that the generated code does not know.
  package let typename: String?
  /// The fields, in the order in which a server answers them.
  package let fields: [FieldLayout]
  /// How many slots an object has.
  let slotCount: Int
  /// The index of the field with each response key.
  let keys: ResponseKeyTable
  private let projections: ProjectionTable
  private let managed: UnsafeBufferPointer<ManagedSlot>
  /// The same as `fields`, for the reader.
  let steps: UnsafeBufferPointer<ReadStep>
  /// `"__typename":"Droid"`, with which most objects of this layout begin; empty when `typename` is not known or not asked for.
  let opening: UnsafePointer<UInt8>
  let openingCount: Int
  /// The index of the field that the opening tells; meaningless when there is no opening.
  let openingField: Int
  /// The index of the field that tells the type, or `nil`.
  let typenameField: Int?
  /// Of objects that are made to find out which accessors are used: who is told, and what `projections` would be. Those are empty
  /// then, so that reading other objects need not ask.
  private let recording: (recorder: AccessRecorder, projections: ProjectionTable)?
  /// The views whose data may come later.
  let deferred: Set<SelectionLayout>

  /// A slot that holds a reference.
  private struct ManagedSlot {
    var index: UInt16
    var kind: SlotKind
  }

  init(
    position: ObjectPosition, typename: String?, fields: [FieldLayout],
    projections: [(view: SelectionLayout, slots: [Int16])], deferred: Set<SelectionLayout>
  ) {
    self.position = position
    self.deferred = deferred
    positionReference = .passUnretained(position)
    self.typename = typename
    self.fields = fields
    recording = nil
    slotCount = fields.count
    keys = ResponseKeyTable(fields.map(\.responseKey))
    typenameField = fields.firstIndex { $0.name == "__typename" }

    let steps = UnsafeMutableBufferPointer<ReadStep>.allocate(capacity: fields.count)
    _ = steps.initialize(from: fields.map(ReadStep.init))
    self.steps = UnsafeBufferPointer(steps)
    // Any other string than `String!` is read like the other fields.
    let openingField = fields.firstIndex {
      $0.responseKey == position.typenameKey && $0.reading == .string
    }
    let opening = Self.opening(
      typenameKey: openingField.map { fields[$0].responseKey }, typename: typename)
    self.openingField = openingField ?? 0
    self.opening = allocateForever(opening)
    openingCount = opening.count

    self.projections = ProjectionTable(projections)
    let primary = position.sources[0]
    let primarySlots = projections.first { $0.view == primary }?.slots ?? []
    let isDirect = primarySlots.enumerated().allSatisfy { $0 == Int($1) }
    direct =
      isDirect ? primary.reference.toOpaque() : UnsafeMutableRawPointer(mutating: self.opening)

    let held = fields.filter { $0.operations.kind != .trivial }
    let managed = UnsafeMutableBufferPointer<ManagedSlot>.allocate(capacity: held.count)
    _ = managed.initialize(
      from: held.map { ManagedSlot(index: UInt16($0.slot), kind: $0.operations.kind) })
    self.managed = UnsafeBufferPointer(managed)
  }

  /// The same layout for a single object, whose accessors are noted. It has no `direct` view, so that all of them come through here.
  init(_ layout: ObjectLayout, recording recorder: AccessRecorder) {
    recording = (recorder, layout.projections)
    direct = UnsafeMutableRawPointer(mutating: layout.opening)
    position = layout.position
    positionReference = layout.positionReference
    typename = layout.typename
    fields = layout.fields
    slotCount = layout.slotCount
    keys = layout.keys
    projections = ProjectionTable([])
    managed = layout.managed
    steps = layout.steps
    opening = layout.opening
    openingCount = layout.openingCount
    openingField = layout.openingField
    typenameField = layout.typenameField
    deferred = layout.deferred
  }

  private static func opening(typenameKey: String?, typename: String?) -> [UInt8] {
    guard let typenameKey, let typename else { return [] }
    return Array("\"\(typenameKey)\":\"\(typename)\"".utf8)
  }

  /// Where the accessor of a view finds its value; negative when the object has no such field.
  @inline(__always)
  func slot(ofAccessor index: Int, in view: SelectionLayout) -> Int {
    guard let slots = projections.slots(of: view) else {
      return recordedSlot(ofAccessor: index, in: view)
    }
    return Int(slots[index])
  }

  @inline(never)
  private func recordedSlot(ofAccessor index: Int, in view: SelectionLayout) -> Int {
    guard let recording, let slots = recording.projections.slots(of: view) else {
      preconditionFailure(
        "A view of \(view.parentType) looks at an object that was not laid out for it")
    }
    recording.recorder.record(view.keys[index])
    return Int(slots[index])
  }

  /// Whether the objects can be looked at through a view, as soon as all of its data is there.
  @inline(__always)
  package func fulfils(_ view: SelectionLayout) -> Bool {
    projections.slots(of: view) != nil || recording?.projections.slots(of: view) != nil
  }

  /// Releases what the slots of an object hold.
  @usableFromInline
  func destroySlots(at slots: UnsafeMutablePointer<Slot>) {
    for slot in managed {
      let address = UnsafeMutableRawPointer(slots + Int(slot.index))
      switch slot.kind {
      case .trivial: break
      // Moved out, not deinitialized: that is released in line, without asking the type how.
      case .string: _ = address.assumingMemoryBound(to: String??.self).move()
      case .object: _ = address.assumingMemoryBound(to: ResponseObject??.self).move()
      case .list: _ = address.assumingMemoryBound(to: [ResponseObject]??.self).move()
      case .enumeration where address.load(fromByteOffset: 15, as: UInt8.self) == 0: break
      case .enumeration, .other:
        operations(ofSlot: Int(slot.index)).destroy(address)
      }
    }
  }

  private func operations(ofSlot slot: Int) -> any SlotOperations {
    fields.first { $0.slot == slot }!.operations  // every slot belongs to a field
  }
}

extension ResponseObject {
  /// The name of the object's type, if it is known.
  package var typename: String? {
    if let typename = layout.typename { return typename }
    guard let index = layout.typenameField else { return nil }
    let slot = slot(layout.fields[index].slot)
    defer { withExtendedLifetime(storage) {} }
    return Self.load(String.self, from: slot) ?? nil
  }
}

extension ObjectLayout {
  func step(ofSlot slot: Int) -> UnsafePointer<ReadStep> {
    let index = steps.firstIndex { $0.slot == slot }!  // every slot belongs to a field
    return steps.baseAddress! + index
  }
}

extension ObjectLayout {
  /// The index of the field with this response key.
  func fieldIndex(withKey key: String) -> Int? {
    var key = key
    return key.withUTF8 { keys.index(of: $0) }
  }

  /// The index of the field with this response key.
  package func index(ofField responseKey: String) -> Int? { fieldIndex(withKey: responseKey) }

  /// The field with this response key.
  package func field(withKey key: String) -> FieldLayout? {
    fieldIndex(withKey: key).map { fields[$0] }
  }
}
