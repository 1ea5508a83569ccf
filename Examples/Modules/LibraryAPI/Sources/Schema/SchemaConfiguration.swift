public import ApolloAPI

/// This file is yours: it is written once and never overwritten.
public enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
  /// The address of an object in the cache, or `nil` to let the key fields of its type decide.
  ///
  /// For example, for a schema whose types all have an `id`:
  /// `try? CacheKeyInfo(jsonValue: object["id"])`
  public static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo? {
    nil
  }
}
