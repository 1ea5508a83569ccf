extension ResponseObject {
  /// This object as it would be at another place: with the fields that are selected there.
  ///
  /// What was decided when the object was made (conditions, type cases) stays as it was. Fields that it does not have are missing:
  /// they read as `nil`, and views that promise them must not be used.
  func adapted(to position: ObjectPosition) -> ResponseObject {
    guard layout.position !== position, layout.position.allSources != position.allSources else {
      return self
    }
    let target = foreignLayout(at: position)
    let object = ResponseObject.uninitialized(target)
    for index in target.steps.indices {
      let step = target.steps.baseAddress! + index  // there is a field with this index
      initialize(object.slot(step.pointee.slot), step)
    }
    object.fieldErrors = fieldErrors
    withExtendedLifetime(storage) {}
    return object
  }

  /// Initializes a slot of another object with the value that this one has under the same key.
  func initialize(_ slot: UnsafeMutableRawPointer, _ step: UnsafePointer<ReadStep>) {
    let operations = step.pointee.operations
    let own = layout.fieldIndex(withKey: step.pointee.responseKey).map { layout.steps[$0] }
    guard let own, own.hasValue(self.slot(own.slot)) else {
      let isNull = own.map { !$0.operations.isMissing(self.slot($0.slot)) } ?? false
      return step.pointee.initializeEmpty(slot, isNull: isNull)
    }
    precondition(
      type(of: own.operations) == type(of: operations),
      "'\(step.pointee.responseKey)' has another type where the object is put")
    guard let objectOperations = step.pointee.objectOperations else {
      return operations.initialize(slot, copying: self.slot(own.slot))
    }
    let objects = objectOperations.objects(self.slot(own.slot))
    // Both are of the same type, so it cannot fail.
    _ = objectOperations.initialize(slot, objects.adapted(to: step.pointee.objectPlace))
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
