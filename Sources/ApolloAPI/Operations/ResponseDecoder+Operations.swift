public import protocol Foundation.ContiguousBytes

extension ResponseDecoder {
  /// Reads a response to an operation.
  ///
  /// A null where the schema rules it out takes the nearest object or list around it that may be null with it, if one of the
  /// response's errors is about that place.
  ///
  /// - Parameters:
  ///   - bytes: the body of the response, UTF-8.
  ///   - operation: what was asked, with the values of its variables.
  /// - Returns: the data and the errors of the response.
  /// - Throws: a ``ResponseError`` that names the place.
  /// - Complexity: O(*n*) in the bytes.
  @inlinable
  public func decode<Operation: GraphQLOperation>(
    _ bytes: some ContiguousBytes, as operation: Operation
  ) throws(ResponseError) -> GraphQLResponse<Operation> {
    // Inlinable, and nothing generic below it, so that no type has to be looked up at run time.
    let body = bytes.withUnsafeBytes { buffer in
      read(
        buffer, layout: Operation.Data.__layout, schema: Operation.Data.Schema.self,
        variables: operation.__variables)
    }
    return try body.response()
  }

  /// The same, telling `listener` of each object on the way.
  package func decode<Operation: GraphQLOperation>(
    _ bytes: some ContiguousBytes, as operation: Operation, listener: (any ResponseObserver)?
  ) throws(ResponseError) -> GraphQLResponse<Operation> {
    let body = bytes.withUnsafeBytes { buffer in
      read(
        buffer, layout: Operation.Data.__layout, schema: Operation.Data.Schema.self,
        variables: operation.__variables, listener: listener)
    }
    return try body.response()
  }
}

extension ResponseBody {
  /// The response to an operation.
  @inlinable
  func response<Operation: GraphQLOperation>() throws(ResponseError) -> GraphQLResponse<Operation> {
    if let failure { throw failure }
    return GraphQLResponse(
      data: data.map(Operation.Data.init(__object:)), errors: errors, extensions: extensions,
      source: .server)
  }
}
