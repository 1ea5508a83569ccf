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
  /// - Parameter contents: The new values, in ascending order of the fields' indices.
  /// - Returns: The copy, or `nil` if a field cannot hold its new value.
  /// - Complexity: O(*n*) in the fields.
  package func replacing(_ contents: [(index: Int, contents: SlotContents)]) -> ResponseObject? {
    var builder = ResponseObjectBuilder(layout)
    var rest = contents[...]
    for index in layout.fields.indices {
      if let next = rest.first, next.index == index {
        guard builder.set(index, next.contents) else { return nil }
        rest.removeFirst()
      } else {
        builder.copy(index, of: self)
      }
    }
    return try? builder.finish()  // every field is set, so it does not throw
  }
}
