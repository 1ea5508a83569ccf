/// The end of the errors of fields in the data of an operation with `@throwOnFieldError`, and of
/// the nulls of fields with `@required`.
///
/// The properties of such an operation promise values that an error could have made null. So each
/// error goes up to the nearest field with `@catch`, which becomes null and has the error. Without
/// one, the operation has no data.
///
/// 1. The operation's own selections are compared with the objects, from the leaves to the root.
///    Those of named fragments are not a part of it: fragments have their own properties.
/// 2. A null with an error, and a null that `@semanticNonNull` rules out, are failures. A null in
///    the place of a `@catch` is none, because the property reports its error. A field that a
///    condition leaves out promises nothing, even if another selection of it has a null.
/// 3. A failure inside of a field with `@catch` replaces its value, or the list's element, by null.
///    The objects on the way to it are copied.
/// 4. A null of a field with `@required` makes the object around it null, in any operation. That is
///    a failure of its own if this object is required, too. It keeps the error of the server that
///    explains the null, or the reason for which partial data lacks the value: nothing else is
///    reported then. The field that has no object any more has the error, as with `@catch`, so that
///    the null is not written to the cache.
struct FieldErrorContainment {
  private var path: [PathEntry] = []
  /// Indicates whether values may be missing that the properties promise, as in data that was not
  /// read from a response. Each is a failure.
  private let findsMissingValues: Bool
  /// Indicates whether errors of fields are failures.
  private let endsWithErrors: Bool

  /// The reason for which a value cannot be there.
  struct Failure: Error {
    let error: GraphQLError
    /// The type that the field is selected on.
    let parentType: String
    /// The action of the `@required` that the null contradicts, or `nil` for an error of a field.
    var action: FieldSelection.RequiredAction?
    /// Indicates whether the error explains the null, and need not be reported: it is one of the
    /// server, or the reason for which the value is missing.
    var isExplained = false

    /// Returns the same failure of the object around the null.
    func passedOn(by action: FieldSelection.RequiredAction?) -> Failure {
      var failure = self
      failure.action = action
      return failure
    }
  }

  /// The errors of nulls that are reported (`@required(action: LOG)`).
  private var reported: [GraphQLError] = []

  /// Returns the data of an operation, or a part of it, without the failures in it, and the errors
  /// to report, or the failure of the whole.
  ///
  /// A part has the fields of all selections of the operation for its object.
  static func contain(
    _ root: ResponseObject, in view: SelectionLayout, findsMissingValues: Bool = false
  ) -> Result<(object: ResponseObject, reported: [GraphQLError]), Failure> {
    let definition: Selections = view.node.definition
    var containment = FieldErrorContainment(
      findsMissingValues: findsMissingValues, endsWithErrors: definition.throwsOnFieldErrors)
    var object = root
    for source in root.layout.position.sources
    where source.node.definition === definition && object.fulfils(source) {
      if let failure = containment.contain(&object, source.node) { return .failure(failure) }
    }
    return .success((object, containment.reported))
  }

  /// Returns whether a field of an object keeps its value, because the failures in it end further
  /// inside.
  static func keepsValue(
    ofField key: String, of object: ResponseObject, selections node: SelectionNode
  ) -> Bool {
    var containment = FieldErrorContainment(
      findsMissingValues: false, endsWithErrors: node.definition.throwsOnFieldErrors)
    return containment.keepsValue(ofField: key, of: object, node)
  }

  private mutating func keepsValue(
    ofField key: String, of object: ResponseObject, _ node: SelectionNode
  ) -> Bool {
    for selection in node.selections {
      switch selection {
      case .field(let field) where field.responseKey == key:
        var object = object
        guard contain(field, in: node, of: &object) == nil,
          let layout = object.layout.field(withKey: key)
        else { return false }
        if case .null = object.objects(of: layout) { return false }
      case .inlineFragment(let fragment, _) where object.fulfils(SelectionLayout(fragment)):
        guard keepsValue(ofField: key, of: object, fragment) else { return false }
      case .field, .inlineFragment, .fragmentSpread: continue
      }
    }
    return true
  }

