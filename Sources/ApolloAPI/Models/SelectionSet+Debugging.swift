extension SelectionSet {
  /// The view's type and its fields as indented JSON.
  public var debugDescription: String { "\(Self.self) \(jsonValue.indented())" }

  /// A mirror with a child for each response key of the view.
  public var customMirror: Mirror {
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    get {
      let members = __object.members(asSeenBy: Self.__layout)
      return Mirror(
        self, children: members.map { (label: $0.key, value: $0.value as Any) },
        displayStyle: .struct)
    }
  }

  /// The fields of this selection set, and of those below, as JSON.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var jsonValue: JSONValue { __object.jsonValue(asSeenBy: Self.__layout) }
}

// One conformance for all models: `print`, `dump` and debuggers show what a model stores.
extension ResponseObject: CustomReflectable {
  /// A mirror with a child for each response key of the object, also of those that a view of it
  /// does not show.
  public var customMirror: Mirror {
    Mirror(
      self, children: members(visible: layout).map { (label: $0.key, value: $0.value as Any) },
      displayStyle: .struct)
  }
}

extension ResponseObject {
  func jsonValue(asSeenBy view: SelectionLayout) -> JSONValue {
    .object(
      Dictionary(
        members(asSeenBy: view).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    )
  }

  /// Returns the response keys of a view with their values, in the order of the selections, without
  /// missing fields.
  func members(asSeenBy view: SelectionLayout) -> [(key: String, value: JSONValue)] {
    members(visible: visibleLayout(asSeenBy: view))
  }

  private func members(visible: ObjectLayout) -> [(key: String, value: JSONValue)] {
    defer { withExtendedLifetime(storage) {} }
    return visible.fields.indices.compactMap { index in
      guard let (field, slot) = position(of: index, in: visible),
        !field.pointee.slotType.isMissing(slot)
      else { return nil }
      var walk = ObjectWalk(ValueVisitor())
      walk.visit(slot, field)
      return (field.pointee.responseKey, walk.visitor.values.result)
    }
  }
}

/// A visitor that makes a JSON value.
private struct ValueVisitor: ObjectVisitor {
  private(set) var values = OpenValues()

  mutating func openObject(fieldCount: Int) { values.open(UInt8(ascii: "}")) }
  mutating func visitKey(of field: UnsafePointer<FieldLayout>) {
    values.append(key: field.pointee.responseKey)
  }
  mutating func closeObject() { values.close() }
  mutating func openList() { values.open(UInt8(ascii: "]")) }
  mutating func closeList() { values.close() }
  mutating func visitNull() { values.append(.null) }
  mutating func visitLeaf(_ slot: UnsafeMutableRawPointer, of field: UnsafePointer<FieldLayout>) {
    values.append(field.pointee.slotType.jsonValue(slot))
  }
}

extension JSONValue {
  /// Returns the value as JSON text with a member or an element on each line.
  func indented(by indentation: String = "") -> String {
    let inner = indentation + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.indented(by: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.sorted { $0.key < $1.key }
        .map { "\(inner)\(JSONValue.string($0.key)): \($0.value.indented(by: inner))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
    default:
      return description
    }
  }
}
