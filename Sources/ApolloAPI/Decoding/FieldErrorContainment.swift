/// The end of the errors of fields in the data of an operation with `@throwOnFieldError`.
///
/// The properties of such an operation promise values that an error could have made null. So each
/// error goes up to the nearest field with `@catch`, which becomes null and has the error. Without
/// one, the operation has no data.
///
/// 1. The operation's own selections are compared with the objects, from the leaves to the root.
///    Those of named fragments are not a part of it: fragments have their own properties.
/// 2. A null with an error, and a null that `@semanticNonNull` rules out, are failures. A null in
///    the place of a `@catch` is none, because the property reports its error.
/// 3. A failure inside of a field with `@catch` replaces its value, or the list's element, by null.
///    The objects on the way to it are copied.
struct FieldErrorContainment {
  private var path: [PathEntry] = []

  /// Returns the data of an operation without the failures in it, or the failure of the whole.
  static func contain(
    _ root: ResponseObject, selections node: SelectionNode
  ) -> Result<ResponseObject, GraphQLError> {
    var containment = FieldErrorContainment()
    var object = root
    if let failure = containment.contain(&object, node) { return .failure(failure) }
    return .success(object)
  }

  /// Contains the failures in an object's fields. Returns the first one that no field catches.
  private mutating func contain(
    _ object: inout ResponseObject, _ node: SelectionNode
  ) -> GraphQLError? {
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
  ) -> GraphQLError? {
    guard let layout = object.layout.field(withKey: field.responseKey), !object.isMissing(layout)
    else { return nil }
    let depth = path.count
    path.append(.field(field.responseKey))
    defer { path.removeLast() }
    let errors = object.placedErrors(ofField: field.responseKey)
    var failing = FailingField(
      selection: field, parentType: node.parentType, layout: layout, object: object)
    let failure: GraphQLError?
    if let child = field.child {
      failure = self.failure(in: object.objects(of: layout), child, errors, [], &failing)
    } else {
      failure = self.failure(in: object.leafValue(of: layout), errors, [], &failing)
    }
    guard failure == nil else { return failure }
    failing.noteCaughtErrors(depth: depth)
    object = failing.object
    return nil
  }

  /// Returns the failure of a null, unless the field catches it here.
  private func failure(
    ofNullAt level: Int, _ errors: FieldFacts.PlacedErrors, _ field: FailingField
  ) -> GraphQLError? {
    guard !field.selection.catches(at: level) else { return nil }
    if let error = errors.first { return error }
    guard field.selection.isSemanticallyNonNull(at: level) else { return nil }
    return .unexplainedNull(
      of: field.selection.responseKey, in: field.parentType, path: path)
  }

  private mutating func failure(
    in value: JSONValue, _ errors: FieldFacts.PlacedErrors, _ indices: [Int],
    _ field: inout FailingField
  ) -> GraphQLError? {
    let level = indices.count
    if value.isNull { return failure(ofNullAt: level, errors, field) }
    guard level < field.layout.listRank, let elements = value.arrayValue else { return nil }
    let errors = errors.byIndex
    for (index, element) in elements.enumerated() {
      path.append(.index(index))
      defer { path.removeLast() }
      let errors = errors[index] ?? FieldFacts.PlacedErrors.none
      if let failure = failure(in: element, errors, indices + [index], &field) {
        // An element of a list of leaves cannot be replaced, but the list can.
        return level == 0 ? field.caught(failure, at: []) : failure
      }
    }
    return nil
  }

  private mutating func failure(
    in tree: ObjectTree, _ child: SelectionNode, _ errors: FieldFacts.PlacedErrors,
    _ indices: [Int], _ field: inout FailingField
  ) -> GraphQLError? {
    switch tree {
    case .null: return failure(ofNullAt: indices.count, errors, field)
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
      if let failure = contain(&inner, child) { return field.caught(failure, at: indices) }
      if inner !== object { field.replaceValue(at: indices, by: inner) }
      return nil
    }
  }
}

/// A field of an object, some of whose values are replaced.
private struct FailingField {
  let selection: FieldSelection
  /// The type in the schema that the field is selected on.
  let parentType: String
  let layout: FieldLayout
  /// The object, which is copied before the first change.
  private(set) var object: ResponseObject
  private var isChanged = false
  private var caughtErrors: [GraphQLError] = []

  init(
    selection: FieldSelection, parentType: String, layout: FieldLayout, object: ResponseObject
  ) {
    self.selection = selection
    self.parentType = parentType
    self.layout = layout
    self.object = object
  }

  /// Replaces a value by null because of a failure inside of it. Returns the failure if the field
  /// does not catch it there.
  mutating func caught(_ failure: GraphQLError, at indices: [Int]) -> GraphQLError? {
    guard selection.catches(at: indices.count) else { return failure }
    caughtErrors.append(failure)
    replaceValue(at: indices, by: nil)
    return nil
  }

  mutating func replaceValue(at indices: [Int], by inner: ResponseObject?) {
    if !isChanged {
      object = object.copied(as: object.layout)
      isChanged = true
    }
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
