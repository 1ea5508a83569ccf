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
    return visible.steps.indices.compactMap { index in
      guard let (step, slot) = place(of: index, in: visible),
        !step.pointee.operations.isMissing(slot)
      else { return nil }
      return (visible.fields[index].responseKey, Self.jsonValue(slot, step.pointee))
    }
  }

  private static func jsonValue(_ slot: UnsafeMutableRawPointer, _ step: ReadStep) -> JSONValue {
    if let operations = step.leafOperations { return operations.jsonValue(slot) }
    guard let operations = step.objectOperations else { return .null }
    return operations.jsonValue(slot) { object in
      let members = object.members(visible: object.visibleLayout(at: step.objectPlace))
      return .object(
        Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
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
