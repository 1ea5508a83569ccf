// Lists of leaves, and scalars that are decoded from JSON values.

extension ResponseReader {
  /// A list of leaves, or of lists of them.
  @inline(never)
  mutating func readLeafList(
    _ field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    let list = field.pointee.slotType.listReader!  // this kind of slot has one
    let isWhole = try list.takeUnretainedValue().read(&json, &leafNulls, slot)
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
      try field.pointee.slotType.decode(value, into: slot)
    } catch {
      throw position.failure(.invalidScalar(String(describing: error)))
    }
  }
}
