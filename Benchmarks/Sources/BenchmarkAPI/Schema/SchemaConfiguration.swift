public import ApolloAPI

/// This file is yours: it is written once and never overwritten.
public nonisolated enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
  /// The address of an object in the cache: its type and its `id`, if it has one.
  public static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo? {
    try? CacheKeyInfo(jsonValue: object["id"])  // objects without an id have no address
  }
}
