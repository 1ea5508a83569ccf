import ApolloAPI
import Testing

/// Parts of a model show the fields of fragments of the same object, and can be made and decoded
/// alone.
struct PartsOfModelsTests {
  private func friend() throws -> FriendsQuery.Data.Hero.Friend {
    let data = try FriendsQuery.Data(
      jsonObject: [
        "hero": [
          "__typename": "Droid",
          "friends": [["__typename": "Human", "name": "Luke", "id": "1000"]],
        ]
      ])
    return try #require(data.hero?.friends?.first)
  }

  @Test func decodesAPartWithTheFieldsOfAFragment() throws {
    let friend = try friend()
    let again = try FriendsQuery.Data.Hero.Friend(jsonObject: friend.jsonObject)
    #expect(again.id == "1000")
    #expect(again == friend)
    #expect(again.hashValue == friend.hashValue)
    #expect(again.jsonBytes == friend.jsonBytes)
  }

  @Test func requiresTheFieldsOfAFragmentInAPart() {
    #expect(throws: ResponseError(.missingValue, path: ["id"], byteOffset: 36)) {
      try FriendsQuery.Data.Hero.Friend(
        jsonBytes: Array(#"{"__typename":"Human","name":"Leia"}"#.utf8))
    }
  }

  /// The friend of a droid shows the name that the selection around the type case promises.
  @Test func requiresThePromisedFieldsOfAnotherSelectionInAPart() throws {
    let error = #expect(throws: ResponseError.self) {
      try CertainHero.AsDroid.Friend(jsonBytes: Array(#"{"height":1.5}"#.utf8))
    }
    #expect(error?.problem == .nullValue && error?.path == ["name"])
    let friend = try CertainHero.AsDroid.Friend(
      jsonBytes: Array(#"{"name":"Luke","height":1.5}"#.utf8))
    #expect(friend.name == "Luke")
  }

  @Test(arguments: [true, false])
  func decodesAPartWithoutExcludedFields(isSkipped: Bool) throws {
    let id = isSkipped ? "" : #","id":"1000""#
    let json = #"{"__typename":"Droid","friend":{"name":"Luke"\#(id)}}"#
    let variables: Variables = ["short": isSkipped]
    let hero = try ConditionalHero(jsonBytes: Array(json.utf8), variables: variables)
    let friend = try #require(hero.asDroid?.friend)
    let again = try ConditionalHero.AsDroid.Friend(
      jsonBytes: friend.jsonBytes, variables: variables)
    #expect(again == friend)
    #expect(again.hashValue == friend.hashValue)
    #expect(again.jsonBytes == friend.jsonBytes)
    #expect((friend.jsonObject["id"] == nil) == isSkipped)
  }
}

/// `{ __typename friend @skip(if: $short) { id } ... on Droid { friend { name } } }`.
private struct ConditionalHero: StarWarsAPI.SelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    """
    Character {
      __typename String!
      friend Character {id ID!}! @skip(if: $short)
      ...Droid {+__typename friend Character {name String!}!}
    }
    """)
  static let __layout = __selections[0]
  var asDroid: AsDroid? { _asInlineFragment() }

  struct AsDroid: StarWarsAPI.InlineFragment {
    typealias Schema = StarWarsAPI.SchemaMetadata
    typealias RootEntityType = ConditionalHero
    private let __storage: ResponseObject
    static let __layout = ConditionalHero.__selections[2]
    var friend: Friend { __value(0) }

    struct Friend: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = ConditionalHero.__selections[3]
      var name: String { __value(0) }
    }
  }
}

/// `{ friend { name } ... on Droid { friend { height } } }` of a query with `@throwOnFieldError`.
private struct CertainHero: StarWarsAPI.SelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    """
    @throwOnFieldError Character {
      __typename String!
      friend Character {name String @semanticNonNull(levels: [0])}
      ...Droid {+__typename friend Character {+name height Float}}
    }
    """)
  static let __layout = __selections[0]

  struct AsDroid: StarWarsAPI.InlineFragment {
    typealias Schema = StarWarsAPI.SchemaMetadata
    typealias RootEntityType = CertainHero
    private let __storage: ResponseObject
    static let __layout = CertainHero.__selections[2]

    struct Friend: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = CertainHero.__selections[3]

      var name: String {
        let place = __place(1)
        return place.certain(__value(1) as String?)
      }
    }
  }
}

/// `{ hero { ...Friends friends { name } } }`, and `fragment Friends on Character { friends { id }
/// }`.
private enum FriendsQuery {
  static let selections = Selections(
    #"Query {hero Character {__typename String! ...#0 friends [Character {+id __typename String! name String!}!]}}"#,
    fragments: [Friends.self])

  struct Data: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static var __layout: SelectionLayout { selections[0] }

    var hero: Hero? { __value(0) }

    struct Hero: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static var __layout: SelectionLayout { selections[1] }

      var friends: [Friend]? { __value(1) }

      struct Friend: StarWarsAPI.SelectionSet {
        typealias Schema = StarWarsAPI.SchemaMetadata
        private let __storage: ResponseObject
        static var __layout: SelectionLayout { selections[2] }

        var id: ID { __value(2) }
      }
    }
  }

  struct Friends: StarWarsAPI.SelectionSet, Fragment {
    static var fragmentDefinition: String {
      "fragment Friends on Character { friends { __typename id } }"
    }
    static let __selections = Selections(
      #"Character {__typename String! friends [Character {__typename String! id ID!}!]}"#)

    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static var __layout: SelectionLayout { __selections[0] }
  }
}
