import Apollo
import TestOperations

extension HeroAPI {
  // mutation Upload($file: Upload!) { upload(file: $file) { __typename id name } }
  struct UploadMutation: GraphQLMutation {
    static let operationName: String = "Upload"
    static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init(
        #"mutation Upload($file: Upload!) { upload(file: $file) { __typename id name } }"#
      ))

    var __variables: Variables? { ["file": GraphQLNullable<String>.null] }

    static let __selections = Selections(
      #"Mutation {upload(file: $file) Hero {__typename String! id ID! name String!}}"#)

    struct Data: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = UploadMutation.__selections[0]

      var upload: Upload? { __object[0, Self.__layout] }

      struct Upload: HeroAPI.SelectionSet {
        typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = UploadMutation.__selections[1]

        var __typename: String { __object[0, Self.__layout] }
        var id: ID { __object[1, Self.__layout] }
        var name: String { __object[2, Self.__layout] }
      }
    }
  }
}
