package import ApolloAPI

extension HeroAPI {
  // query Hero($name: String) { hero(name: $name) { __typename id name friends { __typename id name
  // } } }
  package struct HeroQuery: GraphQLQuery {
    package static let operationName: String = "Hero"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      operationIdentifier: "1d0f5f9f0b1dc2d8b2a6a3b1a1a4c0ab1ed3f7b8cf9d3d2b41b5e2f0aa0d9c11",
      definition: .init(
        #"query Hero($name: String) { hero(name: $name) { __typename id name friends { __typename id name } } }"#
      ))

    package var name: GraphQLNullable<String>

    package init(name: GraphQLNullable<String> = nil) { self.name = name }

    package var __variables: Variables? { ["name": name] }

    package static let __selections = Selections(
      #"Query {hero(name: $name) Hero {__typename String! id ID! name String! friends [Hero {__typename String! id ID! name String!}!]}}"#
    )

    package struct Data: HeroAPI.SelectionSet {
      package typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = HeroQuery.__selections[0]

      package var hero: Hero? { __object[0, Self.__layout] }

      package struct Hero: HeroAPI.SelectionSet {
        package typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = HeroQuery.__selections[1]

        package var __typename: String { __object[0, Self.__layout] }
        package var id: ID { __object[1, Self.__layout] }
        package var name: String { __object[2, Self.__layout] }
        package var friends: [Friend]? { __object[3, Self.__layout] }

        package struct Friend: HeroAPI.SelectionSet {
          package typealias Schema = HeroAPI.SchemaMetadata
          private let __storage: ResponseObject
          package static let __layout = HeroQuery.__selections[2]

          package var __typename: String { __object[0, Self.__layout] }
          package var id: ID { __object[1, Self.__layout] }
          package var name: String { __object[2, Self.__layout] }
        }
      }
    }
  }
}
