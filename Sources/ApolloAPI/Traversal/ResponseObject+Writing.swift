extension ResponseObject {
  /// Returns the fields that a layout shows of this object as JSON text.
  func jsonBytes(visible: ObjectLayout) -> [UInt8] {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { piece in
      var walk = ObjectWalk(TextVisitor(through: piece))
      walk.visit(self, visible: visible)
      return walk.visitor.finished()
    }
  }
}

/// A visitor that writes JSON text.
private struct TextVisitor: ObjectVisitor {
  private var text: PiecewiseJSON
  /// `true` after a value, before which the next value or key has a comma.
  private var followsValue = false
  private let understandsStrings = StringBits.areUnderstood

  init(through piece: UnsafeMutableRawBufferPointer) {
    text = PiecewiseJSON(through: piece)
  }

  mutating func finished() -> [UInt8] { text.finished() }

  @inline(__always)
  private mutating func separate() {
    if followsValue { text.append(UInt8(ascii: ",")) }
    followsValue = true
  }

  mutating func openObject(fieldCount: Int) {
    separate()
    text.append(UInt8(ascii: "{"))
    followsValue = false
  }

  mutating func closeObject() {
    text.append(UInt8(ascii: "}"))
    followsValue = true
  }

  mutating func openList() {
    separate()
    text.append(UInt8(ascii: "["))
    followsValue = false
  }

  mutating func closeList() {
    text.append(UInt8(ascii: "]"))
    followsValue = true
  }

  mutating func visitKey(of field: UnsafePointer<FieldLayout>) {
    separate()
    // The key with its quotes and the colon.
    text.append(words: field.pointee.key, byteCount: field.pointee.keyCount &+ 1)
    followsValue = false
  }

  mutating func visitNull() {
    separate()
    text.append("null")
  }

  mutating func visitLeaf(_ slot: UnsafeMutableRawPointer, of field: UnsafePointer<FieldLayout>) {
    separate()
    switch field.pointee.slotType.kind {
    case .string, .id, .text:
      text.write(stringIn: slot, understandsStrings: understandsStrings)
    case .int: ResponseObject.load(Int.self, slot).map { text.write(Int64($0)) }
    case .double: ResponseObject.load(Double.self, slot).map { text.write($0) }
    case .bool: ResponseObject.load(Bool.self, slot).map { text.append($0 ? "true" : "false") }
    case .enumeration:
      if let name = field.pointee.slotType.caseName(slot) {
        text.write(name)
      } else {
        visitOtherLeaf(slot, of: field)
      }
    case .strings: visitStrings(slot)
    case .leaf, .leaves, .object, .objects, .nestedObjects: visitOtherLeaf(slot, of: field)
    }
  }

  private mutating func visitStrings(_ slot: UnsafeMutableRawPointer) {
    text.append(UInt8(ascii: "["))
    Slot.withStrings(in: slot) { strings in
      guard let strings else { return }
      for index in strings.indices {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        if strings[index] == nil {
          text.append("null")
        } else {
          text.write(
            stringIn: strings.slot(index), understandsStrings: understandsStrings)
        }
      }
    }
    text.append(UInt8(ascii: "]"))
  }

  @inline(never)
  private mutating func visitOtherLeaf(
    _ slot: UnsafeMutableRawPointer, of field: UnsafePointer<FieldLayout>
  ) {
    var writer = JSONWriter()
    writer.write(field.pointee.slotType.jsonValue(slot))
    writer.bytes.withUnsafeBufferPointer { text.append($0) }
  }
}
