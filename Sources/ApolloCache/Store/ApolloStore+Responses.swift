public import ApolloAPI
public import protocol Foundation.ContiguousBytes

extension ApolloStore {
  /// Decodes a response and merges its data, as if a client had fetched it: for data that ships
  /// with a program, or comes another way.
  ///
  /// - Parameters:
  ///   - body: the whole body of the response, UTF-8.
  ///   - operation: what it answers.
  ///   - origin: handed on to watchers, who may want to ignore what they wrote themselves.
  /// - Returns: the response as the operation's models show it.
  /// - Throws: a `ResponseError` if the body is not such a response; what the cache throws.
  ///   Nothing is written then.
  @discardableResult
  public nonisolated(nonsending) func publish<Operation: GraphQLOperation>(
    body: some ContiguousBytes, of operation: Operation, origin: ChangeOrigin? = nil
  ) async throws -> GraphQLResponse<Operation> {
    let normalizer = normalizer(for: operation)
    let response = try ResponseDecoder().decode(body, as: operation, observer: normalizer)
    if response.data != nil {
      try await publish(normalizer.finish(errors: response.errors ?? []), origin: origin)
    }
    return response
  }
}
