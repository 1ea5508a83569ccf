// Generated code for a schema of heroes, as far as the tests of client and transport use it.
package import ApolloAPI

package enum HeroAPI {}

extension HeroAPI {
  package protocol SelectionSet: ApolloAPI.RootSelectionSet & RootModelValue
  where Schema == HeroAPI.SchemaMetadata {}

  package enum SchemaMetadata: ApolloAPI.SchemaMetadata {
    package static let configuration: any ApolloAPI.SchemaConfiguration.Type =
      SchemaConfiguration.self

    package static let types = SchemaTypes(
      objects: [Objects.Hero, Objects.Mutation, Objects.Query, Objects.Subscription],
      interfaces: [], unions: [])
  }

  enum Objects {
    static let Hero = ApolloAPI.Object(
      typename: "Hero", implementedInterfaces: [], keyFields: nil)
    static let Mutation = ApolloAPI.Object(
      typename: "Mutation", implementedInterfaces: [], keyFields: nil)
    static let Query = ApolloAPI.Object(
      typename: "Query", implementedInterfaces: [], keyFields: nil)
    static let Subscription = ApolloAPI.Object(
      typename: "Subscription", implementedInterfaces: [], keyFields: nil)
  }

  enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
    static func cacheKeyInfo(
      for type: ApolloAPI.Object, object: ObjectData
    ) -> CacheKeyInfo? {
      // Objects without an id have no cache key of their own.
      try? CacheKeyInfo(jsonValue: object["id"])
    }
  }
}
