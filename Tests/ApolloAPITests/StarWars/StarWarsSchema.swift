// Mirrors generated code: the types of a small Star Wars schema, in one file. It has the shape that
// `ApolloAPI` expects of generated code, and proves that the shape compiles and works.
import ApolloAPI

enum StarWarsAPI {}

extension StarWarsAPI {
  protocol SelectionSet: ApolloAPI.RootSelectionSet & RootModelValue & Codable & CustomReflectable
  where Schema == StarWarsAPI.SchemaMetadata {}

  protocol InlineFragment: ApolloAPI.InlineFragment & ModelValue & CustomReflectable
  where Schema == StarWarsAPI.SchemaMetadata {}

  protocol MutableSelectionSet: ApolloAPI.MutableRootSelectionSet & RootModelValue & Codable
      & CustomReflectable
  where Schema == StarWarsAPI.SchemaMetadata {}

  protocol MutableInlineFragment: ApolloAPI.MutableSelectionSet & ApolloAPI.InlineFragment
      & ModelValue & CustomReflectable
  where Schema == StarWarsAPI.SchemaMetadata {}

  enum SchemaMetadata: ApolloAPI.SchemaMetadata {
    static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self

    static let types = SchemaTypes(
      objects: [
        Objects.Droid, Objects.Human, Objects.Mutation, Objects.Query, Objects.Review,
        Objects.Starship,
      ],
      interfaces: [Interfaces.Character],
      unions: [Unions.SearchResult])
  }

  enum Objects {
    static let Droid = ApolloAPI.Object(
      typename: "Droid", implementedInterfaces: [Interfaces.Character], keyFields: nil)
    static let Human = ApolloAPI.Object(
      typename: "Human", implementedInterfaces: [Interfaces.Character], keyFields: nil)
    static let Mutation = ApolloAPI.Object(
      typename: "Mutation", implementedInterfaces: [], keyFields: nil)
    static let Query = ApolloAPI.Object(
      typename: "Query", implementedInterfaces: [], keyFields: nil)
    static let Review = ApolloAPI.Object(
      typename: "Review", implementedInterfaces: [], keyFields: nil)
    static let Starship = ApolloAPI.Object(
      typename: "Starship", implementedInterfaces: [], keyFields: nil)
  }

  enum Interfaces {
    static let Character = ApolloAPI.Interface(
      name: "Character", keyFields: nil, implementingObjects: ["Droid", "Human"])
  }

  enum Unions {
    static let SearchResult = ApolloAPI.Union(
      name: "SearchResult", possibleTypes: [Objects.Human, Objects.Droid, Objects.Starship])
  }

  /// The episodes in the Star Wars trilogy
  enum Episode: String, EnumType {
    case newhope = "NEWHOPE"
    case empire = "EMPIRE"
    case jedi = "JEDI"
  }

  /// The input object sent when passing in a color
  struct ColorInput: InputObject {
    var red: Int
    var green: Int
    var blue: Int

    init(red: Int, green: Int, blue: Int) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    var __data: InputFields { ["red": red, "green": green, "blue": blue] }
  }

  /// The input object sent when someone is creating a new review
  struct ReviewInput: InputObject {
    var stars: Int
    var commentary: GraphQLNullable<String>
    var favoriteColor: GraphQLNullable<ColorInput>

    init(
      stars: Int,
      commentary: GraphQLNullable<String> = nil,
      favoriteColor: GraphQLNullable<ColorInput> = nil
    ) {
      self.stars = stars
      self.commentary = commentary
      self.favoriteColor = favoriteColor
    }

    var __data: InputFields {
      ["stars": stars, "commentary": commentary, "favorite_color": favoriteColor]
    }
  }

  /// One way to find a character (`@oneOf`)
  enum CharacterLookup: OneOfInputObject {
    case id(ID)
    case name(String)

    var __data: InputFields {
      switch self {
      case .id(let value): ["id": value]
      case .name(let value): ["name": value]
      }
    }
  }
}

// `SchemaConfiguration.swift`: written once, then edited by hand.
extension StarWarsAPI {
  enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
    static func cacheKeyInfo(
      for type: ApolloAPI.Object, object: ObjectData
    ) -> CacheKeyInfo? {
      // Objects without an id have no cache key of their own.
      try? CacheKeyInfo(jsonValue: object["id"])
    }
  }
}
