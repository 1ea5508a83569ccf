extension GraphQLResponse {
  /// Returns the response with one more part of its data.
  ///
  /// A deferred fragment is fulfilled when all of its fields have arrived, in any number of parts.
  /// The values of a part replace earlier ones, but null does not. A part whose data is null has
  /// failed: only its errors are added.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - limits: The limits for the part.
  /// - Returns: The new response; `self` does not change.
  /// - Throws: A ``ResponseError`` when the object does not exist, or when the part does not fit
  ///   it.
  /// - Complexity: O(*n* + *d*), where *n* is the size of the part and *d* that of the objects and
  ///   lists on its path.
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
