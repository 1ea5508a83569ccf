internal import ApolloAPI

/// The result of reading a selection, independent of the type of its data.
package struct ObjectReadResult {
  /// The root object, or `nil` if something is missing.
  let object: ResponseObject?
  /// The missing values: all of them if the reading keeps partial data, otherwise at most
  /// ``maximumMissCount``.
  let misses: [CacheMiss]
  let errors: [GraphQLError]
  /// The fields with errors, or with parts that have some, but for later pages of merged lists.
  let failedFields: Set<FieldAddress>
  let dependencies: Dependencies
  /// The records to load before the selection is read again. Empty if the result is complete.
  package let unloaded: [RecordKey]
}
