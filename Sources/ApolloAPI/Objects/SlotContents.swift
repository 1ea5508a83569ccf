/// The value of a slot in the form in which a cache exchanges it with objects.
///
/// The usual kinds have a case of their own; the others are converted to JSON or to an
/// ``ObjectTree``.
package enum SlotContents {
  /// Not even null.
  case missing
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  /// A list of strings, none of which is null.
  case strings([String])
  /// Any other leaf or list of leaves, as JSON.
  case leaf(JSONValue)
  case object(ResponseObject)
  case objects([ResponseObject])
  case nullableObjects([ResponseObject?])
  /// Lists of lists of objects.
  case tree(ObjectTree)

  @inline(__always)
  fileprivate init<Value>(_ value: Value??, _ contents: (Value) -> SlotContents) {
    switch value {
    case .none: self = .missing
    case .some(.none): self = .null
    case .some(.some(let value)): self = contents(value)
    }
  }
}

extension SlotContents {
  /// Indicates whether the value is null, or is a list with a null at any depth.
  package var hasNulls: Bool {
    switch self {
    case .null: true
    case .nullableObjects(let objects): objects.contains { $0 == nil }
    case .tree(let tree): tree.hasNulls
    case .leaf(let value): value.hasNulls
    case .missing, .bool, .int, .double, .string, .strings, .object, .objects: false
    }
  }
}

extension ObjectTree {
  fileprivate var hasNulls: Bool {
    switch self {
    case .null: true
    case .object: false
    case .list(let elements): elements.contains(where: \.hasNulls)
    }
  }
}

extension JSONValue {
  /// Indicates whether a leaf is null, or a list of leaves has a null.
  fileprivate var hasNulls: Bool {
    switch self {
    case .null: true
    case .array(let elements): elements.contains(where: \.hasNulls)
    default: false
    }
  }
}

// MARK: - Out of an object

extension ResponseObject {
  /// Returns the value of the field with an index in the layout. Custom scalars have the form in
  /// which the server sent them, if it did.
  package func contents(ofField index: Int) -> SlotContents {
    defer { withExtendedLifetime(storage) {} }
    let field = layout.fields.baseAddress! + index  // there is one, or the index is wrong
    let slot = slot(field.pointee.slot)
    switch field.pointee.slotType.kind {
    case .string, .id:
      return SlotContents(Self.load(String.self, from: slot), SlotContents.string)
    case .text:
      if let form = sentForm(inSlot: field.pointee.slot) { return .leaf(form) }
      return SlotContents(Self.load(String.self, from: slot), SlotContents.string)
    case .int: return SlotContents(Self.load(Int.self, from: slot), SlotContents.int)
    case .double:
      if let form = sentForm(inSlot: field.pointee.slot) { return .leaf(form) }
      return SlotContents(Self.load(Double.self, from: slot), SlotContents.double)
    case .bool: return SlotContents(Self.load(Bool.self, from: slot), SlotContents.bool)
    case .object:
      return SlotContents(Self.load(ResponseObject.self, from: slot), SlotContents.object)
    case .objects where field.pointee.hasNonNullElements:
      return SlotContents(Self.load([ResponseObject].self, from: slot), SlotContents.objects)
    case .objects:
      return SlotContents(
        Self.load([ResponseObject?].self, from: slot), SlotContents.nullableObjects)
    case .enumeration:
      if let name = field.pointee.slotType.cases?._withUnsafeGuaranteedRef({ $0.name(of: slot) }) {
        return .string(name)
      }
      return otherContents(of: field.pointee, slot)
    case .strings where field.pointee.hasNonNullElements:
      return SlotContents(Self.load([String].self, from: slot), SlotContents.strings)
    case .strings, .leaves, .leaf, .nestedObjects:
      return otherContents(of: field.pointee, slot)
    }
  }

  @inline(never)
  private func otherContents(of field: FieldLayout, _ slot: UnsafeMutableRawPointer) -> SlotContents
  {
    guard !field.slotType.isMissing(slot) else { return .missing }
    guard field.slotType.hasValue(slot) else { return .null }
    if !field.slotType.holdsObjects {
      let value = sentForm(inSlot: field.slot) ?? field.slotType.writtenForm(slot)
      if case .string(let text) = value { return .string(text) }
      return .leaf(value)
    }
    return .tree(objects(of: field))
  }
}

extension ResponseObject {
  /// Returns the value of a leaf as JSON in the form that its Swift type writes; `nil` if it is
  /// missing or not a leaf.
  ///
  /// Keys of records are made of it, so that equal values in Swift are one record.
  package func writtenLeaf(ofField index: Int) -> JSONValue? {
    let field = layout.fields.baseAddress! + index  // there is one, or the index is wrong
    guard sentForm(inSlot: field.pointee.slot) != nil else { return contents(ofField: index).leaf }
    return leafValue(of: field.pointee)
  }
}

extension SlotContents {
  /// The value of a leaf as JSON; `nil` for anything else.
  package var leaf: JSONValue? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(Int64(value))
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .strings(let values): .array(values.map(JSONValue.string))
    case .leaf(let value): value
    case .missing, .object, .objects, .nullableObjects, .tree: nil
    }
  }
}