  /// Contains the failures in an object's fields. Returns the first one that no field catches.
  private mutating func contain(
    _ object: inout ResponseObject, _ node: SelectionNode
  ) -> Failure? {
    for selection in node.selections {
      switch selection {
      case .field(let field):
        if let failure = contain(field, in: node, of: &object) { return failure }
      case .inlineFragment(let fragment, _):
        guard object.fulfils(SelectionLayout(fragment)) else { continue }
        if let failure = contain(&object, fragment) { return failure }
      case .fragmentSpread: continue
      }
    }
    return nil
  }

  private mutating func contain(
    _ field: FieldSelection, in node: SelectionNode, of object: inout ResponseObject
  ) -> Failure? {
    guard let layout = object.layout.field(withKey: field.responseKey),
      field.conditions.isEmpty || object.layout.position.plan.selects(field)
    else { return nil }
    let depth = path.count
    path.append(.field(field.responseKey))
    defer { path.removeLast() }
    let errors = object.placedErrors(ofField: field.responseKey)
    guard !object.isMissing(layout) else {
      guard findsMissingValues || field.requiredAction != nil, !layout.isDeferred else {
        return nil
      }
      var missing = self.failure(
        ofNullAt: 0, findsMissingValues ? .none : errors, field, in: node)
      missing?.isExplained = true  // it is no null of the server
      return missing
    }
    var failing = FailingField(
      selection: field, node: node, layout: layout, object: object)
    let failure: Failure?
    if let child = field.child {
      failure = self.failure(in: object.objects(of: layout), child, errors, [], &failing)
    } else {
      var value = object.leafValue(of: layout)
      failure = self.failure(in: &value, errors, 0, &failing)
      if failure == nil { failing.replaceLeaf(by: value) }
    }
    guard failure == nil else { return failure }
    failing.noteCaughtErrors(depth: depth)
    object = failing.object
    return nil
  }

  /// Returns the failure of a null, unless the field catches it here.
  private func failure(
    ofNullAt level: Int, _ errors: FieldFacts.PlacedErrors, _ selection: FieldSelection,
    in node: SelectionNode
  ) -> Failure? {
    if level == 0, let action = selection.requiredAction {
      let error =
        errors.first
        ?? .requiredNull(
          of: selection.responseKey, in: node.parentType, path: path)
      return Failure(
        error: error, parentType: node.parentType, action: action,
        isExplained: errors.first != nil)
    }
    guard endsWithErrors, !selection.catches(at: level) else { return nil }
    if let error = errors.first {
      return Failure(error: error, parentType: node.parentType, isExplained: true)
    }
    guard selection.isSemanticallyNonNull(at: level) else { return nil }
    return Failure(
      error: .unexplainedNull(of: selection.responseKey, in: node.parentType, path: path),
      parentType: node.parentType)
  }

  /// Replaces the lists of a leaf value in which something fails by null, where the field catches
  /// that.
  private mutating func failure(
    in value: inout JSONValue, _ errors: FieldFacts.PlacedErrors, _ level: Int,
    _ field: inout FailingField
  ) -> Failure? {
    if value.isNull { return failure(ofNullAt: level, errors, field.selection, in: field.node) }
    guard level < field.layout.listRank, case .array(var elements) = value else { return nil }
    value = .null  // so that the elements are not copied
    let errors = errors.byIndex
    for index in elements.indices {
      path.append(.index(index))
      defer { path.removeLast() }
      let errors = errors[index] ?? FieldFacts.PlacedErrors.none
      guard let failure = failure(in: &elements[index], errors, level + 1, &field) else { continue }
      return field.caughtLeaf(failure, at: level)  // the value stays null
    }
    value = .array(elements)
    return nil
  }

  private mutating func failure(
    in tree: ObjectTree, _ child: SelectionNode, _ errors: FieldFacts.PlacedErrors,
    _ indices: [Int], _ field: inout FailingField
  ) -> Failure? {
    switch tree {
    case .null:
      return failure(ofNullAt: indices.count, errors, field.selection, in: field.node)
    case .list(let elements):
      let errors = errors.byIndex
      for (index, element) in elements.enumerated() {
        path.append(.index(index))
        defer { path.removeLast() }
        let errors = errors[index] ?? FieldFacts.PlacedErrors.none
        if let failure = failure(in: element, child, errors, indices + [index], &field) {
          return field.caught(failure, at: indices)
        }
      }
      return nil
    case .object(let object):
      var inner = object
      if let failure = contain(&inner, child) {
        guard let action = failure.action else { return field.caught(failure, at: indices) }
        field.replaceValue(at: indices, by: nil)
        field.note(failure)
        if action == .logged, !failure.isExplained { reported.append(failure.error) }
        let outer = self.failure(
          ofNullAt: indices.count, .none, field.selection, in: field.node)
        return outer.map { failure.isExplained ? failure.passedOn(by: $0.action) : $0 }
      }
      if inner !== object { field.replaceValue(at: indices, by: inner) }
      return nil
    }
  }
}

