extension ResponseObject {
  /// Returns the fields that a layout shows of this object as JSON text.
  func jsonBytes(visible: ObjectLayout) -> [UInt8] {
    var walk = ObjectWalk(TextVisitor())
    walk.visit(self, visible: visible)
    return walk.visitor.writer.bytes
  }
}

/// A visitor that writes JSON text.
private struct TextVisitor: ObjectVisitor {
  private(set) var writer = JSONWriter(reservingCapacity: 1024)

  /// Writes a comma, except after an opening byte or a key.
  private mutating func separate() {
    switch writer.bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
    default: writer.raw(",")
    }
  }

  mutating func openObject() {
    separate()
    writer.raw("{")
  }

  mutating func closeObject() { writer.raw("}") }

  mutating func openList() {
    separate()
    writer.raw("[")
  }

  mutating func closeList() { writer.raw("]") }

  mutating func visitKey(of field: UnsafePointer<FieldLayout>) {
    separate()
    writer.write(
      quotedKey: UnsafeBufferPointer(start: field.pointee.key, count: field.pointee.keyCount))
    writer.raw(":")
  }

  mutating func visitNull() {
    separate()
    writer.raw("null")
  }

  mutating func visitLeaf(_ slot: UnsafeMutableRawPointer, of field: UnsafePointer<FieldLayout>) {
    separate()
    switch field.pointee.slotType.kind {
    case .string, .id, .text: ResponseObject.load(String.self, slot).map { writer.write($0) }
    case .int: ResponseObject.load(Int.self, slot).map { writer.write(Int64($0)) }
    case .double: ResponseObject.load(Double.self, slot).map { writer.write($0) }
    case .bool: ResponseObject.load(Bool.self, slot).map { writer.write($0) }
    case .enumeration:
      if let name = field.pointee.slotType.caseName(slot) {
        writer.write(name)
      } else {
        visitOtherLeaf(slot, of: field)
      }
    case .leaf, .leaves, .strings, .object, .objects, .nestedObjects:
      visitOtherLeaf(slot, of: field)
    }
  }

  private mutating func visitOtherLeaf(
    _ slot: UnsafeMutableRawPointer, of field: UnsafePointer<FieldLayout>
  ) {
    writer.write(field.pointee.slotType.jsonValue(slot))
  }
}
