extension ResponseObject {
  /// Attaches each error to the innermost object of its path that is present.
  ///
  /// Must be called before the objects are shared.
  /// - Complexity: O(*n*) in the errors, times the length of their paths.
  func attach(_ errors: [GraphQLError]) {
    var found: [ObjectIdentifier: (object: ResponseObject, errors: [String: [GraphQLError]])] = [:]
    for error in errors {
      guard let path = error.path, let (object, key) = owner(of: path[...]) else { continue }
      found[ObjectIdentifier(object.storage), default: (object, [:])].errors[key, default: []]
        .append(error)
    }
    for (object, errors) in found.values { object.fieldErrors = errors }
  }

  /// Returns the innermost object of a path that is present, and the next key; `nil` if that key
  /// was not selected.
  private func owner(of path: ArraySlice<PathEntry>) -> (ResponseObject, key: String)? {
    var object = self
    var path = path
    while case .field(let key)? = path.popFirst() {
      guard let field = object.layout.field(withKey: key) else { return nil }
      let indices = path.prefix { if case .index = $0 { true } else { false } }
      let rest = path.dropFirst(indices.count)
      guard !rest.isEmpty, let inner = object.object(of: field, at: indices) else {
        return (object, key)
      }
      (object, path) = (inner, rest)
    }
    return nil
  }

  /// The object of a field, or an element of the lists that it holds; `nil` when there is none.
  private func object(of field: FieldLayout, at indices: ArraySlice<PathEntry>) -> ResponseObject? {
    guard field.slotType.holdsObjects else { return nil }
    defer { withExtendedLifetime(storage) {} }
    return field.slotType.object(slot(field.slot), at: indices)
  }
}
