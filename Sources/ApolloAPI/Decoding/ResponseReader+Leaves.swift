// Lists of leaves, and scalars that are decoded from JSON values.

extension ResponseReader {
  /// A list of leaves, or of lists of them.
  @inline(never)
  mutating func readLeafList(
    _ field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    let start = json
    let list = field.pointee.slotType.listReader!  // this kind of slot has one
    let isWhole = try list.takeUnretainedValue().read(&json, &leafNulls, slot)
    if leafNulls.hasOtherForms {
      leafNulls.hasOtherForms = false
      if isWhole { try noteForm(of: field, at: start) }
    }
    if !leafNulls.isEmpty { reportLeafNulls(of: field.pointee.responseKey) }
    if !isWhole { nullify(field, slot) }
  }

  @inline(never)
  private mutating func reportLeafNulls(of key: String) {
    for null in leafNulls.nulls {
      let indices = null.reversedIndices.reversed().map(PathEntry.index)
      addViolation(at: null.byteOffset, [.field(key)] + indices)
    }
    leafNulls = LeafNulls()
  }

  /// Notes the value of a field of the object on top as the server sent it.
  @inline(never)
  mutating func noteForm(
    of field: UnsafePointer<FieldLayout>, at position: JSONReader
  ) throws(ReadFailure) {
    var reader = position
    note(try reader.readValue(), of: field)
  }

  private mutating func note(_ form: JSONValue, of field: UnsafePointer<FieldLayout>) {
    // Called for objects only.
    containers.top.pointee.object!._withUnsafeGuaranteedRef {
      $0.note(form, inSlot: field.pointee.slot)
    }
  }

  /// The value of a custom scalar that is an alias of `String`, and that is not sent as a string.
  @inline(never)
  mutating func readOtherText(
    _ field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    let start = json
    slot.initializeSlot(as: String??.self, to: try json.readText())
    try noteForm(of: field, at: start)
  }

  /// Notes a number of more digits than a `Double` holds, which begins at a position.
  @inline(never)
  mutating func noteLongNumber(
    _ field: UnsafePointer<FieldLayout>, at position: JSONReader
  ) throws(ReadFailure) {
    var reader = position
    let number = try reader.readNumber()
    // A shorter number is read as a `Double` again, so its text is not needed.
    if number.digitCount > 17, case .decimal(let text) = number.jsonValue {
      note(.decimal(text), of: field)
    }
  }

  /// A scalar of any kind.
  @inline(never)
  mutating func readLeaf(
    _ field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    let start = json
    let value = try json.readValue()
    try initializeLeaf(slot, field, value, at: start)
  }

  private mutating func initializeLeaf(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>, _ value: JSONValue,
    at position: JSONReader
  ) throws(ReadFailure) {
    do {
      let isWrittenAlike = try field.pointee.slotType.decode(value, into: slot)
      if !isWrittenAlike { note(value, of: field) }
    } catch {
      throw position.failure(.invalidScalar(String(describing: error)))
    }
  }
}
