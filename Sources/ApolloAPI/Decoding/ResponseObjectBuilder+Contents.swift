extension ResponseObjectBuilder {
  /// Sets the field with an index in the layout.
  ///
  /// - Returns: `false` if the field cannot hold the value, because it is null or of another type.
  package mutating func set(_ index: Int, _ contents: __owned SlotContents) -> Bool {
    let field = field(index)
    if case .null = contents {
      guard !field.pointee.isNonNull else { return false }
      field.pointee.slotType.initializeEmpty(prepare(index), isNull: true)
      didSet(index)
      return true
    }
    switch (field.pointee.slotType.kind, contents) {
    case (.string, .string(let value)), (.id, .string(let value)), (.text, .string(let value)):
      prepare(index).initializeSlot(as: String??.self, to: value)
    case (.int, .int(let value)):
      prepare(index).initializeSlot(as: Int??.self, to: value)
    case (.double, .double(let value)):
      prepare(index).initializeSlot(as: Double??.self, to: value)
    case (.bool, .bool(let value)):
      prepare(index).initializeSlot(as: Bool??.self, to: value)
    case (.strings, .strings(let value)):
      // Lists of strings that may be null have the same bits.
      prepare(index).initializeSlot(as: [String]??.self, to: value)
    case (.object, .object(let value)):
      prepare(index).initializeSlot(as: ResponseObject??.self, to: value)
    case (.objects, .objects(let value)) where field.pointee.hasNonNullElements:
      prepare(index).initializeSlot(as: [ResponseObject]??.self, to: value)
    case (.objects, .nullableObjects(let value)) where !field.pointee.hasNonNullElements:
      prepare(index).initializeSlot(as: [ResponseObject?]??.self, to: value)
    case (.enumeration, .string(let name)):
      guard
        let slot = field.pointee.slotType.cases?._withUnsafeGuaranteedRef({ $0.slot(named: name) })
      else {
        return setOther(index, contents)
      }
      prepare(index).initializeMemory(as: Slot.self, to: slot)
    default:
      return setOther(index, contents)
    }
    didSet(index)
    return true
  }

  /// Sets a field that holds one object.
  package mutating func set(_ index: Int, object: consuming ResponseObject) -> Bool {
    guard field(index).pointee.slotType.kind == .object else {
      return setOther(index, .object(object))
    }
    prepare(index).initializeSlot(as: ResponseObject??.self, to: object)
    didSet(index)
    return true
  }

  /// Sets a field that holds a list of objects none of which may be null.
  package mutating func set(_ index: Int, objects: consuming [ResponseObject]) -> Bool {
    let field = field(index)
    guard field.pointee.slotType.kind == .objects, field.pointee.hasNonNullElements else {
      return setOther(index, .objects(objects))
    }
    prepare(index).initializeSlot(as: [ResponseObject]??.self, to: objects)
    didSet(index)
    return true
  }

  /// Sets a field that holds a list of objects.
  package mutating func set(_ index: Int, nullableObjects: consuming [ResponseObject?]) -> Bool {
    let field = field(index)
    guard field.pointee.slotType.kind == .objects, !field.pointee.hasNonNullElements else {
      return setOther(index, .nullableObjects(nullableObjects))
    }
    prepare(index).initializeSlot(as: [ResponseObject?]??.self, to: nullableObjects)
    didSet(index)
    return true
  }

  @inline(never)
  private mutating func setOther(_ index: Int, _ contents: SlotContents) -> Bool {
    do {
      switch contents {
      case .missing: return false
      case .null: try setNull(index)
      case .bool(let value): try set(index, leaf: .bool(value))
      case .int(let value): try set(index, leaf: .int(Int64(value)))
      case .double(let value): try set(index, leaf: .double(value))
      case .string(let value): try set(index, leaf: .string(value))
      case .strings(let values): try set(index, leaf: .array(values.map(JSONValue.string)))
      case .leaf(let value): try set(index, leaf: value)
      case .object(let object): try set(index, objects: .object(object))
      case .objects(let objects): try set(index, objects: .list(objects.map(ObjectTree.object)))
      case .nullableObjects(let objects):
        try set(index, objects: .list(objects.map { $0.map(ObjectTree.object) ?? .null }))
      case .tree(let tree): try set(index, objects: tree)
      }
      return true
    } catch {
      return false
    }
  }
}
