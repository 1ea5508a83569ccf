// Mirrors generated code: a query with a fragment, type cases, a conditional field, an alias and a
// variable with a default.
//
// query Hero($episode: Episode, $withFriends: Boolean! = true) {
//   hero(episode: $episode) {
//     name
//     ...HeroDetails
//     ... on Droid { primaryFunction }
//     friends @include(if: $withFriends) { name }
//     metres: height(unit: METER)
//   }
// }
import ApolloAPI

extension StarWarsAPI {
  struct HeroQuery: GraphQLQuery {
    static let operationName: String = "Hero"
    static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init(
        #"query Hero($episode: Episode, $withFriends: Boolean! = true) { hero(episode: $episode) { __typename name ...HeroDetails ... on Droid { primaryFunction } friends @include(if: $withFriends) { __typename name } metres: height(unit: METER) } }"#,
        fragments: [HeroDetails.self]))

    var episode: GraphQLNullable<GraphQLEnum<Episode>>
    var withFriends: Bool

    init(episode: GraphQLNullable<GraphQLEnum<Episode>>, withFriends: Bool = true) {
      self.episode = episode
      self.withFriends = withFriends
    }

    var __variables: Variables? { ["episode": episode, "withFriends": withFriends] }

    static let __selections = Selections(
      #"($withFriends = true) Query {hero(episode: $episode) Character {+id+appearsIn __typename String! name String! ...#0 ...Droid {+__typename+name+id+appearsIn+friends+metres primaryFunction String} friends [Character {__typename String! name String!}] @include(if: $withFriends) metres:height(unit: METER) Float}}"#,
      fragments: [HeroDetails.self])

    struct Data: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static var __layout: SelectionLayout { HeroQuery.__selections[0] }

      var hero: Hero? { __value(0) }

      /// Hero
      ///
      /// Parent Type: `Character`
      struct Hero: StarWarsAPI.SelectionSet {
        typealias Schema = StarWarsAPI.SchemaMetadata
        private let __storage: ResponseObject
        static var __layout: SelectionLayout { HeroQuery.__selections[1] }

        var __typename: String { __value(0) }
        var name: String { __value(1) }
        var friends: [Friend?]? { __value(2) }
        var metres: Double? { __value(3) }
        var id: ID { __value(4) }
        var appearsIn: [GraphQLEnum<Episode>?] { __value(5) }

        var asDroid: AsDroid? { _asInlineFragment() }

        var fragments: Fragments { Fragments(__object: __object) }

        struct Fragments: FragmentContainer {
          private let __storage: ResponseObject

          var heroDetails: HeroDetails { _toFragment() }
        }

        /// Hero.AsDroid
        ///
        /// Parent Type: `Droid`
        struct AsDroid: StarWarsAPI.InlineFragment {
          typealias RootEntityType = Hero
          typealias Schema = StarWarsAPI.SchemaMetadata
          private let __storage: ResponseObject
          static var __layout: SelectionLayout { HeroQuery.__selections[2] }

          var primaryFunction: String? { __value(0) }
          var __typename: String { __value(1) }
          var name: String { __value(2) }
          var id: ID { __value(3) }
          var appearsIn: [GraphQLEnum<Episode>?] { __value(4) }
          var friends: [Friend?]? { __value(5) }
          var metres: Double? { __value(6) }

          var fragments: Fragments { Fragments(__object: __object) }

          struct Fragments: FragmentContainer {
            private let __storage: ResponseObject

            var heroDetails: HeroDetails { _toFragment() }
          }
        }

        /// Hero.Friend
        ///
        /// Parent Type: `Character`
        struct Friend: StarWarsAPI.SelectionSet {
          typealias Schema = StarWarsAPI.SchemaMetadata
          private let __storage: ResponseObject
          static var __layout: SelectionLayout { HeroQuery.__selections[3] }

          var __typename: String { __value(0) }
          var name: String { __value(1) }
        }
      }
    }
  }

  struct HeroDetails: StarWarsAPI.SelectionSet, Fragment {
    static var fragmentDefinition: String {
      #"fragment HeroDetails on Character { __typename id appearsIn }"#
    }

    static let __selections = Selections(
      #"Character {__typename String! id ID! appearsIn [#0]!}"#,
      leaves: [GraphQLEnum<Episode>.self])

    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static var __layout: SelectionLayout { __selections[0] }

    var __typename: String { __value(0) }
    var id: ID { __value(1) }
    var appearsIn: [GraphQLEnum<Episode>?] { __value(2) }
  }
}
