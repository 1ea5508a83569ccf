/// Makes a ``ResponseObject`` for a layout from values, field by field.
///
/// Every field has to be set, in any order. A builder that is dropped unfinished releases what was set.
package struct ResponseObjectBuilder: ~Copyable {
  private let object: ResponseObject
  private var isSet: [Bool]

  /// The layout of the object that is made.
  package let layout: ObjectLayout

  /// Starts an object.
  package init(_ layout: ObjectLayout) {
    self.layout = layout
    object = .uninitialized(layout)
    isSet = Array(repeating: false, count: layout.fields.count)
  }

  deinit {
    initializeUnsetSlots()  // so that the object can be released
  }

  /// Sets a leaf, or a list of leaves, from what a server would send.
  ///
  /// - Throws: a ``ResponseError`` when the value is not one of the field's type.
  package mutating func set(_ index: Int, leaf value: JSONValue) throws(ResponseError) {
    let field = layout.fields[index]
    guard !value.isNull else { return try setNull(index) }
    guard let operations = field.operations as? any LeafSlotOperations else {
      throw ResponseError(.wrongType(expected: "an object", found: value.kindDescription), at: field)
    }
    do {
      try operations.initialize(prepare(index), decoding: value)
      isSet[index] = true
    } catch {
      throw ResponseError(.invalidScalar(String(describing: error)), at: field)
    }
  }

  /// Sets the object or the lists of objects of a field.
  ///
  /// - Throws: a ``ResponseError`` when there is a null where none may be, or the lists are nested otherwise than in the field's type.
  package mutating func set(_ index: Int, objects: ObjectTree) throws(ResponseError) {
    let field = layout.fields[index]
    if case .null = objects { return try setNull(index) }
    guard let operations = field.operations as? any ObjectSlotOperations,
      operations.initialize(prepare(index), objects)
    else {
      throw ResponseError(.wrongType(expected: field.typeDescription, found: "something else"), at: field)
    }
    isSet[index] = true
  }

  /// Sets a field to null.
  ///
  /// - Throws: a ``ResponseError`` when the field's type does not allow that.
  package mutating func setNull(_ index: Int) throws(ResponseError) {
    let field = layout.fields[index]
    guard !field.isNonNull else { throw ResponseError(.nullValue, at: field) }
    field.operations.initializeEmpty(prepare(index), isNull: true)
    isSet[index] = true
  }

  /// Sets a field to what a field of another object holds, which must be of the same type.
  package mutating func set(_ index: Int, copying source: FieldLayout, of other: ResponseObject) {
    let operations = layout.fields[index].operations
    precondition(
      type(of: operations) == type(of: source.operations), "Only fields of one type can be copied")
    operations.initialize(prepare(index), copying: other.slot(source.slot))
    withExtendedLifetime(other) {}
    isSet[index] = true
  }

  /// The object.
  ///
  /// - Parameter allowsMissing: whether fields that may be null may also be left unset.
  /// - Throws: a ``ResponseError`` when a field was not set that has to be.
  package consuming func finish(allowsMissing: Bool = false) throws(ResponseError) -> ResponseObject {
    for (field, isSet) in zip(layout.fields, isSet) where !isSet && !(allowsMissing && !field.isNonNull) {
      throw ResponseError(.missingValue, at: field)
    }
    return object
  }

  private func initializeUnsetSlots() {
    for (field, isSet) in zip(layout.fields, isSet) where !isSet {
      field.operations.initializeEmpty(object.slot(field.slot), isNull: false)
    }
  }

  /// The slot of a field, uninitialized.
  private mutating func prepare(_ index: Int) -> UnsafeMutableRawPointer {
    let field = layout.fields[index]
    let slot = object.slot(field.slot)
    if isSet[index] { field.operations.destroy(slot) }
    isSet[index] = false
    return slot
  }
}

extension FieldLayout {
  /// The type as messages say it: `an object`, `a list`, `a value`.
  var typeDescription: String {
    if type.rank > 0 { return "a list" }
    return place == nil ? "a value" : "an object"
  }
}
