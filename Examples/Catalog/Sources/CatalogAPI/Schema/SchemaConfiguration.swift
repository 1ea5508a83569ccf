public import ApolloAPI

/// This file is yours: it is written once and never overwritten.
public nonisolated enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
  /// The address of an object in the cache: its type and its `id`.
  ///
  /// Of the 4 object types of the schema, 1 had a field `id` when this file was written.
  /// The cache keeps one record for each of their objects, so select `id` wherever you select one.
  /// An object without a key is stored inside the object that it was reached from.
  public static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo? {
    guard let id = object["id"] else { return nil }
    return try? CacheKeyInfo(jsonValue: id)  // a value without a text is no address
  }
}
