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

/// The same query of a schema in which nothing may be null.
struct CertainStreamQuery: GraphQLQuery {
  static let operationName = "CertainStream"
  static let operationDocument = OperationDocument(
    definition: .init(
      "query CertainStream { hero { __typename id name friends @stream { __typename id name } } }"))
  static let __selections = Selections(
    "Query {hero Hero {__typename String! id ID! name String! friends [Hero {__typename String! id ID! name String!}!]!}!}"
  )

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = CertainStreamQuery.__selections[0]
  }
}
