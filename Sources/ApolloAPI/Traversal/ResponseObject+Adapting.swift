extension ResponseObject {
  /// Returns this object with the fields of another position.
  ///
  /// The conditions and type cases under which the object was made still apply. Fields that it does
  /// not have are missing: they read as `nil`, and views that promise them must not be used.
  func adapted(to position: ObjectPosition) -> ResponseObject {
    guard layout.position !== position, layout.position.allSources != position.allSources else {
      return self
    }
    let target = adaptedLayout(at: position)
    let object = ResponseObject.uninitialized(target)
    for index in target.fields.indices {
      let field = target.fields.baseAddress! + index  // there is a field with this index
      initialize(object.slot(field.pointee.slot), field)
      object.takeForm(of: field, from: self)
    }
    if let facts = fieldFacts { object.setFieldErrors(facts.errors, depth: facts.depth) }
    withExtendedLifetime(storage) {}
    return object
  }

  /// Takes over the form in which a server sent the value that another object has under the same
  /// key. The caller must hold the only reference to this object.
  func takeForm(of field: UnsafePointer<FieldLayout>, from other: ResponseObject) {
    guard fieldFacts != nil || other.fieldFacts != nil else { return }
    let index = other.layout.fieldIndex(withKey: field.pointee.responseKey)
    let form = index.flatMap { other.sentForm(inSlot: other.layout.fields[$0].slot) }
    note(form, inSlot: field.pointee.slot)
  }

  /// Initializes a slot of another object with the value that this one has under the same key.
  func initialize(_ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>) {
    let slotType = field.pointee.slotType
    let own = layout.fieldIndex(withKey: field.pointee.responseKey).map { layout.fields[$0] }
    guard let own, own.slotType.hasValue(self.slot(own.slot)) else {
      let isNull = own.map { !$0.slotType.isMissing(self.slot($0.slot)) } ?? false
      return field.pointee.slotType.initializeEmpty(slot, isNull: isNull)
    }
    precondition(
      own.slotType.hasSameType(as: slotType),
      "'\(field.pointee.responseKey)' has another type where the object is put")
    guard slotType.holdsObjects else {
      return slotType.copy(self.slot(own.slot), to: slot)
    }
    let objects = slotType.objects(self.slot(own.slot))
    // Both have the same type, so it cannot fail.
    _ = slotType.initialize(slot, objects.adapted(to: field.pointee.objectPosition))
  }
}

extension ObjectTree {
  func adapted(to position: ObjectPosition) -> ObjectTree {
    switch self {
    case .null: .null
    case .object(let object): .object(object.adapted(to: position))
    case .list(let elements): .list(elements.map { $0.adapted(to: position) })
    }
  }
}
