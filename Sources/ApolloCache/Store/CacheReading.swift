public import ApolloAPI

/// The number of misses after which a reading stops.
package let maximumMissCount = 64

/// The data of an operation as far as it is in the cache.
///
/// ```swift
/// let reading = try await store.load(HeroQuery())
/// if let data = reading.data {
///   show(data)
/// } else {
///   for miss in reading.misses { print(miss) }
/// }
/// ```
public struct CacheReading<Data: Sendable>: Sendable {
  /// The data, or `nil` if something of it is missing.
  public var data: Data?
  /// The missing values, in the order of the selection. Empty if ``data`` is complete.
  ///
  /// At most ``maximumMissCount`` are listed.
  public var misses: [CacheMiss]
  /// The errors of fields that failed on the server, if the reading serves such fields as `null`.
  public var errors: [GraphQLError]
  /// The dependencies of the reading, for ``StoreWatch/depend(on:)``.
  public var trace: ReadingTrace

  /// The age of the data, or `nil` if the store does not track it.
  public internal(set) var freshness: ResponseFreshness?

  /// The number of misses after which a reading stops.
  public static var maximumMissCount: Int { ApolloCache.maximumMissCount }

  package init(data: Data?, misses: [CacheMiss], errors: [GraphQLError], trace: ReadingTrace) {
    self.data = data
    self.misses = misses
    self.errors = errors
    self.trace = trace
  }
}

extension CacheReading where Data: RootSelectionSet {
  /// Creates the reading of a selection with its data as a model.
  package init(_ result: ObjectReadResult, generation: Generation, version: UInt64? = nil) {
    self.init(
      data: result.object.map(Data.init(__object:)), misses: result.misses, errors: result.errors,
      trace: ReadingTrace(
        dependencies: result.dependencies, generation: generation, version: version))
  }

  /// Returns the data.
  ///
  /// - Throws: The first ``CacheMiss``, if something is missing.
  package func get() throws -> Data {
    if let data { return data }
    throw misses[0]  // without data, something is missing
  }
}
