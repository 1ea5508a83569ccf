import ApolloAPI
import Testing

/// Views of objects whose layout has more fields than the view.
struct FragmentViewTests {
  // query { hero { friend { id } ...Named ... on Droid { friend { height } } } }
  private struct Query: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __selections = Selections(
      """
      Query {
        hero Character {+name+friends __typename String! friend Character {id String!} ...#0 ...Droid {friend Character {height Float}}}
      }
      """, fragments: [Named.self])
    static let __layout = __selections[0]
    var hero: Hero { __object[0, Self.__layout] }

    struct Hero: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = Query.__selections[1]
      var fragments: Fragments { Fragments(__object: __object) }
      struct Fragments: FragmentContainer {
        private let __storage: ResponseObject
        var named: Named { _toFragment() }
      }
    }
  }

  // fragment Named on Character { name friend { name } friends { name } }
  private struct Named: StarWarsAPI.SelectionSet, Fragment {
    static var fragmentDefinition: String {
      "fragment Named on Character { name friend { name } friends { name } }"
    }
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __selections = Selections(
      """
      Character {name String! friend Character {name String!} friends [Character {name String!}]}
      """)
    static let __layout = __selections[0]
    var name: String { __object[0, Self.__layout] }
  }

  private func hero(id: String, typename: String = "Droid") throws -> Query.Hero {
    let height = typename == "Droid" ? #","height":1.5"# : ""
    let text = """
      {"hero":{"__typename":"\(typename)","friend":{"id":"\(id)","name":"Luke"\(height)},"name":"R2",\
      "friends":[{"name":"Han"},null]}}
      """
    return try Query(jsonBytes: Array(text.utf8)).hero
  }

  private let named = #"{"name":"R2","friend":{"name":"Luke"},"friends":[{"name":"Han"},null]}"#

  @Test func restrictsInnerObjectsToItsOwnSelections() throws {
    let view = try hero(id: "1").fragments.named
    #expect(String(decoding: view.jsonBytes, as: UTF8.self) == named)
    #expect(view.jsonValue == (try JSONValue(jsonBytes: Array(named.utf8))))
    #expect(!view.debugDescription.contains("\"id\"") && !view.debugDescription.contains("height"))
  }

  @Test func isEqualWithAnyOtherSelectionsOfTheObjects() throws {
    let view = try hero(id: "1").fragments.named
    for other in [
      try hero(id: "2").fragments.named, try hero(id: "2", typename: "Human").fragments.named,
      try Named(jsonBytes: Array(named.utf8)),
    ] {
      #expect(view == other)
      #expect(other == view)
      #expect(view.hashValue == other.hashValue)
      #expect(Set([view, other]).count == 1)
    }
    #expect(try hero(id: "1") != hero(id: "2"))
    let renamed = named.replacing("Luke", with: "Leia")
    #expect(try Named(jsonBytes: Array(renamed.utf8)) != view)
  }

  // MARK: - Objects of fields with conditions

  // query ($close: Boolean!) { hero { ...Close ... on Droid { friend { id } } } }
  private struct Conditional: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __selections = Selections(
      """
      Character {+friend @include(if: $close)+name __typename String! ...#0 ...Droid {friend Character {id String!}}}
      """, fragments: [Close.self])
    static let __layout = __selections[0]
    var friend: Close.Friend? { __object[1, Self.__layout] }
    var name: String { __object[2, Self.__layout] }
  }

  // fragment Close on Character { friend @include(if: $close) { name } name }
  private struct Close: StarWarsAPI.SelectionSet, Fragment {
    static var fragmentDefinition: String {
      "fragment Close on Character { friend @include(if: $close) { name } name }"
    }
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __selections = Selections(
      "Character {friend Character {name String!} @include(if: $close) name String!}")
    static let __layout = __selections[0]
    var friend: Friend? { __object[0, Self.__layout] }

    struct Friend: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = Close.__selections[1]
      var name: String { __object[0, Self.__layout] }
    }
  }

  @Test(arguments: [
    (true, "Droid", "Luke"), (false, "Droid", nil), (true, "Human", "Luke"), (false, "Human", nil),
  ])
  func readsAMergedObjectOnlyWhereTheConditionOfItsFieldHolds(
    close: Bool, typename: String, name: String?
  ) throws {
    let friend = close || typename == "Droid" ? #","friend":{"name":"Luke","id":"1"}"# : ""
    let text = #"{"__typename":"\#(typename)"\#(friend),"name":"R2"}"#
    let view = try Conditional(jsonBytes: Array(text.utf8), variables: ["close": close])
    #expect(view.friend?.name == name)
    #expect(view.name == "R2")
  }
}
