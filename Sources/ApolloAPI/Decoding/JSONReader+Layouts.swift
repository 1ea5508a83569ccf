extension JSONReader {
  /// Consumes the field's key and the colon, if they come next.
  @inline(__always)
  mutating func consumeKey(of field: UnsafePointer<FieldLayout>) -> Bool {
    let head = field.pointee.keyHead, mask = field.pointee.keyMask
    let difference =
      (loadWord(cursor) ^ head.0) & mask.0 | (loadWord(cursor + 8) ^ head.1) & mask.1
    guard difference == 0 else { return false }
    let count = field.pointee.keyCount &+ 1
    if count > 16, !isNext(field.pointee.key, count) { return false }
    cursor += count
    return true
  }
}

extension JSONReader {
  /// Returns the number of bytes of the opening of a layout's objects, or 0 when something else
  /// comes next.
  @inline(__always)
  func nextOpeningCount(of layout: Unmanaged<ObjectLayout>) -> Int {
    layout._withUnsafeGuaranteedRef { layout in
      let opening = layout.opening
      guard opening.count > 0 else { return 0 }
      if isNext(opening.bytes, opening.count) { return opening.count }
      return cursor[opening.blankOffset] > 0x20 ? 0 : spacedOpeningCount(opening)
    }
  }

  /// The same for an opening with white space after its colon.
  @inline(never)
  private func spacedOpeningCount(_ opening: ObjectLayout.Opening) -> Int {
    guard isNext(opening.bytes, opening.keyCount) else { return 0 }
    var value = self
    value.cursor += opening.keyCount
    value.skipWhitespace()
    guard value.isNext(opening.typename, opening.typenameCount) else { return 0 }
    return value.cursor + opening.typenameCount - cursor
  }
}
