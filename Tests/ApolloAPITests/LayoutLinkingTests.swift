import ApolloAPI
import Testing

struct LayoutLinkingTests {
  private func heroLayout(_ typename: String?, withFriends: Bool = true) -> ObjectLayout {
    let query = StarWarsAPI.HeroQuery(episode: .case(.jedi), withFriends: withFriends)
    let layout = StarWarsAPI.HeroQuery.Data.__layout
    let plan = layout.plan(
      schema: StarWarsAPI.SchemaMetadata.self, variables: query.__variables)
    let root = plan.position(for: [layout]).layout(forTypename: nil)
    return root.fields[0].position!.layout(forTypename: typename)
  }

  @Test(arguments: [
    ("Human", true, ["__typename", "name", "id", "appearsIn", "friends", "metres"]),
    (
      "Droid", true,
      ["__typename", "name", "id", "appearsIn", "primaryFunction", "friends", "metres"]
    ),
    ("Droid", false, ["__typename", "name", "id", "appearsIn", "primaryFunction", "metres"]),
    ("Ewok", true, ["__typename", "name", "id", "appearsIn", "friends", "metres"]),
  ])
  func mergesApplicableSelectionsInResponseOrder(
    typename: String, withFriends: Bool, keys: [String]
  ) {
    let layout = heroLayout(typename, withFriends: withFriends)
    #expect(layout.fields.map(\.responseKey) == keys)
    #expect(layout.fulfils(StarWarsAPI.HeroDetails.__layout))
    #expect(
      layout.fulfils(StarWarsAPI.HeroQuery.Data.Hero.AsDroid.__layout) == (typename == "Droid"))
  }

  @Test func keepsLayoutsAndSharesOneAmongUnknownTypes() {
    #expect(heroLayout("Droid") === heroLayout("Droid"))
    #expect(heroLayout("Ewok") === heroLayout("Gungan"))
    #expect(heroLayout("Ewok").typename == nil)
    #expect(heroLayout("Droid") !== heroLayout("Human"))
  }

  private struct Query: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __selections = Selections(
      """
      Character {
        friend Character {name String!} @include(if: $own)
        ...Character {friend Character {id String!}} @include(if: $other)
        ...Character {+friend @include(if: $own) name String!}
      }
      """)
    static let __layout = __selections[0]
    var friend: Friend? { __object[0, Self.__layout] }
    var inner: Inner? { _asInlineFragment() }

    struct Friend: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = Query.__selections[1]
      var name: String { __object[0, Self.__layout] }
    }

    struct Inner: StarWarsAPI.InlineFragment {
      typealias Schema = StarWarsAPI.SchemaMetadata
      typealias RootEntityType = Query
      private let __storage: ResponseObject
      static let __layout = Query.__selections[4]
      var friend: Friend? { __object[1, Self.__layout] }
    }
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func readsAKeyOnlyWhereTheViewsOwnConditionHolds(own: Bool, other: Bool) throws {
    let friend = own || other ? #","friend":{"name":"Leia","id":"1"}"# : ""
    let json = #"{"name":"Luke"\#(friend)}"#
    let view = try Query(jsonBytes: Array(json.utf8), variables: ["own": own, "other": other])
    #expect(view.friend?.name == (own ? "Leia" : nil))
    #expect(view.inner?.friend?.name == (own ? "Leia" : nil))
    let again = try Query(jsonBytes: view.jsonBytes, variables: ["own": own, "other": other])
    #expect(again == view)
    #expect(again.hashValue == view.hashValue)
  }

  /// `friend @include(if: $own) { name } ... { friend { id } }`
  private struct MergedQuery: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __selections = Selections(
      """
      Character {
        friend Character {name String!} @include(if: $own)
        ...Character {friend Character {id String!}}
      }
      """)
    static let __layout = __selections[0]
    var friend: Friend? { __object[0, Self.__layout] }

    struct Friend: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = MergedQuery.__selections[1]
      var name: String { __object[0, Self.__layout] }
    }
  }

  @Test(arguments: [true, false])
  func doesNotShowAnObjectOfAFragmentInTheOwnField(own: Bool) throws {
    let name = own ? #""name":"Leia","# : ""
    let view = try MergedQuery(
      jsonBytes: Array(#"{"friend":{\#(name)"id":"1"}}"#.utf8), variables: ["own": own])
    #expect(view.friend?.name == (own ? "Leia" : nil))
  }
}
