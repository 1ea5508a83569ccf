extension ResponseObjectBuilder {
  /// Sets a field to the value of the same field in another object of the layout.
  @inline(__always)
  package mutating func copy(_ index: Int, of other: ResponseObject) {
    let field = field(index)
    field.pointee.slotType.copy(other.slot(field.pointee.slot), to: prepare(index))
    withExtendedLifetime(other) {}
    didSet(index)
  }

  /// Sets a leaf to the value of a field in an object of any layout.
  ///
  /// - Returns: `false` if the field cannot hold the value, because it is null or of another type.
  package mutating func set(
    _ index: Int, toLeaf otherIndex: Int, of other: ResponseObject
  ) -> Bool {
    let field = field(index)
    let otherField = other.layout.fields.baseAddress! + otherIndex  // as above
    guard field.pointee.canHoldAll(of: otherField.pointee) else {
      return set(index, other.contents(ofField: otherIndex))
    }
    otherField.pointee.slotType.copy(other.slot(otherField.pointee.slot), to: prepare(index))
    withExtendedLifetime(other) {}
    didSet(index)
    return true
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

extension FieldLayout {
  /// Returns whether every value in a slot of another field could be in a slot of this one.
  fileprivate func canHoldAll(of other: FieldLayout) -> Bool {
    guard other.isNonNull || !isNonNull, !other.isDeferred,
      slotType.kind == other.slotType.kind
    else { return false }
    return switch slotType.kind {
    case .string, .id, .text, .int, .double, .bool: true
    case .enumeration, .strings, .leaves, .leaf, .object, .objects, .nestedObjects: false
    }
  }
}
