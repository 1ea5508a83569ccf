extension ResponseObject {
  /// Writes what a layout shows of this object, as a JSON object. Fields that are missing are left out.
  func write(visible: ObjectLayout, to writer: inout JSONWriter) {
    defer { withExtendedLifetime(storage) {} }
    writer.raw("{")
    var isFirst = true
    for index in visible.steps.indices {
      guard let (step, slot) = place(of: index, in: visible),
        !step.pointee.operations.isMissing(slot)
      else { continue }
      if !isFirst { writer.raw(",") }
      isFirst = false
      writer.write(
        quotedKey: UnsafeBufferPointer(start: step.pointee.key, count: step.pointee.keyCount))
      writer.raw(":")
      Self.write(slot, step, to: &writer)
    }
    writer.raw("}")
  }

  private static func write(
    _ slot: UnsafeMutableRawPointer, _ step: UnsafePointer<ReadStep>, to writer: inout JSONWriter
  ) {
    guard step.pointee.hasValue(slot) else { return writer.raw("null") }
    switch step.pointee.reading {
    case .string, .id, .text: load(String.self, slot).map { writer.write($0) }
    case .int: load(Int.self, slot).map { writer.write(Int64($0)) }
    case .double: load(Double.self, slot).map { writer.write($0) }
    case .bool: load(Bool.self, slot).map { writer.write($0) }
    case .object, .objects, .nestedObjects:
      let tree = step.pointee.objectOperations?.objects(slot) ?? .null
      write(tree, at: step.pointee.objectPlace, to: &writer)
    case .enumeration, .leaf, .strings:
      step.pointee.leafOperations.map { writer.write($0.jsonValue(slot)) }
    }
  }

  private static func write(_ tree: ObjectTree, at place: Place, to writer: inout JSONWriter) {
    switch tree {
    case .null: writer.raw("null")
    case .object(let object): object.write(visible: object.visibleLayout(at: place), to: &writer)
    case .list(let elements): writer.writeArray(elements) { write($1, at: place, to: &$0) }
    }
  }
}
