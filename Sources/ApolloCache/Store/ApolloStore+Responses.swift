public import ApolloAPI
public import protocol Foundation.ContiguousBytes

extension ApolloStore {
  /// Decodes a response and merges its data, as if a client had fetched it.
  ///
  /// For data that ships with a program, or that arrives without a client:
  ///
  /// ```swift
  /// try await store.publish(body: Data(contentsOf: bundledResponse), of: HeroQuery())
  /// ```
  ///
  /// - Parameters:
  ///   - body: The whole body of the response, in UTF-8.
  ///   - operation: The operation of the response.
  ///   - origin: The origin of the write, which is delivered with the change.
  /// - Returns: The response.
  /// - Throws: `ResponseError` if the body is not a response to the operation, and the errors of
  ///   the cache. Nothing is written then.
  @discardableResult
  public nonisolated(nonsending) func publish<Operation: GraphQLOperation>(
    body: some ContiguousBytes, of operation: Operation, origin: ChangeOrigin? = nil
  ) async throws -> GraphQLResponse<Operation> {
    let normalizer = normalizer(for: operation)
    let response = try ResponseDecoder().decode(body, as: operation, observer: normalizer)
    // With '@throwOnFieldError', a response without data can have data for the cache.
    if response.data != nil || normalizer.hasData {
      try await publish(normalizer.finish(), origin: origin)
    }
    return response
  }
}
