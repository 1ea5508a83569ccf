public import ApolloAPI

/// This file is yours: it is written once and never overwritten.
public nonisolated enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
  /// The address of an object in the cache: its type and its `id`, if it has one.
  public static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo? {
    guard let id = object["id"] else { return nil }
    return try? CacheKeyInfo(jsonValue: id)  // an id that is no scalar is no address either
  }
}
