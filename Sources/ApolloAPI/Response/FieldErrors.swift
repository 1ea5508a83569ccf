/// What a server reported about the fields of one object, by response key.
///
/// `@unchecked Sendable` because the name is only compared and handed back: to the cache that gave it, which shares it as it likes.
final class FieldErrors: @unchecked Sendable {
  let byKey: [String: [GraphQLError]]
  /// See ``ResponseObject/name``.
  let name: AnyObject?

  init(_ byKey: [String: [GraphQLError]], name: AnyObject? = nil) {
    self.byKey = byKey
    self.name = name
  }
}

extension SelectionSet {
  /// The errors that a server reported about a field of this object.
  ///
  /// An error belongs to the innermost object of its path that is there. So a field that is `nil` has the errors that made it so,
  /// those from further inside among them, and a list has those of the elements that are missing. An error about a field of an
  /// object that is there is asked for at that object.
  ///
  /// ```swift
  /// if hero.height == nil, let error = hero.errors(for: \.height).first { show(error.message) }
  /// ```
  ///
  /// - Parameter field: a property that reads the field. What it reads first counts: `\.asDroid?.primaryFunction` is fine.
  /// - Returns: the errors in the order of the response; none for models that do not come from a response.
  /// - Complexity: O(*n*) in the fields of the object, if it has errors at all.
  public func errors<Value>(for field: KeyPath<Self, Value>) -> [GraphQLError] {
    guard __object.fieldErrors != nil else { return [] }
    return __object.key { _ = Self(__object: $0)[keyPath: field] }.map(errors(forKey:)) ?? []
  }

  /// The errors that a server reported about the field with a response key: the alias of the field, or its name.
  ///
  /// The same as ``errors(for:)`` for whoever has the key at hand.
  public func errors(forKey responseKey: String) -> [GraphQLError] {
    __object.fieldErrors?.byKey[responseKey] ?? []
  }
}

// MARK: - From a response to its objects

extension ResponseObject {
  /// Gives each error to the innermost object of its path that is there.
  ///
  /// Must be called before anybody else sees the objects.
  /// - Complexity: O(*n*) in the errors, times the length of the paths as far as there are objects.
  func attach(_ errors: [GraphQLError]) {
    var found: [ObjectIdentifier: (object: ResponseObject, errors: [String: [GraphQLError]])] = [:]
    for error in errors {
      guard let path = error.path, let (object, key) = owner(of: path[...]) else { continue }
      found[ObjectIdentifier(object.storage), default: (object, [:])].errors[key, default: []]
        .append(error)
    }
    for (object, errors) in found.values { object.fieldErrors = FieldErrors(errors) }
  }

  /// The innermost object of a path that is there, and the key that comes next; `nil` when nobody asked for that key.
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
    guard let operations = field.operations as? any ObjectSlotOperations else { return nil }
    defer { withExtendedLifetime(storage) {} }
    return operations.object(slot(field.slot), at: indices)
  }
}

// MARK: - From a key path to a key

extension ResponseObject {
  /// The response key of the field that `body` reads first of this object, which it gets as a copy.
  fileprivate func key(of body: (ResponseObject) -> Void) -> String? {
    let recorder = AccessRecorder()
    let recording = ObjectLayout(layout, recording: recorder)
    withExtendedLifetime(recording) {
      // The copy ends its life in here, before its layout.
      let copy = copied(as: recording)
      body(copy)
    }
    return recorder.key
  }
}

/// Notes the first response key that is read through an ``ObjectLayout``.
///
/// `@unchecked Sendable` because it belongs to a layout that only one function call knows.
final class AccessRecorder: @unchecked Sendable {
  private(set) var key: String?

  func record(_ key: String) { self.key = self.key ?? key }
}
