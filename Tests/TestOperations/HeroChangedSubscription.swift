package import ApolloAPI

extension HeroAPI {
  // subscription HeroChanged { heroChanged { __typename id name } }
  package struct HeroChangedSubscription: GraphQLSubscription {
    package static let operationName: String = "HeroChanged"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init(
        #"subscription HeroChanged { heroChanged { __typename id name } }"#
      ))

    package init() {}

    package static let __selections = Selections(
      #"Subscription {heroChanged Hero {__typename String! id ID! name String!}}"#)

    package struct Data: HeroAPI.SelectionSet {
      package typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = HeroChangedSubscription.__selections[0]

      package var heroChanged: HeroChanged? { __object[0, Self.__layout] }

      package struct HeroChanged: HeroAPI.SelectionSet {
        package typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = HeroChangedSubscription.__selections[1]

        package var __typename: String { __object[0, Self.__layout] }
        package var id: ID { __object[1, Self.__layout] }
        package var name: String { __object[2, Self.__layout] }
      }
    }
  }
}
