import ApolloAPI
import Testing

/// The fields with which deferred fragments arrive.
struct DeferredFragmentTests {
  /// Two deferred fragments spread the same one. Either can arrive first.
  @Test(arguments: [
    (#""name":"Leia""#, false, true),
    (#""id":"1""#, false, false),
    (#""id":"1","name":"Leia""#, true, true),
  ])
  func aNamedFragmentArrivesWithEachDeferredFragmentThatSpreadsIt(
    fields: String, hasFirst: Bool, hasSecond: Bool
  ) throws {
    let friend = #"{"__typename":"Human",\#(fields)}"#
    let text = #"{"hero":{"__typename":"Human","name":"Luke","friend":\#(friend)}}"#
    let hero = try #require(try SharedData(jsonBytes: Array(text.utf8)).hero)
    let first = Deferred<SharedData.First>(__object: hero.__object)
    let second = Deferred<SharedData.Second>(__object: hero.__object)
    #expect((first.wrappedValue != nil) == hasFirst)
    #expect((second.wrappedValue != nil) == hasSecond)
  }

  /// The `if` of `@defer` is `true` by default.
  @Test(arguments: [(nil, true), (true, true), (false, false)] as [(Bool?, Bool)])
  func aFragmentIsDeferredUnlessItsVariableIsFalse(later: Bool?, isDeferred: Bool) {
    var variables = Variables()
    variables["later"] = later.map { .bool($0) }
    let hero = try? LaterHero(
      jsonBytes: Array(#"{"__typename":"Human","name":"Luke"}"#.utf8), variables: variables)
    #expect((hero != nil) == isDeferred)
  }

  @Test func aDeferredFragmentIsPendingInAModelThatIsMadeOfOneWithoutItsFields() throws {
    let hero = StarWarsAPI.EditableHero(__typename: "Human", name: "Luke", appearsIn: [])
    let made = try LaterHero(converting: hero, variables: ["later": true])
    #expect(made.jsonValue == ["__typename": "Human", "name": "Luke"])
    #expect(Deferred<LaterHero.Later>(__object: made.__object).projectedValue == .pending)
    let error = #expect(throws: ModelConversionError.self) {
      try LaterHero(converting: hero, variables: ["later": false])
    }
    #expect(error?.path == ["id"])
  }
}

/// `fragment FriendName on Character { friend { name } }`.
private struct FriendName: StarWarsAPI.SelectionSet, Fragment {
  typealias Schema = StarWarsAPI.SchemaMetadata
  static var fragmentDefinition: String {
    "fragment FriendName on Character { __typename friend { __typename name } }"
  }
  private let __storage: ResponseObject
  static let __selections = Selections(
    "Character {__typename String! friend Character {__typename String! name String!}}")
  static let __layout = __selections[0]
}

/// `{ hero { name ... @defer(label: "first") { friend { id } ...FriendName }
/// ... @defer(label: "second") { ...FriendName } } }`.
private struct SharedData: StarWarsAPI.SelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    """
    Query {
      hero Character {
        __typename String!
        name String!
        ...Character {
          +__typename +name
          friend Character {__typename String! id String!}
          ...#0
        } @defer(label: "first")
        ...Character {+__typename +name +friend ...#0} @defer(label: "second")
      }
    }
    """, fragments: [FriendName.self])
  static let __layout = __selections[0]
  var hero: Hero? { __value(0) }

  struct Hero: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = SharedData.__selections[1]
  }

  struct First: StarWarsAPI.InlineFragment {
    typealias Schema = StarWarsAPI.SchemaMetadata
    typealias RootEntityType = Hero
    private let __storage: ResponseObject
    static let __layout = SharedData.__selections[2]
  }

  struct Second: StarWarsAPI.InlineFragment {
    typealias Schema = StarWarsAPI.SchemaMetadata
    typealias RootEntityType = Hero
    private let __storage: ResponseObject
    static let __layout = SharedData.__selections[4]
  }
}

/// `{ name ... @defer(label: "slow", if: $later) { id } }`, of `$later: Boolean`.
private struct LaterHero: StarWarsAPI.SelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    """
    Character {
      __typename String!
      name String!
      ...Character {+__typename +name id String!} @defer(label: "slow" if: $later)
    }
    """)
  static let __layout = __selections[0]

  struct Later: StarWarsAPI.InlineFragment {
    typealias Schema = StarWarsAPI.SchemaMetadata
    typealias RootEntityType = LaterHero
    private let __storage: ResponseObject
    static let __layout = LaterHero.__selections[1]
  }
}
