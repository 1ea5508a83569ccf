// In the shape of generated code, for the operations of the benchmark data.
import ApolloAPI

struct SmallQuery: GraphQLQuery {
  static let operationName = "SmallQuery"
  static let operationDocument = OperationDocument(definition: .init("query"))
  static let __selections = Selections(
    #"Query {hero Character {__typename String! id ID! name String! friends [Character {__typename String! id ID! name String!}!]!}}"#
  )

  struct Data: BenchAPI.SelectionSet {
    typealias Schema = BenchAPI.SchemaMetadata
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = SmallQuery.__selections[0]

    var hero: Hero? { __object[0, Self.__layout] }

    struct Hero: BenchAPI.SelectionSet {
      typealias Schema = BenchAPI.SchemaMetadata
      let __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      static let __layout = SmallQuery.__selections[1]

      var __typename: String { __object[0, Self.__layout] }
      var id: ID { __object[1, Self.__layout] }
      var name: String { __object[2, Self.__layout] }
      var friends: [Friend] { __object[3, Self.__layout] }

      struct Friend: BenchAPI.SelectionSet {
        typealias Schema = BenchAPI.SchemaMetadata
        let __object: ResponseObject
        init(__object: ResponseObject) { self.__object = __object }
        static let __layout = SmallQuery.__selections[2]

        var __typename: String { __object[0, Self.__layout] }
        var id: ID { __object[1, Self.__layout] }
        var name: String { __object[2, Self.__layout] }
      }
    }
  }
}

struct FriendsQuery: GraphQLQuery {
  static let operationName = "FriendsQuery"
  static let operationDocument = OperationDocument(definition: .init("query"))
  static let __selections = Selections(
    #"Query {hero Character {__typename String! id ID! name String! friends [Character {__typename String! id ID! name String! age Int! height Float! mass Float! isJedi Boolean! homePlanet String species #0! createdAt String! score Int!}!]!}}"#,
    leaves: [GraphQLEnum<BenchAPI.Species>.self])

  struct Data: BenchAPI.SelectionSet {
    typealias Schema = BenchAPI.SchemaMetadata
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = FriendsQuery.__selections[0]

    var hero: Hero? { __object[0, Self.__layout] }

    struct Hero: BenchAPI.SelectionSet {
      typealias Schema = BenchAPI.SchemaMetadata
      let __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      static let __layout = FriendsQuery.__selections[1]

      var __typename: String { __object[0, Self.__layout] }
      var id: ID { __object[1, Self.__layout] }
      var name: String { __object[2, Self.__layout] }
      var friends: [Friend] { __object[3, Self.__layout] }

      struct Friend: BenchAPI.SelectionSet {
        typealias Schema = BenchAPI.SchemaMetadata
        let __object: ResponseObject
        init(__object: ResponseObject) { self.__object = __object }
        static let __layout = FriendsQuery.__selections[2]

        var __typename: String { __object[0, Self.__layout] }
        var id: ID { __object[1, Self.__layout] }
        var name: String { __object[2, Self.__layout] }
        var age: Int { __object[3, Self.__layout] }
        var height: Double { __object[4, Self.__layout] }
        var mass: Double { __object[5, Self.__layout] }
        var isJedi: Bool { __object[6, Self.__layout] }
        var homePlanet: String? { __object[7, Self.__layout] }
        var species: GraphQLEnum<BenchAPI.Species> { __object[8, Self.__layout] }
        var createdAt: String { __object[9, Self.__layout] }
        var score: Int { __object[10, Self.__layout] }
      }
    }
  }
}
