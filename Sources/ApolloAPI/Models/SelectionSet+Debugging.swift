extension SelectionSet {
  /// What the view shows, as indented JSON after the name of the view's type.
  public var debugDescription: String { "\(Self.self) \(jsonValue.indented())" }

  /// What the view shows, a child for each response key.
  public var customMirror: Mirror {
    let members = __object.members(asSeenBy: Self.__layout)
    return Mirror(
      self, children: members.map { (label: $0.key, value: $0.value as Any) }, displayStyle: .struct
    )
  }

  /// What the view shows, as JSON: the fields of this selection set and those below.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var jsonValue: JSONValue { __object.jsonValue(asSeenBy: Self.__layout) }
}

extension ResponseObject {
  func jsonValue(asSeenBy view: SelectionLayout) -> JSONValue {
    .object(
      Dictionary(
        members(asSeenBy: view).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    )
  }

  /// The response keys that a view shows, in the order of the selections, with their values. Fields that are missing are left out.
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

/// Makes a JSON value of what it visits.
private struct ValueVisitor: ObjectVisitor {
  private(set) var values = OpenValues()

  mutating func openObject() { values.open(UInt8(ascii: "}")) }
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
  /// The value as JSON text, a member or element on each line.
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
