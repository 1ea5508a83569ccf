package import ApolloAPI

extension HeroAPI {
  /// The protocols that a schema's mutable models conform to.
  package protocol MutableSelectionSet: ApolloAPI.MutableRootSelectionSet & RootModelValue
  where Schema == HeroAPI.SchemaMetadata {}

  // query HeroLocalCacheMutation($name: String) @apollo_client_ios_localCacheMutation {
  //   hero(name: $name) { __typename id name friends { __typename id name } }
  // }
  package struct HeroLocalCacheMutation: LocalCacheMutation {
    package static let operationType: GraphQLOperationType = .query

    package var name: GraphQLNullable<String>

    package init(name: GraphQLNullable<String> = nil) { self.name = name }

    package var __variables: Variables? { ["name": name] }

    package static let __selections = Selections(
      #"Query {hero(name: $name) Hero {__typename String! id ID! name String! friends [Hero {__typename String! id ID! name String!}!]}}"#
    )

    package struct Data: HeroAPI.MutableSelectionSet {
      package typealias Schema = HeroAPI.SchemaMetadata
      package var __object: ResponseObject
      package init(__object: ResponseObject) { self.__object = __object }
      package static let __layout = HeroLocalCacheMutation.__selections[0]

      package var hero: Hero? {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }

      package init(hero: Hero? = nil) {
        self.init(__values: ["hero": hero])
      }

      package struct Hero: HeroAPI.MutableSelectionSet {
        package typealias Schema = HeroAPI.SchemaMetadata
        package var __object: ResponseObject
        package init(__object: ResponseObject) { self.__object = __object }
        package static let __layout = HeroLocalCacheMutation.__selections[1]

        package var __typename: String {
          get { __object[0, Self.__layout] }
          set { __object[0, Self.__layout] = newValue }
        }
        package var id: ID {
          get { __object[1, Self.__layout] }
          set { __object[1, Self.__layout] = newValue }
        }
        package var name: String {
          get { __object[2, Self.__layout] }
          set { __object[2, Self.__layout] = newValue }
        }
        package var friends: [Friend]? {
          get { __object[3, Self.__layout] }
          set { __object[3, Self.__layout] = newValue }
        }

        package init(id: ID, name: String, friends: [Friend]? = nil) {
          self.init(__values: ["__typename": "Hero", "id": id, "name": name, "friends": friends])
        }

        package struct Friend: HeroAPI.MutableSelectionSet {
          package typealias Schema = HeroAPI.SchemaMetadata
          package var __object: ResponseObject
          package init(__object: ResponseObject) { self.__object = __object }
          package static let __layout = HeroLocalCacheMutation.__selections[2]

          package var __typename: String {
            get { __object[0, Self.__layout] }
            set { __object[0, Self.__layout] = newValue }
          }
          package var id: ID {
            get { __object[1, Self.__layout] }
            set { __object[1, Self.__layout] = newValue }
          }
          package var name: String {
            get { __object[2, Self.__layout] }
            set { __object[2, Self.__layout] = newValue }
          }

          package init(id: ID, name: String) {
            self.init(__values: ["__typename": "Hero", "id": id, "name": name])
          }
        }
      }
    }
  }

  // fragment EditableName on Hero @apollo_client_ios_localCacheMutation { __typename name }
  package struct EditableName: HeroAPI.MutableSelectionSet, Fragment {
    package static var fragmentDefinition: String {
      #"fragment EditableName on Hero { __typename name }"#
    }

    package static let __selections = Selections(#"Hero {__typename String! name String!}"#)

    package typealias Schema = HeroAPI.SchemaMetadata
    package var __object: ResponseObject
    package init(__object: ResponseObject) { self.__object = __object }
    package static let __layout = __selections[0]

    package var __typename: String {
      get { __object[0, Self.__layout] }
      set { __object[0, Self.__layout] = newValue }
    }
    package var name: String {
      get { __object[1, Self.__layout] }
      set { __object[1, Self.__layout] = newValue }
    }

    package init(name: String) { self.init(__values: ["__typename": "Hero", "name": name]) }
  }
}
