extension ResponseObject {
  /// Returns a hash of the fields that a layout shows of this object.
  ///
  /// The hashes of the fields with values are added, so that neither their order nor fields without
  /// values matter: equal views have equal hashes wherever their objects come from. Objects below
  /// 64 levels do not count, which bounds the recursion.
  func hash(visible: ObjectLayout) -> UInt64 {
    SlotHasher(mixer: .shared).hash(self, visible, levels: 64)
  }
}

/// A hash of objects slot by slot, in place, without counting references.
private struct SlotHasher {
  let mixer: HashMixer

  // MARK: - Objects

  /// Returns the hash of the fields that a layout shows of an object, and of the given levels of
  /// objects below.
  func hash(_ object: ResponseObject, _ visible: ObjectLayout, levels: Int) -> UInt64 {
    defer { withExtendedLifetime(object) {} }
    if visible === object.layout {
      return hashSlots(Unmanaged.passUnretained(object.storage), levels: levels)
    }
    var sum: UInt64 = 0
    for index in visible.fields.indices {
      guard let (field, slot) = object.position(of: index, in: visible) else { continue }
      add(slot, field, levels: levels, to: &sum)
    }
    return sum
  }

  /// Returns the hash of an object below at its position. The given levels of objects count,
  /// including this one.
  @inline(__always)
  private func hash(
    _ object: Unmanaged<ObjectStorage>, at position: Unmanaged<ObjectPosition>, levels: Int
  ) -> UInt64 {
    guard levels > 0 else { return 1 }
    let layout = object._withUnsafeGuaranteedRef { $0.head.pointee.layout }
    return layout.belongs(to: position)
      ? hashSlots(object, levels: levels &- 1)
      : hashAcrossLayouts(object, at: position, levels: levels &- 1)
  }

  @inline(never)
  private func hashAcrossLayouts(
    _ object: Unmanaged<ObjectStorage>, at position: Unmanaged<ObjectPosition>, levels: Int
  ) -> UInt64 {
    let object = ResponseObject(storage: object.takeUnretainedValue())
    return hash(object, object.visibleLayout(at: position.takeUnretainedValue()), levels: levels)
  }

  /// Returns the hash of all slots of an object.
  private func hashSlots(_ object: Unmanaged<ObjectStorage>, levels: Int) -> UInt64 {
    let fields = object._withUnsafeGuaranteedRef { storage in
      storage.head.pointee.layout._withUnsafeGuaranteedRef { $0.fields }
    }
    let slots = object._withUnsafeGuaranteedRef { $0.slot(0) }
    var sum: UInt64 = 0
    for index in fields.indices {
      let field = fields.baseAddress! + index  // there is a field with this index
      add(slots + field.pointee.slotOffset, field, levels: levels, to: &sum)
    }
    return sum
  }

  // MARK: - Slots

  /// Adds the hash of a field if its slot has a value.
  @inline(__always)
  private func add(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>, levels: Int,
    to sum: inout UInt64
  ) {
    guard let hash = hash(slot, field, levels: levels) else { return }
    sum &+= mixer.mix(hash, field.pointee.keyHash)
  }

  /// Returns the hash of a slot's value, or `nil` when it has none.
  @inline(__always)
  private func hash(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>, levels: Int
  ) -> UInt64? {
    switch field.pointee.slotType.kind {
    case .string, .id, .text: return hashString(slot)
    case .int:
      return ResponseObject.load(Int.self, slot).map { UInt64(bitPattern: Int64($0)) }
    case .double:
      // Zero and minus zero are equal.
      return ResponseObject.load(Double.self, slot).map { ($0 == 0 ? 0 : $0).bitPattern }
    case .bool: return ResponseObject.load(Bool.self, slot).map { $0 ? 1 : 2 }
    case .object:
      let position = field.pointee.positionReference!  // objects have a position
      return Slot.object(in: slot).map { hash($0, at: position, levels: levels) }
    case .objects: return hashObjects(slot, field, levels: levels)
    case .strings: return hashStrings(slot)
    case .enumeration:
      return field.pointee.slotType.cases?._withUnsafeGuaranteedRef { $0.hash(of: slot) }
        ?? hashOther(slot, field, levels: levels)
    case .leaf, .leaves, .nestedObjects: return hashOther(slot, field, levels: levels)
    }
  }

  @inline(__always)
  private func hashString(_ slot: UnsafeMutableRawPointer) -> UInt64? {
    if mixer.understandsStrings, let hash = StringBits(in: slot).hash(mixer) { return hash }
    return hashOtherString(slot)
  }

  @inline(never)
  private func hashOtherString(_ slot: UnsafeMutableRawPointer) -> UInt64? {
    ResponseObject.load(String.self, slot).map(mixer.hash)
  }

  @inline(never)
  private func hashObjects(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>, levels: Int
  ) -> UInt64? {
    let position = field.pointee.positionReference!  // objects have a position
    return Slot.withObjects(in: slot) { objects in
      objects.map { objects in
        objects.reduce(UInt64(objects.count)) { hash, object in
          mixer.mix(hash, object.map { self.hash($0, at: position, levels: levels) } ?? 0)
        }
      }
    }
  }

  @inline(never)
  private func hashStrings(_ slot: UnsafeMutableRawPointer) -> UInt64? {
    Slot.withStrings(in: slot) { strings in
      strings.map { strings in
        strings.indices.reduce(UInt64(strings.count)) { hash, index in
          mixer.mix(hash, hashString(strings.slot(index)) ?? 0)
        }
      }
    }
  }

  @inline(never)
  private func hashOther(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>, levels: Int
  ) -> UInt64? {
    let slotType = field.pointee.slotType
    guard slotType.hasValue(slot) else { return nil }
    if slotType.holdsObjects {
      // Objects have a position.
      return hash(slotType.objects(slot), at: field.pointee.positionReference!, levels: levels)
    }
    if let cases = slotType.cases?.takeUnretainedValue() {
      return cases.hash(ofName: slotType.jsonValue(slot).stringValue ?? "")
    }
    var hasher = Hasher()
    slotType.hashLeaf(slot, into: &hasher)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func hash(
    _ tree: ObjectTree, at position: Unmanaged<ObjectPosition>, levels: Int
  ) -> UInt64 {
    switch tree {
    case .null: 0
    case .object(let object):
      hash(Unmanaged.passUnretained(object.storage), at: position, levels: levels)
    case .list(let elements):
      elements.reduce(UInt64(elements.count)) { hash, element in
        mixer.mix(hash, self.hash(element, at: position, levels: levels))
      }
    }
  }
}
