// In the shape of generated code, for the operations of the benchmark data.
import ApolloAPI

struct GitHubQuery: GraphQLQuery {
  static let operationName = "GitHubQuery"
  static let operationDocument = OperationDocument(definition: .init("query"))
  static let __selections = Selections(
    #"Query {repository(name: "apollo-ios" owner: "apollographql") Repository {__typename String! name String! issues(last: 100) IssueConnection {__typename String! nodes [Issue {__typename String! title String! author GitHubActor {+login __typename String! ...#0} body String! comments(last: 100) IssueCommentConnection {__typename String! nodes [IssueComment {__typename String! body String! author GitHubActor {+login __typename String! ...#0}}]}!}]}!}}"#,
    fragments: [AuthorDetails.self])

  struct Data: BenchAPI.SelectionSet {
    typealias Schema = BenchAPI.SchemaMetadata
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = GitHubQuery.__selections[0]

    var repository: Repository? { __object[0, Self.__layout] }

    struct Repository: BenchAPI.SelectionSet {
      typealias Schema = BenchAPI.SchemaMetadata
      let __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      static let __layout = GitHubQuery.__selections[1]

      var __typename: String { __object[0, Self.__layout] }
      var name: String { __object[1, Self.__layout] }
      var issues: Issues { __object[2, Self.__layout] }

      struct Issues: BenchAPI.SelectionSet {
        typealias Schema = BenchAPI.SchemaMetadata
        let __object: ResponseObject
        init(__object: ResponseObject) { self.__object = __object }
        static let __layout = GitHubQuery.__selections[2]

        var __typename: String { __object[0, Self.__layout] }
        var nodes: [Node?]? { __object[1, Self.__layout] }

        struct Node: BenchAPI.SelectionSet {
          typealias Schema = BenchAPI.SchemaMetadata
          let __object: ResponseObject
          init(__object: ResponseObject) { self.__object = __object }
          static let __layout = GitHubQuery.__selections[3]

          var __typename: String { __object[0, Self.__layout] }
          var title: String { __object[1, Self.__layout] }
          var author: Author? { __object[2, Self.__layout] }
          var body: String { __object[3, Self.__layout] }
          var comments: Comments { __object[4, Self.__layout] }

          struct Author: BenchAPI.SelectionSet {
            typealias Schema = BenchAPI.SchemaMetadata
            let __object: ResponseObject
            init(__object: ResponseObject) { self.__object = __object }
            static let __layout = GitHubQuery.__selections[4]

            var __typename: String { __object[0, Self.__layout] }
            var login: String { __object[1, Self.__layout] }

            var fragments: Fragments { Fragments(__object: __object) }

            struct Fragments: FragmentContainer {
              let __object: ResponseObject
              init(__object: ResponseObject) { self.__object = __object }
              var authorDetails: AuthorDetails { _toFragment() }
            }
          }

          struct Comments: BenchAPI.SelectionSet {
            typealias Schema = BenchAPI.SchemaMetadata
            let __object: ResponseObject
            init(__object: ResponseObject) { self.__object = __object }
            static let __layout = GitHubQuery.__selections[5]

            var __typename: String { __object[0, Self.__layout] }
            var nodes: [Node?]? { __object[1, Self.__layout] }

            struct Node: BenchAPI.SelectionSet {
              typealias Schema = BenchAPI.SchemaMetadata
              let __object: ResponseObject
              init(__object: ResponseObject) { self.__object = __object }
              static let __layout = GitHubQuery.__selections[6]

              var __typename: String { __object[0, Self.__layout] }
              var body: String { __object[1, Self.__layout] }
              var author: Author? { __object[2, Self.__layout] }

              struct Author: BenchAPI.SelectionSet {
                typealias Schema = BenchAPI.SchemaMetadata
                let __object: ResponseObject
                init(__object: ResponseObject) { self.__object = __object }
                static let __layout = GitHubQuery.__selections[7]

                var __typename: String { __object[0, Self.__layout] }
                var login: String { __object[1, Self.__layout] }

                var fragments: Fragments { Fragments(__object: __object) }

                struct Fragments: FragmentContainer {
                  let __object: ResponseObject
                  init(__object: ResponseObject) { self.__object = __object }
                  var authorDetails: AuthorDetails { _toFragment() }
                }
              }
            }
          }
        }
      }
    }
  }
}

struct AuthorDetails: BenchAPI.SelectionSet, Fragment {
  static var fragmentDefinition: String { "fragment AuthorDetails" }
  static let __selections = Selections(
    #"GitHubActor {__typename String! login String! ...User {+__typename+login id ID! name String}}"#
  )

  typealias Schema = BenchAPI.SchemaMetadata
  let __object: ResponseObject
  init(__object: ResponseObject) { self.__object = __object }
  static let __layout = __selections[0]

  var __typename: String { __object[0, Self.__layout] }
  var login: String { __object[1, Self.__layout] }
  var asUser: AsUser? { _asInlineFragment() }

  struct AsUser: BenchAPI.InlineFragment {
    typealias Schema = BenchAPI.SchemaMetadata
    typealias RootEntityType = AuthorDetails
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = AuthorDetails.__selections[1]

    var id: ID { __object[0, Self.__layout] }
    var name: String? { __object[1, Self.__layout] }
    var __typename: String { __object[2, Self.__layout] }
    var login: String { __object[3, Self.__layout] }
  }
}
