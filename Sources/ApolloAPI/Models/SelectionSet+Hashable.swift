extension SelectionSet {
  /// Whether the views show the same values: the fields of this selection set, with null and missing alike.
  ///
  /// - Complexity: O(1) when both look at one object, otherwise O(*n*) in the fields below.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    ResponseObject.isEqual(lhs.__object, rhs.__object, asSeenBy: __layout)
  }

  /// Hashes what the view shows.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public func hash(into hasher: inout Hasher) {
    __object.hash(into: &hasher, asSeenBy: Self.__layout)
  }
}

extension ResponseObject {
  static func isEqual(_ lhs: Self, _ rhs: Self, asSeenBy view: SelectionLayout) -> Bool {
    lhs === rhs || isEqual(lhs, lhs.visibleLayout(asSeenBy: view), rhs, rhs.visibleLayout(asSeenBy: view))
  }

  func hash(into hasher: inout Hasher, asSeenBy view: SelectionLayout) {
    hash(into: &hasher, visible: visibleLayout(asSeenBy: view))
  }

  /// What a view shows of this object: the layout it would have if nothing but the view's selections contributed.
  func visibleLayout(asSeenBy view: SelectionLayout) -> ObjectLayout {
    visibleLayout(at: layout.place.plan.place(for: [view]))
  }

  /// The layout this object would have at another place of the plan.
  func visibleLayout(at place: Place) -> ObjectLayout {
    layout.place === place ? layout : place.layout(forTypename: layout.typename ?? typename)
  }

  /// The slot in which this object holds a field of another layout; `nil` when it has none.
  func slot(of field: FieldLayout, in visible: ObjectLayout) -> UnsafeMutableRawPointer? {
    if visible === layout { return slot(field.slot) }
    guard let own = layout.field(withKey: field.responseKey) else { return nil }
    return slot(own.slot)
  }

  private static func isEqual(
    _ lhs: Self, _ lhsVisible: ObjectLayout, _ rhs: Self, _ rhsVisible: ObjectLayout
  ) -> Bool {
    if lhs === rhs, lhsVisible === rhsVisible { return true }
    defer { withExtendedLifetime((lhs, rhs)) {} }
    return lhs.hasValues(of: rhs, lhsVisible, rhsVisible)
      && (lhsVisible === rhsVisible || rhs.hasNoMoreValues(than: lhsVisible, rhsVisible))
  }

  /// Whether each field of `visible` has the same value, or none, in both objects.
  private func hasValues(
    of other: ResponseObject, _ visible: ObjectLayout, _ otherVisible: ObjectLayout
  ) -> Bool {
    visible.fields.allSatisfy { field in
      let otherField =
        visible === otherVisible ? field : otherVisible.field(withKey: field.responseKey)
      let mine = slot(of: field, in: visible).flatMap { field.operations.hasValue($0) ? $0 : nil }
      let theirs = otherField.flatMap { otherField in
        other.slot(of: otherField, in: otherVisible)
          .flatMap { otherField.operations.hasValue($0) ? $0 : nil }
      }
      guard let mine, let theirs else { return mine == nil && theirs == nil }
      return Self.isEqual(mine, field, theirs, otherField!)  // `theirs` is a slot of that field
    }
  }

  /// Whether every field with a value is one of `visible`.
  private func hasNoMoreValues(than visible: ObjectLayout, _ ownVisible: ObjectLayout) -> Bool {
    ownVisible.fields.allSatisfy { field in
      guard visible.field(withKey: field.responseKey) == nil else { return true }
      return slot(of: field, in: ownVisible).map(field.operations.hasValue) != true
    }
  }

  private static func isEqual(
    _ lhs: UnsafeMutableRawPointer, _ field: FieldLayout,
    _ rhs: UnsafeMutableRawPointer, _ otherField: FieldLayout
  ) -> Bool {
    guard type(of: field.operations) == type(of: otherField.operations) else { return false }
    if let operations = field.operations as? any LeafSlotOperations {
      return operations.isEqual(lhs, rhs)
    }
    guard let operations = field.operations as? any ObjectSlotOperations,
      let place = field.place, let otherPlace = otherField.place
    else { return false }
    return operations.isEqual(lhs, rhs) { lhs, rhs in
      isEqual(lhs, lhs.visibleLayout(at: place), rhs, rhs.visibleLayout(at: otherPlace))
    }
  }

  private func hash(into hasher: inout Hasher, visible: ObjectLayout) {
    defer { withExtendedLifetime(storage) {} }
    for field in visible.fields {
      guard let slot = slot(of: field, in: visible), field.operations.hasValue(slot) else { continue }
      hasher.combine(field.responseKey)
      if let operations = field.operations as? any LeafSlotOperations {
        operations.hash(slot, into: &hasher)
      } else if let operations = field.operations as? any ObjectSlotOperations,
        let place = field.place
      {
        operations.hash(slot, into: &hasher) { object, hasher in
          object.hash(into: &hasher, visible: object.visibleLayout(at: place))
        }
      }
    }
  }
}

extension ObjectLayout {
  /// The field with this response key.
  package func field(withKey key: String) -> FieldLayout? {
    var key = key
    return key.withUTF8 { keys.index(of: $0) }.map { fields[$0] }
  }
}
