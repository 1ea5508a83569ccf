extension SelectionSet {
  /// Returns the errors that the server reported for a field of this object.
  ///
  /// An error belongs to the innermost object of its path that is present. So a field that is `nil`
  /// has the errors that made it so, including those from further inside, and a list has those of
  /// its missing elements. An error of a field within a present object is found at that object.
  /// A field that is set has no errors anymore, and neither has a list with a changed element.
  ///
  /// ```swift
  /// if hero.height == nil, let error = hero.errors(for: \.height).first { show(error.message) }
  /// ```
  ///
  /// - Parameter field: A property that reads the field. The first field that it reads counts, so
  ///   `\.asDroid?.primaryFunction` works too.
  /// - Returns: The errors in the order of the response; none for models that do not come from a
  ///   response.
  /// - Complexity: O(*n*) in the fields of the object if it has errors, otherwise O(1).
  public func errors<Value>(for field: KeyPath<Self, Value>) -> [GraphQLError] {
    guard !__object.fieldErrors.isEmpty else { return [] }
    return __object.key { _ = Self(__object: $0)[keyPath: field] }.map(errors(forKey:)) ?? []
  }

  /// Returns the errors that the server reported for the field with a response key: its alias, or
  /// its name.
  ///
  /// The same as ``errors(for:)``, by key instead of by property.
  public func errors(forKey responseKey: String) -> [GraphQLError] {
    __object.fieldErrors[responseKey] ?? []
  }
}

extension ResponseObject {
  /// Returns the response key of the first field that `body` reads of a copy of this object.
  fileprivate func key(of body: (ResponseObject) -> Void) -> String? {
    let recorder = AccessRecorder()
    let recording = ObjectLayout(layout, recording: recorder)
    withExtendedLifetime(recording) {
      let copy = copied(as: recording)
      body(copy)
      // The optimizer may release the copy after the recording layout, so it gets the permanent
      // one.
      copy.storage.head.pointee.layout = .passUnretained(layout)
      withExtendedLifetime(copy) {}
    }
    return recorder.key
  }
}
