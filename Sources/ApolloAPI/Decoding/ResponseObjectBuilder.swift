/// Builds a ``ResponseObject`` for a layout, field by field.
///
/// Set every field, in any order, then call ``finish(allowsMissing:)``. A builder that is dropped
/// unfinished releases the values that were set.
package struct ResponseObjectBuilder: ~Copyable {
  /// Unmanaged because finishing hands the reference over without counting it.
  private let object: Unmanaged<ObjectStorage>
  /// Unmanaged because layouts live as long as the program.
  private let layoutReference: Unmanaged<ObjectLayout>
  private var isSet: FieldSet
  private var isFinished = false

  /// The layout of the object.
  package var layout: ObjectLayout { layoutReference._withUnsafeGuaranteedRef { $0 } }

  /// Starts an object.
  package init(_ layout: borrowing ObjectLayout) {
    layoutReference = Unmanaged.passUnretained(copy layout)
    object = Unmanaged.passRetained(ObjectStorage.uninitialized(layoutReference))
    isSet = FieldSet(count: layout.fields.count)
  }

  deinit {
    guard !isFinished else { return }
    initializeUnsetSlots()  // a release requires it
    object.release()
  }

  /// Sets a leaf or a list of leaves to a JSON value.
  ///
  /// - Throws: A ``ResponseError`` when the value is not of the field's type.
  package mutating func set(_ index: Int, leaf value: JSONValue) throws(ResponseError) {
    let field = layout.fields[index]
    guard !value.isNull else { return try setNull(index) }
    guard !field.slotType.holdsObjects else {
      throw ResponseError(
        .wrongType(expected: "an object", found: value.kindDescription), at: field)
    }
    do {
      let isWrittenAlike = try field.slotType.decode(value, into: prepare(index))
      if !isWrittenAlike { note(value, inSlot: field.slot) }
      didSet(index)
    } catch {
      throw ResponseError(.invalidScalar(String(describing: error)), at: field)
    }
  }

  /// Sets the object or the lists of objects of a field.
  ///
  /// - Throws: A ``ResponseError`` when there is a null that the type rules out, or when the lists
  ///   are nested differently.
  package mutating func set(_ index: Int, objects: ObjectTree) throws(ResponseError) {
    let field = layout.fields[index]
    if case .null = objects { return try setNull(index) }
    guard field.slotType.initialize(prepare(index), objects) else {
      throw ResponseError(
        .wrongType(expected: field.typeDescription, found: "something else"), at: field)
    }
    didSet(index)
  }

  /// Sets a field to null.
  ///
  /// - Throws: A ``ResponseError`` when the field's type rules out null.
  package mutating func setNull(_ index: Int) throws(ResponseError) {
    let field = layout.fields[index]
    guard !field.isNonNull else { throw ResponseError(.nullValue, at: field) }
    field.slotType.initializeEmpty(prepare(index), isNull: true)
    didSet(index)
  }

  /// Takes over the form in which a server sent the value of a slot of another object.
  @inline(__always)
  func copyForm(_ other: borrowing ResponseObject, _ source: Int, _ slot: Int) {
    if let form = other.sentForm(inSlot: source) { note(form, inSlot: slot) }
  }

  /// Notes the value that a server sent for a slot, or forgets it.
  @inline(never)
  private func note(_ form: JSONValue?, inSlot slot: Int) {
    object._withUnsafeGuaranteedRef { $0.note(form, inSlot: slot) }
  }

  /// The object.
  ///
  /// - Parameter allowsMissing: Whether nullable fields may be left unset, as deferred ones always
  ///   may.
  /// - Returns: The object.
  /// - Throws: A ``ResponseError`` when a required field was not set.
  package consuming func finish(allowsMissing: Bool = false) throws(ResponseError) -> ResponseObject
  {
    guard !isSet.isFull else { return takeObject() }
    for (index, field) in layout.fields.enumerated()
    where !isSet.contains(index) && !field.isDeferred && !(allowsMissing && !field.isNonNull) {
      throw ResponseError(.missingValue, at: field)
    }
    return takeObject()
  }

  /// Returns the object even if fields were not set, which are missing then. Views that promise
  /// such a field must not read it.
  package consuming func finishPartially() -> ResponseObject { takeObject() }

  @inline(__always)
  private mutating func takeObject() -> ResponseObject {
    initializeUnsetSlots()
    isFinished = true
    return ResponseObject(storage: object.takeRetainedValue())
  }

  @inline(__always)
  private func initializeUnsetSlots() {
    if !isSet.isFull { initializeOtherSlots() }
  }

  @inline(never)
  private func initializeOtherSlots() {
    for (index, field) in layout.fields.enumerated() where !isSet.contains(index) {
      field.slotType.initializeEmpty(slot(field.slot), isNull: false)
    }
  }

  @inline(__always)
  func slot(_ index: Int) -> UnsafeMutableRawPointer {
    object._withUnsafeGuaranteedRef { $0.slot(index) }
  }

  /// Returns a field. The index must be one of the layout's.
  @inline(__always)
  func field(_ index: Int) -> UnsafePointer<FieldLayout> {
    layoutReference._withUnsafeGuaranteedRef { $0.fields.baseAddress! + index }
  }

  /// Returns the slot of a field, uninitialized.
  @inline(__always)
  mutating func prepare(_ index: Int) -> UnsafeMutableRawPointer {
    let slot = slot(field(index).pointee.slot)
    if isSet.contains(index) { clear(index, slot) }
    return slot
  }

  @inline(never)
  private mutating func clear(_ index: Int, _ slot: UnsafeMutableRawPointer) {
    layout.fields[index].slotType.release(slot)
    note(nil, inSlot: layout.fields[index].slot)
    isSet.remove(index)
  }

  /// Marks the slots of fields as initialized. None of them may be.
  @inline(__always)
  mutating func didSet(_ fields: FieldGroup) {
    isSet.insert(fields)
  }

  /// Marks the slot of a field as initialized.
  @inline(__always)
  mutating func didSet(_ index: Int) {
    _ = isSet.insert(index)
  }
}
