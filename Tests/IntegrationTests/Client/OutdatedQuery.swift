import ApolloAPI
import StarWarsAPI

/// A query as generated for a schema that still had a field `queen`.
struct OutdatedQuery: GraphQLQuery {
  static let operationName: String = "Outdated"
  static let operationDocument = OperationDocument(
    definition: .init("query Outdated { queen { __typename name } }"))

  static let __selections = Selections(
    "Query {queen Character {__typename String! name String!}}")

  struct Data: StarWarsAPI.SelectionSet {
    private let __storage: ResponseObject
    static let __layout = OutdatedQuery.__selections[0]

    var queen: Queen? { __object[0, Self.__layout] }

    struct Queen: StarWarsAPI.SelectionSet {
      private let __storage: ResponseObject
      static let __layout = OutdatedQuery.__selections[1]

      var name: String { __object[1, Self.__layout] }
    }
  }
}
