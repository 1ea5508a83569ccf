/// The contents of a response, or the error that makes it unreadable.
@usableFromInline
struct ResponseBody {
  @usableFromInline var data: ResponseObject?
  /// The contents as the server has sent them, if the nulls and errors of fields have changed
  /// `data`.
  @usableFromInline var received: ReceivedContents?
  @usableFromInline var errors: [GraphQLError]?
  @usableFromInline var extensions: [String: JSONValue]?
  @usableFromInline var failure: ResponseError?
}

/// The data and the errors of a response before ``FieldErrorContainment``.
@usableFromInline
struct ReceivedContents: Sendable {
  let object: ResponseObject
  let errors: [GraphQLError]?
}

extension ResponseBody {
  /// Contains the errors of fields and their nulls, if the operation says so (`@throwOnFieldError`,
  /// `@required`).
  mutating func containFieldErrors(in layout: SelectionLayout) {
    guard let data else { return }
    let received = ReceivedContents(object: data, errors: errors)
    self.data = try? data.containingFieldErrors(in: layout, &errors)  // `errors` has the error
    if let contained = self.data, contained === data { return }
    self.received = received
  }
}

extension ResponseObject {
  /// Returns the object of a model with the promises of its properties kept: a value that is
  /// missing without an error, in an operation with `@throwOnFieldError`, makes the nearest field
  /// with `@catch` null.
  ///
  /// - Throws: The problem of a value that no field catches.
  func checkingPromises(of layout: SelectionLayout) throws(ResponseError) -> ResponseObject {
    guard layout.containsFailures else { return self }
    switch FieldErrorContainment.contain(self, in: layout, findsMissingValues: true) {
    case .success(let contained): return contained.object
    case .failure(let failure): throw ResponseError(.nullValue, path: failure.error.path ?? [])
    }
  }

  /// Returns whether a field with objects keeps its value in the data of the operation, because
  /// each failure in it ends at a field further inside. See ``FieldErrorContainment``.
  ///
  /// - Parameters:
  ///   - key: The response key of the field.
  ///   - errors: The errors in the field, whose paths begin at this object.
  ///   - operation: The layout of the operation's data.
  /// - Returns: `true` for every field of an operation without such failures.
  package func keepsValue(
    ofField key: String, despite errors: [GraphQLError], in operation: SelectionLayout
  ) -> Bool {
    guard operation.containsFailures else { return true }
    let object = errors.isEmpty ? self : attaching(errors)
    return layout.position.sources.allSatisfy { source in
      // Named fragments have their own properties.
      source.node.definition !== operation.node.definition || !object.fulfils(source)
        || FieldErrorContainment.keepsValue(ofField: key, of: object, selections: source.node)
    }
  }

  /// Returns the data of an operation whose errors end at fields with `@catch`. See
  /// ``FieldErrorContainment``.
  ///
  /// - Parameters:
  ///   - layout: The layout of the operation's data. Nothing changes unless the operation has
  ///     `@throwOnFieldError`, or fields with `@required`.
  ///   - errors: The errors of the response. A null that no error explains adds one, and so does
  ///     one with `@required(action: LOG)`.
  /// - Returns: The data.
  /// - Throws: The error that ends the operation. It is one of `errors` then.
  package func containingFieldErrors(
    in layout: SelectionLayout, _ errors: inout [GraphQLError]?
  ) throws(GraphQLError) -> ResponseObject {
    guard layout.containsFailures else { return self }
    switch FieldErrorContainment.contain(self, in: layout) {
    case .success(let contained):
      guard !contained.reported.isEmpty else { return contained.object }
      let known = Set(errors ?? [])
      let news = contained.reported.filter { !known.contains($0) }
      if !news.isEmpty { errors = (errors ?? []) + news }
      return contained.object
    case .failure(let failure):
      if errors?.contains(failure.error) != true { errors = (errors ?? []) + [failure.error] }
      throw failure.error
    }
  }
}
