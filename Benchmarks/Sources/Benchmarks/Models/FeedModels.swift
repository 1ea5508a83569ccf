// In the shape of generated code, for the operations of the benchmark data.
import ApolloAPI

struct FeedQuery: GraphQLQuery {
  static let operationName = "FeedQuery"
  static let operationDocument = OperationDocument(definition: .init("query"))
  static let __selections = Selections(
    #"Query {feed(first: $first) FeedConnection {__typename String! totalCount Int! pageInfo PageInfo {__typename String! hasNextPage Boolean! endCursor String}! edges [FeedEdge {__typename String! cursor String! node FeedItem {__typename String! id ID! title String! body String! createdAt String! score Float! viewCount Int! isPinned Boolean! tags [String!]! author Actor {+id+login+displayName+avatarUrl+followers __typename String! ...#0} ...Article {+id+title wordCount Int! coverUrl String} ...Video {+id+title durationSeconds Int! streamUrl String!} reactions ReactionConnection {__typename String! totalCount Int! nodes [Reaction {__typename String! id ID! emoji String! count Int!}!]!}!}!}!]!}!}"#,
    fragments: [ActorDetails.self])

  struct Data: BenchAPI.SelectionSet {
    typealias Schema = BenchAPI.SchemaMetadata
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = FeedQuery.__selections[0]

    var feed: Feed { __object[0, Self.__layout] }

    struct Feed: BenchAPI.SelectionSet {
      typealias Schema = BenchAPI.SchemaMetadata
      let __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      static let __layout = FeedQuery.__selections[1]

      var __typename: String { __object[0, Self.__layout] }
      var totalCount: Int { __object[1, Self.__layout] }
      var pageInfo: PageInfo { __object[2, Self.__layout] }
      var edges: [Edge] { __object[3, Self.__layout] }

      struct PageInfo: BenchAPI.SelectionSet {
        typealias Schema = BenchAPI.SchemaMetadata
        let __object: ResponseObject
        init(__object: ResponseObject) { self.__object = __object }
        static let __layout = FeedQuery.__selections[2]

        var __typename: String { __object[0, Self.__layout] }
        var hasNextPage: Bool { __object[1, Self.__layout] }
        var endCursor: String? { __object[2, Self.__layout] }
      }

      struct Edge: BenchAPI.SelectionSet {
        typealias Schema = BenchAPI.SchemaMetadata
        let __object: ResponseObject
        init(__object: ResponseObject) { self.__object = __object }
        static let __layout = FeedQuery.__selections[3]

        var __typename: String { __object[0, Self.__layout] }
        var cursor: String { __object[1, Self.__layout] }
        var node: Node { __object[2, Self.__layout] }

        struct Node: BenchAPI.SelectionSet {
          typealias Schema = BenchAPI.SchemaMetadata
          let __object: ResponseObject
          init(__object: ResponseObject) { self.__object = __object }
          static let __layout = FeedQuery.__selections[4]

          var __typename: String { __object[0, Self.__layout] }
          var id: ID { __object[1, Self.__layout] }
          var title: String { __object[2, Self.__layout] }
          var body: String { __object[3, Self.__layout] }
          var createdAt: String { __object[4, Self.__layout] }
          var score: Double { __object[5, Self.__layout] }
          var viewCount: Int { __object[6, Self.__layout] }
          var isPinned: Bool { __object[7, Self.__layout] }
          var tags: [String] { __object[8, Self.__layout] }
          var author: Author? { __object[9, Self.__layout] }
          var reactions: Reactions { __object[10, Self.__layout] }

          var asArticle: AsArticle? { _asInlineFragment() }
          var asVideo: AsVideo? { _asInlineFragment() }

          struct Author: BenchAPI.SelectionSet {
            typealias Schema = BenchAPI.SchemaMetadata
            let __object: ResponseObject
            init(__object: ResponseObject) { self.__object = __object }
            static let __layout = FeedQuery.__selections[5]

            var __typename: String { __object[0, Self.__layout] }
            var id: ID { __object[1, Self.__layout] }
            var login: String { __object[2, Self.__layout] }
            var displayName: String? { __object[3, Self.__layout] }
            var avatarUrl: String { __object[4, Self.__layout] }
            var followers: Int { __object[5, Self.__layout] }

            var fragments: Fragments { Fragments(__object: __object) }

            struct Fragments: FragmentContainer {
              let __object: ResponseObject
              init(__object: ResponseObject) { self.__object = __object }
              var actorDetails: ActorDetails { _toFragment() }
            }
          }

          struct AsArticle: BenchAPI.InlineFragment {
            typealias Schema = BenchAPI.SchemaMetadata
            typealias RootEntityType = Node
            let __object: ResponseObject
            init(__object: ResponseObject) { self.__object = __object }
            static let __layout = FeedQuery.__selections[6]

            var wordCount: Int { __object[0, Self.__layout] }
            var coverUrl: String? { __object[1, Self.__layout] }
            var id: ID { __object[2, Self.__layout] }
            var title: String { __object[3, Self.__layout] }
          }

          struct AsVideo: BenchAPI.InlineFragment {
            typealias Schema = BenchAPI.SchemaMetadata
            typealias RootEntityType = Node
            let __object: ResponseObject
            init(__object: ResponseObject) { self.__object = __object }
            static let __layout = FeedQuery.__selections[7]

            var durationSeconds: Int { __object[0, Self.__layout] }
            var streamUrl: String { __object[1, Self.__layout] }
            var id: ID { __object[2, Self.__layout] }
            var title: String { __object[3, Self.__layout] }
          }

          struct Reactions: BenchAPI.SelectionSet {
            typealias Schema = BenchAPI.SchemaMetadata
            let __object: ResponseObject
            init(__object: ResponseObject) { self.__object = __object }
            static let __layout = FeedQuery.__selections[8]

            var __typename: String { __object[0, Self.__layout] }
            var totalCount: Int { __object[1, Self.__layout] }
            var nodes: [Node] { __object[2, Self.__layout] }

            struct Node: BenchAPI.SelectionSet {
              typealias Schema = BenchAPI.SchemaMetadata
              let __object: ResponseObject
              init(__object: ResponseObject) { self.__object = __object }
              static let __layout = FeedQuery.__selections[9]

              var __typename: String { __object[0, Self.__layout] }
              var id: ID { __object[1, Self.__layout] }
              var emoji: String { __object[2, Self.__layout] }
              var count: Int { __object[3, Self.__layout] }
            }
          }
        }
      }
    }
  }
}

struct ActorDetails: BenchAPI.SelectionSet, Fragment {
  static var fragmentDefinition: String { "fragment ActorDetails" }
  static let __selections = Selections(
    #"Actor {__typename String! id ID! login String! displayName String avatarUrl String! followers Int!}"#
  )

  typealias Schema = BenchAPI.SchemaMetadata
  let __object: ResponseObject
  init(__object: ResponseObject) { self.__object = __object }
  static let __layout = __selections[0]

  var __typename: String { __object[0, Self.__layout] }
  var id: ID { __object[1, Self.__layout] }
  var login: String { __object[2, Self.__layout] }
  var displayName: String? { __object[3, Self.__layout] }
  var avatarUrl: String { __object[4, Self.__layout] }
  var followers: Int { __object[5, Self.__layout] }
}
