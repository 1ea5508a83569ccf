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
  /// Returns whether the next bytes are the opening of a layout's objects.
  @inline(__always)
  func isNextOpening(of layout: Unmanaged<ObjectLayout>) -> Bool {
    layout._withUnsafeGuaranteedRef { layout in
      layout.openingCount > 0 && isNext(layout.opening, layout.openingCount)
    }
  }
}
