package import ApolloAPI

extension HeroAPI {
  // mutation Rename($id: ID!, $name: String!) { rename(id: $id, name: $name) { __typename id name }
  // }
  package struct RenameMutation: GraphQLMutation {
    package static let operationName: String = "Rename"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init(
        #"mutation Rename($id: ID!, $name: String!) { rename(id: $id, name: $name) { __typename id name } }"#
      ))

    package var id: ID
    package var name: String

    package init(id: ID, name: String) {
      self.id = id
      self.name = name
    }

    package var __variables: Variables? { ["id": id, "name": name] }

    package static let __selections = Selections(
      #"Mutation {rename(id: $id, name: $name) Hero {__typename String! id ID! name String!}}"#)

    package struct Data: HeroAPI.SelectionSet {
      package typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = RenameMutation.__selections[0]

      package var rename: Rename? { __object[0, Self.__layout] }

      package struct Rename: HeroAPI.SelectionSet {
        package typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = RenameMutation.__selections[1]

        package var __typename: String { __object[0, Self.__layout] }
        package var id: ID { __object[1, Self.__layout] }
        package var name: String { __object[2, Self.__layout] }
      }
    }
  }
}
