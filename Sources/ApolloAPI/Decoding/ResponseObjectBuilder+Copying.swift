extension ResponseObjectBuilder {
  /// Sets the field with an index in the layout to what another object of the same layout holds.
  @inline(__always)
  package mutating func copy(_ index: Int, of other: ResponseObject) {
    let step = step(index)
    step.pointee.copy(other.slot(step.pointee.slot), to: prepare(index))
    withExtendedLifetime(other) {}
    didSet(index)
  }

  /// Sets a leaf to what a field of an object of any layout holds.
  ///
  /// - Returns: false where the field cannot hold that, because it is null or of another kind.
  package mutating func set(
    _ index: Int, toLeaf otherIndex: Int, of other: ResponseObject
  ) -> Bool {
    let step = step(index)
    let otherStep = other.layout.steps.baseAddress! + otherIndex  // here too
    guard step.pointee.canHoldAll(of: otherStep.pointee) else {
      return set(index, other.contents(ofField: otherIndex))
    }
    otherStep.pointee.copy(other.slot(otherStep.pointee.slot), to: prepare(index))
    withExtendedLifetime(other) {}
    didSet(index)
    return true
  }
}

extension ResponseObject {
  /// A copy, without a name, in which some fields hold something else.
  ///
  /// - Parameter contents: for fields that can hold it, in ascending order of their indices.
  /// - Returns: the copy, or nil where a field cannot hold what it is to hold.
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

extension ReadStep {
  /// Whether whatever is in a slot of another field could be in one of this field.
  fileprivate func canHoldAll(of other: ReadStep) -> Bool {
    guard other.isNonNull || !isNonNull, !other.isDeferred else { return false }
    switch (reading, other.reading) {
    case (.string, .string), (.id, .id), (.text, .text): return true
    case (.int, .int), (.double, .double), (.bool, .bool): return true
    default: return false
    }
  }

  /// Initializes a slot of this field with what is in another one.
  @inline(__always)
  func copy(_ source: UnsafeMutableRawPointer, to slot: UnsafeMutableRawPointer) {
    switch reading {
    case .string, .id, .text:
      slot.initializeMemory(
        as: String??.self, to: source.assumingMemoryBound(to: String??.self).pointee)
    case .int, .double, .bool:
      slot.initializeMemory(as: Slot.self, to: source.load(as: Slot.self))  // nothing to count
    case .object:
      slot.initializeMemory(
        as: ResponseObject??.self, to: source.assumingMemoryBound(to: ResponseObject??.self).pointee
      )
    case .objects, .nestedObjects, .strings:
      slot.initializeMemory(
        as: [ResponseObject]??.self,
        to: source.assumingMemoryBound(to: [ResponseObject]??.self).pointee)
    case .enumeration, .leaf: operations.initialize(slot, copying: source)
    }
  }
}
