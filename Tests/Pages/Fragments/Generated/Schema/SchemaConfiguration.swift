import ApolloAPI

extension MySchema {
  /// This file is yours: it is written once and never overwritten.
  nonisolated enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
    /// The address of an object in the cache, or `nil` to store it inside the object that it was
    /// reached from, as long as its type has no key fields.
    ///
    /// No object type of the schema had a field `id` when this file was written. If another field
    /// identifies objects, return its value: `try? CacheKeyInfo(jsonValue: object["name"])`
    static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo? {
      nil
    }
  }
}
