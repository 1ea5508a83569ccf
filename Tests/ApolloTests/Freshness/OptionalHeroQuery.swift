import ApolloAPI
import TestOperations

/// `query OptionalHero($withHero: Boolean!) { hero @include(if: $withHero) { __typename id } }`
struct OptionalHeroQuery: GraphQLQuery {
  static let operationName: String = "OptionalHero"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init(
      "query OptionalHero($withHero: Boolean!) { hero @include(if: $withHero) { __typename id } }"))
  var withHero: Bool
  var __variables: Variables? { ["withHero": withHero] }
  static let __selections = Selections(
    "Query {hero Hero {__typename String! id ID!} @include(if:$withHero)}")

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = OptionalHeroQuery.__selections[0]
  }
}
