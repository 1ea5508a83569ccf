import ApolloAPI
import TestOperations

/// A query with a list that arrives in parts.
struct StreamHeroQuery: GraphQLQuery {
  static let operationName = "StreamHero"
  static let operationDocument = OperationDocument(
    definition: .init(
      "query StreamHero($name: String) { hero(name: $name) { __typename id name friends @stream { __typename id name } } }"
    ))
  var __variables: Variables? { ["name": GraphQLNullable<String>.null] }
  static let __selections = HeroAPI.HeroQuery.__selections
  typealias Data = HeroAPI.HeroQuery.Data
}
