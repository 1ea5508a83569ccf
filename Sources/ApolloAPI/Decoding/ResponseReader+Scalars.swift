// The values of fields.

extension ResponseReader {
  /// Reads the value of a field of the object on top into its slot.
  ///
  /// - Returns: `false` if the value is an object or a list of objects, which has been opened and
  ///   is on top now.
  @inline(__always)
  mutating func readValue(
    of field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    do throws(ReadFailure) {
      if json.next == UInt8(ascii: "n") {
        try readNull(field, into: slot)
        return true
      }
      switch field.pointee.slotType.kind {
      case .object:
        guard json.next == UInt8(ascii: "{") else { throw json.wrongType(expected: "an object") }
        try openObject(at: field.pointee.positionReference!)  // objects have a position
        return false
      case .objects, .nestedObjects:
        guard json.next == UInt8(ascii: "[") else { throw json.wrongType(expected: "a list") }
        try openList(field, depth: 0)
        return false
      case .string:
        guard json.next == UInt8(ascii: "\"") else { throw json.wrongType(expected: "a string") }
        slot.initializeSlot(as: String??.self, to: try json.readString())
      case .id:
        slot.initializeSlot(as: String??.self, to: try json.readID())
      case .text:
        guard json.next == UInt8(ascii: "\"") else {
          try readOtherText(field, into: slot)
          return true
        }
        slot.initializeSlot(as: String??.self, to: try json.readString())
      case .int:
        slot.initializeSlot(as: Int??.self, to: try json.readInt())
      case .double:
        let start = json
        slot.initializeSlot(as: Double??.self, to: try json.readDouble())
        // Seventeen digits always suffice.
        if json.cursor - start.cursor > 17 { try noteLongNumber(field, at: start) }
      case .bool:
        guard let value = json.consumeBool() else { throw json.wrongType(expected: "a Boolean") }
        slot.initializeSlot(as: Bool??.self, to: value)
      case .enumeration:
        if let value = field.pointee.slotType.cases?._withUnsafeGuaranteedRef({
          $0.slot(forNextOf: &json)
        }) {
          slot.initializeMemory(as: Slot.self, to: value)
        } else {
          try readLeaf(field, into: slot)
        }
      case .strings, .leaves: try readLeafList(field, into: slot)
      case .leaf: try readLeaf(field, into: slot)
      }
      return true
    } catch {
      throw error.adding(field.pointee)
    }
  }

  @inline(never)
  private mutating func readNull(
    _ field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    let offset = json.offset
    guard json.consumeNull() else { throw json.malformed("expected a value") }
    if field.pointee.isNonNull { addViolation(at: offset, [.field(field.pointee.responseKey)]) }
    nullify(field, slot)
  }
}
