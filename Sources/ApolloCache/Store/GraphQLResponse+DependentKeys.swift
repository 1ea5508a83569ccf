public import ApolloAPI

extension ReadingTrace: ResponseDependencies {}

extension GraphQLResponse {
  /// The fields of the cache that the data consists of, or `nil` if the response was neither read
  /// from the cache nor written to it.
  ///
  /// ```swift
  /// let response = try await apollo.fetch(query: HeroNameQuery())
  /// for address in response.dependentKeys ?? [] { print(address.record, address.field) }
  /// ```
  ///
  /// - Complexity: O(*n*) in the number of fields.
  public var dependentKeys: Set<FieldAddress>? { result.dependentKeys }
}

extension GraphQLResult {
  /// The fields of the cache that the data consists of, or `nil` if the response was neither read
  /// from the cache nor written to it.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  public var dependentKeys: Set<FieldAddress>? { (dependencies as? ReadingTrace)?.dependentKeys }
}
