import ApolloAPI
import Testing

/// Views of a condition show the fields of fragments with that condition, regardless of the
/// conditions of other fields with the same keys.
struct ConditionalViewTests {
  /// All values of `$own` and `$other`.
  private static let flags = [(true, true), (true, false), (false, true), (false, false)]

  /// Of `{ name @skip(if: $own) friend @skip(if: $own) { id } ...Details @include(if: $other) }`.
  private static func view(own: Bool, other: Bool) throws -> Hero {
    let friend = (own ? [] : [#""id":"1000""#]) + (other ? [#""name":"Leia""#] : [])
    let members = #""name":"Luke","friend":{\#(friend.joined(separator: ","))}"#
    let text = own && !other ? "{}" : "{\(members)}"
    return try Hero(jsonBytes: Array(text.utf8), variables: ["own": own, "other": other])
  }

  @Test(arguments: flags)
  func showsALeafWhicheverFieldSelectsIt(own: Bool, other: Bool) throws {
    let hero = try Self.view(own: own, other: other)
    #expect(hero.name == (own && !other ? nil : "Luke"))
    #expect(hero.ifOther?.name == (other ? "Luke" : nil))
  }

  @Test(arguments: flags)
  func showsAnObjectOfAFragmentOnlyWithTheFragment(own: Bool, other: Bool) throws {
    let hero = try Self.view(own: own, other: other)
    #expect(hero.friend?.id == (own ? nil : "1000"))
    #expect(hero.ifOther?.friend.name == (other ? "Leia" : nil))
  }

  private struct Hero: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __selections = Selections(
      """
      Character {
        name String! @skip(if: $own)
        friend Character {id ID!}! @skip(if: $own)
        ...#0 @include(if: $other)
        ...Character {+name+friend} @include(if: $other)
      }
      """, fragments: [Details.self])
    static let __layout = __selections[0]
    var name: String? { __value(0) }
    var friend: Friend? { __value(1) }
    var ifOther: IfOther? { _asInlineFragment() }

    struct Friend: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = Hero.__selections[1]
      var id: ID { __value(0) }
    }

    struct IfOther: StarWarsAPI.InlineFragment {
      typealias Schema = StarWarsAPI.SchemaMetadata
      typealias RootEntityType = Hero
      private let __storage: ResponseObject
      static let __layout = Hero.__selections[2]
      var name: String { __value(0) }
      var friend: Details.Friend { __value(1) }
    }
  }

  private struct Details: StarWarsAPI.SelectionSet, Fragment {
    typealias Schema = StarWarsAPI.SchemaMetadata
    static var fragmentDefinition: String {
      "fragment Details on Character { name friend { name } }"
    }
    private let __storage: ResponseObject
    static let __selections = Selections(
      "Character {name String! friend Character {name String!}!}")
    static let __layout = __selections[0]

    struct Friend: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = Details.__selections[1]
      var name: String { __value(0) }
    }
  }
}
