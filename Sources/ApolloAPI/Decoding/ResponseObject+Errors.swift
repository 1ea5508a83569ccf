extension ResponseObject {
  /// Returns this root with each error attached to the innermost object of its path that is
  /// present.
  ///
  /// The objects on the paths are copied: an observer may share them with other responses. All
  /// others stay as they are.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the length of all paths and *m* the size of the
  ///   objects and lists on them.
  package func attaching(_ errors: [GraphQLError]) -> ResponseObject {
    var copies = ErrorCopies(root: self)
    for error in errors {
      if let path = error.path { copies.attach(error, at: path[...]) }
    }
    return copies.attached()
  }
}

/// The copies of the objects on the paths of errors, each with its errors by response key.
private struct ErrorCopies {
  private let root: ResponseObject
  private var errors: [ObjectIdentifier: [String: [GraphQLError]]] = [:]
  /// The lengths of the paths to the copies.
  private var depths: [ObjectIdentifier: Int] = [:]
  /// In the order of copying. The objects keep their identities while they are listed.
  private var copies: [ResponseObject] = []

  init(root: ResponseObject) {
    self.root = root.copied(as: root.layout)
    note(self.root, depth: 0)
  }

  private mutating func note(_ copy: ResponseObject, depth: Int) {
    copies.append(copy)
    depths[ObjectIdentifier(copy.storage)] = depth
    errors[ObjectIdentifier(copy.storage)] = [:]
  }

  /// Returns the root, whose copies have their errors.
  func attached() -> ResponseObject {
    for copy in copies {
      guard let errors = errors[ObjectIdentifier(copy.storage)], !errors.isEmpty else { continue }
      copy.setFieldErrors(errors, depth: depths[ObjectIdentifier(copy.storage)] ?? 0)
    }
    return root
  }

  /// Attaches an error, unless its path ends with a field that was not selected.
  mutating func attach(_ error: GraphQLError, at path: ArraySlice<PathEntry>) {
    var object = root
    let start = path.startIndex
    var path = path
    while case .field(let key)? = path.popFirst() {
      guard let field = object.layout.field(withKey: key) else { return }
      let indices = path.prefix { if case .index = $0 { true } else { false } }
      let rest = path.dropFirst(indices.count)
      guard !rest.isEmpty, let inner = object.object(of: field, at: indices) else {
        errors[ObjectIdentifier(object.storage)]?[key, default: []].append(error)
        return
      }
      let depth = rest.startIndex - start
      (object, path) = (copy(inner, of: field, at: indices, in: object, depth: depth), rest)
    }
  }

  /// Returns an object of a copy, after copying it if that has not been done.
  private mutating func copy(
    _ object: ResponseObject, of field: FieldLayout, at indices: ArraySlice<PathEntry>,
    in parent: ResponseObject, depth: Int
  ) -> ResponseObject {
    guard errors[ObjectIdentifier(object.storage)] == nil else { return object }
    let copy = object.copied(as: object.layout)
    field.slotType.replaceObject(parent.slot(field.slot), at: indices, with: copy)
    withExtendedLifetime(parent.storage) {}
    note(copy, depth: depth)
    return copy
  }
}

extension ResponseObject {
  /// Returns the object of a field, or the element at the indices of its lists, outermost first;
  /// `nil` when there is none.
  ///
  /// - Complexity: O(*r*) in the number of lists around the objects.
  package func object(
    of field: FieldLayout, at indices: ArraySlice<PathEntry>
  ) -> ResponseObject? {
    guard field.slotType.holdsObjects else { return nil }
    defer { withExtendedLifetime(storage) {} }
    return field.slotType.object(slot(field.slot), at: indices)
  }
}
