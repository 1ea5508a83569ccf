public import protocol Foundation.ContiguousBytes

extension ResponseDecoder {
  /// Decodes a response to an operation.
  ///
  /// ```swift
  /// let response = try ResponseDecoder().decode(bytes, as: HeroQuery(episode: .jedi))
  /// ```
  ///
  /// A null that the schema rules out propagates to the nearest object or list around it that may
  /// be null, provided that one of the response's errors has the same path.
  ///
  /// - Parameters:
  ///   - bytes: The body of the response in UTF-8.
  ///   - operation: The operation with the values of its variables.
  /// - Returns: The data and the errors of the response.
  /// - Throws: A ``ResponseError`` with the path and the offset of the problem.
  /// - Complexity: O(*n*) in the bytes.
  @inlinable
  public func decode<Operation: GraphQLOperation>(
    _ bytes: some ContiguousBytes, as operation: Operation
  ) throws(ResponseError) -> GraphQLResponse<Operation> {
    // Inlinable, with nothing generic below it, so that no type is looked up at run time.
    let body = bytes.withUnsafeBytes { buffer in
      read(
        buffer, layout: Operation.Data.__layout, schema: Operation.Data.Schema.self,
        variables: operation.__variables)
    }
    return try body.response()
  }

  /// The same, with an observer that receives each object.
  package func decode<Operation: GraphQLOperation>(
    _ bytes: some ContiguousBytes, as operation: Operation, observer: (any ResponseObserver)?
  ) throws(ResponseError) -> GraphQLResponse<Operation> {
    let body = bytes.withUnsafeBytes { buffer in
      read(
        buffer, layout: Operation.Data.__layout, schema: Operation.Data.Schema.self,
        variables: operation.__variables, observer: observer)
    }
    return try body.response()
  }
}

extension ResponseDecoder {
  /// Decodes the response to a part of an operation, whose objects the observer receives.
  ///
  /// - Parameters:
  ///   - bytes: The body of the response in UTF-8.
  ///   - part: The selections of the part.
  ///   - operation: The operation with the values of its variables.
  ///   - observer: Receives the objects.
  /// - Returns: The errors of the response. Its data is not that of the operation.
  /// - Throws: A ``ResponseError`` with the path and the offset of the problem.
  package func decode<Operation: GraphQLOperation>(
    _ bytes: some ContiguousBytes, as part: SelectionLayout, of operation: Operation,
    observer: (any ResponseObserver)?
  ) throws(ResponseError) -> GraphQLResponse<Operation> {
    var body = bytes.withUnsafeBytes { buffer in
      read(
        buffer, layout: part, schema: Operation.Data.Schema.self,
        variables: operation.__variables, observer: observer)
    }
    (body.data, body.received) = (nil, nil)
    return try body.response()
  }
}

extension ResponseBody {
  /// Returns the response to an operation.
  @inlinable
  func response<Operation: GraphQLOperation>() throws(ResponseError) -> GraphQLResponse<Operation> {
    if let failure { throw failure }
    var result = GraphQLResult<Operation.Data>(object: data, errors, extensions, .server)
    if let received, Operation.operationType == .mutation { result.received = received }
    return GraphQLResponse(result)
  }
}
