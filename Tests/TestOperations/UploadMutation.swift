package import ApolloAPI

extension HeroAPI {
  // mutation Upload($file: Upload!) { upload(file: $file) { __typename id name } }
  package struct UploadMutation: GraphQLMutation {
    package static let operationName: String = "Upload"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init(
        #"mutation Upload($file: Upload!) { upload(file: $file) { __typename id name } }"#
      ))

    package init() {}

    package var __variables: Variables? { ["file": GraphQLNullable<String>.null] }

    package static let __selections = Selections(
      #"Mutation {upload(file: $file) Hero {__typename String! id ID! name String!}}"#)

    package struct Data: HeroAPI.SelectionSet {
      package typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = UploadMutation.__selections[0]

      package var upload: Upload? { __object[0, Self.__layout] }

      package struct Upload: HeroAPI.SelectionSet {
        package typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = UploadMutation.__selections[1]

        package var __typename: String { __object[0, Self.__layout] }
        package var id: ID { __object[1, Self.__layout] }
        package var name: String { __object[2, Self.__layout] }
      }
    }
  }
}
