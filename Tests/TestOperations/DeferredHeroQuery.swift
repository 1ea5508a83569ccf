package import ApolloAPI

extension HeroAPI {
  // query DeferredHero { hero { __typename id name ... @defer(label: "slow") { friends { __typename
  // id name } } } }
  package struct DeferredHeroQuery: GraphQLQuery {
    package typealias ResponseFormat = ApolloAPI.IncrementalDeferredResponseFormat
    package static let operationName: String = "DeferredHero"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init(
        #"query DeferredHero { hero { __typename id name ... @defer(label: "slow") { friends { __typename id name } } } }"#
      ))

    package init() {}

    package static let __selections = Selections(
      #"Query {hero Hero {__typename String! id ID! name String! ...Hero {+__typename+id+name friends [Hero {__typename String! id ID! name String!}!]} @defer(label: "slow")}}"#
    )

    package struct Data: HeroAPI.SelectionSet {
      package typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = DeferredHeroQuery.__selections[0]

      package var hero: Hero? { __object[0, Self.__layout] }

      package struct Hero: HeroAPI.SelectionSet {
        package typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = DeferredHeroQuery.__selections[1]

        package var __typename: String { __object[0, Self.__layout] }
        package var id: ID { __object[1, Self.__layout] }
        package var name: String { __object[2, Self.__layout] }
        package var fragments: Fragments { Fragments(__object: __object) }

        package struct Fragments: GeneratedCode.DeferringFragmentContainer {
          package let __object: ResponseObject

          package init(__object: ResponseObject) {
            self.__object = __object
            _slow = Deferred(__object: __object)
          }

          @Deferred package var slow: Slow?
        }
      }

      package struct Slow: HeroAPI.SelectionSet, ApolloAPI.InlineFragment {
        package typealias Schema = HeroAPI.SchemaMetadata
        package typealias RootEntityType = Hero
        private let __storage: ResponseObject
        package static let __layout = DeferredHeroQuery.__selections[2]

        package var friends: [Friend]? { __object[0, Self.__layout] }
      }

      package struct Friend: HeroAPI.SelectionSet {
        package typealias Schema = HeroAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = DeferredHeroQuery.__selections[3]

        package var name: String { __object[2, Self.__layout] }
      }
    }
  }
}
