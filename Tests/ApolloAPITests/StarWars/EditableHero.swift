// Mirrors generated code: a mutable fragment (`@apollo_client_ios_localCacheMutation`) with a
// memberwise initializer.
//
// fragment EditableHero on Character {
//   name appearsIn height friends { name } bestFriend: friend { name }
// }
import ApolloAPI

extension StarWarsAPI {
  struct EditableHero: StarWarsAPI.MutableSelectionSet, Fragment {
    static var fragmentDefinition: String {
      #"fragment EditableHero on Character { __typename name appearsIn height friends { __typename name } bestFriend: friend { __typename name } }"#
    }

    static let __selections = Selections(
      #"Character {__typename String! name String! appearsIn [#0]! height Float friends [Character {__typename String! name String!}] bestFriend:friend Character {__typename String! name String!}}"#,
      leaves: [GraphQLEnum<Episode>.self])

    typealias Schema = StarWarsAPI.SchemaMetadata
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = __selections[0]

    var __typename: String {
      get { __object[0, Self.__layout] }
      set { __object[0, Self.__layout] = newValue }
    }
    var name: String {
      get { __object[1, Self.__layout] }
      set { __object[1, Self.__layout] = newValue }
    }
    var appearsIn: [GraphQLEnum<Episode>?] {
      get { __object[2, Self.__layout] }
      set { __object[2, Self.__layout] = newValue }
    }
    var height: Double? {
      get { __object[3, Self.__layout] }
      set { __object[3, Self.__layout] = newValue }
    }
    var friends: [Friend?]? {
      get { __object[4, Self.__layout] }
      set { __object[4, Self.__layout] = newValue }
    }
    var bestFriend: BestFriend? {
      get { __object[5, Self.__layout] }
      set { __object[5, Self.__layout] = newValue }
    }

    init(
      __typename: String, name: String, appearsIn: [GraphQLEnum<Episode>?], height: Double? = nil,
      friends: [Friend?]? = nil, bestFriend: BestFriend? = nil
    ) {
      self.init(__values: [
        "__typename": __typename, "name": name, "appearsIn": appearsIn, "height": height,
        "friends": friends, "bestFriend": bestFriend,
      ])
    }

    /// EditableHero.Friend
    ///
    /// Parent Type: `Character`
    struct Friend: StarWarsAPI.MutableSelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      static let __layout = EditableHero.__selections[1]

      var __typename: String {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
      var name: String {
        get { __object[1, Self.__layout] }
        set { __object[1, Self.__layout] = newValue }
      }

      init(__typename: String, name: String) {
        self.init(__values: ["__typename": __typename, "name": name])
      }
    }

    /// EditableHero.BestFriend
    ///
    /// Parent Type: `Character`
    struct BestFriend: StarWarsAPI.MutableSelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      static let __layout = EditableHero.__selections[2]

      var __typename: String {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
      var name: String {
        get { __object[1, Self.__layout] }
        set { __object[1, Self.__layout] = newValue }
      }

      init(__typename: String, name: String) {
        self.init(__values: ["__typename": __typename, "name": name])
      }
    }
  }
}
