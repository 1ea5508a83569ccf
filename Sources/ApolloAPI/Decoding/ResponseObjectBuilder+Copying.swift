extension ResponseObjectBuilder {
  /// Sets a field to the value of the same field in another object of the layout.
  @inline(__always)
  package mutating func copy(_ index: Int, of other: ResponseObject) {
    let field = field(index)
    field.pointee.slotType.copy(other.slot(field.pointee.slot), to: prepare(index))
    copyForm(other, field.pointee.slot, field.pointee.slot)
    withExtendedLifetime(other) {}
    didSet(index)
  }
}

extension ResponseObject {
  /// Returns a copy, without an identity, in which some fields have other values.
  ///
  /// - Parameter contents: The new values, in ascending order of the fields' indices. A field whose
  ///   value is missing, which may be null, has none in the copy.
  /// - Returns: The copy, or `nil` if a field cannot hold its new value.
  /// - Complexity: O(*n*) in the fields.
  package func replacing(_ contents: [(index: Int, contents: SlotContents)]) -> ResponseObject? {
    var builder = ResponseObjectBuilder(layout)
    var rest = contents[...]
    for index in layout.fields.indices {
      if let next = rest.first, next.index == index {
        rest.removeFirst()
        if case .missing = next.contents { continue }
        guard builder.set(index, next.contents) else { return nil }
      } else {
        builder.copy(index, of: self)
      }
    }
    return builder.finishPartially()
  }
}