/// A field of an object, some of whose values are replaced.
private struct FailingField {
  let selection: FieldSelection
  /// The selections that the field is one of.
  let node: SelectionNode
  let layout: FieldLayout
  /// The object, which is copied before the first change.
  private(set) var object: ResponseObject
  private var isChanged = false
  private var caughtErrors: [GraphQLError] = []
  /// Indicates whether a list of leaves is null because of a failure inside of it.
  private var hasCaughtLeaf = false

  init(
    selection: FieldSelection, node: SelectionNode, layout: FieldLayout, object: ResponseObject
  ) {
    self.selection = selection
    self.node = node
    self.layout = layout
    self.object = object
  }

  /// Replaces a value by null because of a failure inside of it. Returns the failure if the field
  /// does not catch it there.
  mutating func caught(
    _ failure: FieldErrorContainment.Failure, at indices: [Int]
  ) -> FieldErrorContainment.Failure? {
    guard selection.catches(at: indices.count) else { return failure }
    note(failure)
    replaceValue(at: indices, by: nil)
    return nil
  }

  /// Notes that a list of leaves is null because of a failure inside of it. Returns the failure if
  /// the field does not catch it there.
  mutating func caughtLeaf(
    _ failure: FieldErrorContainment.Failure, at level: Int
  ) -> FieldErrorContainment.Failure? {
    guard selection.catches(at: level) else { return failure }
    note(failure)
    hasCaughtLeaf = true
    return nil
  }

  /// Adds the failure of a value that is replaced to the errors of the field, once if it is passed
  /// on from an element to the list around.
  mutating func note(_ failure: FieldErrorContainment.Failure) {
    if caughtErrors.last != failure.error { caughtErrors.append(failure.error) }
  }

  /// Replaces the value by a leaf in which lists are null because of failures, if there are any.
  mutating func replaceLeaf(by value: JSONValue) {
    guard hasCaughtLeaf else { return }
    copyOnce()
    defer { withExtendedLifetime(object.storage) {} }
    let slot = object.slot(layout.slot)
    object.forgetForm(inSlot: layout.slot)
    layout.slotType.release(slot)
    layout.slotType.initializeEmpty(slot, isNull: true)
    guard !value.isNull else { return }
    // The values were decoded before, and a list with '@catch' may have nulls. So this succeeds.
    let isWritten = try? layout.slotType.decode(value, into: slot)
    if isWritten == false { object.note(value, inSlot: layout.slot) }
  }

  private mutating func copyOnce() {
    guard !isChanged else { return }
    object = object.copied(as: object.layout)
    isChanged = true
  }

  mutating func replaceValue(at indices: [Int], by inner: ResponseObject?) {
    copyOnce()
    defer { withExtendedLifetime(object.storage) {} }
    let slot = object.slot(layout.slot)
    if inner == nil, indices.isEmpty {
      layout.slotType.release(slot)
      layout.slotType.initializeEmpty(slot, isNull: true)
    } else {
      layout.slotType.replaceObject(slot, at: indices.map(PathEntry.index)[...], with: inner)
    }
  }

  /// Adds the errors that were caught to those of the field, after its own.
  mutating func noteCaughtErrors(depth: Int) {
    guard !caughtErrors.isEmpty else { return }
    var errors = object.fieldErrors
    let known = Set(errors[selection.responseKey] ?? [])
    errors[selection.responseKey, default: []] += caughtErrors.filter { !known.contains($0) }
    object.setFieldErrors(errors, depth: depth)
  }
}

extension FieldSelection {
  /// Returns whether `@catch` handles an error of a value so many lists deep.
  fileprivate func catches(at level: Int) -> Bool { caughtLevels >> UInt32(level) & 1 == 1 }

  /// Returns whether a value so many lists deep is null only because of an error.
  fileprivate func isSemanticallyNonNull(at level: Int) -> Bool {
    certainLevels >> UInt32(level) & 1 == 1
  }
}
