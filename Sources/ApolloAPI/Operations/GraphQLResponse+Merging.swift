extension GraphQLResponse {
  /// The response with one more part of its data.
  ///
  /// A deferred fragment is there when everything is that it selects of an object, in however many parts that came. The values of a
  /// part take the place of earlier ones, but null does not. A part whose data is null has failed: only its errors are added.
  ///
  /// - Parameters:
  ///   - part: what the server sent.
  ///   - limits: how much of it is accepted.
  /// - Returns: the response as it is now; `self` does not change.
  /// - Throws: a ``ResponseError`` when there is no such object, or when the part does not fit it.
  /// - Complexity: O(*n* + *d*), where *n* is the size of the part and *d* that of the objects and lists on the way to it.
  package func merging(
    _ part: IncrementalData, limits: ResponseLimits = ResponseLimits()
  ) throws(ResponseError) -> Self {
    var response = self
    if !part.errors.isEmpty { response.errors = (errors ?? []) + part.errors }
    guard !part.data.isNull else { return response }
    guard let root = data?.__object else {
      throw ResponseError(.notAResponse("a part of the data came although there is no data"))
    }
    response.data = Operation.Data(__object: try root.merging(part, limits: limits))
    return response
  }
}
