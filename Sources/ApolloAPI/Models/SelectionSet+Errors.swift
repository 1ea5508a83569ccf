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
