// In the shape of generated code, for the operations of the benchmark data.
import ApolloAPI

enum BenchAPI {
  protocol SelectionSet: ApolloAPI.SelectionSet & ApolloAPI.RootSelectionSet
  where Schema == BenchAPI.SchemaMetadata {}

  protocol InlineFragment: ApolloAPI.SelectionSet & ApolloAPI.InlineFragment
  where Schema == BenchAPI.SchemaMetadata {}

  enum SchemaMetadata: ApolloAPI.SchemaMetadata {
    static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self
    static let types = SchemaTypes(
      interfaces: [
        Interface(name: "FeedItem", implementingObjects: ["Article", "Video"]),
        Interface(name: "Actor", implementingObjects: ["Bot", "User"]),
        Interface(
          name: "GitHubActor", implementingObjects: ["Bot", "Mannequin", "Organization", "User"]),
      ])
  }

  enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
    static func cacheKeyInfo(
      for type: ApolloAPI.Object, object: ObjectData
    ) -> CacheKeyInfo? {
      try? CacheKeyInfo(jsonValue: object["id"])  // objects without an id have no address
    }
  }

  enum Species: String, EnumType {
    case human = "HUMAN"
    case droid = "DROID"
    case wookiee = "WOOKIEE"
    case ewok = "EWOK"
  }
}
