// Mirrors generated code: a query with a fragment, type cases, a conditional field, an alias and a variable with a default.
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
      let __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      static let __layout = HeroQuery.__selections[0]

      var hero: Hero? { __object[0, Self.__layout] }

      /// Hero
      ///
      /// Parent Type: `Character`
      struct Hero: StarWarsAPI.SelectionSet {
        typealias Schema = StarWarsAPI.SchemaMetadata
        let __object: ResponseObject
        init(__object: ResponseObject) { self.__object = __object }
        static let __layout = HeroQuery.__selections[1]

        var __typename: String { __object[0, Self.__layout] }
        var name: String { __object[1, Self.__layout] }
        var friends: [Friend?]? { __object[2, Self.__layout] }
        var metres: Double? { __object[3, Self.__layout] }
        var id: ID { __object[4, Self.__layout] }
        var appearsIn: [GraphQLEnum<Episode>?] { __object[5, Self.__layout] }

        var asDroid: AsDroid? { _asInlineFragment() }

        var fragments: Fragments { Fragments(__object: __object) }

        struct Fragments: FragmentContainer {
          let __object: ResponseObject
          init(__object: ResponseObject) { self.__object = __object }

          var heroDetails: HeroDetails { _toFragment() }
        }

        /// Hero.AsDroid
        ///
        /// Parent Type: `Droid`
        struct AsDroid: StarWarsAPI.InlineFragment {
          typealias RootEntityType = Hero
          typealias Schema = StarWarsAPI.SchemaMetadata
          let __object: ResponseObject
          init(__object: ResponseObject) { self.__object = __object }
          static let __layout = HeroQuery.__selections[2]

          var primaryFunction: String? { __object[0, Self.__layout] }
          var __typename: String { __object[1, Self.__layout] }
          var name: String { __object[2, Self.__layout] }
          var id: ID { __object[3, Self.__layout] }
          var appearsIn: [GraphQLEnum<Episode>?] { __object[4, Self.__layout] }
          var friends: [Friend?]? { __object[5, Self.__layout] }
          var metres: Double? { __object[6, Self.__layout] }

          var fragments: Fragments { Fragments(__object: __object) }

          struct Fragments: FragmentContainer {
            let __object: ResponseObject
            init(__object: ResponseObject) { self.__object = __object }

            var heroDetails: HeroDetails { _toFragment() }
          }
        }

        /// Hero.Friend
        ///
        /// Parent Type: `Character`
        struct Friend: StarWarsAPI.SelectionSet {
          typealias Schema = StarWarsAPI.SchemaMetadata
          let __object: ResponseObject
          init(__object: ResponseObject) { self.__object = __object }
          static let __layout = HeroQuery.__selections[3]

          var __typename: String { __object[0, Self.__layout] }
          var name: String { __object[1, Self.__layout] }
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
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = __selections[0]

    var __typename: String { __object[0, Self.__layout] }
    var id: ID { __object[1, Self.__layout] }
    var appearsIn: [GraphQLEnum<Episode>?] { __object[2, Self.__layout] }
  }
}
